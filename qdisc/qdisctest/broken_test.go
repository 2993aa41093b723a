package qdisctest

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/netsched/netsched/qdisc"
)

// broken is a parking FIFO of 16 packets that holds each for 1 us after the
// one before, and breaks the contract in the way that bug says.
type broken struct {
	qdisc.Base
	list  qdisc.List
	until qdisc.Time
	bug   string
	calls int
	spare []*int
}

func (q *broken) Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	if q.bug == "nil crashes" && p == nil {
		_ = p.Len
	}
	if q.bug == "takes it twice" && p != nil && p.Linked() {
		return qdisc.Queued
	}
	now = q.Arrive(p, now)
	if q.calls++; q.bug == "leaks memory" && q.calls%200 == 0 {
		q.spare = append(q.spare[:0:0], new(int))
	}
	switch {
	case p.Len > qdisc.MaxLen && q.bug != "takes any length":
		return q.Refuse(p, qdisc.TooLong)
	case q.Len() >= 16 && q.bug == "says queued":
		q.Refuse(p, qdisc.Overlimit)
		return qdisc.Queued
	case q.Len() >= 16 && q.bug == "no reason":
		q.Refuse(p, qdisc.NotDropped)
		return qdisc.Dropped
	case q.Len() >= 16 && q.bug == "drops two":
		q.drop()
		return q.Refuse(p, qdisc.Overlimit)
	case q.Len() >= 16 && q.bug == "loses arrivals":
		return qdisc.Dropped
	case q.Len() >= 16:
		return q.Refuse(p, qdisc.Overlimit)
	}
	q.Accept(p, now)
	if q.bug == "counts twice" && q.calls%64 == 0 {
		q.Accept(p, now)
	}
	q.list.Push(p)
	if q.bug == "says dropped" && q.calls%64 == 0 {
		return qdisc.Dropped
	}
	if q.bug == "says congested" && q.calls%64 == 0 {
		return qdisc.Congested
	}
	return qdisc.Queued
}

func (q *broken) drop() {
	if p := q.list.Pop(); p != nil {
		q.Base.Release(p)
		q.Drop(p, qdisc.HeadDrop)
	}
}

func (q *broken) take(now qdisc.Time) *qdisc.Packet {
	if now < q.until || q.bug == "stalls" {
		return nil
	}
	if q.bug == "keeps it" {
		return q.list.Head()
	}
	p := q.list.Pop()
	if p == nil {
		return nil
	}
	q.Release(p)
	q.until = now.Add(time.Microsecond)
	return p
}

func (q *broken) Dequeue(now qdisc.Time) *qdisc.Packet {
	raw := now
	now = q.Clock(now)
	if q.bug == "believes any clock" {
		now = raw
	}
	if q.bug == "loses a packet" && q.calls%64 == 0 {
		q.list.Pop()
	}
	if q.bug == "forgets the parked" && q.Parked() != nil && now > q.until {
		return nil
	}
	if q.bug == "passes the parked" && q.Parked() != nil {
		return q.take(now)
	}
	p := q.Unpark()
	if p == nil {
		p = q.take(now)
	}
	return p
}

func (q *broken) Peek(now qdisc.Time) *qdisc.Packet {
	now = q.Clock(now)
	if q.bug == "peek lies" {
		return q.list.Head()
	}
	if q.Parked() == nil {
		if p := q.take(now); p != nil {
			q.Park(p)
		}
	}
	return q.Parked()
}

func (q *broken) ReadyAt(now qdisc.Time) qdisc.Time {
	switch {
	case q.Len() == 0:
		return qdisc.Never
	case q.bug == "ready never":
		return qdisc.Never
	case q.bug == "ready late":
		return max(now, q.until).Add(1)
	case q.bug == "ready early":
		return min(now, qdisc.MaxTime)
	case q.bug == "ready changes":
		q.Overlimit()
	case q.bug == "stalls":
		return now.Add(1)
	case q.bug == "ready blocked" && now < q.until:
		return qdisc.Blocked
	}
	q.Wait(q.until)
	return q.Base.ReadyAt(now)
}

func (q *broken) Reset(now qdisc.Time) {
	q.Rewind(now)
	if q.bug != "keeps the clock" {
		q.until = 0
	} else {
		q.until = math.MaxInt64 / 2
	}
	if q.bug != "reset keeps" {
		q.PurgeParked()
	}
	if q.bug == "reset drops" {
		for !q.list.Empty() {
			q.drop()
		}
	}
	q.PurgeList(&q.list)
}

// TestFindsBugs: each bug is found, and without one nothing is.
func TestFindsBugs(t *testing.T) {
	for _, bug := range []struct{ name, want string }{
		{"none", ""},
		{"nil crashes", "Enqueue(nil)"},
		{"takes it twice", "no panic"},
		{"leaks memory", "allocations in 100000 calls"},
		{"takes any length", "was accepted"},
		{"says queued", "says Queued, but the packet was lost"},
		{"says dropped", "says Dropped, but the packet was not lost"},
		{"says congested", "says Congested, but no packet was lost"},
		{"no reason", "dropped with Reason 0"},
		{"drops two", "says Dropped, but more than this changed"},
		{"loses arrivals", "says Dropped, but the packet was not lost"},
		{"counts twice", "the ledger says"},
		{"loses a packet", "not later"},
		{"keeps it", "still linked"},
		{"passes the parked", "must give the parked packet"},
		{"forgets the parked", "must give the parked packet"},
		{"peek lies", "differs from the Peek"},
		{"stalls", "does not empty the queue"},
		{"believes any clock", "Dequeue"},
		{"ready never", "never with Len"},
		{"ready late", "but ReadyAt was"},
		{"ready early", "not later"},
		{"ready changes", "changed something"},
		{"ready blocked", "waking does not help"},
		{"reset keeps", "neither dropped nor handed out"},
		{"reset drops", "with Reason Purged"},
		{"keeps the clock", "a new one takes"},
	} {
		t.Run(bug.name, func(t *testing.T) {
			s := newSuite(func(drops *qdisc.List) qdisc.Qdisc {
				q := &broken{bug: bug.name}
				assert.NoError(t, q.Attend(drops, nil))
				return q
			}, nil)
			found := ""
			for _, p := range s.parts() {
				if err := guard(p.run); err != nil {
					found += p.name + ": " + err.Error() + "\n"
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
