package netsim_test

import (
	"math/bits"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/netsim"
	"github.com/netsched/netsched/qdisc/tbf"
)

// wireTime is how long so many bytes take, in 128 bits, rounded down.
func wireTime(bytes uint64, rate qdisc.Rate) qdisc.Time {
	hi, lo := bits.Mul64(bytes, 8e9)
	q, _ := bits.Div64(hi, lo, uint64(rate))
	return qdisc.Time(q)
}

// TestSerialisationIsExact: packets back to back arrive when the sum of their
// bits has passed, to the nanosecond, after a million of them.
func TestSerialisationIsExact(t *testing.T) {
	const delay = 3 * millisecond
	for _, rate := range []qdisc.Rate{7 * qdisc.Mbit, 999_999_937, 25 * qdisc.Gbit} {
		s := netsim.New(1)
		rng := rand.New(rand.NewPCG(1, 1))
		total, arrived := uint64(0), uint64(0)
		l := must(netsim.NewLink(s, netsim.LinkConfig{
			Rate: rate, Delay: time.Duration(delay), Overhead: 20, MinFrame: 84,
			To: receiver{s, func(p *netsim.Packet) {
				total += max(84, uint64(p.Len)+20)
				if want := wireTime(total, rate) + delay; s.Now() != want || p.Seq != arrived {
					t.Fatalf("packet %d arrives at %d as number %d, not at %d", p.Seq, s.Now(), arrived, want)
				}
				arrived++
			}},
		}))
		for sent := uint64(0); sent < 1_000_000; {
			for range 500 {
				send(s, l, rng.Uint32N(1500), sent)
				sent++
			}
			for l.Qdisc().Len() > 10 {
				s.Run(s.Next())
			}
		}
		s.Run(1000 * second)
		require.EqualValues(t, 1_000_000, arrived)
		require.Zero(t, s.Alive())
		checkLink(t, "link", l.Stats())
	}
}

// TestPauseEndsTheFraction: after a pause a packet takes its time from when it
// came, rounded down.
func TestPauseEndsTheFraction(t *testing.T) {
	s := netsim.New(1)
	var at []qdisc.Time
	l := must(netsim.NewLink(s, netsim.LinkConfig{Rate: 3 * qdisc.Gbit, To: receiver{s, func(*netsim.Packet) { at = append(at, s.Now()) }}}))
	send(s, l, 1, 0) // 8/3 ns
	send(s, l, 1, 1)
	s.Run(100)
	send(s, l, 1, 2)
	s.Run(200)
	require.Equal(t, []qdisc.Time{2, 5, 102}, at)
}

func TestSetRate(t *testing.T) {
	s := netsim.New(1)
	var at []qdisc.Time
	l := must(netsim.NewLink(s, netsim.LinkConfig{Rate: 8 * qdisc.Mbit, To: receiver{s, func(*netsim.Packet) { at = append(at, s.Now()) }}}))
	for seq := range uint64(6) {
		send(s, l, 1000, seq)
	}
	s.At(1500*microsecond, func() { l.SetRate(4 * qdisc.Mbit) }) // the second packet ends as it began
	s.At(3*millisecond, func() { l.SetRate(8 * qdisc.Mbit) })
	s.At(4500*microsecond, func() { l.SetRate(0) }) // the rest takes no time, once the fourth has gone
	s.Run(second)
	require.Equal(t, []qdisc.Time{1 * millisecond, 2 * millisecond, 4 * millisecond, 5 * millisecond, 5 * millisecond, 5 * millisecond}, at)
}

// TestManyRatesDoNotDrift: the fraction of a nanosecond outlives a change of
// the rate.
func TestManyRatesDoNotDrift(t *testing.T) {
	s := netsim.New(1)
	const n = 3000
	l := must(netsim.NewLink(s, netsim.LinkConfig{Qdisc: must(fifo.New(fifo.Config{Limit: new(n)})), Rate: 3 * qdisc.Gbit, To: s.Discard()}))
	for seq := range uint64(n) {
		send(s, l, 1, seq) // 8/3 ns or 8/6 ns
	}
	for i := 0; s.Next() != qdisc.Never; i++ {
		s.Run(s.Next())
		l.SetRate([]qdisc.Rate{6 * qdisc.Gbit, 3 * qdisc.Gbit}[i%2])
	}
	require.EqualValues(t, n, l.Stats().Delivered)
	require.InDelta(t, n*2, float64(s.Now()), 3, "2 ns each in the mean")
}

