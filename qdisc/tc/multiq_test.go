package tc

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/mq"
	"github.com/netsched/netsched/qdisc/multiq"
	"github.com/netsched/netsched/qdisc/prio"
)

// TestHardwareQueues has tc-testing's cases on the words of multiq and mq:
// 20ba and 4301, 1329, ce7d and 1023, 2f82, c525, be0f. mq shows a line for
// each queue's first discipline there, which Tree.Show leaves out as that of
// every other class; the classes are counted instead.
func TestHardwareQueues(t *testing.T) {
	for _, c := range []struct {
		kind    string
		queues  int
		shows   string
		classes int // 0: refused
	}{
		{"multiq", 8, `^qdisc multiq 1: root bands 8\n$`, 8},
		{"multiq", 1, "", 0},
		{"multiq", 0, "", 0},
		{"mq", 4, `^qdisc mq 1: root\n$`, 4},
		{"mq", 256, `^qdisc mq 1: root\n$`, 256},
		{"mq", 1, "", 0},
	} {
		add := "tc qdisc add dev E root handle 1: " + c.kind
		opt := Options{TxQueues: c.queues, TxQueueLen: 2}
		tree, err := Build(add, opt)
		if c.classes == 0 {
			require.ErrorContains(t, err, c.kind+": TxQueues = 1: the device has one hardware queue")
			continue
		}
		require.NoError(t, err)
		assert.Regexp(t, regexp.MustCompile(c.shows), tree.Show())
		root := tree.Root().(qdisc.Parent)
		classes := 0
		for range root.Children() {
			classes++
		}
		assert.Equal(t, c.classes, classes)
		for range 3 {
			root.Enqueue(&qdisc.Packet{TxQueue: 3}, 0)
		}
		assert.Equal(t, 2, root.Len(), "queues are as long as the device's")
		require.ErrorContains(t, tree.Run(add, 0), "is there already")

		// No word sets anything, so a change changes nothing.
		shown := tree.Show()
		for _, verb := range []string{"change", "replace"} {
			require.NoError(t, tree.Run("qdisc "+verb+" dev E root "+c.kind, 0))
			require.ErrorContains(t, tree.Run("qdisc "+verb+" dev E root "+c.kind+" bands 4", 0), `unknown option "bands"`)
		}
		assert.Equal(t, shown, tree.Show())
		assert.Equal(t, 2, root.Len())
	}
}

func TestHardwareQueuesAlone(t *testing.T) {
	q, err := New("multiq", Options{TxQueues: 16})
	require.NoError(t, err)
	assert.Equal(t, "multiq bands 16", Show(q))
	assert.Equal(t, 16, q.(*multiq.Multiq).Config().Bands)
	q, err = New("mq", Options{TxQueues: 16})
	require.NoError(t, err)
	assert.Equal(t, "mq", Show(q))
	assert.Equal(t, 16, q.(*mq.MQ).Config().Queues)
	for _, kind := range []string{"mq", "multiq"} {
		_, err = New(kind+" bands", Options{TxQueues: 16})
		assert.EqualError(t, err, kind+`: unknown option "bands"; it takes none: the device says how many hardware queues there are`)
	}
	for _, n := range []int{-1, multiq.MaxBands + 1} {
		_, err = New("multiq", Options{TxQueues: n})
		assert.ErrorContains(t, err, fmt.Sprintf("TxQueues = %d: a device has 1 to 65536 hardware queues", n))
	}
}

// TestHardwareQueuesTree puts disciplines into the classes, 1 to ff and on in
// hexadecimal, and changes one while packets wait.
func TestHardwareQueuesTree(t *testing.T) {
	for _, kind := range []string{"mq", "multiq"} {
		tree := build(t, `qdisc add dev E root handle 1: `+kind+`
qdisc add dev E parent 1:1 handle 10: prio
qdisc add dev E parent 1:10 handle 20: tbf rate 10mbit burst 5kb limit 10kb`, Options{TxQueues: 16})
		root := tree.Root().(classful)
		assert.Same(t, tree.Find("10:"), root.Child(1))
		assert.Same(t, tree.Find("20:"), root.Child(16))
		assert.IsType(t, (*prio.Prio)(nil), root.Child(1))
		for range 2 {
			root.Enqueue(&qdisc.Packet{TxQueue: 15, Len: 4000}, 0)
		}
		root.Enqueue(&qdisc.Packet{TxQueue: 0, Len: 9, Class: 3}, 0)
		assert.Equal(t, 1, root.Child(1).(classful).Child(3).Len())
		require.NoError(t, tree.Run("qdisc change dev E parent 1:10 tbf rate 1gbit burst 10kb limit 10kb", 0))
		for range 3 {
			require.NotNil(t, root.Dequeue(1e6))
		}
		_, err := Build("qdisc add dev E root handle 1: "+kind+"\nqdisc add dev E parent 1:11 pfifo", Options{TxQueues: 16})
		assert.ErrorContains(t, err, "parent 1:11: Class = 17: the classes are 1 to 16")
	}
}

func TestMQIsTheRoot(t *testing.T) {
	_, err := Build("qdisc add dev x root handle 1: prio\nqdisc add dev x parent 1:1 handle 2: mq", Options{TxQueues: 4})
	require.ErrorContains(t, err, "can only be the root")
}
