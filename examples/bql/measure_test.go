package main

import (
	"math"
	"testing"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/qdisc"
)

// TestFullDuplex: the limit, what is in flight and the link's use are those of
// the known answers for a saturated link, whatever the interrupt's latency.
func TestFullDuplex(t *testing.T) {
	automatic, fixed := settings[1], settings[2]
	for _, c := range []struct {
		set             setting
		latency         qdisc.Time
		lowest, highest int64
		most            int64
		use             float64
	}{
		{settings[0], 100 * microsecond, bql.MaxLimit, 0, ringSize * frameLen, 1},
		{automatic, 0, 1514, 3028, 4542, 1},
		{automatic, 100 * microsecond, 1514, 3028, 4542, 1},
		{automatic, 1 * millisecond, 1514, 3028, 4542, 1},
		{fixed, 100 * microsecond, 1400, 1400, 1514, 0.924},
		{fixed, 1 * millisecond, 1400, 1400, 1514, 0.548},
	} {
		r, err := fullDuplexRun(c.set, c.latency)
		if err != nil {
			t.Fatal(err)
		}
		if r.lowest != c.lowest || r.highest != c.highest || r.most != c.most || math.Abs(r.use-c.use) > .0005 {
			t.Errorf("%s, %v: limit %d..%d, in flight %d, use %.4f; want %d..%d, %d, %.3f",
				c.set.name, c.latency, r.lowest, r.highest, r.most, r.use, c.lowest, c.highest, c.most, c.use)
		}
		if mean := r.mean(); mean > float64(c.most) || mean < float64(c.most)*.99 {
			t.Errorf("%s, %v: mean %.1f bytes in flight of at most %d", c.set.name, c.latency, mean, c.most)
		}
		if r.limited && r.series[len(r.series)-1].bytes != c.most {
			t.Errorf("%s, %v: the chart ends before the limit has found its level", c.set.name, c.latency)
		}
		// A small packet waits for what is in flight, which may hold another,
		// and perhaps for an interrupt.
		bound := airtime(uint32(c.most)+2*smallLen) + c.latency
		if r.max > bound || r.p50 > r.max || r.p50 < airtime(smallLen) {
			t.Errorf("%s, %v: small packets take %v, at most %v; bound %v", c.set.name, c.latency, r.p50, r.max, bound)
		}
	}
}

// TestOneFrameInFlight: below a frame, the limit leaves exactly one frame in
// flight at every time.
func TestOneFrameInFlight(t *testing.T) {
	h, _, err := oneFullDuplexRun(settings[2], 100*microsecond, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range h.series {
		if s.bytes != frameLen {
			t.Fatalf("%d bytes in flight at %v", s.bytes, s.at)
		}
	}
	if len(h.series) < 40 || h.mean() != frameLen {
		t.Errorf("%d samples, mean %v", len(h.series), h.mean())
	}
}

// TestHalfDuplex: the window is kept, and each answer stands for two frames.
func TestHalfDuplex(t *testing.T) {
	for _, set := range settings {
		for _, window := range []int{0, perAck, tcpWindow} {
			for _, latency := range []qdisc.Time{0, 50 * microsecond, 10 * millisecond} {
				r, err := halfDuplexRun(set, latency, window)
				if err != nil {
					t.Fatal(err)
				}
				frames := int(math.Round(r.goodput * float64(duration/second) / payload))
				if r.answers > frames/perAck || window != 0 && r.answers < (frames-window)/perAck-r.givenUp {
					t.Errorf("%s, %v, window %d: %d answers to %d frames", set.name, latency, window, r.answers, frames)
				}
				// What is answered may not be reported yet.
				unreported := int64(latency/airtime(frameLen)) + 1
				if window != 0 && r.most > (int64(window)+unreported)*frameLen {
					t.Errorf("%s, %v, window %d: %d bytes in flight", set.name, latency, window, r.most)
				}
			}
		}
	}
}
