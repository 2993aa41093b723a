package tc

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/qdisc"
)

func TestCoDelShows(t *testing.T) {
	const fq = "fq_codel limit 10240p flows 1024 quantum 1514 target 5ms interval 100ms memory_limit 32Mb ecn drop_batch 64"
	for words, shown := range map[string]string{
		"codel": "codel limit 1000p target 5ms interval 100ms",
		"codel noecn ecn ce_threshold 1.5ms limit 0x10": "codel limit 16p target 5ms ce_threshold 1.5ms interval 100ms ecn",
		"codel ecn noecn limit 5 limit 0":               "codel limit 0p target 5ms interval 100ms",
		"codel target 0 interval 0 ce_threshold 0":      "codel limit 1000p target 0us ce_threshold 0us interval 0us",
		"codel target 100us interval 4294967295":        "codel limit 1000p target 100us interval 4.29e+03s",

		"fq_codel":           fq,
		"fq_codel noecn ecn": fq,
		"fq_codel limit 0 flows 65536 quantum 0 target 0 interval 1s memory_limit 0 noecn drop_batch 0": "fq_codel limit 0p flows 65536 quantum 256 target 0us interval 1s memory_limit 0b drop_batch 1",
		"fq_codel quantum 255 memory_limit 3gb":                                                         "fq_codel limit 10240p flows 1024 quantum 256 target 5ms interval 100ms memory_limit 2Gb ecn drop_batch 64",
		"fq_codel quantum 0x100000 flows 1 drop_batch 2147483647":                                       "fq_codel limit 10240p flows 1 quantum 1048576 target 5ms interval 100ms memory_limit 32Mb ecn drop_batch 2147483647",
		"fq_codel ce_threshold_selector 1/3 ce_threshold 2ms":                                           "fq_codel limit 10240p flows 1024 quantum 1514 target 5ms ce_threshold 2ms ce_threshold_selector 0x1/0x3 interval 100ms memory_limit 32Mb ecn drop_batch 64",
		"fq_codel ce_threshold_selector 0xff/0 ce_threshold 2ms":                                        "fq_codel limit 10240p flows 1024 quantum 1514 target 5ms ce_threshold 2ms interval 100ms memory_limit 32Mb ecn drop_batch 64",
		"fq_codel ce_threshold_selector 1/3":                                                            fq,
	} {
		q, err := New(words, Options{})
		require.NoError(t, err, words)
		assert.Equal(t, shown, Show(q), words)
	}

	// The kernel's clock has units of 1024 ns, and tc prints what is left.
	q, err := New("codel target 100us interval 2s ce_threshold 1", Options{Compat: qdisc.Linux})
	require.NoError(t, err)
	assert.Equal(t, "codel limit 1000p target 99us ce_threshold 0us interval 2s", Show(q))
	q, err = New("fq_codel target 0 ce_threshold 10us", Options{Compat: qdisc.Linux})
	require.NoError(t, err)
	assert.Equal(t, "fq_codel limit 10240p flows 1024 quantum 1514 target 0us ce_threshold 9us interval 100ms memory_limit 32Mb ecn drop_batch 64", Show(q))
}