func TestDelayChangesKeepTheOrder(t *testing.T) {
	s := netsim.New(1)
	var at []qdisc.Time
	last := int64(-1)
	l := must(netsim.NewLink(s, netsim.LinkConfig{Delay: 10 * time.Millisecond, To: receiver{s, func(p *netsim.Packet) {
		require.Greater(t, int64(p.Seq), last)
		last = int64(p.Seq)
		at = append(at, s.Now())
	}}}))
	send(s, l, 100, 0)
	l.SetDelay(2 * time.Millisecond)
	send(s, l, 100, 1)
	s.Run(9 * millisecond)
	send(s, l, 100, 2)
	l.SetDelay(-1)
	send(s, l, 100, 3)
	s.Run(20 * millisecond)
	send(s, l, 100, 4)
	require.Equal(t, []qdisc.Time{10 * millisecond, 10 * millisecond, 11 * millisecond, 11 * millisecond, 20 * millisecond}, at)
}

func TestJitterKeepsTheOrder(t *testing.T) {
	s := netsim.New(1)
	m := netsim.NewFlowMeters(s)
	l := must(netsim.NewLink(s, netsim.LinkConfig{Delay: 10 * time.Millisecond, Jitter: 4 * time.Millisecond, To: m}))
	for flow, rate := range []qdisc.Rate{200 * qdisc.Kbit, 80 * qdisc.Mbit} { // every 40 ms, then every 0.1 ms
		must(netsim.NewSource(s, netsim.SourceConfig{Via: l, Pattern: netsim.CBR{Rate: rate}, Packet: packet(uint32(flow), 1000), Count: 20000}))
		s.Run(s.Now() + 1000*second)
	}
	for _, flow := range m.All() {
		require.EqualValues(t, 20000, flow.Packets)
		require.Zero(t, flow.Reordered)
		require.InEpsilon(t, 14*time.Millisecond, flow.Delay.Max(), 0.001)
		require.LessOrEqual(t, flow.Delay.Max(), 14*time.Millisecond)
	}
	sparse := m.Flow(0)
	require.InEpsilon(t, 12*time.Millisecond, sparse.Delay.Mean(), 0.005)
	require.InEpsilon(t, 11*time.Millisecond, sparse.Delay.Quantile(0.25), 0.04)
	require.Greater(t, m.Flow(1).Delay.Mean(), 13*time.Millisecond, "a dense flow waits for its latest")
}

func TestLoss(t *testing.T) {
	for _, loss := range []float64{0, 0.01, 0.5, 1} {
		s := netsim.New(7)
		m := netsim.NewMeter(s)
		hooked := uint64(0)
		l := must(netsim.NewLink(s, netsim.LinkConfig{Loss: loss, To: m, OnDrop: func(p *netsim.Packet) {
			require.Equal(t, qdisc.NotDropped, p.Reason)
			hooked++
		}}))
		const n = 100000
		must(netsim.NewSource(s, netsim.SourceConfig{Via: l, Pattern: netsim.CBR{Rate: qdisc.Gbit}, Count: n}))
		s.Run(100 * second)
		require.InDelta(t, loss*n, float64(l.Stats().Lost), 600)
		require.Equal(t, l.Stats().Lost, hooked)
		require.EqualValues(t, n, m.Packets+hooked)
		if loss < 1 {
			require.InDelta(t, float64(hooked), float64(m.Missing()), 3, "but for those at the end")
		} else {
			require.EqualValues(t, n, hooked)
		}
		require.Zero(t, s.Alive())
		checkLink(t, "link", l.Stats())
	}
}

// TestShaper: the link asks a discipline that holds packets back when ReadyAt
// says so, and not all the time.
func TestShaper(t *testing.T) {
	s := netsim.New(1)
	m := netsim.NewMeter(s)
	shaper := must(tbf.New(tbf.Config{Rate: 10 * qdisc.Mbit, Burst: 1500, LimitBytes: new(int64(1 << 20))}))
	l := must(netsim.NewLink(s, netsim.LinkConfig{Qdisc: shaper, To: m}))
	must(netsim.NewSource(s, netsim.SourceConfig{Via: l, Pattern: netsim.Bursts{Packets: 100, Every: time.Second}, Stop: 10 * second, Packet: packet(0, 1500)}))
	s.Run(10 * second)
	require.EqualValues(t, 1000, m.Packets)
	require.Equal(t, 99*1200*time.Microsecond, m.Delay.Max(), "the first of a burst leaves at once")
	require.Zero(t, s.Alive())

	gate := &qtest.Gate{Opens: 30 * second}
	l = must(netsim.NewLink(s, netsim.LinkConfig{Qdisc: gate, Rate: qdisc.Mbit, To: m}))
	for seq := range uint64(10) {
		send(s, l, 100, seq)
	}
	s.Run(40 * second)
	require.EqualValues(t, 1010, m.Packets)
	require.LessOrEqual(t, gate.Asked, 10+1+10+1, "once an arrival, at the opening, after each packet")
}

