package lagg_test

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/netsched/netsched/lagg"
	"github.com/netsched/netsched/qdisc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func update(t testing.TB, s *lagg.Shared, f func(g *lagg.Group)) {
	t.Helper()
	require.NoError(t, s.Update(func(g *lagg.Group) error {
		f(g)
		return nil
	}))
}

// returning is a port that does something when it is removed.
type returning struct {
	lagg.PortFunc
	do func(now qdisc.Time) qdisc.List
}

func (r returning) Return(now qdisc.Time) qdisc.List { return r.do(now) }

// TestSharedRemoveOrder: when the port is asked for its packets no Select gives
// it any more, and no lock is held.
func TestSharedRemoveOrder(t *testing.T) {
	for _, mode := range []lagg.Mode{lagg.Failover, lagg.RoundRobin, lagg.Random, lagg.LoadBalance} {
		s := mustShare(t, lagg.Config{Mode: mode}, 1)
		var m *lagg.Member
		asked := 0
		port := returning{sunk, func(now qdisc.Time) (back qdisc.List) {
			asked++
			assert.EqualValues(t, 70, now)
			for flow := range uint32(50) {
				assert.Equal(t, 1, index(s.Select(&qdisc.Packet{Flow: flow})), "mode %v", mode)
			}
			update(t, s, func(g *lagg.Group) { assert.Equal(t, 1, g.Len()) })
			none := s.Remove(m, 0)
			assert.True(t, none.Empty(), "it is out already")
			back.Push(new(qdisc.Packet))
			return back
		}}
		update(t, s, func(g *lagg.Group) {
			m = add(t, g, lagg.PortConfig{Port: port})
			g.SetPrimary(m)
		})
		back := s.Remove(m, 70)
		assert.Equal(t, 1, back.Len())
		assert.Equal(t, 1, asked)
		for _, stranger := range []*lagg.Member{nil, m, add(t, new(lagg.Group), lagg.PortConfig{})} {
			none := s.Remove(stranger, 80)
			assert.True(t, none.Empty())
		}
		update(t, s, func(g *lagg.Group) { assert.EqualValues(t, 1, g.ReadStats().Returned) })
	}
}

// TestSharedRemoveLosesNothing: goroutines send while ports come, go, fail and
// are back; in the end every packet is in one place, once.
func TestSharedRemoveLosesNothing(t *testing.T) {
	for _, cfg := range []lagg.Config{
		{Mode: lagg.RoundRobin, Stride: 4},
		{Mode: lagg.RoundRobin, Stride: 4, Counter: lagg.Sequence, DeadPorts: lagg.NextActive},
		{Mode: lagg.LoadBalance, Consistent: true, Slots: lagg.MinSlots},
		{Mode: lagg.Failover, Reselect: lagg.OnFailure},
		{Mode: lagg.Random},
	} {
		s := mustShare(t, cfg, 0)
		stays := &lane{group: s}
		update(t, s, func(g *lagg.Group) { add(t, g, lagg.PortConfig{Port: stays, Index: 9}) })

		const goroutines, each = 4, 3000
		var wg sync.WaitGroup
		for range goroutines {
			wg.Go(func() {
				r := rand.New(rand.NewPCG(1, 1))
				ps := make([]qdisc.Packet, each)
				for i := range ps {
					ps[i].Flow = r.Uint32()
					if send(s, &ps[i], 0) != qdisc.Queued {
						t.Error("port 9 is always there")
					}
				}
			})
		}
		finished := make(chan struct{})
		go func() {
			wg.Wait()
			close(finished)
		}()
		r := rand.New(rand.NewPCG(2, 2))
		lanes, ports := []*lane{stays}, []*lagg.Member{}
		remove := func(i int) {
			back := s.Remove(ports[i], 0)
			ports = append(ports[:i], ports[i+1:]...)
			for p := range back.Drain() {
				require.Equal(t, qdisc.Queued, send(s, p, 0))
			}
		}
		for running := true; running; {
			select {
			case <-finished:
				running = false
			default:
			}
			switch n := len(ports); {
			case n < 5 && r.IntN(2) == 0:
				l := &lane{group: s}
				lanes = append(lanes, l)
				update(t, s, func(g *lagg.Group) {
					ports = append(ports, add(t, g, lagg.PortConfig{Port: l, Weight: 1 + r.Uint32N(3)}))
					g.SetPrimary(ports[0])
				})
			case n > 0 && r.IntN(2) == 0:
				remove(r.IntN(n))
			case n > 0:
				m, up := ports[r.IntN(n)], r.IntN(2) == 0
				update(t, s, func(g *lagg.Group) { g.SetUp(m, up, 0) })
			}
		}
		for len(ports) > 0 {
			remove(0)
		}
		seen := map[*qdisc.Packet]bool{}
		for p := range stays.list.Drain() {
			require.False(t, seen[p])
			seen[p] = true
		}
		assert.Len(t, seen, goroutines*each, "%+v", cfg)
		for _, l := range lanes {
			require.True(t, l.list.Empty(), "nothing is left behind")
		}
	}
}

