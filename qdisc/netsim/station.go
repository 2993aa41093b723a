package netsim

import (
	"time"

	"github.com/netsched/netsched/qdisc"
)

// station is a port's access to a Medium.
type station struct {
	*egress
	port   *port
	medium *Medium

	frame    *Packet    // nil: nothing to send
	ready    qdisc.Time // when it was given, or when the backoff ends
	attempts int        // that ended in a collision
}

func (m *Medium) attach(e *egress, p *port) line {
	st := &station{egress: e, port: p, medium: m}
	m.stations = append(m.stations, st)
	return st
}

func (st *station) transmit(p *Packet) {
	st.frame, st.ready, st.attempts = p, st.sim.now, 0
	if st.medium.state == silent {
		st.medium.contend()
	}
}

// start returns when the station begins to send if it hears nobody else: it
// defers to the gap after the last transmission.
func (st *station) start() qdisc.Time {
	if st.frame == nil {
		return qdisc.Never
	}
	return max(st.ready, st.medium.idle.Add(st.medium.gap))
}

// backOff waits after a collision: the n-th brings 0 to 2^min(n,10)-1 slots, at
// random.
func (st *station) backOff(from qdisc.Time) {
	st.attempts++
	slots := st.sim.rng.Uint64() & (1<<min(st.attempts, backoffLimit) - 1)
	st.ready = from.Add(time.Duration(slots) * st.medium.slot)
	st.sim.Note(Collided, st.name, st.frame)
}

// sent is the end of the frame at the station itself.
func (st *station) sent() {
	p := st.frame
	st.medium.frame, st.frame = p, nil
	st.egress.sent(p)
	st.port.sent(int64(p.Len))
}

// giveUp drops a frame that has collided too often.
func (st *station) giveUp() {
	p := st.frame
	n := int64(p.Len)
	st.frame, st.attempts = nil, 0
	st.stats.GivenUp++
	st.end(p, GivenUp)
	st.port.sent(n)
	st.medium.contend()
}
