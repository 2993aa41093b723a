package trace

import (
	"fmt"

	"github.com/netsched/netsched/qdisc"
)

// rateReplay replays a run of either format at the level of rates.
type rateReplay struct {
	queueReplay
	link  qdisc.Rate // 0: asked when the reference was
	free  qdisc.Time // when the link is
	frac  uint64     // of a nanosecond, times link
	start qdisc.Time // of the present second

	of      map[ID]rated
	classes map[uint32]*ClassRates
	name    func(class uint32) string
	longest uint32
	packets int // the tolerance
}

// rated is a packet as it is counted.
type rated struct{ len, class uint32 }

// noClass is the class of packets that are not counted.
const noClass = 0

func newRateReplay(kind string, t *text, start qdisc.Time, name func(uint32) string) *rateReplay {
	return &rateReplay{
		queueReplay: queueReplay{replayer: newReplayer(kind, t, 1), now: start}, start: start, free: start,
		of: map[ID]rated{}, classes: map[uint32]*ClassRates{}, name: name,
	}
}

// drain says how packets are taken from q: by a link, if the reference's were.
func (p *rateReplay) drain(q qdisc.Qdisc, setup RateSetup, sent departures) {
	p.q, p.packets = q, setup.Packets
	if setup.Link > 0 && sent.paced(setup.Link) {
		p.link = setup.Link
	}
}

func (p *rateReplay) class(n uint32) *ClassRates {
	c := p.classes[n]
	if c == nil {
		c = &ClassRates{Class: n, Name: p.name(n)}
		p.classes[n] = c
	}
	return c
}

// begin goes on to an operation.
func (p *rateReplay) begin(line int, now qdisc.Time) {
	p.op = line
	p.ledger.begin()
	p.advance(now - 1)
	p.turn(now)
	p.now = now
}

// arrive offers a packet, which counts for a class.
func (p *rateReplay) arrive(id uint64, class uint32, fill func(*qdisc.Packet)) {
	k := p.alloc()
	k.id = ID{Packet: id}
	fill(&k.Packet)
	p.of[k.id] = rated{k.Len, class}
	p.longest = max(p.longest, k.Len)
	p.q.Enqueue(&k.Packet, p.now)
	p.settle()
}

// settle checks that no packet is lost.
func (p *rateReplay) settle() {
	p.collect()
	p.check("every packet leaves once", p.balance(p.q))
}

// ask counts what the reference gave, a packet or none, and asks, too, if
// there is no link that does.
func (p *rateReplay) ask(given ID, take bool) {
	p.advance(p.now)
	switch {
	case p.link > 0:
	case take:
		p.sent(p.q.Dequeue(p.now))
	default:
		p.q.Peek(p.now)
	}
	p.settle()
	if r, ok := p.of[given]; ok && take {
		c := p.class(r.class)
		c.Reference += int64(r.len)
		c.windowReference += int64(r.len)
	}
}

func (p *rateReplay) sent(q *qdisc.Packet) {
	if q == nil {
		return
	}
	r := p.of[p.take(q).id]
	c := p.class(r.class)
	c.Ours += int64(r.len)
	c.windowOurs += int64(r.len)
}

// advance runs the link until now.
func (p *rateReplay) advance(now qdisc.Time) {
	for p.link > 0 && p.result == nil && p.q.Len() > 0 {
		at := max(p.free, p.now)
		at = max(at, p.q.ReadyAt(at))
		if at > now {
			return
		}
		p.turn(at)
		q := p.q.Dequeue(at)
		p.now = at
		if q == nil {
			p.settle()
			if p.q.Len() > 0 && p.q.ReadyAt(at) <= at {
				p.diverge("a wake-up later than the time at which nothing may leave", fmt.Sprint("ReadyAt ", int64(at)))
			}
			continue
		}
		p.sent(q)
		ns := uint64(q.Len)*8e9 + p.frac
		p.free, p.frac = at+qdisc.Time(min(ns/uint64(p.link), uint64(qdisc.Never-at))), ns%uint64(p.link)
	}
}

// turn ends the second if it is over.
func (p *rateReplay) turn(now qdisc.Time) {
	past := now - p.start
	if past < rateWindow {
		return
	}
	for _, c := range p.classes {
		c.endWindow(p.op)
	}
	p.start += past - past%rateWindow
}

// end finishes a replay: it compares, what is left of the last second counting
// as one.
func (p *rateReplay) end(level *RateLevel) {
	if p.result != nil {
		return
	}
	for _, c := range p.classes {
		c.endWindow(p.op)
	}
	delete(p.classes, noClass)
	r := &Rates{Classes: sorted(p.classes), Tolerance: int64(p.packets) * int64(p.longest)}
	if d, ok := level.Defects[runName(p.text.name)]; ok {
		r.Defect = &d
	}
	for i := range r.Classes {
		c := &r.Classes[i]
		if should := c.wrong(r); should != "" {
			if c.line > 0 {
				p.op = c.line
			}
			p.diverge(should, c.String())
		}
	}
	p.empty()
	if p.result == nil {
		p.result = &Result{Status: Passed, Operations: p.done}
	}
	p.result.Rates = r
}
