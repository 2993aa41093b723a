package tbf_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/tbf"
)

// The cases of ns-3's tbf test suite as data. ns-3 counts its limit in packets
// or in bytes; a limit in packets is a packet FIFO as the child here. Its rates
// are in bytes a second. Nothing else deviates.
type ns3Case struct {
	name    string
	cfg     tbf.Config
	limit   int
	size    uint32
	in, out []qdisc.Time // enqueues and dequeues
	gives   []bool       // what each dequeue gives
}

// kB is 1000 bytes a second.
const kB = 8 * qdisc.Kbit

// times returns first, first+step ... up to last.
func times(first, step, last qdisc.Time) (all []qdisc.Time) {
	for t := first; t <= last; t += step {
		all = append(all, t)
	}
	return all
}

func ns3Cases() []ns3Case {
	yes := func(n int) []bool {
		all := make([]bool, n)
		for i := range all {
			all[i] = true
		}
		return all
	}
	c2 := ns3Case{
		name:  "both buckets keep up",
		cfg:   tbf.Config{Rate: 10 * kB, Burst: 10000, PeakRate: 100 * kB, MTU: 1000},
		limit: 10, size: 1000,
		in: times(180*ms, 90*ms, 990*ms), out: times(200*ms, 100*ms, 1000*ms), gives: yes(9),
	}
	c3 := ns3Case{
		name:  "bucket empty at 1.1 s",
		cfg:   tbf.Config{Rate: 5 * kB, Burst: 5000, PeakRate: 100 * kB, MTU: 1000},
		limit: 10, size: 1000,
		in: times(180*ms, 90*ms, 990*ms), out: times(200*ms, 100*ms, 1100*ms), gives: append(yes(9), false),
	}
	c4 := ns3Case{
		name:  "peak bucket empty every other time",
		cfg:   tbf.Config{Rate: 15 * kB, Burst: 15000, PeakRate: 20 * kB, MTU: 1000},
		limit: 10, size: 1000,
		in:    times(80*ms, 40*ms, 440*ms),
		out:   []qdisc.Time{100 * ms, 140 * ms, 200 * ms, 240 * ms, 300 * ms, 340 * ms, 400 * ms, 440 * ms, 500 * ms, 540 * ms},
		gives: []bool{true, false, true, false, true, false, true, false, true, false},
	}
	return []ns3Case{c2, c3, c4}
}

// limited sets the limit in packets or in bytes.
func limited(t *testing.T, cfg tbf.Config, packets int, size uint32, inBytes bool) *tbf.TBF {
	if inBytes {
		cfg.LimitBytes = new(int64(packets) * int64(size))
		return mustNew(t, cfg)
	}
	leaf, err := fifo.New(fifo.Config{Limit: new(packets)})
	require.NoError(t, err)
	cfg.Child = leaf
	return mustNew(t, cfg)
}

func TestNS3Schedules(t *testing.T) {
	for _, c := range ns3Cases() {
		for _, inBytes := range []bool{false, true} {
			for _, compat := range []qdisc.Compat{qdisc.Exact, qdisc.Linux} {
				t.Run(c.name, func(t *testing.T) {
					c.cfg.Compat = compat
					q := limited(t, c.cfg, c.limit, c.size, inBytes)
					in := c.in
					for i, now := range c.out {
						for len(in) > 0 && in[0] <= now {
							require.Equal(t, qdisc.Queued, q.Enqueue(packet(c.size), in[0]))
							in = in[1:]
						}
						require.NotZero(t, q.Len())
						require.Equal(t, c.gives[i], q.Dequeue(now) != nil, "at %v", now)
					}
				})
			}
		}
	}
}

// TestNS3FillAndDrain: four of five packets fit, and each dequeue takes 1500
// of the bucket's 6000 bytes.
func TestNS3FillAndDrain(t *testing.T) {
	for _, inBytes := range []bool{false, true} {
		q := limited(t, tbf.Config{Rate: 6 * kB, Burst: 6000}, 4, 1500, inBytes)
		var ps [5]qdisc.Packet
		for i, size := range []int{1, 2, 3, 4, 4} {
			ps[i].Len = 1500
			v := q.Enqueue(&ps[i], 0)
			assert.Equal(t, i == 4, v == qdisc.Dropped)
			assert.Equal(t, size, q.Len())
		}
		for i, left := range []int64{6000, 4500, 3000, 1500, 0} {
			tokens, _, _ := q.State()
			assert.Equal(t, left*unit, tokens)
			if i < 4 {
				assert.Same(t, &ps[i], q.Dequeue(0))
			}
		}
		assert.Nil(t, q.Dequeue(0))
	}
}
