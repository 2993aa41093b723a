package netsim

import (
	"time"

	"github.com/netsched/netsched/qdisc"
)

// The parameters of IEEE 802.3 section 4.4.2, in bits but for the limits, that
// are the same at 10 and 100 Mbit/s and, the slot excepted, at 1 Gbit/s.
const (
	slotBits     = 512
	gapBits      = 96 // between frames
	preambleBits = 64 // start frame delimiter included
	jamBits      = 32
	checkBits    = 32 // frame check sequence, not in Packet.Len
	attemptLimit = 16
	backoffLimit = 10
)

// MediumConfig describes a Medium. The zero value is 10 Mbit/s Ethernet through
// a hub.
type MediumConfig struct {
	Rate qdisc.Rate // 1 kbit/s to 1 Tbit/s; 0: 10 Mbit/s
	// Propagation is the delay between any two stations, the hub's included:
	// at most half a slot, so that a collision is heard. 0: 1 us, or a fifth of
	// a slot if that is less.
	Propagation time.Duration
	// SlotBits is the slot time in bits, 256 to 65536, and the length to which
	// a shorter frame is extended. 0: 512, that of 10 and 100 Mbit/s; 1 Gbit/s
	// has 4096.
	SlotBits int
}

// MediumStats count what happened on a Medium.
type MediumStats struct {
	Frames     uint64        // transmitted without a collision
	Collisions uint64        // however many frames met
	GivenUp    uint64        // frames that collided 16 times
	Busy       time.Duration // spent on frames transmitted, preambles included
}

// Medium joins links in half duplex: carrier sense, collisions and truncated
// binary exponential backoff as IEEE 802.3 section 4.2.3.2 has them. A link
// with the Medium in its configuration is a station. Packet.Len is a frame
// without preamble and check sequence, a super-packet one long frame. All
// stations are equally far apart, and all hear the end of a frame at the same
// time, its sender too: those that wait then begin together and collide, as
// they do for real because the last third of the gap does not listen.
type Medium struct {
	sim      *Sim
	rate     qdisc.Rate
	slotBits uint64

	slot, gap, preamble, jam, propagation time.Duration

	stations []*station
	state    mediumState
	idle     qdisc.Time // since when, in state silent
	turn     *Timer
	sender   *station
	frame    *Packet // that has left the sender and not arrived
	stats    MediumStats
}

// mediumState says what the turn timer stands for.
type mediumState uint8

const (
	silent   mediumState = iota // the first station to send will have been heard by all
	carrying                    // the sender ends its frame
	clearing                    // all have heard the end
	jammed                      // all have heard the last jam end
)

// NewMedium returns a silent medium. Its errors are *qdisc.ConfigErrors.
func NewMedium(s *Sim, cfg MediumConfig) (*Medium, error) {
	m := &Medium{sim: s, rate: cfg.Rate, slotBits: uint64(cfg.SlotBits)}
	if m.rate == 0 {
		m.rate = 10 * qdisc.Mbit
	}
	if m.slotBits == 0 {
		m.slotBits = slotBits
	}
	var errs qdisc.ConfigErrors
	if m.rate < qdisc.Kbit || m.rate > qdisc.Tbit {
		errs.Add("Rate", cfg.Rate, "a shared medium has 1kbit to 1tbit")
	}
	if m.slotBits < 256 || m.slotBits > 1<<16 {
		errs.Add("SlotBits", cfg.SlotBits, "256 to 65536")
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	m.slot, m.gap, m.preamble, m.jam = m.bits(m.slotBits), m.bits(gapBits), m.bits(preambleBits), m.bits(jamBits)
	m.propagation = cfg.Propagation
	if m.propagation == 0 {
		m.propagation = min(time.Microsecond, m.slot/5)
	}
	if m.propagation < 0 || m.propagation > m.slot/2 {
		errs.Add("Propagation", cfg.Propagation, "0 to half a slot, "+(m.slot/2).String()+" here: a sender must hear every collision")
		return nil, errs.Err()
	}
	m.turn = s.NewTimer(m.next)
	return m, nil
}

// Stats returns the counters.
func (m *Medium) Stats() MediumStats { return m.stats }

// bits returns how long so many bits take, rounded down to a nanosecond.
func (m *Medium) bits(n uint64) time.Duration { return time.Duration(n * 1e9 / uint64(m.rate)) }

// airtime returns how long a sender is busy with p.
func (m *Medium) airtime(p *Packet) time.Duration {
	return m.preamble + m.bits(max(uint64(p.Len)*8+checkBits, m.slotBits))
}

// contend plans the next transmission on the silent medium. Whether it collides
// is known when all others must have heard it.
func (m *Medium) contend() {
	m.turn.Set(m.first().start().Add(m.propagation)) // Never stays Never
}

// first returns the station that starts first if nobody else does.
func (m *Medium) first() *station {
	first := m.stations[0]
	for _, st := range m.stations[1:] {
		if st.start() < first.start() {
			first = st
		}
	}
	return first
}

func (m *Medium) next() {
	switch m.state {
	case silent:
		m.begun()
	case carrying:
		m.state = clearing
		m.turn.Set(m.sim.now.Add(m.propagation))
		m.sender.sent()
	case clearing:
		p := m.frame
		m.frame = nil
		m.clear()
		m.sender.deliver(p)
	case jammed:
		m.clear()
		for _, st := range m.stations {
			if st.attempts == attemptLimit {
				m.stats.GivenUp++
				st.giveUp()
			}
		}
	}
}

// clear is when everybody hears silence.
func (m *Medium) clear() {
	m.state, m.idle = silent, m.sim.now
	m.contend()
}

// begun decides between a transmission and a collision: whoever starts within
// the propagation delay after the first has not heard it.
func (m *Medium) begun() {
	first := m.first()
	start := first.start()
	second := qdisc.Never
	for _, st := range m.stations {
		if st != first {
			second = min(second, st.start())
		}
	}
	if second < start.Add(m.propagation) {
		m.collide(first, second)
		return
	}
	air := m.airtime(first.frame)
	m.stats.Frames++
	m.stats.Busy += air
	m.state, m.sender = carrying, first
	m.turn.Set(start.Add(air))
}

// collide lets each station that has begun end its preamble and jam, once it
// hears the other, and back off.
func (m *Medium) collide(first *station, second qdisc.Time) {
	m.stats.Collisions++
	unheard := first.start().Add(m.propagation)
	end := qdisc.Time(0)
	for _, st := range m.stations {
		start := st.start()
		if start >= unheard {
			continue
		}
		heard := unheard
		if st == first {
			heard = second.Add(m.propagation)
		}
		stop := max(start.Add(m.preamble), heard).Add(m.jam)
		end = max(end, stop)
		st.backOff(stop)
	}
	m.state = jammed
	m.turn.Set(end.Add(m.propagation))
}
