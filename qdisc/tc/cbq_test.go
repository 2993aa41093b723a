package tc

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/cbq"
	"github.com/netsched/netsched/qdisc"
)

// sharedLink is a link of 10 Mbit/s with a class that may borrow and one that
// may not.
const sharedLink = `
qdisc add dev eth0 root handle 1: cbq bandwidth 10mbit avpkt 1000 cell 8
class add dev eth0 parent 1: classid 1:1 cbq bandwidth 10mbit rate 10mbit allot 1514 weight 1mbit prio 8 maxburst 20 avpkt 1000 bounded isolated
class add dev eth0 parent 1:1 classid 1:3 cbq bandwidth 10mbit rate 6mbit allot 1514 weight 600kbit prio 5 maxburst 20 avpkt 1000
class add dev eth0 parent 1:1 classid 1:10 cbq bandwidth 10mbit rate 3mbit allot 1514 weight 300kbit prio 5 maxburst 20 minburst 2 avpkt 1000 bounded
qdisc add dev eth0 parent 1:10 handle 10: pfifo limit 5
`

func TestCBQShows(t *testing.T) {
	tree := build(t, sharedLink, Options{})
	assert.Equal(t, `qdisc cbq 1: root rate 10Mbit (bounded,isolated) prio no-transmit
qdisc pfifo 10: parent 1:10 limit 5p
`, tree.Show())
	assert.Equal(t, `class cbq 1: root rate 10Mbit (bounded,isolated) prio no-transmit
class cbq 1:1 parent 1: rate 10Mbit (bounded,isolated) prio no-transmit
class cbq 1:3 parent 1:1 rate 6Mbit prio 5
class cbq 1:10 parent 1:1 leaf 10: rate 3Mbit (bounded) prio 5
`, tree.ShowClasses())
	root := tree.Root()
	for range 6 {
		root.Enqueue(&qdisc.Packet{Class: 0x10, Len: 1000}, 0)
	}
	require.NotNil(t, root.Dequeue(0))
	assert.Regexp(t, `class cbq 1:10 parent 1:1 leaf 10: rate 3Mbit \(bounded\) prio 5
 Sent 1000 bytes 1 pkt \(dropped 1, overlimits 0 requeues 0\)
 backlog 4000b 4p requeues 0
  borrowed 0 overactions \d+ avgidle -?\d+ undertime \d+
$`, tree.ShowClassStats())
}

func TestCBQConfig(t *testing.T) {
	q, err := New("cbq rate 10mbit allot 1514 avp 1500 cell 128 mpu 64 ewma 7", Options{TxQueueLen: 9})
	require.NoError(t, err)
	cfg := q.(*cbq.CBQ).Config()
	assert.Equal(t, 10*qdisc.Mbit, cfg.Bandwidth)
	assert.EqualValues(t, 1500, cfg.AvgPacket)
	assert.Equal(t, 7, *cfg.EWMA)
	assert.Equal(t, 9, *cfg.Limit)

	tree := build(t, sharedLink, Options{})
	own := tree.Root().(*cbq.CBQ)
	class := func(id uint32) cbq.ClassConfig {
		cfg, ok := own.Class(id)
		require.True(t, ok)
		cfg.Child = nil
		return cfg
	}
	assert.Equal(t, cbq.ClassConfig{
		Parent: 1, Rate: 3 * qdisc.Mbit, Priority: 5, Weight: 300 << 7 * 1514, Bounded: true, MaxBurst: 20, MinBurst: 2,
		Bandwidth: 10 * qdisc.Mbit, AvgPacket: 1000,
	}, class(0x10), "a weight is a size: 1kbit is 128")

	// What is not named stays, also the product of weight and allot.
	require.NoError(t, tree.Run("class change dev eth0 classid 1:10 cbq isolated borrow prio 1 minidle 100 ewma 3 rate 2mbit", 0))
	assert.Equal(t, cbq.ClassConfig{
		Parent: 1, Rate: 2 * qdisc.Mbit, Priority: 1, Weight: 300 << 7 * 1514, Isolated: true, MaxBurst: 20, MinBurst: 2,
		Bandwidth: 10 * qdisc.Mbit, AvgPacket: 1000, MinIdle: 100 * time.Microsecond, EWMA: new(3),
	}, class(0x10))
	require.NoError(t, tree.Run("class change dev eth0 classid 1:10 cbq weight 7 sharing avpkt 2000", 0))
	assert.EqualValues(t, 7*3000, class(0x10).Weight, "an allot of one and a half packets")

	// Without a weight it is the rate in bytes a second, or 1 at priority 8.
	for words, weight := range map[string]uint64{"prio 2": 1e6 / 8 * 1514, "prio 8": 1514, "": 1514} {
		require.NoError(t, tree.Run("class add dev eth0 parent 1:10 classid 1:20 cbq rate 1mbit "+words, 0))
		assert.Equal(t, weight, class(0x20).Weight, words)
		require.NoError(t, tree.Run("class del dev eth0 classid 1:20", 0))
	}

	// The default class is the program's, and stays.
	cfg = own.Config()
	cfg.Default = 3
	require.NoError(t, own.Change(cfg, 0))
	require.NoError(t, tree.Run("qdisc change dev eth0 root cbq bandwidth 20mbit", 0))
	cfg = own.Config()
	assert.Equal(t, 20*qdisc.Mbit, cfg.Bandwidth)
	assert.EqualValues(t, 3, cfg.Default)
	assert.EqualValues(t, 1000, cfg.AvgPacket)
}

