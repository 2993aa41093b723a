package netsim_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/multiq"
	"github.com/netsched/netsched/qdisc/netsim"
	"github.com/netsched/netsched/qdisc/prio"
	"github.com/netsched/netsched/qdisc/qdisctest"
	"github.com/netsched/netsched/qdisc/tbf"
)

// world has a part of every kind: a device with four hardware queues, a router,
// a lossy link with jitter and a small queue, a shaped one, a hub, and sources
// of every pattern.
type world struct {
	*netsim.Sim
	device  *netsim.Device
	links   []*netsim.Link
	sources []*netsim.Source
	ping    *netsim.Ping
	meters  *netsim.FlowMeters
}

func newWorld(seed uint64, stop qdisc.Time) *world {
	s := netsim.New(seed)
	w := &world{Sim: s, meters: netsim.NewFlowMeters(s)}
	link := func(cfg netsim.LinkConfig) *netsim.Link {
		l := must(netsim.NewLink(s, cfg))
		w.links = append(w.links, l)
		return l
	}
	lossy := link(netsim.LinkConfig{
		Name: "lossy", Rate: 7 * qdisc.Mbit, Delay: 13 * time.Millisecond, Jitter: 3 * time.Millisecond, Loss: 0.02, Overhead: 24,
		Qdisc: must(fifo.New(fifo.Config{Limit: new(20), HeadDrop: true})),
	})
	shaped := link(netsim.LinkConfig{
		Name: "shaped", Rate: 100 * qdisc.Mbit, Delay: 5 * time.Millisecond,
		Qdisc: must(tbf.New(tbf.Config{Rate: 3 * qdisc.Mbit, LimitBytes: new(int64(20000))})),
	})
	hub := must(netsim.NewMedium(s, netsim.MediumConfig{}))
	half := link(netsim.LinkConfig{
		Name: "half", Medium: hub, Limiter: must(bql.New(bql.Config{})), Completion: 60 * time.Microsecond,
		Qdisc: must(prio.New(prio.Config{Limit: new(50)})),
	})
	back := link(netsim.LinkConfig{Name: "back", Medium: hub})
	router := netsim.NewRouter(s)
	for host, l := range []*netsim.Link{lossy, shaped, half} {
		router.Route(uint32(host+1), l)
	}
	queues := make([]netsim.QueueConfig, 4)
	for i := range queues {
		queues[i] = netsim.QueueConfig{Rate: qdisc.Rate(4+i) * qdisc.Mbit, Ring: 4, Completion: 30 * time.Microsecond}
	}
	queues[3].Limiter = must(bql.New(bql.Config{}))
	w.device = must(netsim.NewDevice(s, netsim.DeviceConfig{
		Name: "device", Qdisc: must(multiq.New(multiq.Config{Bands: 4, Limit: new(30)})), Queues: queues, To: router,
	}))

	for i, p := range []netsim.Pattern{
		netsim.CBR{Rate: 3 * qdisc.Mbit},
		netsim.Poisson{Rate: 4 * qdisc.Mbit, Len: 750},
		netsim.OnOff{Rate: 9 * qdisc.Mbit, On: 50 * time.Millisecond, Off: 40 * time.Millisecond},
		netsim.Bursts{Packets: 40, Every: 35 * time.Millisecond},
		netsim.Web{Rate: 30 * qdisc.Mbit, Every: 200 * time.Millisecond},
		netsim.CBR{Rate: 2 * qdisc.Mbit},
	} {
		tmpl := packet(uint32(i), 1000)
		tmpl.DstHost, tmpl.TxQueue, tmpl.Priority, tmpl.DSField = uint32(i%3+1), uint16(i%4), uint32(i), uint8(i)<<2
		w.sources = append(w.sources, must(netsim.NewSource(s, netsim.SourceConfig{
			Name: "source", Via: w.device, To: w.meters, Pattern: p, Packet: tmpl, Stop: stop,
			Size: func(r *rand.Rand) uint32 { return 64 + r.Uint32()>>21 },
		})))
	}
	tmpl := packet(100, 0)
	tmpl.DstHost, tmpl.TxQueue = 3, 2
	w.ping = must(netsim.NewPing(s, netsim.PingConfig{Name: "ping", Forward: w.device, Reverse: back, Packet: tmpl, Every: 10 * time.Millisecond, Stop: stop}))
	return w
}

