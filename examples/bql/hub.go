package main

import (
	"math/rand/v2"

	"github.com/netsched/netsched/qdisc"
)

// The parameters of 10 Mbit/s Ethernet, IEEE 802.3 section 4.4.2.
const (
	slotTime     = 512 * bitTime
	gap          = 96 * bitTime // between frames
	preamble     = 64 * bitTime // start frame delimiter included
	jam          = 32 * bitTime
	attemptLimit = 16
	backoffLimit = 10
	checkBytes   = 4  // frame check sequence
	minFrame     = 60 // bytes, without the check sequence
)

// propagation is the delay between any two stations, the hub's included; a
// station that starts within it after another has not heard the other yet.
const propagation = 1 * microsecond

// hub joins stations in half duplex: one medium, carrier sense, collisions and
// truncated binary exponential backoff as in IEEE 802.3 section 4.2.3.2.
type hub struct {
	sim      *sim
	rng      *rand.PCG
	stations []*station

	idle       qdisc.Time // since when the medium is idle, unless busy
	busy       bool
	plan       int // number of the latest plan; older ones are void
	collisions int
}

// station is one device's access to the hub. It is a line.
type station struct {
	hub      *hub
	frame    *qdisc.Packet // nil: nothing to send
	ready    qdisc.Time    // when it was given, or when the backoff ends
	attempts int           // that ended in a collision
	sent     func(delivered bool)

	givenUp int // frames that collided attemptLimit times
}

func newHub(s *sim, seed uint64) *hub {
	return &hub{sim: s, rng: rand.NewPCG(seed, 0)}
}

func (h *hub) attach() *station {
	st := &station{hub: h}
	h.stations = append(h.stations, st)
	return st
}

func (st *station) transmit(p *qdisc.Packet, sent func(bool)) {
	st.frame, st.ready, st.attempts, st.sent = p, st.hub.sim.now, 0, sent
	if !st.hub.busy {
		st.hub.contend()
	}
}

// start returns when the station begins to send if nobody else does: it defers
// to the gap after the last transmission.
func (st *station) start() qdisc.Time {
	if st.frame == nil {
		return qdisc.Never
	}
	return max(st.ready, st.hub.idle+gap)
}

// contend plans the next transmission on the idle medium: that of the station
// which starts first.
func (h *hub) contend() {
	var first *station
	for _, st := range h.stations {
		if first == nil || st.start() < first.start() {
			first = st
		}
	}
	h.plan++
	plan, start := h.plan, first.start()
	if start == qdisc.Never {
		return
	}
	// Whether it collides is known when all others must have heard it.
	h.sim.at(start+propagation, func() {
		if plan == h.plan {
			h.begun(first, start)
		}
	})
}

// begun decides between a transmission and a collision.
func (h *hub) begun(first *station, start qdisc.Time) {
	h.busy = true
	var collided []*station
	for _, st := range h.stations {
		if st.start() < start+propagation {
			collided = append(collided, st)
		}
	}
	if len(collided) > 1 {
		h.collide(collided)
		return
	}
	bytes := max(first.frame.Len, minFrame) + checkBytes
	h.sim.at(start+preamble+airtime(bytes), func() { h.end(first, true) })
}

// collide lets each station finish its preamble, jam and back off: n collisions
// of a frame bring a random wait of 0 to 2^min(n,10)-1 slots.
func (h *hub) collide(stations []*station) {
	h.collisions++
	end := qdisc.Time(0)
	for _, st := range stations {
		stop := st.start() + preamble + jam // the preamble outlasts the propagation
		end = max(end, stop)
		st.attempts++
		slots := h.rng.Uint64() & (1<<min(st.attempts, backoffLimit) - 1)
		st.ready = stop + qdisc.Time(slots)*slotTime
	}
	h.sim.at(end+propagation, func() {
		for _, st := range stations {
			if st.attempts == attemptLimit {
				st.givenUp++
				h.release(st, false)
			}
		}
		h.free()
	})
}

func (h *hub) end(st *station, delivered bool) {
	h.release(st, delivered)
	h.free()
}

// release tells the station's owner, who may hand over the next frame.
func (h *hub) release(st *station, delivered bool) {
	st.frame = nil
	st.sent(delivered)
}

func (h *hub) free() {
	h.busy, h.idle = false, h.sim.now
	h.contend()
}
