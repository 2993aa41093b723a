package tc

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// The words that FuzzTree makes commands of.
var (
	fuzzVerbs   = []string{"add", "replace", "change", "del"}
	fuzzPlaces  = []string{"root", "parent 1:1", "parent 1:2", "parent 1:10", "parent 2:1", "parent 2:2", "parent 3:1"}
	fuzzHandles = []string{"", "handle 1:", "handle 2:", "handle 3:"}
	fuzzKinds   = []string{
		"", "hfsc default 1", "hfsc default 10", "cbq bandwidth 10mbit avpkt 1000", "prio", "tbf rate 1mbit burst 5kb limit 5kb",
		"pfifo limit 2", "pfifo", "fq_codel limit 2 flows 4", "mq", "multiq", "prio bands 99",
	}
	fuzzParents = []string{"", "root", "parent 1:", "parent 1:", "parent 1:1", "parent 1:2", "parent 2:"}
	fuzzClasses = []string{"1:1", "1:2", "1:10", "1:ffff"}
	fuzzOptions = map[string][]string{
		"hfsc": {
			"", "ls rate 1mbit", "rt umax 1500 dmax 5ms rate 1mbit", "sc m1 9123kbit d 3333us m2 1mbit", "ls m2 80kbit ul rate 1mbit", "sc rate 0",
		},
		"cbq": {
			"rate 1mbit", "rate 5mbit prio 1 bounded", "rate 123456bps bandwidth 10mbit maxburst 9 minburst 3 isolated",
			"rate 10mbit prio 8 weight 1 minidle 9999", "rate 1mbit ewma 99", "ewma 3 borrow",
		},
	}
)

// FuzzTree: no series of commands panics, and one that is refused changes
// nothing; packets are neither lost nor doubled, whatever is changed above them;
// and what is shown of a class can be said of it again.
func FuzzTree(f *testing.F) {
	f.Add([]byte{0, 1, 0, 2, 0, 4, 1, 0, 4, 1, 2, 1, 0, 4, 2, 3, 0, 0, 3, 2, 8, 1, 2, 0, 1, 3, 0, 1, 2, 2, 1, 1, 0, 2, 3, 2, 1, 3, 0, 1, 0, 3, 0, 0, 0})
	f.Add([]byte{1, 1, 0, 2, 0, 3, 1, 0, 4, 1, 1, 1, 0, 4, 2, 2, 0, 0, 3, 2, 8, 1, 2, 0, 1, 5, 0, 1, 2, 2, 1, 1, 0, 5, 3, 2, 1, 3, 0, 3, 0, 0, 4, 3, 7})
	f.Fuzz(func(t *testing.T, data []byte) {
		runCommands(t, data)
	})
}

// TestRandomCommands is FuzzTree with commands at random.
func TestRandomCommands(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	data := make([]byte, 160)
	var accepted commandCount
	for range 200 {
		for i := range data {
			data[i] = byte(rnd.Uint32())
		}
		accepted.add(runCommands(t, data))
	}
	assert.Greater(t, accepted.qdisc, 200)
	assert.Greater(t, accepted.class, 400)
}

// commandCount counts the commands that were not refused.
type commandCount struct{ qdisc, class int }

func (c *commandCount) add(more commandCount) {
	c.qdisc += more.qdisc
	c.class += more.class
}

