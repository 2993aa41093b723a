package qdisctest

import "github.com/netsched/netsched/qdisc"

// Reset resets the root, which must lose all it holds.
func (l *Ledger) Reset(now qdisc.Time) {
	if l.err != nil {
		return
	}
	l.begin("Reset", l.root, now)
	n, purged := len(l.held), l.reasons[qdisc.Purged]
	l.latest = max(0, min(now, qdisc.MaxTime))
	l.mayBe = l.latest
	l.root.Reset(now)
	l.unsync = false
	l.collect()
	if len(l.held) > 0 {
		l.fail("%d packets are neither dropped nor handed out after Reset", len(l.held))
	} else if got := l.reasons[qdisc.Purged] - purged; got != uint64(n) {
		l.fail("Reset lost %d packets, but only %d with Reason Purged", n, got)
	}
	l.compare()
}

// Do makes any other call: a Change, a new child, a Wake. f has to Sync the
// parents of what it touches. What the call drops, and disciplines that leave
// or join the tree, are accounted for.
func (l *Ledger) Do(what string, now qdisc.Time, f func()) {
	if l.err != nil {
		return
	}
	before := Nodes(nil, l.root)
	l.begin(what, l.root, now)
	f()
	l.unsync = false
	l.collect()
	after := Nodes(nil, l.root)
	l.moved(before, after, 1)
	l.moved(after, before, ^uint64(0))
	l.compare()
}

// moved adds sign times the losses of the nodes in a that are not in b.
func (l *Ledger) moved(a, b []qdisc.Qdisc, sign uint64) {
next:
	for _, q := range a {
		for _, other := range b {
			if q.Common() == other.Common() {
				continue next
			}
		}
		s := q.Common().ReadStats()
		for r, n := range s.Drops {
			l.removed[r] += sign * n
		}
	}
}

// begin notes a call.
func (l *Ledger) begin(what string, q qdisc.Qdisc, now qdisc.Time) *step {
	l.unsync = l.unsync || q != l.root
	l.mayBe = max(l.mayBe, min(now, qdisc.MaxTime))
	l.peeked = false
	return l.trail.add(what, now)
}

// advance notes that the root itself was passed now.
func (l *Ledger) advance(now qdisc.Time) { l.latest = max(l.latest, min(now, qdisc.MaxTime)) }

// knows tells whether the last Peek still binds the next call at now.
func (l *Ledger) knows(now qdisc.Time) bool {
	return l.peeked && max(l.latest, min(now, qdisc.MaxTime)) == l.latest
}

// Drain follows ReadyAt until nothing is held and returns the time then.
// Blocked disciplines are woken by wake, which may be nil. Each step has to
// make progress: a packet, a loss, or a later time.
func (l *Ledger) Drain(now qdisc.Time, wake func(now qdisc.Time)) qdisc.Time {
	for steps := 64*len(l.held) + 1000; len(l.held) > 0 && l.err == nil; steps-- {
		if steps == 0 {
			l.fail("following ReadyAt does not empty the queue: %d packets are left", len(l.held))
			break
		}
		if l.Dequeue(now) != nil || len(l.held) == 0 {
			continue
		}
		switch t := l.ReadyAt(now); {
		case t == qdisc.Blocked && wake == nil:
			l.fail("ReadyAt(%v) is Blocked, and there is no way to wake it", now)
		case t == qdisc.Blocked:
			l.Do("Wake", now, func() { wake(now) })
			if l.ReadyAt(now) == qdisc.Blocked {
				l.fail("ReadyAt(%v) is Blocked, and waking does not help", now)
			}
		case l.latest >= qdisc.MaxTime:
			return now // the end of time: nothing can become ready
		default:
			now = max(now, t)
		}
	}
	return now
}