func TestCoDelRefuses(t *testing.T) {
	for words, want := range map[string]string{
		"codel lim 5":               `codel: unknown option "lim"; use limit, target, interval, ecn, noecn, ce_threshold`,
		"codel limit":               "codel: limit needs a value",
		"codel limit 5p":            "not a whole number",
		"codel target 5ns":          "use s, ms or us",
		"codel interval -1":         "negative",
		"codel interval 4295s":      "below 2^32 us",
		"codel ce_threshold":        "ce_threshold needs a value",
		"codel ecn 1":               `unknown option "1"`,
		"codel memory_limit 5":      `unknown option "memory_limit"`,
		"fq_codel flow 5":           `fq_codel: unknown option "flow"; use limit, flows, quantum,`,
		"fq_codel flows 0":          `fq_codel: flows "0": an fq_codel has 1 to 65536 flows`,
		"fq_codel flows 65537":      "1 to 65536 flows",
		"fq_codel flows x":          "not a whole number",
		"fq_codel quantum 1048577":  "fq_codel: Quantum = 1048577: 256 to 1048576 bytes",
		"fq_codel quantum 1k":       "not a whole number",
		"fq_codel memory_limit 4gb": "below 2^32",
		"fq_codel drop_batch -1":    "not a whole number",
		"fq_codel target x":         "not a number",
		"fq_codel interval 5m":      `unknown unit "m"`,
		"fq_codel limit 1e3":        "not a whole number",

		"fq_codel ce_threshold x":              "not a number",
		"fq_codel ce_threshold_selector":       "needs a value",
		"fq_codel ce_threshold_selector 1":     `ce_threshold_selector "1": give VALUE/MASK, two bytes such as 0x1/0x3`,
		"fq_codel ce_threshold_selector 1/":    "two bytes",
		"fq_codel ce_threshold_selector /3":    "two bytes",
		"fq_codel ce_threshold_selector 256/3": "two bytes",
		"fq_codel ce_threshold_selector 1/256": "two bytes",
		"fq_codel ce_threshold_selector 1/3/3": "two bytes",
	} {
		_, err := New(words, Options{})
		assert.ErrorContains(t, err, want, words)
	}
}

func TestCoDelConfig(t *testing.T) {
	var drops qdisc.List
	var h qdisc.Histogram
	opt := Options{MTU: 9014, Compat: qdisc.Linux, Drops: &drops, Sojourn: &h}
	q, err := New("codel limit 7 target 1ms interval 0 ecn ce_threshold 3us", opt)
	require.NoError(t, err)
	assert.Equal(t, codel.Config{
		Limit: new(7), Target: time.Millisecond, Interval: 1, ECN: true, CEThreshold: new(3 * time.Microsecond),
		MTU: 9014, Compat: qdisc.Linux, Drops: &drops, Sojourn: &h,
	}, q.(*codel.CoDel).Config())

	q, err = New("fq_codel limit 7 flows 9 memory_limit 1mb noecn drop_batch 3 target 0 interval 1s ce_threshold 3us ce_threshold_selector 0x01/0x03", opt)
	require.NoError(t, err)
	assert.Equal(t, codel.FQConfig{
		Limit: new(7), Flows: 9, Quantum: 9014, MemoryLimit: new(int64(1 << 20)), NoECN: true, DropBatch: 3, Target: 1, Interval: time.Second,
		CEThreshold: new(3 * time.Microsecond), CESelector: 1, CEMask: 3, MTU: 9014, Compat: qdisc.Linux, Drops: &drops, Sojourn: &h,
	}, q.(*codel.FQ).Config())

	for mtu, quantum := range map[int]int{0: 1514, 100: 256, 2 << 20: 1 << 20} { // what a device may have and a round may not
		q, err := New("fq_codel", Options{MTU: mtu})
		require.NoError(t, err)
		assert.Equal(t, quantum, q.(*codel.FQ).Config().Quantum)
	}
}

