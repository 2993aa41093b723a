package tc

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

const fastShown = "pfifo_fast bands 3 priomap 1 2 2 2 1 2 0 0 1 1 1 1 1 1 1 1"

// TestFastTCTesting has tc-testing's cases on the words of pfifo_fast: 900c
// and 7470, b974.
func TestFastTCTesting(t *testing.T) {
	tree := build(t, "tc qdisc add dev D handle 1: root pfifo_fast", Options{})
	assert.Equal(t, strings.Replace(fastShown, "fast ", "fast 1: root ", 1), strings.TrimPrefix(strings.TrimSuffix(tree.Show(), "\n"), "qdisc "))
	assert.Len(t, regexp.MustCompile(`qdisc pfifo_fast 1: root bands 3 priomap`).FindAllString(tree.Show(), -1), 1)
	assert.Len(t, regexp.MustCompile(`Sent.*bytes.*pkt \(dropped.*overlimits.*requeues .*\)`).FindAllString(tree.ShowStats(), -1), 1)

	require.NoError(t, tree.Run("qdisc replace dev D handle 2: root pfifo_fast", 0))
	assert.Len(t, regexp.MustCompile(`qdisc pfifo_fast 2: root bands 3 priomap`).FindAllString(tree.Show(), -1), 1)
	assert.Nil(t, tree.Find("1:"))
}

func TestFastWords(t *testing.T) {
	q, err := New(" pfifo_fast ", Options{TxQueueLen: 2})
	require.NoError(t, err)
	assert.Equal(t, fastShown, Show(q))
	again, err := New(readable(Show(q)), Options{TxQueueLen: 2})
	require.NoError(t, err)
	assert.Equal(t, q.(*fifo.Fast).Config(), again.(*fifo.Fast).Config())
	for priority := range uint32(16) { // each band is as long as the device's queue
		q.Enqueue(&qdisc.Packet{Priority: priority}, 0)
	}
	assert.Equal(t, 6, q.Len())

	for _, words := range []string{"limit", "limit 5", "bands 3", "bands 3 priomap 1 2 2 2 1 2 0 0 1 1 1 1 1 1 1 1", "x"} {
		first, _, _ := strings.Cut(words, " ")
		_, err := New("pfifo_fast "+words, Options{})
		assert.EqualError(t, err, `pfifo_fast: unknown option "`+first+`"; it takes none: the bands are fixed, and hold as many packets as the device's queue length says`)
	}

	own, err := fifo.NewFast(fifo.FastConfig{Priomap: new([16]uint8)})
	require.NoError(t, err)
	assert.Equal(t, "pfifo_fast bands 3 priomap 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", Show(own), "what tc has no words for is shown")
}

// TestFastTree: a class may have one, and it has none itself; the drop list
// and the queue length are the device's; a change keeps what is held.
func TestFastTree(t *testing.T) {
	var drops qdisc.List
	var h qdisc.Histogram
	tree := build(t, `qdisc add dev D root handle 1: tbf rate 1gbit burst 10kb limit 10kb
qdisc add dev D parent 1:1 handle 2: pfifo_fast`, Options{TxQueueLen: 1, Drops: &drops, Sojourn: &h})
	assert.Contains(t, tree.Show(), "\nqdisc pfifo_fast 2: parent 1:1 bands 3 priomap 1 2 2 2 1 2 0 0 1 1 1 1 1 1 1 1\n")
	root := tree.Root()
	for _, priority := range []uint32{2, 0, 6, 6} {
		root.Enqueue(&qdisc.Packet{Len: 100, Priority: priority}, 0)
	}
	require.Equal(t, 3, root.Len())
	assert.Equal(t, 1, drops.Len())
	shown := tree.Show()
	for _, verb := range []string{"change", "replace"} {
		require.NoError(t, tree.Run("qdisc "+verb+" dev D parent 1:1 pfifo_fast", 0))
		require.ErrorContains(t, tree.Run("qdisc "+verb+" dev D parent 1:1 pfifo_fast limit 5", 0), `pfifo_fast: unknown option "limit"`)
	}
	require.ErrorContains(t, tree.Run("qdisc add dev D parent 2:1 pfifo", 0), "a pfifo_fast has no classes")
	assert.Equal(t, shown, tree.Show())
	for _, priority := range []uint32{6, 0, 2} {
		p := root.Dequeue(1e9)
		require.NotNil(t, p)
		assert.Equal(t, priority, p.Priority)
	}
	assert.EqualValues(t, 3, h.Count())

	tree.opt.TxQueueLen = 2
	require.NoError(t, tree.Run("qdisc change dev D parent 1:1 pfifo_fast", 0))
	assert.Equal(t, 2, *tree.Find("2:").(*fifo.Fast).Config().Limit, "as long as the device's queue is now")

	// As the root it takes the list and the histogram itself.
	q, err := New("pfifo_fast", Options{TxQueueLen: 1, Drops: &drops, Sojourn: &h})
	require.NoError(t, err)
	cfg := q.(*fifo.Fast).Config()
	assert.Same(t, &drops, cfg.Drops)
	assert.Same(t, &h, cfg.Sojourn)
}
