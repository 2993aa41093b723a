package tc

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/qdisc"
)

// company is a link shared by two companies, one with two classes of its own.
const company = `
tc qdisc add dev eth0 root handle 1: hfsc default 20
tc class add dev eth0 parent 1: classid 1:1 hfsc ls rate 10mbit ul rate 10mbit
tc class add dev eth0 parent 1:1 classid 1:10 hfsc rt umax 1500 dmax 5ms rate 1mbit ls rate 1mbit
tc class add dev eth0 parent 1:1 classid 1:20 hfsc sc m1 1mbit d 10ms m2 9mbit
tc qdisc add dev eth0 parent 1:10 handle 10: pfifo limit 10
tc qdisc add dev eth0 parent 1:20 fq_codel
`

const companyClasses = `class hfsc 1: root
class hfsc 1:1 parent 1: ls m1 0bit d 0us m2 10Mbit ul m1 0bit d 0us m2 10Mbit
class hfsc 1:10 parent 1:1 leaf 10: rt m1 2400Kbit d 5ms m2 1Mbit ls m1 0bit d 0us m2 1Mbit
class hfsc 1:20 parent 1:1 leaf 8001: sc m1 1Mbit d 10ms m2 9Mbit
`

func TestClassesShow(t *testing.T) {
	tree := build(t, company, Options{})
	assert.Equal(t, companyClasses, tree.ShowClasses())
	root := tree.Root()
	for range 12 {
		root.Enqueue(&qdisc.Packet{Len: 1000, Class: 0x10}, 0)
	}
	root.Enqueue(&qdisc.Packet{Len: 500}, 0) // of the default class
	require.EqualValues(t, 0x10, root.Dequeue(0).Class, "by real time")
	require.NotNil(t, root.Dequeue(0))
	assert.Equal(t, `class hfsc 1: root
 Sent 0 bytes 0 pkt (dropped 0, overlimits 0 requeues 0)
 backlog 0b 0p requeues 0
 period 0 level 2

class hfsc 1:1 parent 1: ls m1 0bit d 0us m2 10Mbit ul m1 0bit d 0us m2 10Mbit
 Sent 0 bytes 0 pkt (dropped 0, overlimits 0 requeues 0)
 backlog 0b 0p requeues 0
 period 1 work 1500 bytes level 1

class hfsc 1:10 parent 1:1 leaf 10: rt m1 2400Kbit d 5ms m2 1Mbit ls m1 0bit d 0us m2 1Mbit
 Sent 1000 bytes 1 pkt (dropped 2, overlimits 0 requeues 0)
 backlog 9000b 9p requeues 0
 period 1 work 1000 bytes rtwork 1000 bytes level 0

class hfsc 1:20 parent 1:1 leaf 8001: sc m1 1Mbit d 10ms m2 9Mbit
 Sent 500 bytes 1 pkt (dropped 0, overlimits 0 requeues 0)
 backlog 0b 0p requeues 0
 period 1 work 500 bytes rtwork 500 bytes level 0

`, tree.ShowClassStats())
	assert.Contains(t, tree.ShowStats(), `qdisc hfsc 1: root default 20
 Sent 1500 bytes 2 pkt (dropped 2, overlimits 0 requeues 0)
 backlog 9000b 9p requeues 0
qdisc pfifo 10: parent 1:10 limit 10p
`)
}

// TestClassesOfOthers: those that a discipline starts with are listed too, and
// those of a child after those of its parent.
func TestClassesOfOthers(t *testing.T) {
	tree := build(t, `qdisc add dev D root handle 1: mq
qdisc add dev D parent 1:2 handle 2: tbf rate 1mbit burst 2kb limit 9kb
qdisc add dev D parent 2:1 handle 3: prio bands 2 priomap 0 0 0 0 0 0 0 0 1 1 1 1 1 1 1 1`, Options{TxQueues: 2})
	tree.Root().Enqueue(&qdisc.Packet{TxQueue: 1, Len: 1000, Priority: 8}, 0)
	assert.Equal(t, `class mq 1:1 root
class mq 1:2 root leaf 2:
class tbf 2:1 parent 2: leaf 3:
class prio 3:1 parent 3:
class prio 3:2 parent 3:
`, tree.ShowClasses())
	assert.Contains(t, tree.ShowClassStats(), `class prio 3:2 parent 3:
 Sent 0 bytes 0 pkt (dropped 0, overlimits 0 requeues 0)
 backlog 1000b 1p requeues 0
`)
}

