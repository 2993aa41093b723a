package tbf

import (
	"math"
	"time"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// TBF is a token bucket filter. It is not safe for concurrent use. Its Peek
// parks: the tokens are taken then.
type TBF struct {
	qdisc.Base
	child   qdisc.Child
	fifo    *fifo.FIFO // the child if it is one: called directly
	rate    bucket
	peak    bucket
	framing framing
	tc      qdisc.Time // of the last departure, as of which tokens are counted
	maxSize uint32     // longest packet in bytes that may pass
	cutting bool       // a super-packet is being cut into segs
	segs    qdisc.List // empty between calls
	cfg     Config
}

// Enqueue hands p to the child, or refuses it if it is too long ever to leave.
// Of a super-packet that Split cuts, each segment is a packet of its own: the
// verdict is Dropped if all were refused, Congested if some were.
func (t *TBF) Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	now = t.Arrive(p, now)
	if p.Len > t.maxSize {
		return t.long(p, now)
	}
	var v qdisc.Verdict
	if t.fifo != nil {
		v = t.fifo.Enqueue(p, now)
	} else {
		v = t.child.Enqueue(p, now)
	}
	// The stored wake-up holds only while the head stays what it was: behind
	// a FIFO's head, or where nothing changed.
	if v == qdisc.Congested || v == qdisc.Queued && t.fifo == nil {
		t.Forget()
	}
	return v
}

// Dequeue returns the child's next packet if the buckets hold its cost, nil
// otherwise.
func (t *TBF) Dequeue(now qdisc.Time) *qdisc.Packet {
	if t.Parked() != nil {
		return t.SendParked(now)
	}
	p := t.take(now)
	if p != nil {
		t.Sent(p)
	}
	return p
}

// Peek returns the packet that may leave now and parks it, its tokens paid;
// nil if none may.
func (t *TBF) Peek(now qdisc.Time) *qdisc.Packet {
	if p := t.Parked(); p != nil {
		t.Clock(now)
		return p
	}
	p := t.take(now)
	if p != nil {
		t.Park(p)
	}
	return p
}

// take takes the child's head if both buckets let it go, and pays for it.
func (t *TBF) take(now qdisc.Time) *qdisc.Packet {
	now = t.Clock(now)
	var head *qdisc.Packet
	if t.fifo != nil {
		head = t.fifo.Peek(now)
	} else {
		head = t.child.Peek(now)
	}
	if head == nil {
		return t.idle(now)
	}
	wire := t.framing.wire(head.Len)
	elapsed := uint64(now - t.tc)
	tokens, cost := t.rate.after(elapsed), t.rate.cost(wire)
	need := min(cost, t.rate.most)
	waited := head.Stamp < now
	if tokens < need || t.peak.mult != 0 && !t.payPeak(elapsed, wire, waited) {
		return t.hold(now, wire)
	}
	left := tokens - cost
	if t.rate.brims(tokens, need) && waited {
		left += t.rate.surplus(elapsed, cost)
	}
	t.rate.tokens, t.tc = left, now
	t.Forget() // it was of another head
	if t.fifo != nil {
		head = t.fifo.Dequeue(now)
	} else {
		head = t.child.Dequeue(now)
	}
	if head == nil {
		return t.idle(now)
	}
	return head
}

// payPeak takes the cost of wire bytes out of the peak bucket, if it can.
func (t *TBF) payPeak(elapsed, wire uint64, waited bool) bool {
	elapsed = t.peakElapsed(elapsed)
	tokens, cost := t.peak.after(elapsed), t.peak.cost(wire)
	need := min(cost, t.peak.most)
	if tokens < need {
		return false
	}
	left := tokens - cost
	if t.peak.brims(tokens, need) && waited {
		left += t.peak.surplus(elapsed, cost)
	}
	t.peak.tokens = left
	return true
}

// peakElapsed is the time that refills the peak bucket.
func (t *TBF) peakElapsed(elapsed uint64) uint64 {
	if t.cfg.Compat == qdisc.Linux { // capped elapsed time
		return min(elapsed, uint64(t.rate.depth))
	}
	return elapsed
}

// hold notes that the head must wait for tokens.
//
//go:noinline
func (t *TBF) hold(now qdisc.Time, wire uint64) *qdisc.Packet {
	t.Overlimit()
	elapsed := uint64(now - t.tc)
	ns := t.rate.wait(t.rate.after(elapsed), wire)
	if t.peak.mult != 0 {
		ns = max(ns, t.peak.wait(t.peak.after(t.peakElapsed(elapsed)), wire))
	}
	t.Wait(max(now.Add(time.Duration(min(ns, math.MaxInt64))), now+1)) // later even at the end of time
	return nil
}

// idle notes that the child gives nothing now: it is empty or waits itself.
func (t *TBF) idle(now qdisc.Time) *qdisc.Packet {
	if t.child.Held() > 0 {
		t.Wait(t.child.Due(now))
	}
	return nil
}

// Reset sends everything held to the drop list and fills the buckets.
func (t *TBF) Reset(now qdisc.Time) {
	now = t.Rewind(now)
	t.PurgeParked()
	t.child.Reset(now)
	t.rate.tokens, t.peak.tokens, t.tc = t.rate.depth, t.peak.depth, now
}

// State returns the tokens of both buckets and the time as of which they are
// counted, for diagnosis. The unit is 1e-9 bit, in Linux's arithmetic 1 ns of
// transmission time; the peak's are 0 without PeakRate.
func (t *TBF) State() (tokens, peakTokens int64, at qdisc.Time) {
	return t.rate.tokens, t.peak.tokens, t.tc
}