// TestConservation: every packet ends once, and when all has come to rest none
// is missing.
func TestConservation(t *testing.T) {
	for seed := range uint64(5) {
		w := newWorld(seed, 20*second)
		type key struct {
			flow uint32
			seq  uint64
		}
		emitted, ended := map[key]bool{}, 0
		w.OnEvent(func(e netsim.Event) {
			k := key{e.Flow, e.Seq}
			switch e.Kind {
			case netsim.Emitted:
				require.False(t, emitted[k])
				emitted[k] = true
			case netsim.Dropped, netsim.Lost, netsim.GivenUp:
				require.True(t, emitted[k])
				delete(emitted, k)
				ended++
			case netsim.Delivered:
				if e.Where == "device" || e.Where == "half" && e.Flow == 100 {
					return // on its way
				}
				require.True(t, emitted[k])
				delete(emitted, k)
				ended++
			}
		})
		w.Run(100 * second)
		require.Empty(t, emitted)
		require.Greater(t, ended, 30000)
		require.Zero(t, w.Alive())
		require.Equal(t, qdisc.Never, w.Next())
		checkLink(t, "device", w.device.Stats())
		require.NotZero(t, w.device.Stats().Dropped)
		for i, l := range w.links {
			checkLink(t, []string{"lossy", "shaped", "half", "back"}[i], l.Stats())
		}
		require.NotZero(t, w.links[0].Stats().Lost)
		require.NotZero(t, w.links[1].Stats().Dropped)
		require.NotZero(t, w.ping.Received())
		for flow, m := range w.meters.All() {
			require.NotZero(t, m.Packets, "flow %d", flow)
			require.Zero(t, m.Reordered, "flow %d", flow)
		}
	}
}

// TestSameSeedSameRun: two runs with one seed give the same events, and so does
// a run cut into steps. The sum is the same on every platform; it changes when
// the model does.
func TestSameSeedSameRun(t *testing.T) {
	run := func(seed uint64, step qdisc.Time) (uint64, int) {
		w := newWorld(seed, 20*second)
		sum := digest(w.Sim)
		for at := qdisc.Time(0); at < 21*second; at += step {
			w.Run(at)
		}
		w.Run(21 * second)
		return sum()
	}
	first, events := run(1, 21*second)
	again, eventsAgain := run(1, 7777777)
	other, _ := run(2, 21*second)
	require.Equal(t, first, again)
	require.Equal(t, events, eventsAgain)
	require.NotEqual(t, first, other)
	require.Equal(t, goldenSum, first)
	require.Equal(t, goldenEvents, events)
}

const (
	goldenSum    = uint64(0xbe17f111726a471f)
	goldenEvents = 417069
)

// TestAllocs: once the pool has grown no packet and no event allocates.
func TestAllocs(t *testing.T) {
	w := newWorld(1, qdisc.Never)
	w.Run(10 * second)
	require.Zero(t, qdisctest.Mallocs(func() { w.Run(w.Now() + 20*second) }))
	require.Less(t, w.Alive(), 1000)
}

// TestInSynctest: nothing in a world waits or reads a clock, so it runs to its
// end inside a bubble whose time stands still.
func TestInSynctest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond) // of the bubble
		defer cancel()
		w := newWorld(1, 2*second)
		w.Run(100 * second)
		require.Zero(t, w.Alive())
		require.NoError(t, ctx.Err(), "time passed in the bubble")
	})
}

func TestEventString(t *testing.T) {
	s := netsim.New(1)
	var lines []string
	s.OnEvent(func(e netsim.Event) { lines = append(lines, e.String()) })
	l := must(netsim.NewLink(s, netsim.LinkConfig{Name: "link", Rate: 8 * qdisc.Mbit, Delay: time.Millisecond, Qdisc: must(fifo.New(fifo.Config{Limit: new(0)}))}))
	send(s, l, 100, 7)
	l = must(netsim.NewLink(s, netsim.LinkConfig{Name: "link", Rate: 8 * qdisc.Mbit, Delay: time.Millisecond}))
	send(s, l, 100, 8)
	s.Run(second)
	s.OnEvent(nil)
	send(s, l, 100, 9)
	require.Equal(t, []string{
		"0 link arrived flow=0 seq=7 len=100 ds=0x00",
		"0 link dropped flow=0 seq=7 len=100 ds=0x00 reason=overlimit",
		"0 link arrived flow=0 seq=8 len=100 ds=0x00",
		"100000 link transmitted flow=0 seq=8 len=100 ds=0x00",
		"1100000 link delivered flow=0 seq=8 len=100 ds=0x00",
	}, lines)
	require.Equal(t, "unknown event", netsim.EventKind(99).String())
}