// TestSharedWhileEverythingChanges: mode, stride, weights, speeds and ports, in
// no order, some of it refused; a Select always finds a port.
func TestSharedWhileEverythingChanges(t *testing.T) {
	frame := frame4()
	s := mustShare(t, lagg.Config{}, 1)
	done := make(chan struct{})
	var wg sync.WaitGroup
	for i := range uint32(3) {
		wg.Go(func() {
			p := qdisc.Packet{Flow: i}
			for {
				select {
				case <-done:
					return
				default:
				}
				p.Flow += 0x9e3779b9
				if s.Select(&p) == nil {
					t.Error("port 1 is always usable")
					return
				}
			}
		})
	}
	r := rand.New(rand.NewPCG(4, 4))
	now := qdisc.Time(0)
	for range 20_000 {
		now = now.Add(time.Duration(r.IntN(20) - 5))
		m := func(g *lagg.Group) *lagg.Member { return g.Member(2 + r.Uint32N(6)) }
		_ = s.Update(func(g *lagg.Group) error {
			switch r.IntN(8) {
			case 0:
				cfg := lagg.Config{
					Mode: lagg.Mode(r.IntN(5)), DeadPorts: lagg.DeadPorts(r.IntN(3)), Counter: lagg.Counter(r.IntN(3)),
					Stride: []uint32{0, 1, 7, math.MaxUint32}[r.IntN(4)], StrideBytes: r.IntN(5) == 0,
					Consistent: r.IntN(2) == 0, Slots: lagg.MinSlots, Reselect: lagg.Reselect(r.IntN(3)),
					UpDelay: time.Duration(r.IntN(30)), DownDelay: time.Duration(r.IntN(30)),
					Copy: func(*qdisc.Packet) *qdisc.Packet { return nil },
				}
				if r.IntN(2) == 0 {
					cfg.Frame = func(*qdisc.Packet) []byte { return frame }
				}
				return g.Change(cfg, now)
			case 1:
				_, err := g.Add(lagg.PortConfig{Port: lagg.PortFunc(sunk), Index: 2 + r.Uint32N(6), Weight: r.Uint32N(5000)})
				return err
			case 2:
				g.Remove(m(g), now)
			case 3:
				g.SetEnabled(m(g), r.IntN(2) == 0)
			case 4:
				g.SetPrimary(m(g))
			case 5:
				g.SetSpeed(m(g), qdisc.Rate(r.Uint64()))
				return g.SetWeight(m(g), r.Uint32N(5000))
			case 6:
				g.SetSequence(r.Uint32())
			default:
				g.SetUp(m(g), r.IntN(2) == 0, now)
			}
			return nil
		})
	}
	close(done)
	wg.Wait()
}
