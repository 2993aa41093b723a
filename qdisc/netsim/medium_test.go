package netsim_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/netsim"
)

// watchMedium checks, from the event log, that each frame ends once and that no
// frame is on the air while another is.
func watchMedium(t *testing.T, s *netsim.Sim, bit, propagation qdisc.Time) (ends func() int) {
	type key struct {
		flow uint32
		seq  uint64
	}
	ended := map[key]netsim.EventKind{}
	silentSince := qdisc.Time(0)
	s.OnEvent(func(e netsim.Event) {
		k := key{e.Flow, e.Seq}
		switch e.Kind {
		case netsim.Transmitted:
			begin := e.At - (64+max(512, 8*qdisc.Time(e.Len)+32))*bit
			if begin < silentSince+96*bit {
				t.Fatalf("%v: began at %d, %d after silence", e, begin, begin-silentSince)
			}
			silentSince = e.At + propagation
		case netsim.Delivered, netsim.GivenUp, netsim.Dropped:
			if old, twice := ended[k]; twice {
				t.Fatalf("%v: it was %v before", e, old)
			}
			ended[k] = e.Kind
			if e.Kind == netsim.Delivered && e.At != silentSince {
				t.Fatalf("%v: its frame ended at %d", e, silentSince)
			}
		case netsim.Collided:
			if e.At < silentSince {
				t.Fatalf("%v: collision during a frame", e)
			}
		}
	})
	return func() int { return len(ended) }
}

// stations joins n links with a source each to a medium.
func stations(s *netsim.Sim, m *netsim.Medium, n int, rate qdisc.Rate, length uint32, to netsim.Receiver) (links []*netsim.Link, sources []*netsim.Source) {
	for i := range n {
		l := must(netsim.NewLink(s, netsim.LinkConfig{Name: fmt.Sprint("station ", i), Medium: m, To: to}))
		links = append(links, l)
		sources = append(sources, must(netsim.NewSource(s, netsim.SourceConfig{
			Via: l, Pattern: netsim.Poisson{Rate: rate, Len: length}, Packet: packet(uint32(i), length),
		})))
	}
	return links, sources
}

func TestMediumOneStation(t *testing.T) {
	s := netsim.New(1)
	m := must(netsim.NewMedium(s, netsim.MediumConfig{}))
	var at []qdisc.Time
	l := must(netsim.NewLink(s, netsim.LinkConfig{Medium: m, To: receiver{s, func(*netsim.Packet) { at = append(at, s.Now()) }}}))
	s.Run(millisecond)
	send(s, l, 1514, 0)
	send(s, l, 20, 1) // extended to a slot
	s.Run(second)
	const long, short, gap, hear = 64 + 1518*8, 64 + 512, 96, 10 // bit times of 100 ns
	require.Equal(t, []qdisc.Time{millisecond + (long+hear)*100, millisecond + (long+hear+gap+short+hear)*100}, at)
	require.Equal(t, netsim.MediumStats{Frames: 2, Busy: (long + short) * 100}, m.Stats())
}

// TestMediumSaturated: the medium is shared, whatever the number of stations,
// and collisions cost little of it with long frames.
func TestMediumSaturated(t *testing.T) {
	for _, n := range []int{2, 5, 20} {
		s := netsim.New(3)
		m := must(netsim.NewMedium(s, netsim.MediumConfig{}))
		ends := watchMedium(t, s, 100, microsecond)
		meters := netsim.NewFlowMeters(s)
		links, sources := stations(s, m, n, 12*qdisc.Mbit, 1514, meters)
		s.Run(60 * second)
		for _, src := range sources {
			src.Stop()
		}
		s.Run(10000 * second)
		require.Zero(t, s.Alive())
		total := 0
		for i, l := range links {
			st := l.Stats()
			require.Equal(t, st.Received, st.Transmitted+st.Dropped+st.GivenUp)
			require.Equal(t, st.Transmitted, st.Delivered)
			packets, _ := sources[i].Sent()
			require.Equal(t, packets, st.Received)
			total += int(packets)
		}
		require.Equal(t, total, ends())
		require.NotZero(t, m.Stats().Collisions)
	}
}

func TestMediumShares(t *testing.T) {
	s := netsim.New(5)
	m := must(netsim.NewMedium(s, netsim.MediumConfig{}))
	meters := netsim.NewFlowMeters(s)
	stations(s, m, 4, 12*qdisc.Mbit, 1514, meters)
	s.Run(100 * second)
	require.Greater(t, meters.Jain(), 0.95)
	require.Greater(t, m.Stats().Busy, 85*time.Second, "D. Boggs, J. Mogul, C. Kent (1988): long frames use over 85 %% of it")
	require.Less(t, m.Stats().Busy, 99*time.Second, "the gaps alone take 0.8 %%")
}

// TestMediumGivesUp: with very many stations some frames collide 16 times.
func TestMediumGivesUp(t *testing.T) {
	s := netsim.New(1)
	m := must(netsim.NewMedium(s, netsim.MediumConfig{}))
	watchMedium(t, s, 100, microsecond)
	var links []*netsim.Link
	for i := range uint32(300) {
		l := must(netsim.NewLink(s, netsim.LinkConfig{Medium: m, To: s.Discard()}))
		links = append(links, l)
		must(netsim.NewSource(s, netsim.SourceConfig{Via: l, Pattern: netsim.Bursts{Packets: 10, Every: time.Second}, Packet: packet(i, 64), Count: 10}))
	}
	s.Run(1000 * second)
	givenUp := uint64(0)
	for _, l := range links {
		givenUp += l.Stats().GivenUp
		checkLink(t, "station", l.Stats())
	}
	require.NotZero(t, givenUp)
	require.Equal(t, m.Stats().GivenUp, givenUp)
	require.EqualValues(t, 3000, m.Stats().Frames+givenUp)
	require.Zero(t, s.Alive())
}

// TestMediumWithLimiter: given-up frames are reported too, or the limiter would
// lose count.
func TestMediumWithLimiter(t *testing.T) {
	s := netsim.New(1)
	m := must(netsim.NewMedium(s, netsim.MediumConfig{}))
	limiters := make([]*bql.Limiter, 60)
	for i := range limiters {
		limiters[i] = must(bql.New(bql.Config{}))
		l := must(netsim.NewLink(s, netsim.LinkConfig{Medium: m, Limiter: limiters[i], Completion: 50 * time.Microsecond, To: s.Discard()}))
		must(netsim.NewSource(s, netsim.SourceConfig{Via: l, Pattern: netsim.Poisson{Rate: 2 * qdisc.Mbit, Len: 64}, Packet: packet(0, 64), Stop: 3 * second}))
	}
	s.Run(1000 * second)
	require.Zero(t, s.Alive())
	require.NotZero(t, m.Stats().GivenUp)
	for _, l := range limiters {
		require.Zero(t, l.Inflight())
		require.Zero(t, l.ReadStats().Excess)
	}
}

func TestMediumConfigErrors(t *testing.T) {
	s := netsim.New(1)
	_, err := netsim.NewMedium(s, netsim.MediumConfig{Rate: 1, SlotBits: 12})
	qtest.ConfigErrors(t, err, "Rate", "SlotBits")
	for _, p := range []time.Duration{-1, 25601} {
		_, err = netsim.NewMedium(s, netsim.MediumConfig{Propagation: p})
		qtest.ConfigErrors(t, err, "Propagation", "25.6µs")
	}
	_, err = netsim.NewMedium(s, netsim.MediumConfig{Rate: qdisc.Gbit, SlotBits: 4096, Propagation: 2 * time.Microsecond})
	require.NoError(t, err)
}