// TestCoDelChange: what is not named stays, as do the packets that there is
// room for; what the device says does not change either.
func TestCoDelChange(t *testing.T) {
	var drops qdisc.List
	tree := build(t, `qdisc add dev D root handle 1: prio
qdisc add dev D parent 1:1 handle 2: codel limit 3 target 2ms ecn ce_threshold 1ms
qdisc add dev D parent 1:2 handle 3: fq_codel limit 3 flows 16 noecn drop_batch 1 memory_limit 100000 ce_threshold 1ms ce_threshold_selector 1/3`,
		Options{Drops: &drops})
	root := tree.Root()
	for _, class := range []uint32{1, 1, 1, 2, 2, 2} {
		root.Enqueue(&qdisc.Packet{Len: 100, Class: class}, 0)
	}
	tree.opt.MTU = 9014
	for _, verb := range []string{"change", "replace"} {
		require.NoError(t, tree.Run("qdisc "+verb+" dev D parent 1:1 codel interval 50ms", 0))
		require.NoError(t, tree.Run("qdisc "+verb+" dev D parent 1:2 fq_codel interval 50ms", 0))
		assert.Equal(t, "codel limit 3p target 2ms ce_threshold 1ms interval 50ms ecn", Show(tree.Find("2:")))
		assert.Equal(t, "fq_codel limit 3p flows 16 quantum 1514 target 5ms ce_threshold 1ms ce_threshold_selector 0x1/0x3 interval 50ms memory_limit 100000b drop_batch 1", Show(tree.Find("3:")))
		assert.Equal(t, codel.DefaultMTU, tree.Find("2:").(*codel.CoDel).Config().MTU)

		require.ErrorContains(t, tree.Run("qdisc "+verb+" dev D parent 1:2 fq_codel flows 16", 0), "fq_codel: flows can only be given when the fq_codel is added")
		require.ErrorContains(t, tree.Run("qdisc "+verb+" dev D parent 1:2 fq_codel limit 1 quantum 2000000", 0), "Quantum")
		require.ErrorContains(t, tree.Run("qdisc "+verb+" dev D parent 1:1 codel limit 1 target x", 0), "target")
	}
	require.Equal(t, 6, root.Len())
	require.NoError(t, tree.Run("qdisc change dev D parent 1:1 codel limit 1 noecn", 0))
	require.NoError(t, tree.Run("qdisc change dev D parent 1:2 fq_codel limit 2 ecn", 0))
	assert.Equal(t, 3, root.Len())
	assert.Equal(t, 3, drops.Len())
	assert.Equal(t, "codel limit 1p target 2ms ce_threshold 1ms interval 50ms", Show(tree.Find("2:")))
	for range 3 {
		require.NotNil(t, root.Dequeue(0))
	}
}

// TestSillyQuantum: a quantum far from a packet's length costs no long loop.
func TestSillyQuantum(t *testing.T) {
	for _, quantum := range []string{"0", "1", "255", "1048576"} {
		q, err := New("fq_codel flows 4 quantum "+quantum, Options{})
		require.NoError(t, err)
		for i := range uint32(64) {
			q.Enqueue(&qdisc.Packet{Len: 65535, Flow: i << 30}, 0)
		}
		for range 64 {
			require.NotNil(t, q.Dequeue(0))
		}
		require.Nil(t, q.Dequeue(0))
	}
	for _, quantum := range []string{"1048577", "2147483648", "4294967295"} {
		_, err := New("fq_codel quantum "+quantum, Options{})
		require.ErrorContains(t, err, "Quantum")
	}
}

func TestCoDelStats(t *testing.T) {
	const none = " Sent 0 bytes 0 pkt (dropped 0, overlimits 0 requeues 0)\n backlog 0b 0p requeues 0\n"
	for _, compat := range []qdisc.Compat{qdisc.Exact, qdisc.Linux} {
		q, err := New("codel", Options{Compat: compat})
		require.NoError(t, err)
		assert.Equal(t, none+"  count 0 lastcount 0 ldelay 0us drop_next 0us\n  maxpacket 0 ecn_mark 0 drop_overlimit 0", ShowStats(q))
		j, err := JSON(q)
		require.NoError(t, err)
		assert.JSONEq(t, `{"kind":"codel","bytes":0,"packets":0,"drops":0,"overlimits":0,"requeues":0,"backlog":0,"qlen":0,
"count":0,"lastcount":0,"ldelay":0,"drop_next":0,"maxpacket":0,"ecn_mark":0,"drop_overlimit":0}`, string(j))

		q, err = New("fq_codel", Options{Compat: compat})
		require.NoError(t, err)
		assert.Equal(t, none+"  maxpacket 0 drop_overlimit 0 new_flow_count 0 ecn_mark 0\n  new_flows_len 0 old_flows_len 0", ShowStats(q))
	}
}