func TestClassesRefused(t *testing.T) {
	for line, want := range map[string]string{
		"class":                                                            "a command is",
		"class show dev eth0":                                              "class show: use add, replace, change or del",
		"class add parent 1: classid 1:2 hfsc":                             "class add: dev is required",
		"class add dev eth0 parent 1: hfsc":                                "class add: classid is required",
		"class add dev eth0 parent 1: classid":                             "class add: classid needs a value",
		"class add dev eth0 classid 1: hfsc":                               `classid "1:": a class is that of a handle and a number, such as 1:2`,
		"class add dev eth0 classid 1:0 hfsc":                              "such as 1:2",
		"class add dev eth0 classid zz:1 hfsc":                             "such as 1:2",
		"class add dev eth0 classid 0:1 hfsc":                              "such as 1:2",
		"class add dev eth0 parent 1 hfsc":                                 `parent "1": a class is`,
		"class add dev eth0 parent 0: hfsc":                                "no discipline has the handle 0",
		"class add dev eth0 parent : hfsc":                                 "a parent is a discipline such as 1:, or a class such as 1:2",
		"class add dev eth0 parent 10000: hfsc":                            "a parent is",
		"class add dev eth0 handle 1: hfsc":                                "class add: classid is required",
		"class add dev eth0 classid 1:2":                                   "the kind is missing",
		"class add dev eth0 classid 1:2 nosuch":                            "unknown kind",
		"class add dev eth1 classid 1:2 hfsc":                              `dev "eth1": this tree is that of device "eth0"`,
		"class add dev eth0 classid 1:2 hfsc":                              "class add: parent is required: 1: or a class of it",
		"class add dev eth0 classid 1:2 prio":                              "classid 1:2: 1: is a hfsc, not a prio",
		"class add dev eth0 classid 2:2 hfsc":                              "classid 2:2: there is no discipline 2:",
		"class add dev eth0 classid 10:2 pfifo":                            "class add: a pfifo has no classes but those it starts with",
		"class add dev eth0 classid 10:2 hfsc":                             "classid 10:2: 10: is a pfifo, not a hfsc",
		"class add dev eth0 classid 1:10 hfsc":                             "class add: 1:10 is there already; use replace or change",
		"class change dev eth0 classid 1:2 hfsc":                           "class change: there is no class 1:2",
		"class del dev eth0 classid 1:2":                                   "class del: there is no class 1:2",
		"class del dev eth0 classid 1:1":                                   "class del: Class = 1: it has children",
		"class del dev eth0 classid 1:10 prio":                             "1: is a hfsc, not a prio",
		"class del dev eth0 classid 1:10 hfsc x":                           `class del: unknown word "x"`,
		"class add dev eth0 root parent 1: classid 1:2 hfsc ls rate 1mbit": "either root or parent",
		"class add dev eth0 parent 2: classid 1:2 hfsc ls rate 1mbit":      "class add: parent 2: is not of the discipline of classid 1:2",
		"class add dev eth0 parent 1:3 classid 1:2 hfsc ls rate 1mbit":     "hfsc: Parent = 3: there is no such class",
		"class change dev eth0 parent 1: classid 1:10 hfsc ls rate 1mbit":  "hfsc: Parent = 0: a class stays below its parent",
		"class replace dev eth0 parent 1: classid 1:10 hfsc ls rate 1mbit": "a class stays below its parent",
		"class replace dev eth0 classid 1:2 hfsc ls rate 1mbit":            "class replace: parent is required",
		"qdisc add dev eth0 parent 1:1 pfifo":                              "parent 1:1: Class = 1: there is no such class, or it has children",
		"qdisc add dev eth0 parent 1:2 pfifo":                              "parent 1:2: Class = 2: there is no such class",
		"qdisc add dev eth0 parent 1:10 pfifo":                             "pfifo 10: is there already",
		"qdisc add dev eth0 classid 1:10 pfifo":                            "qdisc add: root or parent is required",
	} {
		tree := build(t, company, Options{})
		tree.Root().Enqueue(&qdisc.Packet{Class: 0x10, Len: 100}, 0)
		before := tree.ShowStats() + tree.ShowClassStats()
		assert.ErrorContains(t, tree.Run(line, 1), want, line)
		assert.Equal(t, before, tree.ShowStats()+tree.ShowClassStats(), line)
		_, err := Build(company+line, Options{})
		assert.ErrorContains(t, err, "line 8: ", line)
		assert.ErrorContains(t, err, want, line)
	}
}

