package bql_test

import (
	"testing"
	"time"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/qdisc"
	"github.com/stretchr/testify/require"
)

// TestStalls: a wait is a stall from the threshold on, to the nanosecond.
func TestStalls(t *testing.T) {
	const threshold = 10 * time.Millisecond
	type step struct {
		verb string // queue (at), count (without a time), done, reset, clear, off, on
		n    uint32
		at   qdisc.Time
		cnt  uint64
		max  time.Duration
	}
	cases := map[string][]step{
		"just too short": {
			{"queue", 3000, 5 * ms, 0, 0}, {"done", 1000, 15*ms - 1, 0, 0}, {"done", 1000, 25*ms - 2, 0, 0},
		},
		"from the first object queued": {
			{"queue", 3000, 5 * ms, 0, 0}, {"queue", 3000, 14 * ms, 0, 0}, {"done", 1000, 15 * ms, 1, threshold},
		},
		"from a completion that leaves some": {
			{"count", 3000, 0, 0, 0}, {"done", 1000, 40 * ms, 0, 0}, {"done", 2000, 50*ms + 1, 1, threshold + 1},
		},
		"idle time is none": {
			{"queue", 3000, 5 * ms, 0, 0}, {"done", 3000, 6 * ms, 0, 0},
			{"queue", 3000, 50 * ms, 0, 0}, {"done", 3000, 51 * ms, 0, 0},
			{"count", 3000, 0, 0, 0}, {"done", 3000, 90 * ms, 0, 0},
		},
		"nothing completed does not end it": {
			{"queue", 3000, 5 * ms, 0, 0}, {"done", 0, 14 * ms, 0, 0}, {"done", 0, 16 * ms, 0, 0},
			{"done", 1, 25 * ms, 1, 2 * threshold},
		},
		"nothing queued does not begin it": {
			{"queue", 0, 5 * ms, 0, 0}, {"queue", 9, 50 * ms, 0, 0}, {"done", 9, 51 * ms, 0, 0},
		},
		"ended by a reset": {
			{"queue", 3000, 5 * ms, 0, 0}, {"reset", 0, 16 * ms, 1, threshold + 1e6},
			{"done", 3000, 90 * ms, 1, threshold + 1e6},
		},
		"reset with nothing in flight": {
			{"queue", 3000, 5 * ms, 0, 0}, {"done", 3000, 6 * ms, 0, 0}, {"reset", 0, 90 * ms, 0, 0},
		},
		"reset that sets the clock back": {
			{"queue", 3000, 50 * ms, 0, 0}, {"reset", 0, 5 * ms, 0, 0},
			{"queue", 3000, 5 * ms, 0, 0}, {"done", 3000, 15 * ms, 1, threshold},
		},
		"several, the longest kept and cleared": {
			{"queue", 3000, 0, 0, 0}, {"done", 1000, 30 * ms, 1, 3 * threshold}, {"done", 1000, 50 * ms, 2, 3 * threshold},
			{"clear", 0, 0, 2, 0}, {"done", 500, 62 * ms, 3, 12 * time.Millisecond},
		},
		"switched off and on": {
			{"off", 0, 0, 0, 0}, {"queue", 3000, 0, 0, 0}, {"done", 1000, 30 * ms, 0, 0},
			{"on", 0, 31 * ms, 0, 0}, {"done", 1000, 40 * ms, 1, threshold},
		},
	}
	inModes(t, func(t *testing.T, compat qdisc.Compat) {
		for name, steps := range cases {
			t.Run(name, func(t *testing.T) {
				on := bql.Config{StallThreshold: threshold, Compat: compat}
				l := mustNew(t, on)
				for i, st := range steps {
					switch st.verb {
					case "queue":
						space := l.QueuedAt(st.n, st.at)
						require.Equal(t, l.Available(), space)
					case "count":
						l.Queued(st.n)
					case "done":
						l.Completed(uint64(st.n), st.at)
					case "reset":
						l.Reset(st.at)
					case "clear":
						l.ClearStallMax()
					case "off":
						require.NoError(t, l.Change(bql.Config{Compat: compat}, st.at))
						require.Zero(t, l.StallThrs())
					case "on":
						require.NoError(t, l.Change(on, st.at))
						require.Equal(t, threshold, l.StallThrs())
					}
					require.Equal(t, st.cnt, l.StallCnt(), "step %d", i)
					require.Equal(t, st.max, l.StallMax(), "step %d", i)
				}
			})
		}
	})
}
