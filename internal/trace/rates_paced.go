package trace

import "github.com/netsched/netsched/qdisc"

// departures are the packets that the reference gave, in order.
type departures struct {
	length map[ID]uint32 // of what arrived
	sent   []departure
}

type departure struct {
	at  qdisc.Time
	len uint32
}

// note takes down what an operation brought in or gave.
func (d *departures) note(verb byte, now qdisc.Time, packet uint64, length uint32, given ID) {
	switch verb {
	case 'E':
		if d.length == nil {
			d.length = map[ID]uint32{}
		}
		d.length[ID{Packet: packet}] = length
	case 'D':
		if n, ok := d.length[given]; ok {
			d.sent = append(d.sent, departure{now, n})
		}
	}
}

// paced tells whether they were drained by a link of that rate: not more than
// one packet in a hundred came before the one ahead of it was out, which
// happens when a link is first put to work.
func (d *departures) paced(link qdisc.Rate) bool {
	early := 0
	for i := range d.sent[:max(0, len(d.sent)-1)] {
		out := float64(d.sent[i].len) * 8e9 / float64(link)
		if float64(d.sent[i+1].at.Sub(d.sent[i].at)) < out-2 { // ns, for their rounding
			early++
		}
	}
	return early*100 <= len(d.sent)
}

func (a *ALTQ) departures() (d departures) {
	for i := range a.ops {
		op := &a.ops[i]
		d.note(op.verb, op.at, op.arrival.ID, op.arrival.Len, op.want.ID)
	}
	return d
}

func (c *Classful) departures() (d departures) {
	for i := range c.ops {
		op := &c.ops[i]
		d.note(op.verb, op.at, op.arrival.ID, op.arrival.Len, op.want.ID)
	}
	return d
}
