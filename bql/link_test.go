package bql_test

import (
	"math"
	"testing"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/qdisc"
	"github.com/stretchr/testify/assert"
)

// outcome of a run; limits are those of the second half.
type outcome struct {
	lowest, highest, mean int64 // limit; the mean is over reports, rounded
	inflight              int64 // most bytes in flight
	use                   float64
}

// saturate runs a sender that is always ready for 10 s over a link of so many
// bit/s. The device reports latency after the first frame is done all frames
// that are done by then. Times are in picoseconds.
func saturate(l *bql.Limiter, rate, latency int64) (out outcome) {
	const (
		duration = 10e12
		never    = math.MaxInt64
	)
	airtime := int64(8 * frame * 1e12 / rate)
	out.lowest = math.MaxInt64
	ring, unreported, sent := 0, uint64(0), int64(0)
	done, report := int64(never), int64(never)
	reports, sum := int64(0), int64(0)
	refill := func(now int64) {
		for l.Available() >= 0 {
			l.Queued(frame)
			ring++
		}
		out.inflight = max(out.inflight, l.Inflight())
		if done == never && ring > 0 {
			done = now + airtime
		}
	}
	now := int64(0)
	for refill(now); now < duration; {
		now = min(done, report)
		if now == done {
			ring--
			unreported++
			sent++
			if done = never; ring > 0 {
				done = now + airtime
			}
			report = min(report, now+latency)
		}
		if now == report {
			l.Completed(unreported*frame, qdisc.Time(now/1000))
			unreported, report = 0, never
			if now > duration/2 {
				out.lowest, out.highest = min(out.lowest, l.Limit()), max(out.highest, l.Limit())
				sum += l.Limit()
				reports++
			}
			refill(now)
		}
	}
	out.mean = (sum + reports/2) / reports
	out.use = float64(sent*airtime) / float64(now)
	return out
}

// TestSaturatedLink: the limit settles at what the report's latency needs, and
// not much above. With a limit under one frame the link idles for the latency
// after every frame, and one frame is in flight, as was measured on a gianfar
// at 10 Mbit/s (March 2012: three frames with the defaults, one so).
func TestSaturatedLink(t *testing.T) {
	const us = 1_000_000 // ps
	defaults := bql.Config{}
	under := bql.Config{LimitMin: 1000, LimitMax: new(int64(1400))}
	cases := []struct {
		name          string
		cfg           bql.Config
		rate, latency int64
		want          outcome
	}{
		{"10 Mbit/s, at once", defaults, 10e6, 0, outcome{1514, 3028, 3024, 4542, 1}},
		{"10 Mbit/s, 0.1 ms", defaults, 10e6, 100 * us, outcome{1514, 3028, 3024, 4542, 1}},
		{"10 Mbit/s, 1 ms", defaults, 10e6, 1000 * us, outcome{1514, 3028, 3024, 4542, 1}},
		{"100 Mbit/s, 0.1 ms", defaults, 100e6, 100 * us, outcome{1514, 3028, 3028, 4542, 1}},
		{"1 Gbit/s, 50 us", defaults, 1e9, 50 * us, outcome{13626, 15140, 15140, 16654, 1}},
		{"10 Gbit/s, 50 us", defaults, 10e9, 50 * us, outcome{125662, 127176, 127176, 128690, 1}},
		{"10 Mbit/s, 0.1 ms, limit under a frame", under, 10e6, 100 * us, outcome{1400, 1400, 1400, 1514, 0.924}},
		{"10 Mbit/s, 1 ms, limit under a frame", under, 10e6, 1000 * us, outcome{1400, 1400, 1400, 1514, 0.548}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			inModes(t, func(t *testing.T, compat qdisc.Compat) {
				cfg := c.cfg
				cfg.Compat = compat
				got := saturate(mustNew(t, cfg), c.rate, c.latency)
				assert.InDelta(t, c.want.use, got.use, 0.0005)
				got.use = c.want.use
				assert.Equal(t, c.want, got)
			})
		})
	}
}
