package netsim_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/netsim"
)

// emissions runs a source and returns when its packets left and their lengths.
func emissions(cfg netsim.SourceConfig, until qdisc.Time) (at []qdisc.Time, lengths []uint32) {
	s := netsim.New(11)
	cfg.Via = receiver{s, func(p *netsim.Packet) {
		if p.Sent != s.Now() || p.Seq != uint64(len(at)) {
			panic("wrong time or number")
		}
		at, lengths = append(at, s.Now()), append(lengths, p.Len)
	}}
	must(netsim.NewSource(s, cfg))
	s.Run(until)
	return at, lengths
}

func sum[T uint32 | float64](xs []T) (sum float64) {
	for _, x := range xs {
		sum += float64(x)
	}
	return sum
}

func TestCBR(t *testing.T) {
	const rate = 7 * qdisc.Mbit
	at, lengths := emissions(netsim.SourceConfig{
		Pattern: netsim.CBR{Rate: rate}, Start: second, Stop: 11 * second,
		Size: func(r *rand.Rand) uint32 { return r.Uint32N(1500) },
	}, 100*second)
	require.InDelta(t, 10*7e6/8, sum(lengths), 1500)
	total := uint64(0)
	for i := range at {
		require.Equal(t, second+wireTime(total, rate), at[i])
		total += uint64(lengths[i])
	}
}

func TestSourceCountAndStop(t *testing.T) {
	at, lengths := emissions(netsim.SourceConfig{Pattern: netsim.CBR{Rate: 12 * qdisc.Mbit}, Count: 3}, second)
	require.Equal(t, []qdisc.Time{0, millisecond, 2 * millisecond}, at)
	require.Equal(t, []uint32{1500, 1500, 1500}, lengths)

	s := netsim.New(1)
	var src *netsim.Source
	src = must(netsim.NewSource(s, netsim.SourceConfig{
		Via:     receiver{s, func(p *netsim.Packet) { src.Stop() }},
		Pattern: netsim.Bursts{Packets: 10, Every: time.Second},
	}))
	s.Run(10 * second)
	packets, bytes := src.Sent()
	require.EqualValues(t, 1, packets, "a source can be stopped by its own packet")
	require.EqualValues(t, 1500, bytes)
	require.Equal(t, qdisc.Never, s.Next())
}

func TestPoisson(t *testing.T) {
	at, _ := emissions(netsim.SourceConfig{Pattern: netsim.Poisson{Rate: 8 * qdisc.Mbit, Len: 1000}, Packet: packet(1, 1000)}, 100*second)
	require.InDelta(t, 100000, len(at), 1000)
	var gaps, squares []float64
	for i := 1; i < len(at); i++ {
		gap := (at[i] - at[i-1]).Sub(0).Seconds()
		gaps, squares = append(gaps, gap), append(squares, gap*gap)
	}
	mean := sum(gaps) / float64(len(gaps))
	deviation := math.Sqrt(sum(squares)/float64(len(gaps)) - mean*mean)
	require.InEpsilon(t, mean, deviation, 0.02, "an exponential time's deviation is its mean")
}

func TestOnOffFixed(t *testing.T) {
	at, _ := emissions(netsim.SourceConfig{
		Pattern: netsim.OnOff{Rate: 12 * qdisc.Mbit, On: 2500 * time.Microsecond, Off: 7500 * time.Microsecond, Fixed: true},
	}, 20*millisecond)
	require.Equal(t, []qdisc.Time{0, millisecond, 2 * millisecond, 10 * millisecond, 11 * millisecond, 12 * millisecond, 20 * millisecond}, at)

	// Off times that end while a packet is being sent are not seen: those from
	// 1.5 and 3.2 ms on. The one from 4.9 ms on is.
	at, _ = emissions(netsim.SourceConfig{
		Pattern: netsim.OnOff{Rate: 12 * qdisc.Mbit, On: 1500 * time.Microsecond, Off: 200 * time.Microsecond, Fixed: true},
	}, 6*millisecond)
	require.Equal(t, []qdisc.Time{0, millisecond, 2 * millisecond, 3 * millisecond, 4 * millisecond, 5100 * microsecond}, at)
}

