package cake_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/cake"
	"github.com/netsched/netsched/qdisc"
)

// Arithmetic with known answers: MTU 1514, RTT 100 ms, target 5 ms.

func TestTinParameters(t *testing.T) {
	for _, tt := range []struct {
		rate             qdisc.Rate
		quantum          uint32
		target, interval time.Duration
	}{
		{0, 1514, 5 * time.Millisecond, 100 * time.Millisecond},
		{100 * qdisc.Mbit, 1514, 5 * time.Millisecond, 100 * time.Millisecond},
		{10 * qdisc.Mbit, 305, 5 * time.Millisecond, 100 * time.Millisecond},
		{qdisc.Mbit, 300, 18168 * time.Microsecond, 113168 * time.Microsecond},
		{64 * qdisc.Kbit, 300, 283875 * time.Microsecond, 567750 * time.Microsecond},
	} {
		for _, compat := range compats {
			st := mustNew(t, cake.Config{Bandwidth: tt.rate, Diffserv: cake.BestEffort, Compat: compat}).Stats()
			require.Len(t, st.Tins, 1)
			tin := st.Tins[0]
			assert.Equal(t, tt.quantum, tin.Quantum, "%v", tt.rate)
			assert.InDelta(t, float64(tt.target), float64(tin.Target), 1000, "%v", tt.rate)
			assert.InDelta(t, float64(tt.interval), float64(tin.Interval), 1000, "%v", tt.rate)
			assert.Equal(t, tt.rate, tin.Threshold)
		}
	}
}

func TestTinShares(t *testing.T) {
	const r = 64 * qdisc.Mbit
	for mode, want := range map[cake.Diffserv][]qdisc.Rate{
		cake.BestEffort: {r},
		cake.Diffserv3:  {r / 16, r, r / 4},
		cake.Diffserv4:  {r / 16, r, r / 2, r / 4},
		cake.Diffserv8:  {r, r * 7 / 8, r * 49 / 64, 42_875_000, 37_515_624, 32_826_168, 28_722_896, 25_132_528},
	} {
		var got []qdisc.Rate
		for _, tin := range mustNew(t, cake.Config{Bandwidth: r, Diffserv: mode, Compat: qdisc.Linux}).Stats().Tins {
			got = append(got, tin.Threshold)
		}
		assert.Equal(t, want, got, "%v", mode)
	}
}

// tinsOf returns the display number of the tin that takes each DSCP.
func tinsOf(t *testing.T, mode cake.Diffserv) (tin [64]int) {
	q := mustNew(t, cake.Config{Diffserv: mode})
	for d := range tin {
		q.Enqueue(dscp(packet(100, 1), uint8(d)), 0)
		for k, s := range q.Stats().Tins {
			if s.Backlog > 0 {
				tin[d] = k
			}
		}
		require.NotNil(t, q.Dequeue(0))
	}
	return tin
}

func TestDSCPs(t *testing.T) {
	const bulk, bestEffort, voice3, video, voice4 = 0, 1, 2, 2, 3
	where := func(rest int, special map[int][]int) (tin [64]int) {
		for i := range tin {
			tin[i] = rest
		}
		for k, list := range special {
			for _, d := range list {
				tin[d] = k
			}
		}
		return tin
	}
	assert.Equal(t, where(0, nil), tinsOf(t, cake.BestEffort))
	assert.Equal(t, where(bestEffort, map[int][]int{bulk: {1, 8}, voice3: {4, 44, 46, 48, 56}}), tinsOf(t, cake.Diffserv3))
	assert.Equal(t, where(bestEffort, map[int][]int{
		bulk: {1, 8}, video: {4, 16, 18, 20, 22, 24, 26, 28, 30, 34, 36, 38}, voice4: {32, 40, 44, 46, 48, 56},
	}), tinsOf(t, cake.Diffserv4))
	assert.Equal(t, where(2, map[int][]int{
		0: {1}, 1: {2, 8, 10, 12, 14}, 3: {24, 26, 28, 30, 34, 36, 38}, 4: {4, 18, 20, 22}, 5: {16}, 6: {32, 40, 44, 46}, 7: {48, 56},
	}), tinsOf(t, cake.Diffserv8))
	var precedence [64]int
	for d := range precedence {
		precedence[d] = d / 8
	}
	assert.Equal(t, precedence, tinsOf(t, cake.Precedence))
}

// charged returns what the shaper takes for an Ethernet frame with n bytes of
// IP: at 8 Gbit/s a byte takes a nanosecond.
func charged(t *testing.T, f cake.Framing, n uint32, compat qdisc.Compat) int {
	q := mustNew(t, cake.Config{Bandwidth: 8 * qdisc.Gbit, Framing: f, Compat: compat})
	for range 2 {
		p := packet(n+14, 1)
		p.NetOff = 14
		q.Enqueue(p, s)
	}
	require.NotNil(t, q.Dequeue(s))
	return int(q.ReadyAt(s) - s)
}