// TestCoDelStatsDropping lets packets wait until the law acts.
func TestCoDelStatsDropping(t *testing.T) {
	const ms = qdisc.Time(1e6)
	q, err := New("codel limit 8 ecn ce_threshold 50ms", Options{})
	require.NoError(t, err)
	for range 9 {
		q.Enqueue(&qdisc.Packet{Len: 1000, DSField: qdisc.ECT0}, 0)
	}
	require.NotNil(t, q.Dequeue(6*ms))
	require.NotNil(t, q.Dequeue(106*ms))
	assert.Equal(t, ` Sent 2000 bytes 2 pkt (dropped 1, overlimits 0 requeues 0)
 backlog 6000b 6p requeues 0
  count 1 lastcount 1 ldelay 106ms dropping drop_next 100ms
  maxpacket 1000 ecn_mark 1 drop_overlimit 1`, ShowStats(q))
	q.Enqueue(&qdisc.Packet{Len: 1000, DSField: qdisc.ECT0}, 206*ms+ms/2)
	assert.Contains(t, ShowStats(q), "dropping drop_next -500us\n", "overdue, by the latest time seen")
	j, err := JSON(q)
	require.NoError(t, err)
	assert.JSONEq(t, `{"kind":"codel","bytes":2000,"packets":2,"drops":1,"overlimits":0,"requeues":0,"backlog":7000,"qlen":7,
"count":1,"lastcount":1,"ldelay":106000,"dropping":true,"drop_next":-500,"maxpacket":1000,"ecn_mark":1,"drop_overlimit":1}`, string(j))

	// In the second dropping round the law has nothing to mark before its time.
	require.NotNil(t, q.Dequeue(206*ms+ms/2))
	require.NotNil(t, q.Dequeue(207*ms))
	assert.Contains(t, ShowStats(q), "ecn_mark 2 drop_overlimit 1 ce_mark 1")
}

func TestFQStats(t *testing.T) {
	tree := build(t, "qdisc add dev D root handle 1: fq_codel flows 2 memory_limit 5000 drop_batch 1 ce_threshold 1ms", Options{})
	root := tree.Root()
	for range 3 {
		root.Enqueue(&qdisc.Packet{Len: 1000, DSField: qdisc.ECT1}, 0)
	}
	for range 3 { // the last of which takes the memory of a longest flow's head
		root.Enqueue(&qdisc.Packet{Len: 1000, Flow: 1 << 31}, 0)
	}
	require.NotNil(t, root.Dequeue(2e6))
	require.NotNil(t, root.Dequeue(2e6))
	require.NotNil(t, root.Dequeue(2e6))
	assert.Equal(t, `qdisc fq_codel 1: root limit 10240p flows 2 quantum 1514 target 5ms ce_threshold 1ms interval 100ms memory_limit 5000b ecn drop_batch 1
 Sent 3000 bytes 3 pkt (dropped 1, overlimits 0 requeues 0)
 backlog 2000b 2p requeues 0
  maxpacket 1000 drop_overlimit 1 new_flow_count 2 ecn_mark 0 ce_mark 2 memory_used 2000 drop_overmemory 1
  new_flows_len 1 old_flows_len 1
`, tree.ShowStats())
	j, err := tree.JSON()
	require.NoError(t, err)
	assert.JSONEq(t, `[{"kind":"fq_codel","handle":"1:","root":true,"bytes":3000,"packets":3,"drops":1,"overlimits":0,"requeues":0,"backlog":2000,"qlen":2,
"maxpacket":1000,"drop_overlimit":1,"new_flow_count":2,"ecn_mark":0,"ce_mark":2,"memory_used":2000,"drop_overmemory":1,"new_flows_len":1,"old_flows_len":1}]`, string(j))
}
