package qdisctest

import (
	"iter"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// relay is the simplest parent: it passes on what its one child gives, and
// breaks the contract in the way that bug says.
type relay struct {
	qdisc.Base
	child qdisc.Child
	bug   string
}

func (q *relay) Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	now = q.Arrive(p, now)
	v := q.child.Enqueue(p, now)
	if q.bug != "keeps the wake-up" {
		q.Forget()
	}
	if q.bug == "always queued" {
		return qdisc.Queued
	}
	return v
}

func (q *relay) take(now qdisc.Time) *qdisc.Packet {
	now = q.Clock(now)
	if q.bug == "believes its wake-up" && q.Base.ReadyAt(now) > now {
		return nil
	}
	p := q.child.Dequeue(now)
	if p == nil && q.child.Held() > 0 {
		q.Wait(q.child.ReadyAt(now))
	}
	return p
}

func (q *relay) Dequeue(now qdisc.Time) *qdisc.Packet {
	if p := q.Unpark(); p != nil {
		q.Clock(now)
		return p
	}
	return q.take(now)
}

func (q *relay) Peek(now qdisc.Time) *qdisc.Packet {
	if q.Parked() == nil {
		if p := q.take(now); p != nil && q.bug == "peek loses" {
			return p
		} else if p != nil {
			q.Park(p)
		}
	}
	return q.Parked()
}

func (q *relay) Sync(_ uint32, now qdisc.Time) {
	q.Clock(now)
	if q.bug != "ignores sync" && q.bug != "believes its wake-up" {
		q.Forget()
	}
}

func (q *relay) Children() iter.Seq2[uint32, qdisc.Qdisc] {
	return func(yield func(uint32, qdisc.Qdisc) bool) { yield(1, q.child.Qdisc) }
}

func (q *relay) Reset(now qdisc.Time) {
	q.Rewind(now)
	if q.bug != "keeps the parked" {
		q.PurgeParked()
	}
	q.child.Reset(now)
}

// TestFindsParentBugs: each bug of a parent is found, and without one nothing
// is.
func TestFindsParentBugs(t *testing.T) {
	for _, bug := range []struct{ name, want string }{
		{"none", ""},
		{"keeps the wake-up", "but ReadyAt was"},
		{"ignores sync", "but ReadyAt was"},
		{"believes its wake-up", "waking does not help"},
		{"always queued", "says Queued, but the packet was lost"},
		{"peek loses", "not marked as linked"},
		{"keeps the parked", "after Reset"},
	} {
		t.Run(bug.name, func(t *testing.T) {
			found := ""
			for _, c := range faultCases() {
				if found != "" && strings.Contains(found, bug.want) {
					break
				}
				s := newSuite(func(drops *qdisc.List) qdisc.Qdisc {
					q := &relay{bug: bug.name}
					require.NoError(t, q.Attend(drops, nil))
					require.NoError(t, q.child.Attach(&q.Base, NewChaos(1, c.faults, nil)))
					return q
				}, []Option{Steps(2000)})
				for _, p := range s.parts() {
					if err := guard(p.run); err != nil {
						found += c.name + " " + p.name + ": " + err.Error() + "\n"
					}
				}
			}
			if bug.want == "" {
				assert.Empty(t, found)
			} else {
				assert.Contains(t, found, bug.want)
			}
		})
	}
}

// TestCheckFindsTreeFaults: faults that only a walk over the tree can see. The
// stranger claims a child that is another's.
func TestCheckFindsTreeFaults(t *testing.T) {
	var drops qdisc.List
	for _, c := range []struct {
		name string
		list *qdisc.List
		make func(q, stranger *relay)
		want string
	}{
		{"drop list", &drops, func(q, s *relay) { s.child = q.child }, "*qdisctest.Chaos: its drop list is not the root's"},
		{"sum", nil, func(q, s *relay) { s.child = q.child }, "*qdisctest.relay: Len 0 and Backlog 0, but the parked packet and the children hold 1 and 7"},
		{"no child", nil, func(_, s *relay) { s.child.Qdisc = nil }, "*qdisctest.relay, class 1: the child is nil"},
		{"ring", nil, func(_, s *relay) { s.child.Qdisc = s }, "*qdisctest.relay, class 1: *qdisctest.relay: the discipline stands in the tree twice"},
	} {
		t.Run(c.name, func(t *testing.T) {
			q, stranger := new(relay), new(relay)
			require.NoError(t, q.Attend(c.list, nil))
			require.NoError(t, q.child.Attach(&q.Base, NewChaos(1, Faults{}, nil)))
			q.Enqueue(&qdisc.Packet{Len: 7}, 0)
			assert.NoError(t, Check(q))
			c.make(q, stranger)
			assert.ErrorContains(t, Check(stranger), c.want)
		})
	}
}
