package qdisctest_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/mq"
	"github.com/netsched/netsched/qdisc/multiq"
	"github.com/netsched/netsched/qdisc/prio"
	"github.com/netsched/netsched/qdisc/qdisctest"
	"github.com/netsched/netsched/qdisc/tbf"
)

// TestRandomTrees makes random calls on random trees of all disciplines and
// checks every node after each.
func TestRandomTrees(t *testing.T) {
	trees, size := 60, 30000
	if testing.Short() {
		trees = 10
	}
	steps, sent, lost := 0, uint64(0), uint64(0)
	for seed := range trees {
		rng := rand.New(rand.NewPCG(uint64(seed), 4))
		data := make([]byte, size)
		for i := range data {
			data[i] = byte(rng.Uint32())
		}
		f := plant(data)
		require.NoError(t, f.run(), "seed %d, tree %s", seed, f.shape)
		n, _ := f.ledger.Lost()
		steps, sent, lost = steps+f.steps, sent+f.ledger.Sent(), lost+n
	}
	t.Logf("%d steps, %d packets sent, %d lost", steps, sent, lost)
	require.Greater(t, sent, uint64(steps/20), "the trees let too little through to test anything")
	require.Greater(t, lost, uint64(steps/20), "the trees lose too little to test anything")
}

// FuzzTree runs any bytes as such a program.
func FuzzTree(f *testing.F) {
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 5))
		data := make([]byte, 400)
		for i := range data {
			data[i] = byte(rng.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tree := plant(data)
		if err := tree.run(); err != nil {
			t.Fatalf("tree %s: %v", tree.shape, err)
		}
	})
}

// tree is a random tree under a ledger.
type tree struct {
	program
	ledger *qdisctest.Ledger
	root   qdisc.Qdisc
	drops  qdisc.List
	now    qdisc.Time
	steps  int
	size   int // disciplines built
	shape  string
}

func plant(data []byte) *tree {
	t := &tree{program: program{data: data}, now: 1e9}
	drops := &t.drops
	if t.odds(8) {
		drops = nil
	}
	t.root = t.node(3, drops)
	t.shape = shape(t.root)
	t.ledger = qdisctest.NewLedger(t.root, drops)
	return t
}

func shape(q qdisc.Qdisc) string {
	s := fmt.Sprintf("%T", q)
	if p, ok := q.(qdisc.Parent); ok {
		s += "{"
		for class, child := range p.Children() {
			s += fmt.Sprintf(" %d:%s", class, shape(child))
		}
		s += " }"
	}
	return s
}

func (t *tree) run() error {
	for !t.done() && t.ledger.Err() == nil {
		t.steps++
		t.ledger.AllowLate = mayBeLate(t.root)
		t.step()
	}
	t.ledger.Drain(t.now, t.wake)
	t.ledger.Reset(t.now)
	return t.ledger.Err()
}

// mayBeLate finds a shaper that waits for the tokens of one head while its
// child may come to have a cheaper one by itself. That is seen at the end of
// the wait.
func mayBeLate(root qdisc.Qdisc) bool {
	for _, q := range qdisctest.Nodes(nil, root) {
		shaper, ok := q.(*tbf.TBF)
		if !ok {
			continue
		}
		switch child := shaper.Child(tbf.Class).(type) {
		case *prio.Prio, *multiq.Multiq, *mq.MQ:
			return true
		case *qdisctest.Chaos:
			if child.Looks() {
				return true
			}
		}
	}
	return false
}

func (t *tree) step() {
	l := t.ledger
	if t.odds(3) {
		t.now += t.span()
	}
	now := t.now
	if t.odds(32) {
		now -= t.span() // a clock that steps back, perhaps below 0
	}
	switch n := t.below(256); {
	case n < 105:
		l.Enqueue(t.packet(), now)
	case n < 175:
		l.Dequeue(now)
	case n < 190:
		l.Peek(now)
	case n < 205:
		if at := l.ReadyAt(now); at < qdisc.MaxTime {
			t.now = max(t.now, at)
		}
	case n < 210:
		l.Do("Wake", t.now, func() { t.wake(t.now) })
	case n < 215:
		t.stop()
	case n < 245:
		t.direct()
	case n < 250:
		t.change()
	case n < 253:
		t.replace()
	case n == 253:
		t.now = l.Drain(t.now, t.wake)
	case t.odds(4):
		t.now = t.span()
		l.Reset(t.now)
	}
}

