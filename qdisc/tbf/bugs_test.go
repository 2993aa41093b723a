package tbf_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/tbf"
)

// Errors that other shapers were reported to have; see also
// TestPartlyRefusedSuperPacket.

// TestFastRates: shapers that keep the rate in 32 bits shape 4.3 Gbit/s to
// nothing (opnsense/core#5224, aabc/ipt-ratelimit#13) or 40960 Mbit/s to 6.6
// Gbit/s (openvswitch/ovs-issues#189).
func TestFastRates(t *testing.T) {
	for _, rate := range []qdisc.Rate{2_200_000_000, 4_290_000_000, 4_294_967_296, 4_300_000_000, 10 * qdisc.Gbit, 40_960 * qdisc.Mbit, 100 * qdisc.Gbit} {
		for _, compat := range []qdisc.Compat{qdisc.Exact, qdisc.Linux} {
			t.Run(fmt.Sprintf("%v/%v", rate, compat), func(t *testing.T) {
				q := mustNew(t, tbf.Config{Rate: rate, Burst: 3000, Compat: compat})
				fill(t, q, 3, 1500, 0)
				const until = s / 100
				sent := uint64(0)
				for now := qdisc.Time(0); now < until; {
					var p *qdisc.Packet
					p, now = next(t, q, now)
					sent += uint64(p.Len)
					q.Enqueue(p, now)
				}
				want := float64(rate) / 8 / 100
				off := 4500 + want*1e-6 // the burst, and the last packet begun
				if compat == qdisc.Linux {
					off += float64(sent/1500) * float64(rate) / 8e9 // 1 ns a packet
				}
				assert.InDelta(t, want, float64(sent), off)
			})
		}
	}
}

// TestPacketLongerThanBurst: it blocked the queue for ever (tc-testing c024).
func TestPacketLongerThanBurst(t *testing.T) {
	for _, compat := range []qdisc.Compat{qdisc.Exact, qdisc.Linux} {
		var drops qdisc.List
		q := mustNew(t, tbf.Config{Rate: 800, Burst: 1000, Drops: &drops, Compat: compat})
		assert.Equal(t, qdisc.Dropped, q.Enqueue(packet(1400), 0))
		assert.Equal(t, qdisc.Queued, q.Enqueue(packet(100), 0))
		assert.Equal(t, qdisc.Queued, q.Enqueue(packet(1000), 0))
		d := drops.Pop()
		require.NotNil(t, d)
		assert.Equal(t, qdisc.TooLong, d.Reason)
		assert.EqualValues(t, 1, q.ReadStats().Drops[qdisc.TooLong])
		_, now := next(t, q, 0)
		assert.Zero(t, now)
		_, now = next(t, q, 0)
		assert.Equal(t, s, now, "100 bytes at 800 bit/s")
		qtest.Balanced(t, q)
	}
	q := mustNew(t, tbf.Config{Rate: 100, PeakRate: 200, Burst: 2000, MTU: 500})
	assert.Equal(t, qdisc.Dropped, q.Enqueue(packet(501), 0), "the peak bucket never holds it")
	assert.Equal(t, qdisc.Queued, q.Enqueue(packet(500), 0))
}

// TestDefaultBurst: a default must not round to 0 at high rates
// (vishvananda/netlink#890), nor let a first burst far over the rate pass
// (kubernetes/kubernetes#90838).
func TestDefaultBurst(t *testing.T) {
	for _, tt := range []struct {
		rate qdisc.Rate
		want uint32
	}{
		{1, 3028}, {500 * qdisc.Kbit, 3028}, {12_112_000, 3028}, {12_116_000, 3029},
		{100 * qdisc.Mbit, 25_000}, {100 * qdisc.Gbit, 25_000_000}, {qdisc.Tbit, 250_000_000}, {1 << 63, 1 << 29},
	} {
		for _, compat := range []qdisc.Compat{qdisc.Exact, qdisc.Linux} {
			cfg := tbf.Config{Rate: tt.rate, Compat: compat, ATM: true}
			if tt.rate < 8 && compat == qdisc.Linux {
				continue
			}
			got := mustNew(t, cfg).Config().Burst
			assert.Equal(t, tt.want, got, "%v", tt.rate)
			tenMs := float64(tt.rate) / 800
			assert.LessOrEqual(t, float64(got), max(tenMs, 3028))
		}
	}
	q := mustNew(t, tbf.Config{Rate: 500 * qdisc.Kbit})
	fill(t, q, 20, 1514, 0)
	assert.Equal(t, 2, leave(q, 0), "30 kB at once: two packets pass")
}

// TestNoExtraCellAfterIdle: boinkor-net/governor#249.
func TestNoExtraCellAfterIdle(t *testing.T) {
	for _, compat := range []qdisc.Compat{qdisc.Exact, qdisc.Linux} {
		q := mustNew(t, tbf.Config{Rate: 8 * 5 * 100, Burst: 5 * 100, Compat: compat}) // 5 packets/s
		fill(t, q, 11, 100, 0)
		assert.Equal(t, 5, leave(q, 0))
		assert.Equal(t, 5, leave(q, 2*s))
	}
}

// TestLeftoverTokens: a bucket as deep as one interval's bytes lost the rest
// below a packet at each interval (pion/interceptor#457).
func TestLeftoverTokens(t *testing.T) {
	const interval = 5 * ms
	q := mustNew(t, tbf.Config{Rate: 10 * qdisc.Mbit, Burst: 6250})
	fill(t, q, 200, 1200, 0)
	sent, tick := 0, interval
	for now := qdisc.Time(0); now < 60*s; {
		for p := q.Dequeue(now); p != nil; p = q.Dequeue(now) {
			sent += int(p.Len)
			q.Enqueue(p, now)
		}
		if now == tick {
			tick += interval
		}
		now = min(tick, q.ReadyAt(now))
	}
	assert.InEpsilon(t, 60*1.25e6, float64(sent), 1e-3)
}

// TestNoBusyLoop: the next event lies in the future, or waits for the
// owner of a parked packet (quic-go/quic-go#4943).
func TestNoBusyLoop(t *testing.T) {
	q := mustNew(t, tbf.Config{Rate: 3 * qdisc.Gbit, Burst: 1514})
	fill(t, q, 50, 1514, 0)
	for now := qdisc.Time(0); q.Len() > 0; {
		if p := q.Peek(now); p != nil {
			for range 3 { // the lower layer refuses
				require.Same(t, p, q.Peek(now))
				require.Equal(t, now, q.ReadyAt(now))
			}
			require.Same(t, p, q.Dequeue(now))
			continue
		}
		at := q.ReadyAt(now)
		require.Greater(t, at, now)
		require.Equal(t, at, q.ReadyAt(now), "asking changes nothing")
		now = at
	}
}

// TestIdleTimePays: 6 kB every 10 ms at half the rate are never held back
// (ska-sa/spead2#53).
func TestIdleTimePays(t *testing.T) {
	for _, compat := range []qdisc.Compat{qdisc.Exact, qdisc.Linux} {
		q := mustNew(t, tbf.Config{Rate: 9_600_000, Burst: 6000, Compat: compat})
		for now := qdisc.Time(0); now < 10*s; now += 10 * ms {
			fill(t, q, 4, 1500, now)
			require.Equal(t, 4, leave(q, now))
		}
		assert.Zero(t, q.ReadStats().Overlimits)
	}
}
