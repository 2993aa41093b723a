package tc

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

const shapedPrio = `
# A shaper over three bands.
tc qdisc add dev eth0 root handle 1: tbf rate 10mbit burst 5kb latency 50ms
qdisc add dev eth0 parent 1:1 handle 10: prio bands 3

qdisc add dev eth0 parent 10:3 pfifo limit 10
`

func build(t *testing.T, script string, opt Options) *Tree {
	tree, err := Build(script, opt)
	require.NoError(t, err)
	return tree
}

func TestBuild(t *testing.T) {
	var drops qdisc.List
	tree := build(t, shapedPrio, Options{Drops: &drops})
	require.Equal(t, "tbf", Show(tree.Root())[:3])
	assert.Same(t, tree.Root(), tree.Find("1:"))
	assert.Same(t, tree.Find("1"), tree.Root())
	assert.Same(t, tree.Root().(qdisc.Parent), tree.Find("1:").(qdisc.Parent))
	bands := tree.Find("10:").(classful)
	assert.Same(t, tree.Root().(classful).Child(1), bands.(qdisc.Qdisc))
	assert.Same(t, bands.Child(3), tree.Find("8001:"))
	for _, handle := range []string{"", "2:", "10:1", "none", "zz:"} {
		assert.Nil(t, tree.Find(handle), handle)
	}
	for range 12 {
		tree.Root().Enqueue(&qdisc.Packet{Len: 1000, Class: 3}, 0)
	}
	assert.Equal(t, 2, drops.Len())
	require.NotNil(t, tree.Root().Dequeue(0))

	assert.Equal(t, `qdisc tbf 1: root rate 10Mbit burst 5Kb
qdisc prio 10: parent 1:1 bands 3 priomap 1 2 2 2 1 2 0 0 1 1 1 1 1 1 1 1
qdisc pfifo 8001: parent 10:3 limit 10p
`, tree.Show())
	assert.Equal(t, `qdisc tbf 1: root rate 10Mbit burst 5Kb
 Sent 1000 bytes 1 pkt (dropped 2, overlimits 0 requeues 0)
 backlog 9000b 9p requeues 0
qdisc prio 10: parent 1:1 bands 3 priomap 1 2 2 2 1 2 0 0 1 1 1 1 1 1 1 1
 Sent 1000 bytes 1 pkt (dropped 2, overlimits 0 requeues 0)
 backlog 9000b 9p requeues 0
qdisc pfifo 8001: parent 10:3 limit 10p
 Sent 1000 bytes 1 pkt (dropped 2, overlimits 0 requeues 0)
 backlog 9000b 9p requeues 0
`, tree.ShowStats())
	j, err := tree.JSON()
	require.NoError(t, err)
	assert.JSONEq(t, `[
{"kind":"tbf","handle":"1:","root":true,"bytes":1000,"packets":1,"drops":2,"overlimits":0,"requeues":0,"backlog":9000,"qlen":9},
{"kind":"prio","handle":"10:","parent":"1:1","bytes":1000,"packets":1,"drops":2,"overlimits":0,"requeues":0,"backlog":9000,"qlen":9},
{"kind":"pfifo","handle":"8001:","parent":"10:3","bytes":1000,"packets":1,"drops":2,"overlimits":0,"requeues":0,"backlog":9000,"qlen":9}
]`, string(j))
}

func TestBuildRefuses(t *testing.T) {
	for script, want := range map[string]string{
		"":                            "no discipline",
		"# nothing":                   "no discipline",
		"\n\nfoo":                     "line 3: a command is",
		"tc":                          "a command is",
		"qdisc":                       "a command is",
		"tc filter add dev D":         "filters are the program's own",
		"qdisc show dev D":            "qdisc show: use add, replace, change or del",
		"qdisc del dev D root":        "qdisc del: there is nothing to delete",
		"qdisc del dev D root nosuch": "unknown kind",
		shapedPrio + "qdisc del dev eth0 root pfifo":                  "qdisc del: it is tbf 1: that is there",
		shapedPrio + "qdisc del dev eth0 root handle 2:":              "qdisc del: it is tbf 1: that is there",
		shapedPrio + "qdisc del dev eth0 parent 10:1":                 "qdisc del: there is nothing to delete",
		shapedPrio + "qdisc del dev eth0 parent 10:3 pfifo limit 10":  `qdisc del: unknown word "limit"; options are for the other commands`,
		"qdisc add root pfifo":                                        "dev is required",
		"qdisc add dev":                                               "dev needs a value",
		"qdisc add dev D pfifo":                                       "root or parent is required",
		"qdisc add dev D root":                                        "kind is missing",
		"qdisc add dev D root parent 1:1 pfifo":                       "either root or parent",
		"qdisc add dev D root handle":                                 "handle needs a value",
		"qdisc add dev D root handle 10000: pfifo":                    `handle "10000:": a handle is 1: to ffff:`,
		"qdisc add dev D root handle 1:: pfifo":                       "a handle is",
		"qdisc add dev D root handle : pfifo":                         "a handle is",
		"qdisc add dev D root handle 0x1: pfifo":                      "a handle is",
		"qdisc add dev D parent 1 pfifo":                              "such as 1:2",
		"qdisc add dev D parent 1: pfifo":                             "such as 1:2",
		"qdisc add dev D parent 1:0 pfifo":                            "such as 1:2",
		"qdisc add dev D parent 1:10000 pfifo":                        "such as 1:2",
		"qdisc add dev D parent 1:1 pfifo":                            "parent 1:1: there is no discipline 1:",
		"qdisc add dev D root pfifo limit x":                          "line 1: pfifo: limit",
		"qdisc add dev D root nosuch":                                 "unknown kind",
		"qdisc change dev D root pfifo":                               "nothing to change",
		shapedPrio + "qdisc add dev eth0 root pfifo":                  "tbf 1: is there already",
		shapedPrio + "qdisc add dev eth1 parent 10:1 pfifo":           `that of device "eth0"`,
		shapedPrio + "qdisc add dev eth0 parent 10:4 pfifo":           "parent 10:4: Class = 4: the classes are 1 to 3",
		shapedPrio + "qdisc add dev eth0 parent 10:3 pfifo":           "pfifo 8001: is there already",
		shapedPrio + "qdisc add dev eth0 parent 8001:1 pfifo":         "a pfifo has no classes",
		shapedPrio + "qdisc add dev eth0 parent 10:1 handle 1: pfifo": "handle 1: is that of a tbf",
		shapedPrio + "qdisc replace dev eth0 root handle 1: pfifo":    "handle 1: is that of a tbf",
		shapedPrio + "qdisc change dev eth0 root handle 2: tbf":       "tbf 1: is there",
		shapedPrio + "qdisc change dev eth0 root pfifo":               "tbf 1: is there",
	} {
		_, err := Build(script, Options{})
		require.Error(t, err, script)
		assert.ErrorContains(t, err, want, script)
	}
}