// runCommands runs the commands that data stands for.
func runCommands(t *testing.T, data []byte) commandCount {
	opt, err := Options{TxQueueLen: 3, TxQueues: 2, Drops: new(qdisc.List), Compat: qdisc.Compat(len(data) & 1)}.resolve()
	require.NoError(t, err)
	pick := func(list []string) string {
		if len(data) == 0 {
			return list[0]
		}
		word := list[int(data[0])%len(list)]
		data = data[1:]
		return word
	}
	r := commandRun{T: t, tree: &Tree{opt: opt}}
	r.run(pick([]string{"qdisc add dev D root handle 1: hfsc default 1", "qdisc add dev D root handle 1: cbq bandwidth 10mbit avpkt 1000"}))
	for range 40 {
		if len(data) == 0 {
			break
		}
		r.now += 1e6
		if pick([]string{"qdisc", "class"}) == "qdisc" {
			r.run("qdisc " + pick(fuzzVerbs) + " dev D " + pick(fuzzPlaces) + " " + pick(fuzzHandles) + " " + pick(fuzzKinds))
		} else {
			verb, place := pick(fuzzVerbs), pick(fuzzParents)+" classid "+pick(fuzzClasses)
			if kind := r.kind(1); fuzzOptions[kind] == nil || verb == "del" {
				r.run("class " + verb + " dev D " + place + " " + kind)
			} else {
				r.run("class " + verb + " dev D " + place + " " + kind + " " + pick(fuzzOptions[kind]))
			}
		}
		r.exchange()
	}
	r.repeat()
	return r.accepted
}

// commandRun is one run of FuzzTree.
type commandRun struct {
	*testing.T
	tree                *Tree
	now                 qdisc.Time
	sent, arrived, gone int
	accepted            commandCount
}

func (r *commandRun) shown() string { return r.tree.ShowStats() + r.tree.ShowClassStats() }

// run runs a line, which may be refused.
func (r *commandRun) run(line string) {
	root, before := r.tree.Root(), r.shown()
	if err := r.tree.Run(line, r.now); err != nil {
		require.NotEmpty(r, err.Error())
		require.Equal(r, before, r.shown(), line)
		require.True(r, root == r.tree.Root(), line)
	} else if line[0] == 'q' {
		r.accepted.qdisc++
	} else {
		r.accepted.class++
	}
	if root != nil && root != r.tree.Root() {
		require.Zero(r, root.Len(), "what is taken away is empty")
	}
}

// kind returns the kind of a discipline, "" if there is none.
func (r *commandRun) kind(handle uint32) string {
	if n := r.tree.byHandle[handle]; n != nil {
		return n.kind.name
	}
	return ""
}

// exchange offers packets to the tree and takes some out.
func (r *commandRun) exchange() {
	root := r.tree.Root()
	if root == nil {
		return
	}
	for i, class := range []uint32{0, 1, 2, 0x10, 0x20, 0x21} {
		root.Enqueue(&qdisc.Packet{Class: class, Len: 100 + class, Priority: class, TxQueue: uint16(i & 1)}, r.now)
		r.arrived++
	}
	for range 3 {
		if root.Dequeue(r.now) != nil {
			r.sent++
		}
	}
	for range r.tree.opt.Drops.Drain() {
		r.gone++
	}
	require.Equal(r, r.arrived, r.sent+r.gone+root.Len())
}

// repeat changes each class to what is shown of it. The first time digits are
// lost; then no more.
func (r *commandRun) repeat() {
	for _, n := range r.tree.nodes {
		if n.kind.classes == nil {
			continue
		}
		for row := range n.rows() {
			if row.id == 0 || strings.Contains(row.options, "Tbit") { // which floating point may make too large
				continue
			}
			command := fmt.Sprintf("class change dev %s classid %v %s ", r.tree.dev, n.classID(row.id), n.kind.name)
			require.NoError(r, r.tree.Run(command+sayable.Replace(row.options), r.now))
			shown := r.options(n, row.id)
			require.NoError(r, r.tree.Run(command+sayable.Replace(shown), r.now))
			require.Equal(r, shown, r.options(n, row.id))
		}
	}
}

// sayable turns what is shown of a class into words.
var sayable = strings.NewReplacer("(", "", ",", " ", ")", "", "no-transmit", "8")

// options returns what is shown of a class.
func (r *commandRun) options(n *node, id uint32) string {
	for row := range n.rows() {
		if row.id == id {
			return row.options
		}
	}
	return ""
}