// TestClassesChange changes the classes of a tree while packets wait in it.
func TestClassesChange(t *testing.T) {
	var drops qdisc.List
	tree := build(t, company, Options{Drops: &drops, TxQueueLen: 3})
	root := tree.Root()
	send := func(class uint32, n int) {
		for range n {
			root.Enqueue(&qdisc.Packet{Class: class, Len: 1000}, 0)
		}
	}
	run := func(line string, held, lost int) {
		t.Helper()
		require.NoError(t, tree.Run(line, 1), line)
		assert.Equal(t, held, root.Len(), line)
		assert.Equal(t, lost, drops.Len(), line)
		for range drops.Drain() {
		}
	}
	send(0x10, 2)
	send(0x20, 3)

	// What is not named stays.
	run("class change dev eth0 classid 1:20 hfsc ls rate 2mbit", 5, 0)
	assert.Contains(t, tree.ShowClasses(), "class hfsc 1:20 parent 1:1 leaf 8001: rt m1 1Mbit d 10ms m2 9Mbit ls m1 0bit d 0us m2 2Mbit\n")
	run("class replace dev eth0 parent 1:1 classid 1:20 hfsc sc rate 3mbit ul rate 4mbit", 5, 0)
	assert.Contains(t, tree.ShowClasses(), "class hfsc 1:20 parent 1:1 leaf 8001: sc m1 0bit d 0us m2 3Mbit ul m1 0bit d 0us m2 4Mbit\n")

	// A leaf that gets a child loses its discipline with all that is below.
	run("qdisc replace dev eth0 parent 1:20 handle 20: prio", 2, 3)
	run("qdisc add dev eth0 parent 20:1 handle 201: pfifo", 2, 0)
	send(0x20, 1)
	run("class replace dev eth0 parent 1:20 classid 1:21 hfsc ls rate 1mbit", 2, 1)
	assert.Nil(t, tree.Find("20:"))
	assert.Nil(t, tree.Find("201:"))
	assert.Contains(t, tree.ShowClasses(), "class hfsc 1:21 parent 1:20 ls m1 0bit d 0us m2 1Mbit\n")
	send(0x21, 4)
	assert.Equal(t, 3, tree.Root().(classful).Child(0x21).Len(), "queues are as long as the device's")
	assert.Equal(t, 1, drops.Len())
	for range drops.Drain() {
	}

	run("class del dev eth0 classid 1:21", 2, 3)
	run("class delete dev eth0 parent 1:1 classid 1:10 hfsc", 0, 2)
	assert.Nil(t, tree.Find("10:"))
	run("qdisc add dev eth0 parent 1:20 handle 20: pfifo", 0, 0)
	run("class add dev eth0 root classid 1:ffff hfsc rt rate 1mbit", 0, 0)
	assert.Equal(t, `class hfsc 1: root
class hfsc 1:1 parent 1: ls m1 0bit d 0us m2 10Mbit ul m1 0bit d 0us m2 10Mbit
class hfsc 1:20 parent 1:1 leaf 20: sc m1 0bit d 0us m2 3Mbit ul m1 0bit d 0us m2 4Mbit
class hfsc 1:ffff parent 1: rt m1 0bit d 0us m2 1Mbit
`, tree.ShowClasses())

	// The discipline itself.
	send(0, 1)
	require.Equal(t, 1, root.Len(), "the default class")
	run("qdisc change dev eth0 root hfsc", 1, 0)
	run("qdisc change dev eth0 root hfsc default 0", 1, 0)
	assert.Equal(t, "qdisc hfsc 1: root\nqdisc pfifo 20: parent 1:20 limit 3p\n", tree.Show())
	send(0, 1)
	assert.Equal(t, 1, drops.Len())
}

