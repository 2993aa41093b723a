package tbf_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/qdisctest"
	"github.com/netsched/netsched/qdisc/tbf"
)

// TestNoAllocation makes 1e5 rounds of all hot verbs: throttled, with a peak,
// over the limit, too long, and cutting super-packets.
func TestNoAllocation(t *testing.T) {
	const rounds = 100_000
	free, drops := qdisc.Alloc(64), qdisc.List{}
	split := func(p *qdisc.Packet, segs *qdisc.List) {
		n, size := p.Segs, uint32(p.SegSize)
		segs.Push(p)
		for p.Len, p.Segs = size, 1; n > 1; n-- {
			s := free.Pop()
			s.Len, s.Segs = size, 1
			segs.Push(s)
		}
	}
	for _, compat := range []qdisc.Compat{qdisc.Exact, qdisc.Linux} {
		q := mustNew(t, tbf.Config{
			Rate: qdisc.Gbit, PeakRate: 2 * qdisc.Gbit, Burst: 5000, MTU: 1500,
			LimitBytes: new(int64(20_000)), Split: split, Drops: &drops, Compat: compat,
		})
		now := qdisc.Time(0)
		got := qdisctest.Mallocs(func() {
			for i := range rounds {
				p := free.Pop()
				p.Len, p.Segs = 1000, 1
				switch i % 8 {
				case 3:
					p.Len = 2000 // too long
				case 6:
					p.Len, p.Segs, p.SegSize = 4000, 4, 1000
				}
				q.Enqueue(p, now)
				free.Append(&drops)
				if i%4 == 0 {
					continue
				}
				q.Peek(now)
				if p := q.Dequeue(now); p != nil {
					free.Push(p)
				} else {
					now = max(now, q.ReadyAt(now)-2)
				}
				now += 3
			}
		})
		assert.Zero(t, got)
		st := q.ReadStats()
		require.Greater(t, st.Drops[qdisc.TooLong], uint64(rounds/10))
		require.Greater(t, st.Refused-st.Drops[qdisc.TooLong], uint64(rounds/8), "it was at the limit")
		require.Greater(t, st.Split, uint64(rounds/4))
		require.Greater(t, st.Dequeued, uint64(rounds/8))
		qtest.Balanced(t, q)
		q.Reset(0)
		free.Append(&drops)
	}
}