func TestFraming(t *testing.T) {
	preset := func(word string) cake.Framing {
		f, ok := cake.Preset(word)
		require.True(t, ok, word)
		return f
	}
	for _, tt := range []struct {
		name string
		f    cake.Framing
		ip   uint32
		want int
	}{
		{"raw", cake.Framing{}, 1500, 1514},
		{"conservative", cake.Conservative(), 1500, 33 * 53},
		{"ethernet", cake.Ethernet(), 1500, 1538},
		{"ethernet", cake.Ethernet(), 40, 84},
		{"docsis", cake.DOCSIS(), 1500, 1518},
		{"docsis", cake.DOCSIS(), 40, 64},
		{"pppoe-ptm", cake.PPPoEPTM(), 1500, 1554},
		{"pppoe-vcmux", preset("pppoe-vcmux"), 1492, 32 * 53},
		{"bridged-llcsnap", preset("bridged-llcsnap"), 16, 53},
		{"bridged-llcsnap", preset("bridged-llcsnap"), 17, 106},
	} {
		for _, compat := range compats {
			assert.Equal(t, tt.want, charged(t, tt.f, tt.ip, compat), "%s, %d bytes", tt.name, tt.ip)
		}
	}
	_, ok := cake.Preset("token-ring")
	assert.False(t, ok)
}

// TestWireLengths is the table of the formula: overhead was counted twice, or
// the length came out below 0 (ellanetworks/core#894).
func TestWireLengths(t *testing.T) {
	cells := func(n int) int { return (n + 47) / 48 * 53 }
	for _, ip := range []uint32{1, 40, 64, 1500, 9000} {
		for _, o := range []int{-64, -14, 0, 38, 44} {
			n := max(int(ip)+o, 0)
			for _, compat := range compats {
				least := 1
				if compat == qdisc.Linux {
					least = 0
				}
				f := cake.Framing{Overhead: new(o)}
				assert.Equal(t, max(n, least), charged(t, f, ip, compat), "%d bytes, overhead %d", ip, o)
				f.MPU = 64
				assert.Equal(t, max(n, 64), charged(t, f, ip, compat), "%d bytes, overhead %d, mpu 64", ip, o)
				f.Link = cake.ATM
				assert.Equal(t, cells(max(n, 64)), charged(t, f, ip, compat), "%d bytes, overhead %d, mpu 64, atm", ip, o)
			}
		}
	}
}

// TestSuperPacketCharge: one that stays whole costs what its segments would.
func TestSuperPacketCharge(t *testing.T) {
	for _, compat := range compats {
		q := mustNew(t, cake.Config{Bandwidth: 8 * qdisc.Gbit, Framing: cake.Ethernet(), Compat: compat})
		const headers, mss = 54, 1460
		for range 2 {
			p := packet(3*headers+2*mss+10, 1)
			p.NetOff, p.HdrLen, p.SegSize, p.Segs = 14, headers, mss, 3
			q.Enqueue(p, s)
		}
		require.NotNil(t, q.Dequeue(s))
		assert.Equal(t, 2*1538+88, int(q.ReadyAt(s)-s))
		st := q.Stats()
		assert.Equal(t, [4]uint32{50, 1500, 88, 1538}, [4]uint32{st.MinNet, st.MaxNet, st.MinAdjusted, st.MaxAdjusted})
		assert.EqualValues(t, 2*mss+3*headers+10, st.Tins[1].MaxLen)
	}
}

func TestMemoryLimit(t *testing.T) {
	for _, tt := range []struct {
		cfg          cake.Config
		exact, linux int64
	}{
		{cake.Config{}, 15_503_360, 15_503_360},
		{cake.Config{Bandwidth: 10 * qdisc.Mbit}, 4 << 20, 4 << 20},
		{cake.Config{Bandwidth: 100 * qdisc.Mbit}, 5_000_000, 5_000_000},
		{cake.Config{Bandwidth: 100 * qdisc.Gbit}, 15_503_360, 15_503_360},
		{cake.Config{MemoryLimit: 100_000}, 100_000, 100_000},
		{cake.Config{MemoryLimit: 100e6}, 100e6, 100e6},
		{cake.Config{MTU: 100}, 1_024_000, 1_024_000},
		// 4 * 1.25e6 B/s * 1000 s is 5e9, in 32 bits 705032704.
		{cake.Config{Bandwidth: 10 * qdisc.Mbit, RTT: cake.Interplanetary, MTU: 1 << 17}, 1_342_177_280, 705_032_704},
	} {
		for i, compat := range compats {
			tt.cfg.Compat = compat
			assert.Equal(t, [2]int64{tt.exact, tt.linux}[i], mustNew(t, tt.cfg).Stats().MemoryLimit, fmt.Sprint(tt.cfg))
		}
	}
}
