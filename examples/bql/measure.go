package main

import (
	"math/rand/v2"
	"slices"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/prio"
)

const (
	frameLen = 1514 // bytes of a bulk frame, as the device is given it
	smallLen = 60
	duration = 10 * second
	seed     = 2012
)

// A setting is what limits the bytes in the device.
type setting struct {
	name    string
	limited bool
	config  bql.Config
}

var settings = []setting{
	{name: "no limiter, ring of 64"},
	{name: "automatic limit", limited: true},
	{name: "limit_max 1400", limited: true, config: bql.Config{LimitMin: 1000, LimitMax: new(int64(1400))}},
}

// Class 1 of the scheduler, the small packets, goes before class 2, the bulk.
const (
	smallClass = 1
	bulkClass  = 2
)

// host is a bulk sender: a scheduler, a driver, a device. It has always more to
// send, unless a window bounds what is not answered yet.
type host struct {
	sim    *sim
	driver *driver

	free     qdisc.List // bulk packets
	window   int        // packets; 0: no bound
	next     int        // packets given to the scheduler
	answered int        // of them

	// Of the bytes in flight.
	area   float64 // bytes times ns
	since  qdisc.Time
	held   int64 // since then
	most   int64
	series []sample // of the first chartTime

	// Of the limit, in the second half of the run.
	lowest, highest int64

	delays []qdisc.Time // of small packets, from arrival to the end of transmission
}

// sample is a number of bytes in flight and the time from which it holds.
type sample struct {
	at    qdisc.Time
	bytes int64
}

func newHost(s *sim, set setting, latency qdisc.Time, window int) (*host, error) {
	q, err := prio.New(prio.Config{})
	if err != nil {
		return nil, err
	}
	var limiter *bql.Limiter
	if set.limited {
		if limiter, err = bql.New(set.config); err != nil {
			return nil, err
		}
	}
	h := &host{sim: s, free: qdisc.Alloc(2 * ringSize), window: window, lowest: bql.MaxLimit}
	h.driver = &driver{
		sim: s, q: q, limiter: limiter, latency: latency,
		sent:     h.sent,
		reported: h.reported,
		filled:   h.filled,
	}
	h.supply()
	return h, nil
}

// supply gives the scheduler all bulk packets that the window allows.
func (h *host) supply() {
	for !h.free.Empty() && (h.window == 0 || h.next-h.answered < h.window) {
		p := h.free.Pop()
		*p = qdisc.Packet{Len: frameLen, Class: bulkClass}
		h.driver.q.Enqueue(p, h.sim.now)
		h.next++
	}
}

// sent is the end of a transmission.
func (h *host) sent(p *qdisc.Packet, _ bool) {
	if p.Class == smallClass {
		h.delays = append(h.delays, h.sim.now-p.Stamp)
	}
}

// reported gets a packet back, and uses it again if it is bulk.
func (h *host) reported(p *qdisc.Packet) {
	if p.Class == bulkClass {
		h.free.Push(p)
		h.supply()
	}
}

func (h *host) filled() {
	h.settle()
	h.held = h.driver.bytes
	h.most = max(h.most, h.held)
	if h.sim.now <= chartTime {
		h.series = append(h.series, sample{h.sim.now, h.held})
	}
	if l := h.driver.limiter; l != nil && h.sim.now > duration/2 {
		h.lowest, h.highest = min(h.lowest, l.Limit()), max(h.highest, l.Limit())
	}
}

// settle accounts for the time up to now.
func (h *host) settle() {
	h.area += float64(h.held) * float64(h.sim.now-h.since)
	h.since = h.sim.now
}

// mean returns the bytes in flight, averaged over the run.
func (h *host) mean() float64 {
	h.settle()
	return h.area / float64(h.sim.now)
}

// full is what a run in full duplex showed.
type full struct {
	setting
	*host
	use      float64    // share of the time that the line was busy
	p50, max qdisc.Time // delay of a small packet, from a run of their own
}

// fullDuplexRun runs twice: with bulk alone, for what is in flight, and with
// small packets besides, for their delay: under the same limit a small packet
// may be in flight beside the bulk.
func fullDuplexRun(set setting, latency qdisc.Time) (*full, error) {
	alone, line, err := oneFullDuplexRun(set, latency, false)
	if err != nil {
		return nil, err
	}
	mixed, _, err := oneFullDuplexRun(set, latency, true)
	if err != nil {
		return nil, err
	}
	slices.Sort(mixed.delays)
	return &full{
		setting: set, host: alone,
		use: float64(line.busy) / float64(duration),
		p50: mixed.delays[len(mixed.delays)/2],
		max: mixed.delays[len(mixed.delays)-1],
	}, nil
}

func oneFullDuplexRun(set setting, latency qdisc.Time, small bool) (*host, *fullDuplex, error) {
	s := new(sim)
	h, err := newHost(s, set, latency, 0)
	if err != nil {
		return nil, nil, err
	}
	line := &fullDuplex{sim: s}
	h.driver.line = line
	h.driver.fill()
	if small {
		h.smallPackets()
	}
	s.run(duration)
	return h, line, nil
}

// smallPackets has a small packet arrive every 0 to 20 ms.
func (h *host) smallPackets() {
	rng := rand.NewPCG(seed, 1)
	var arrive func()
	arrive = func() {
		if h.sim.now > 0 {
			h.driver.q.Enqueue(&qdisc.Packet{Len: smallLen, Class: smallClass}, h.sim.now)
			h.driver.fill()
		}
		h.sim.at(h.sim.now+qdisc.Time(rng.Uint64()%uint64(20*millisecond)), arrive)
	}
	arrive()
}