// TestRun changes a tree while packets wait in it.
func TestRun(t *testing.T) {
	var drops qdisc.List
	tree := build(t, shapedPrio, Options{Drops: &drops, TxQueueLen: 7})
	root := tree.Root()
	for _, class := range []uint32{1, 3, 3} {
		root.Enqueue(&qdisc.Packet{Len: 1000, Class: class}, 0)
	}
	run := func(line string, held, lost int, want ...string) {
		t.Helper()
		require.NoError(t, tree.Run(line, 1))
		assert.Equal(t, held, tree.Root().Len(), line)
		assert.Equal(t, lost, drops.Len(), line)
		for range drops.Drain() {
		}
		assert.Equal(t, strings.Join(want, "\n")+"\n", tree.Show(), line)
	}
	const (
		top  = "qdisc tbf 1: root rate 1Mbit burst 2Kb"
		map3 = " 1 2 2 2 1 2 0 0 1 1 1 1 1 1 1 1"
	)
	run("qdisc change dev eth0 root tbf rate 1mbit burst 2kb limit 1", 3, 0,
		top, "qdisc prio 10: parent 1:1 bands 3 priomap"+map3, "qdisc pfifo 8001: parent 10:3 limit 10p")
	run("qdisc replace dev eth0 parent 10:3 pfifo limit 1", 3, 0,
		top, "qdisc prio 10: parent 1:1 bands 3 priomap"+map3, "qdisc pfifo 8001: parent 10:3 limit 1p")
	run("qdisc replace dev eth0 parent 10:3 pfifo", 3, 0,
		top, "qdisc prio 10: parent 1:1 bands 3 priomap"+map3, "qdisc pfifo 8001: parent 10:3 limit 1p")
	run("qdisc replace dev eth0 parent 10:3 handle 30: bfifo limit 5000", 1, 2,
		top, "qdisc prio 10: parent 1:1 bands 3 priomap"+map3, "qdisc bfifo 30: parent 10:3 limit 5000b")
	run("qdisc change dev eth0 parent 1:1 prio bands 2 priomap 0 1 0 1 0 1", 1, 0,
		top, "qdisc prio 10: parent 1:1 bands 2 priomap 0 1 0 1 0 1 0 0 1 1 1 1 1 1 1 1")
	run("qdisc change dev eth0 parent 1:1 prio bands 4", 1, 0,
		top, "qdisc prio 10: parent 1:1 bands 4 priomap"+map3)
	assert.Equal(t, "pfifo limit 7p", Show(tree.Find("10:").(classful).Child(4)), "new bands are as long as the device's queue")
	assert.Nil(t, tree.Find("30:"))

	shown := tree.Show()
	for _, bad := range []string{
		"qdisc replace dev eth0 root handle 2: prio bands 99", "qdisc change dev eth0 parent 1:1 prio bands 99",
		"qdisc replace dev eth0 parent 10:4 tbf rate 1", "qdisc replace dev eth0 parent 10:5 pfifo",
	} {
		require.Error(t, tree.Run(bad, 1))
		assert.Equal(t, shown, tree.Show())
		assert.Equal(t, 1, tree.Root().Len())
	}
	require.NotNil(t, root.Dequeue(1))
	root.Enqueue(&qdisc.Packet{Len: 1000, Class: 1}, 1)
	run("qdisc replace dev eth0 root handle 2: pfifo_head_drop", 0, 1, "qdisc pfifo_head_drop 2: root limit 7p")
	assert.NotSame(t, root, tree.Root())
}

func TestHandles(t *testing.T) {
	tree := build(t, "qdisc add dev D root prio bands 16\nqdisc add dev D parent 8001:a handle 8002: pfifo\nqdisc add dev D parent 8001:b pfifo", Options{})
	assert.NotNil(t, tree.Find("8002:"))
	assert.Same(t, tree.Find("8003:"), tree.Root().(classful).Child(11))
}