// longest is the length in bytes of an ordinary packet at most.
const longest = 2047

func (t *tree) packet() *qdisc.Packet {
	p := t.ledger.Packet()
	n := t.below(65536)
	p.Len = uint32(n & longest)
	p.Class, p.Priority, p.Flow = uint32(n>>11&7), uint32(n>>12), uint32(n>>11)
	p.TxQueue, p.DSField = uint16(n>>13), uint8(n>>8)
	switch n & 63 {
	case 0:
		p.Segs, p.Len = uint16(t.below(20)), p.Len*8
	case 1:
		p.Len <<= 20
	}
	return p
}

// wake wakes all that is blocked: every Chaos and every hardware queue.
func (t *tree) wake(now qdisc.Time) {
	qdisctest.Wake(t.root, now)
	for _, node := range qdisctest.Nodes(nil, t.root) {
		if s, ok := node.(qdisc.Stopper); ok {
			for queue := range queues {
				s.Wake(queue)
			}
			qdisctest.Sync(t.root, node, now)
		}
	}
}

// queues is one more than any node has of hardware queues.
const queues = 7

// stop stops a hardware queue of any node, or wakes it.
func (t *tree) stop() {
	nodes := qdisctest.Nodes(nil, t.root)
	s, ok := nodes[t.below(len(nodes))].(qdisc.Stopper)
	if !ok {
		return
	}
	verb, queue := s.Stop, t.below(queues)
	if t.odds(2) {
		verb = s.Wake
	}
	t.ledger.Do("Stop or Wake", t.now, func() {
		verb(queue)
		qdisctest.Sync(t.root, s.(qdisc.Qdisc), t.now)
	})
}

// direct calls any node below the root, uses the root, and syncs.
func (t *tree) direct() {
	l, nodes := t.ledger, qdisctest.Nodes(nil, t.root)
	node := nodes[t.below(len(nodes))]
	if node == t.root {
		return
	}
	switch n := t.below(16); {
	case n < 8:
		p := t.packet()
		p.Len &= longest
		l.EnqueueTo(node, p, t.now)
	case n < 13:
		l.DequeueFrom(node, t.now)
	case n < 15:
		l.Do("Peek child", t.now, func() { node.Peek(t.now); qdisctest.Sync(t.root, node, t.now) })
		return
	default:
		l.Do("Reset child", t.now, func() { node.Reset(t.now); qdisctest.Sync(t.root, node, t.now) })
		return
	}
	switch t.below(4) {
	case 0:
		l.Dequeue(t.now)
	case 1:
		l.Peek(t.now)
	case 2:
		l.Enqueue(t.packet(), t.now)
	}
	l.Do("Sync", t.now, func() { qdisctest.Sync(t.root, node, t.now) })
}

// change changes the configuration of any node.
func (t *tree) change() {
	nodes := qdisctest.Nodes(nil, t.root)
	node := nodes[t.below(len(nodes))]
	held := t.ledger.Held()
	var err error
	t.ledger.Do(fmt.Sprintf("Change %T", node), t.now, func() {
		err = t.reconfigure(node)
		qdisctest.Sync(t.root, node, t.now)
	})
	if err != nil && t.ledger.Held() != held {
		panic(fmt.Sprintf("Change of %T returned %v and lost packets", node, err))
	}
}

// replace puts a new subtree into any class.
func (t *tree) replace() {
	nodes := qdisctest.Nodes(nil, t.root)
	parent, ok := nodes[t.below(len(nodes))].(classful)
	if !ok {
		return
	}
	class := uint32(t.below(5))
	t.size = 30
	t.ledger.Do(fmt.Sprintf("SetChild of %T", parent), t.now, func() {
		_ = parent.SetChild(class, t.node(1, nil), t.now) // there may be no such class
		qdisctest.Sync(t.root, parent, t.now)
	})
}