func TestCBQRefused(t *testing.T) {
	const class = "class add dev eth0 parent 1:1 classid 1:11 cbq "
	for words, want := range map[string]string{
		"cbq":                                       "cbq: bandwidth is required",
		"cbq avpkt 1000":                            "cbq: bandwidth is required",
		"cbq bandwidth 7 avpkt 1000":                "bandwidth is required",
		"cbq bandwidth 10mbit":                      "cbq: avpkt is required",
		"cbq bandwidth 10% avpkt 1000":              "share of the device's speed",
		"cbq bandwidth 10mbit avpkt 1000 cell 100":  `cbq: cell "100": not a power of two`,
		"cbq bandwidth 10mbit avpkt 1000 ewma 32":   "cbq: EWMA = 32",
		"cbq bandwidth 10mbit avpkt 1000 default 1": `cbq: unknown option "default"; use bandwidth, rate, avpkt, allot, cell, mpu, ewma`,
		"cbq bandwidth 10mbit avpkt 2gb":            "AvgPacket",
	} {
		_, err := New(words, Options{})
		assert.ErrorContains(t, err, want, words)
	}
	for line, want := range map[string]string{
		class:                                        "cbq: rate is required",
		class + "rate 7":                             "rate is required",
		class + "rate 1mbit maxburst 20":             "cbq: maxburst and minburst need bandwidth",
		class + "rate 1mbit minburst 2":              "need bandwidth",
		class + "rate 1mbit prio 0":                  `cbq: prio "0": a priority is 1, served first, to 8`,
		class + "rate 1mbit prio 9":                  "a priority is 1",
		class + "rate 1mbit ewma 32":                 "EWMA",
		class + "rate 1mbit b":                       "may mean bandwidth or bounded or borrow",
		class + "rate 1mbit cell 100":                "not a power of two",
		class + "rate 1mbit split 1:0":               "cbq: split chooses a class by priority",
		class + "rate 1mbit defmap ff":               "cbq: defmap chooses a class by priority",
		class + "rate 1mbit overhead 4":              `unknown option "overhead"`,
		class + "rate 1mbit minidle 1us":             "not a whole number",
		"class del dev eth0 classid 1:1":             "class del: Class = 1",
		"qdisc change dev eth0 root cbq bandwidth 0": "bandwidth is required",
	} {
		tree := build(t, sharedLink, Options{})
		before := tree.ShowStats() + tree.ShowClassStats()
		assert.ErrorContains(t, tree.Run(line, 0), want, line)
		assert.Equal(t, before, tree.ShowStats()+tree.ShowClassStats(), line)
	}
}
