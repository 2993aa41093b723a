package main

import "github.com/netsched/netsched/qdisc"

// bitTime is that of 10 Mbit/s, in nanoseconds.
const bitTime = qdisc.Time(100)

// airtime returns how long so many bytes are on the line.
func airtime(bytes uint32) qdisc.Time { return qdisc.Time(bytes) * 8 * bitTime }

// fullDuplex is a line of one's own. It charges a frame its length and nothing
// for preamble, check sequence and gap, as a limiter sees it.
type fullDuplex struct {
	sim  *sim
	busy qdisc.Time // in all
}

func (l *fullDuplex) transmit(p *qdisc.Packet, sent func(bool)) {
	l.sim.at(l.sim.now+airtime(p.Len), func() {
		l.busy += airtime(p.Len)
		sent(true)
	})
}