// TestParentsAreTold: what stands above is told of every change, so that it does
// not wait for what has come sooner, or take for active what is gone.
func TestParentsAreTold(t *testing.T) {
	const nested = `
qdisc add dev D root handle 1: hfsc
class add dev D root classid 1:1 hfsc ls rate 1mbit
class add dev D root classid 1:2 hfsc ls rate 1mbit
qdisc add dev D parent 1:1 handle 2: hfsc
class add dev D root classid 2:1 hfsc ls rate 1mbit ul rate 8kbit
qdisc add dev D parent 1:2 handle 3: prio
qdisc add dev D parent 3:2 handle 4: pfifo`
	tree := build(t, nested, Options{})
	root := tree.Root().(*hfsc.HFSC)
	active := func(class uint32) uint32 {
		s, ok := root.Stats(class)
		require.True(t, ok)
		return s.Active
	}
	for range 2 {
		root.Enqueue(&qdisc.Packet{Class: 1, Len: 1000}, 0)
	}
	require.NotNil(t, root.Dequeue(0))
	require.Nil(t, root.Dequeue(0))
	require.Equal(t, qdisc.Time(1e9), root.ReadyAt(0))
	require.NoError(t, tree.Run("class change dev D classid 2:1 hfsc ls rate 1mbit ul rate 8mbit", 0))
	for now := root.ReadyAt(0); root.Dequeue(now) == nil; now = root.ReadyAt(now) {
		require.Less(t, now, qdisc.Time(1e9))
	}

	root.Enqueue(&qdisc.Packet{Class: 2, Len: 1000}, 1e9)
	require.EqualValues(t, 1, active(2))
	require.NoError(t, tree.Run("qdisc del dev D parent 3:2", 1e9))
	assert.Zero(t, active(2))
	root.Enqueue(&qdisc.Packet{Class: 1, Len: 1000}, 1e9)
	require.EqualValues(t, 1, active(1))
	require.NoError(t, tree.Run("class del dev D classid 2:1", 1e9))
	assert.Zero(t, active(1))
}

// TestQdiscDel: the class gets the discipline that it started with.
func TestQdiscDel(t *testing.T) {
	var drops qdisc.List
	tree := build(t, shapedPrio, Options{Drops: &drops, TxQueueLen: 2})
	root := tree.Root()
	for range 3 {
		root.Enqueue(&qdisc.Packet{Class: 3, Len: 1000}, 0)
	}
	require.NoError(t, tree.Run("qdisc del dev eth0 parent 10:3", 0))
	assert.Equal(t, 3, drops.Len())
	assert.Zero(t, root.Len())
	assert.Equal(t, "pfifo limit 2p", Show(tree.Find("10:").(classful).Child(3)))
	root.Enqueue(&qdisc.Packet{Class: 3, Len: 1000}, 0)
	require.NoError(t, tree.Run("qdisc del dev eth0 parent 1:1 handle 10: prio", 0))
	assert.Equal(t, 4, drops.Len())
	assert.Equal(t, "bfifo", Show(root.(classful).Child(1))[:5])
	root.Enqueue(&qdisc.Packet{Len: 1000}, 0)
	require.NoError(t, tree.Run("qdisc delete dev eth0 root", 0))
	assert.Equal(t, 5, drops.Len())
	assert.Nil(t, tree.Root())
	assert.Empty(t, tree.Show()+tree.ShowClasses())
	j, err := tree.JSON()
	require.NoError(t, err)
	assert.Equal(t, "[]", string(j))
	require.ErrorContains(t, tree.Run("qdisc add dev eth1 root pfifo", 0), "this tree is that of device")
	require.NoError(t, tree.Run("qdisc add dev eth0 root pfifo", 0))
	assert.Equal(t, "qdisc pfifo 8001: root limit 2p\n", tree.Show())
}