func TestDropsEndPackets(t *testing.T) {
	s := netsim.New(1)
	var reasons []qdisc.Reason
	l := must(netsim.NewLink(s, netsim.LinkConfig{
		Qdisc: must(fifo.New(fifo.Config{Limit: new(2), HeadDrop: true})), Rate: qdisc.Mbit, To: s.Discard(),
		OnDrop: func(p *netsim.Packet) { reasons = append(reasons, p.Reason) },
	}))
	for seq := range uint64(4) {
		send(s, l, 100, seq)
	}
	require.Equal(t, []qdisc.Reason{qdisc.HeadDrop}, reasons)
	require.Equal(t, 3, s.Alive())
	l.Qdisc().Reset(s.Now())
	require.Equal(t, 3, s.Alive())
	l.Sync()
	require.Equal(t, 1, s.Alive(), "the one on the line")
	s.Run(second)
	require.Zero(t, s.Alive())
	checkLink(t, "link", l.Stats())
}

// TestLoop: links that take no time may lead back to where they began.
func TestLoop(t *testing.T) {
	s := netsim.New(1)
	var first *netsim.Link
	var got []uint64
	turns := receiverFunc(func(p *netsim.Packet) {
		if p.Mark++; p.Mark < 1000 {
			first.Receive(p)
			return
		}
		got = append(got, p.Seq)
		s.Free(p)
	})
	second := must(netsim.NewLink(s, netsim.LinkConfig{To: turns}))
	first = must(netsim.NewLink(s, netsim.LinkConfig{To: second}))
	send(s, first, 1, 0)
	send(s, first, 1, 1)
	require.Equal(t, []uint64{0, 1}, got)
	require.EqualValues(t, 2000, first.Stats().Delivered)
	require.Zero(t, s.Alive())
}

type receiverFunc func(p *netsim.Packet)

func (f receiverFunc) Receive(p *netsim.Packet) { f(p) }

// TestSuperPacket: it is serialised with the framing of all its segments and
// arrives whole.
func TestSuperPacket(t *testing.T) {
	s := netsim.New(1)
	m := netsim.NewMeter(s)
	l := must(netsim.NewLink(s, netsim.LinkConfig{Rate: 8 * qdisc.Mbit, Overhead: 24, To: m}))
	p := s.Alloc()
	p.Len, p.Segs, p.SegSize = 30000, 20, 1448
	l.Receive(p)
	s.Run(second)
	require.EqualValues(t, 1, m.Packets)
	require.Equal(t, (30000+20*24)*time.Microsecond, m.Delay.Max())
}

func TestWithoutEnd(t *testing.T) {
	s := netsim.New(1)
	l := must(netsim.NewLink(s, netsim.LinkConfig{}))
	send(s, l, 100, 0)
	require.Zero(t, s.Alive(), "a packet without To ends with the last link")
}

func TestFreeTwice(t *testing.T) {
	s := netsim.New(1)
	p := s.Alloc()
	var l qdisc.List
	l.Push(&p.Packet)
	require.Panics(t, func() { s.Free(p) }, "in a list")
	l.Pop()
	s.Free(p)
	require.Panics(t, func() { s.Free(p) })
	require.Zero(t, s.Alive())
}

func TestLinkConfigErrors(t *testing.T) {
	s := netsim.New(1)
	_, err := netsim.NewLink(s, netsim.LinkConfig{
		Rate: 1 << 63, Delay: -1, Jitter: -1, Loss: 1.5, Overhead: 5000, MinFrame: -1, Ring: -1, Completion: -1,
		Medium: must(netsim.NewMedium(s, netsim.MediumConfig{})),
	})
	qtest.ConfigErrors(t, err, "Rate", "Delay", "Jitter", "Loss", "Overhead", "MinFrame", "Ring", "Completion", "Medium")

	q := must(fifo.New(fifo.Config{}))
	q.Enqueue(&qdisc.Packet{}, 0)
	_, err = netsim.NewLink(s, netsim.LinkConfig{Qdisc: q})
	qtest.ConfigErrors(t, err, "it holds packets")

	shaper := must(tbf.New(tbf.Config{Rate: qdisc.Mbit, Burst: 10000, LimitBytes: new(int64(10000))}))
	for _, child := range shaper.Children() {
		_, err = netsim.NewLink(s, netsim.LinkConfig{Qdisc: child})
		qtest.ConfigErrors(t, err, "another's child")
	}
}