func TestOnOff(t *testing.T) {
	_, lengths := emissions(netsim.SourceConfig{
		Pattern: netsim.OnOff{Rate: qdisc.Mbit, On: 200 * time.Millisecond, Off: 600 * time.Millisecond}, Packet: packet(1, 200),
	}, 4000*second)
	require.InEpsilon(t, 0.25e6, sum(lengths)*8/4000, 0.05)
}

func TestBursts(t *testing.T) {
	at, _ := emissions(netsim.SourceConfig{Pattern: netsim.Bursts{Packets: 2, Every: 5 * time.Millisecond}, Start: millisecond}, 7*millisecond)
	require.Equal(t, []qdisc.Time{millisecond, millisecond, 6 * millisecond, 6 * millisecond}, at)
}

func TestWeb(t *testing.T) {
	// Sizes close to 5 kB: the mean load is that of the formula, with four
	// headers an object.
	at, lengths := emissions(netsim.SourceConfig{
		Pattern: netsim.Web{Rate: 20 * qdisc.Mbit, Every: time.Second, Objects: 8, Min: 5000, Shape: 100},
	}, 4000*second)
	require.InEpsilon(t, 8*(5000*100/99+4*40)*4000, sum(lengths), 0.05)
	pages := 0
	for i := range at {
		require.LessOrEqual(t, lengths[i], uint32(1500))
		require.Greater(t, lengths[i], uint32(40))
		if i > 0 {
			gap := at[i] - at[i-1]
			require.GreaterOrEqual(t, gap, wireTime(uint64(lengths[i-1]), 20*qdisc.Mbit), "no faster than the access rate")
			if gap > millisecond {
				pages++
			}
		}
	}
	require.InEpsilon(t, 4000, pages, 0.06)

	// The default's sizes have a heavy tail.
	_, lengths = emissions(netsim.SourceConfig{Pattern: netsim.Web{Rate: qdisc.Gbit, Every: 100 * time.Millisecond, Objects: 1}}, 3000*second)
	var objects []float64
	object := 0.0
	for _, n := range lengths {
		object += float64(n - 40)
		if n < 1500 {
			objects, object = append(objects, object), 0
		}
	}
	below, above := 0, 0
	for _, o := range objects {
		require.GreaterOrEqual(t, o, 3200.0)
		if o < 3200*math.Pow(2, 1/1.2) {
			below++
		}
		if o > 1e5 {
			above++
		}
	}
	require.InEpsilon(t, 0.5, float64(below)/float64(len(objects)), 0.02)
	require.InEpsilon(t, math.Pow(3200/1e5, 1.2), float64(above)/float64(len(objects)), 0.2)
}

// once is a pattern of one's own: it ends itself.
type once struct{}

func (once) Pacer(*qdisc.ConfigErrors) netsim.Pacer { return once{} }

func (once) Next(_ *rand.Rand, last uint32) (time.Duration, uint32) {
	if last != 0 {
		return -1, 0
	}
	return time.Second, 77
}

func TestPatternOfOnesOwn(t *testing.T) {
	at, lengths := emissions(netsim.SourceConfig{Pattern: once{}}, 10*second)
	require.Equal(t, []qdisc.Time{second}, at)
	require.Equal(t, []uint32{77}, lengths)
}

func TestSourceConfigErrors(t *testing.T) {
	s := netsim.New(1)
	for _, c := range []struct {
		pattern netsim.Pattern
		texts   []string
	}{
		{nil, []string{"Via", "Pattern"}},
		{netsim.CBR{}, []string{"Pattern.Rate"}},
		{netsim.Poisson{Rate: 1 << 63}, []string{"Pattern.Rate"}},
		{netsim.OnOff{Off: -1}, []string{"Pattern.Rate", "Pattern.On", "Pattern.Off"}},
		{netsim.Bursts{}, []string{"Pattern.Packets", "Pattern.Every"}},
		{netsim.Web{Every: -1, Objects: 0.5, Min: -1, Shape: math.NaN(), MTU: 40}, []string{"Pattern.Rate", "Pattern.Every", "Pattern.Objects", "Pattern.Min", "Pattern.Shape", "Pattern.MTU"}},
	} {
		_, err := netsim.NewSource(s, netsim.SourceConfig{Pattern: c.pattern})
		qtest.ConfigErrors(t, err, c.texts...)
	}
	require.Equal(t, qdisc.Never, s.Next())
}
