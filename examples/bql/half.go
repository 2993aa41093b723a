package main

import (
	"slices"

	"github.com/netsched/netsched/qdisc"
)

// half is what a run in half duplex showed.
type half struct {
	setting
	*host
	goodput    float64 // bytes of the file per second
	collisions int
	answers    int        // acknowledgements that arrived
	givenUp    int        // frames of either end that collided too often
	p50, max   qdisc.Time // delay of an acknowledgement, from when there is one to its end
}

// halfDuplexRun copies a file through a hub, which data and acknowledgements
// share, with at most window frames unanswered; 0: no bound, the sender always
// has more.
func halfDuplexRun(set setting, latency qdisc.Time, window int) (*half, error) {
	s := new(sim)
	h, err := newHost(s, set, latency, window)
	if err != nil {
		return nil, err
	}
	hub := newHub(s, seed)
	data := hub.attach()
	h.driver.line = data
	r := &receiver{sim: s, station: hub.attach()}
	c := &copier{host: h, to: r}
	r.to = c
	h.driver.sent = c.sent
	h.driver.fill()
	s.run(duration)
	slices.Sort(r.delays)
	return &half{
		setting: set, host: h,
		goodput:    float64(r.frames) * payload / (float64(duration) / float64(second)),
		collisions: hub.collisions,
		answers:    len(r.delays),
		givenUp:    data.givenUp + r.station.givenUp,
		p50:        r.delays[len(r.delays)/2],
		max:        r.delays[len(r.delays)-1],
	}, nil
}
