package priq_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/priq"
)

// naive is priority queueing written down as it is said: look through the
// classes for the one of the highest priority that gives a packet.
type naive struct {
	classes  map[uint32]*naiveClass
	fallback uint32
	limit    int // of a new class
	now      qdisc.Time
	dropped  []*qdisc.Packet
}

type naiveClass struct {
	priority, limit int
	packets         []*qdisc.Packet
	gate            *qtest.Gate // nil: a FIFO
}

func (n *naive) enqueue(p *qdisc.Packet) qdisc.Verdict {
	c := n.classes[p.Class]
	if c == nil {
		c = n.classes[n.fallback]
	}
	if c == nil || c.gate == nil && len(c.packets) >= c.limit {
		n.dropped = append(n.dropped, p)
		return qdisc.Dropped
	}
	c.packets = append(c.packets, p)
	return qdisc.Queued
}

// next returns the class to serve, nil if none gives a packet.
func (n *naive) next() (best *naiveClass) {
	for _, c := range n.classes {
		if len(c.packets) > 0 && (c.gate == nil || n.now >= c.gate.Opens) && (best == nil || c.priority > best.priority) {
			best = c
		}
	}
	return best
}

func (n *naive) peek() *qdisc.Packet {
	if c := n.next(); c != nil {
		return c.packets[0]
	}
	return nil
}

func (n *naive) dequeue() *qdisc.Packet {
	p := n.peek()
	if c := n.next(); c != nil {
		c.packets = c.packets[1:]
	}
	return p
}

func (n *naive) empty(c *naiveClass) {
	n.dropped = append(n.dropped, c.packets...)
	c.packets = nil
}

func (n *naive) free(priority int, class uint32) bool {
	for k, c := range n.classes {
		if c.priority == priority && k != class {
			return false
		}
	}
	return true
}

func (n *naive) held() (packets int, bytes int64) {
	for _, c := range n.classes {
		packets += len(c.packets)
		for _, p := range c.packets {
			bytes += int64(p.Len)
		}
	}
	return packets, bytes
}

func (n *naive) readyAt() qdisc.Time {
	at := qdisc.Never
	for _, c := range n.classes {
		if len(c.packets) > 0 {
			due := n.now
			if c.gate != nil {
				due = max(due, c.gate.Opens)
			}
			at = min(at, due)
		}
	}
	return at
}

// compare runs a program of bytes, an operation and its operand each, over a
// PRIQ and the naive model, and compares them after every step.
func compare(t *testing.T, program []byte) {
	var drops qdisc.List
	q := newPRIQ(t, priq.Config{Drops: &drops})
	n := &naive{classes: map[uint32]*naiveClass{}, limit: priq.DefaultLimit}
	for step := 0; len(program) >= 2; step++ {
		op, arg := program[0]%16, program[1]
		program = program[2:]
		class, priority := uint32(arg%20), int(arg>>4)
		c := n.classes[class]
		gaveNil := false
		switch op {
		default:
			p := &qdisc.Packet{Len: 1 + uint32(step), Class: class}
			require.Equal(t, n.enqueue(p), q.Enqueue(p, n.now))
		case 1, 2:
			p := q.Dequeue(n.now)
			require.Same(t, n.dequeue(), p)
			gaveNil = p == nil
		case 3:
			p := q.Peek(n.now)
			require.Same(t, n.peek(), p)
			gaveNil = p == nil
		case 4:
			n.now += qdisc.Time(arg)
		case 5: // the operand's first bits choose the child too
			cfg := priq.ClassConfig{Priority: priority}
			made := &naiveClass{priority: priority, limit: n.limit}
			if step%3 == 0 {
				made.gate = &qtest.Gate{Opens: n.now + qdisc.Time(arg)}
				cfg.Child = made.gate
			}
			ok := class >= 1 && class <= priq.MaxClass && c == nil && n.free(priority, class)
			require.Equal(t, ok, q.AddClass(class, cfg, n.now) == nil)
			if ok {
				n.classes[class] = made
			}
		case 6:
			ok := c != nil && n.free(priority, class)
			require.Equal(t, ok, q.ChangeClass(class, priq.ClassConfig{Priority: priority}, n.now) == nil)
			if ok {
				c.priority = priority
			}
		case 7:
			require.Equal(t, c != nil, q.RemoveClass(class, n.now) == nil)
			if c != nil {
				n.empty(c)
				delete(n.classes, class)
			}
		case 8:
			require.Equal(t, c != nil, q.SetChild(class, nil, n.now) == nil)
			if c != nil {
				n.empty(c)
				c.gate, c.limit = nil, n.limit
			}
		case 9:
			n.fallback, n.limit = min(class, priq.MaxClass), priority
			require.NoError(t, q.Change(priq.Config{Default: n.fallback, Limit: &n.limit}, n.now))
		case 10: // the child changes by itself
			if c != nil && c.gate != nil {
				c.gate.Opens = n.now + qdisc.Time(priority)
			}
			q.Sync(class, n.now)
		case 11:
			if c != nil {
				q.Child(class).Reset(n.now)
				n.empty(c)
			}
			q.Sync(class, n.now)
		case 12:
			n.now = qdisc.Time(arg)
			q.Reset(n.now)
			for _, c := range n.classes {
				n.empty(c)
			}
		}
		packets, bytes := n.held()
		require.Equal(t, packets, q.Len())
		require.Equal(t, bytes, q.Backlog())
		at := q.ReadyAt(n.now)
		require.Equal(t, n.readyAt(), at)
		require.False(t, gaveNil && at <= n.now)
		qtest.CheckSums(t, q)
		lost := slices.Collect(drops.Drain())
		require.ElementsMatch(t, n.dropped, lost)
		for _, p := range lost {
			require.NotEqual(t, qdisc.NotDropped, p.Reason)
		}
		n.dropped = nil
	}
}

func TestModel(t *testing.T) {
	for seed := range uint64(30) {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			compare(t, qtest.RandomProgram(rand.New(rand.NewPCG(seed, 16)), 2000))
		})
	}
}

func FuzzPRIQ(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(qtest.RandomProgram(rand.New(rand.NewPCG(seed, 17)), 300))
	}
	f.Fuzz(func(t *testing.T, program []byte) { compare(t, program[:min(len(program), 1000)]) })
}
