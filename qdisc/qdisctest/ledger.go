package qdisctest

import (
	"fmt"

	"github.com/netsched/netsched/qdisc"
)

// Ledger is a shadow account of a discipline or tree: it knows which packet is
// where, repeats every call on the discipline, and compares. The first broken
// promise is kept in Err, with the calls that led to it; from then on the
// Ledger does nothing more.
//
// Use its verbs instead of the discipline's. Packets come from Packet and go
// back by themselves: one that was handed out is valid until the next call of
// Packet.
type Ledger struct {
	// AllowLate accepts a ReadyAt that is later than the time at which
	// Dequeue would give a packet, as the wake-ups of some references are.
	AllowLate bool

	// WorkConserving says that the discipline never holds back a packet that
	// a child would give.
	WorkConserving bool

	root  qdisc.Qdisc
	drops *qdisc.List // nil: what is lost is known by its link
	check checker
	err   error
	trail trail

	held    []*entry // in the discipline
	free    qdisc.List
	bytes   int64 // of held
	serial  uint32
	offered uint64
	sent    uint64
	sentLen uint64
	split   uint64
	lost    uint64
	reasons [qdisc.NumReasons]uint64
	removed [qdisc.NumReasons]uint64 // lost by disciplines that left the tree, less what newcomers brought

	latest  qdisc.Time // that the root was passed
	mayBe   qdisc.Time // that anything in the tree was passed
	kind    Kind
	parked  *entry // what the root's Peek took
	peeked  bool   // nothing happened since a Peek at the present time
	answer  *qdisc.Packet
	unsync  bool // a node below the root was called directly
	current *entry
}

// entry is a packet and what the ledger knows about it.
type entry struct {
	qdisc.Packet
	serial uint32
	length uint32
	at     int // its place in held; -1: with the ledger or the caller
	cut    int // segments it was cut into
}

// Kind is one of the two kinds of Peek.
type Kind uint8

// The kinds.
const (
	Unknown Kind = iota // the first Peek tells
	Looking             // a later arrival may alter the answer
	Parking             // the next Dequeue returns the packet, whatever arrives
)

func (k Kind) String() string { return [...]string{"unknown", "looking", "parking"}[k] }

// NewLedger returns the account of q, which is empty and new; drops is its
// drop list, nil if it has none.
func NewLedger(q qdisc.Qdisc, drops *qdisc.List) *Ledger {
	return &Ledger{root: q, drops: drops}
}

// Err returns the first broken promise.
func (l *Ledger) Err() error { return l.err }

// Held returns the packets that are in the discipline.
func (l *Ledger) Held() int { return len(l.held) }

// Sent returns how many packets were handed out.
func (l *Ledger) Sent() uint64 { return l.sent }

// Kind returns the discipline's kind of Peek as far as it is known.
func (l *Ledger) Kind() Kind { return l.kind }

// Lost returns how many packets were lost, by reason.
func (l *Ledger) Lost() (n uint64, reasons [qdisc.NumReasons]uint64) { return l.lost, l.reasons }

// Packet returns an empty packet to fill. Its Payload belongs to the ledger.
func (l *Ledger) Packet() *qdisc.Packet {
	// A packet that just left rests a while, so that a discipline which
	// still uses it is found out.
	p := l.free.Pop()
	if p == nil {
		for range 64 {
			e := &entry{at: -1}
			e.Payload = e
			l.free.Push(&e.Packet)
		}
		p = l.free.Pop()
	}
	e := p.Payload.(*entry)
	l.serial++
	*e = entry{serial: l.serial, at: -1}
	e.Payload = e
	return &e.Packet
}

func (l *Ledger) fail(format string, args ...any) {
	if l.err == nil {
		l.err = fmt.Errorf("%s%v", fmt.Sprintf(format, args...), &l.trail)
	}
}

// own returns the entry of a packet that the discipline must hold.
func (l *Ledger) own(p *qdisc.Packet, where string) *entry {
	e, ok := p.Payload.(*entry)
	switch {
	case !ok || &e.Packet != p:
		l.fail("%s: not a packet that was offered: %+v", where, *p)
	case e.at < 0 && e.cut > 0:
		l.fail("%s: packet %d, which was cut into segments", where, e.serial)
	case e.at < 0:
		l.fail("%s: packet %d for the second time", where, e.serial)
	case e.length != p.Len:
		l.fail("%s: packet %d has %d bytes now, not %d", where, e.serial, p.Len, e.length)
	default:
		return e
	}
	return nil
}

func (l *Ledger) enter(e *entry) {
	e.length = e.Len
	e.at = len(l.held)
	l.held = append(l.held, e)
	l.bytes += int64(e.length)
}

func (l *Ledger) leave(e *entry) {
	last := l.held[len(l.held)-1]
	last.at = e.at
	l.held[e.at] = last
	l.held = l.held[:len(l.held)-1]
	l.bytes -= int64(e.length)
	e.at = -1
	if e == l.parked {
		l.parked = nil
	}
}

// collect books what was lost in the last call.
func (l *Ledger) collect() {
	if l.drops != nil {
		for p := range l.drops.Drain() {
			if e := l.own(p, "on the drop list"); e != nil {
				l.lose(e)
			}
		}
		return
	}
	for i := 0; i < len(l.held) && l.err == nil; {
		if e := l.held[i]; e.Linked() {
			i++
		} else {
			l.lose(e)
		}
	}
}

func (l *Ledger) lose(e *entry) {
	switch {
	case e.Reason == qdisc.NotDropped || e.Reason >= qdisc.NumReasons:
		l.fail("packet %d was dropped with Reason %d", e.serial, e.Reason)
		return
	case e.Linked():
		l.fail("packet %d was dropped and is still linked", e.serial)
		return
	}
	l.leave(e)
	l.lost++
	l.reasons[e.Reason]++
	l.free.Push(&e.Packet)
}

// Check compares everything, after a Sync. Every verb does so by itself, but
// cannot know that the parents were synced.
func (l *Ledger) Check() error {
	l.unsync = false
	l.compare()
	return l.err
}

func (l *Ledger) compare() {
	if l.err != nil {
		return
	}
	if err := l.check.tree(l.root, !l.unsync); err != nil {
		l.fail("%v", err)
		return
	}
	s := l.root.Common().ReadStats()
	wrong := func(what string, got, want any) { l.fail("%s is %v, the ledger says %v", what, got, want) }
	switch {
	case l.root.Len() != len(l.held):
		wrong("Len()", l.root.Len(), len(l.held))
	case l.root.Backlog() != l.bytes:
		wrong("Backlog()", l.root.Backlog(), l.bytes)
	case s.Received != l.offered:
		wrong("Received", s.Received, l.offered)
	case s.Split != l.split:
		wrong("Split", s.Split, l.split)
	case s.Dequeued != l.sent:
		wrong("Dequeued", s.Dequeued, l.sent)
	case s.SentBytes != l.sentLen:
		wrong("SentBytes", s.SentBytes, l.sentLen)
	case s.Lost() != l.lost:
		wrong("Lost()", s.Lost(), l.lost)
	}
	for r, n := range l.check.drops {
		if n+l.removed[r] != l.reasons[r] {
			wrong(fmt.Sprintf("the tree's Drops[%v]", qdisc.Reason(r)), n, l.reasons[r]-l.removed[r])
		}
	}
	if p := l.root.Common().Parked(); l.parked != nil && p != &l.parked.Packet {
		l.fail("packet %d was parked and is neither there nor dropped", l.parked.serial)
	}
}
