package lagg_test

import (
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/netsched/netsched/lagg"
	"github.com/netsched/netsched/qdisc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// selectMany has goroutines make n selections each, and counts them by port.
func selectMany(s *lagg.Shared, goroutines, n int) map[int]int {
	var mu sync.Mutex
	total := map[int]int{}
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() {
			got := map[int]int{}
			p := qdisc.Packet{Flow: rand.Uint32()}
			for range n {
				got[index(s.Select(&p))]++
			}
			mu.Lock()
			defer mu.Unlock()
			for i, n := range got {
				total[i] += n
			}
		})
	}
	wg.Wait()
	return total
}

// TestSharedStridesAreExact: after any number of selections by any number of
// goroutines every port has had what one goroutine would have given it.
func TestSharedStridesAreExact(t *testing.T) {
	for _, counter := range []lagg.Counter{lagg.Runs, lagg.Sequence} {
		for _, stride := range []int{1, 3, 64, 1000} {
			for _, ports := range []int{1, 2, 7} {
				s := mustShare(t, lagg.Config{Mode: lagg.RoundRobin, Counter: counter, Stride: uint32(stride)}, ports)
				const goroutines, each = 5, 4001
				want := map[int]int{}
				for i := range goroutines * each {
					want[i/stride%ports+1]++
				}
				require.Equal(t, want, selectMany(s, goroutines, each), "stride %d on %d ports", stride, ports)
			}
		}
	}
}

// TestSharedWeights with one atomic, too.
func TestSharedWeights(t *testing.T) {
	s := mustShare(t, lagg.Config{Mode: lagg.RoundRobin, Stride: 4}, 0)
	require.NoError(t, s.Update(func(g *lagg.Group) error {
		for _, w := range []uint32{1, 6, 3} {
			add(t, g, lagg.PortConfig{Weight: w})
		}
		return nil
	}))
	assert.Equal(t, map[int]int{1: 4 * 300, 2: 24 * 300, 3: 12 * 300}, selectMany(s, 3, 4000))
}

// TestSharedWhileChanging: selections during changes give usable ports of
// before or after, and when the changes are over strides are exact again.
func TestSharedWhileChanging(t *testing.T) {
	for _, cfg := range []lagg.Config{
		{Mode: lagg.RoundRobin, Stride: 8},
		{Mode: lagg.RoundRobin, Stride: 8, Counter: lagg.Sequence, DeadPorts: lagg.NextActive},
		{Mode: lagg.LoadBalance},
		{Mode: lagg.LoadBalance, Consistent: true},
		{Mode: lagg.Random},
		{Mode: lagg.Failover},
	} {
		s := mustShare(t, cfg, 4)
		done := make(chan struct{})
		var wg sync.WaitGroup
		for i := range uint32(3) {
			wg.Go(func() {
				p := qdisc.Packet{Flow: i * 0x12345}
				for {
					select {
					case <-done:
						return
					default:
						if s.Select(&p) == nil {
							t.Error("ports 1 and 2 are always usable")
							return
						}
					}
				}
			})
		}
		for i := range 200 {
			require.NoError(t, s.Update(func(g *lagg.Group) error {
				switch i % 4 {
				case 0:
					g.SetUp(g.Member(3), false, qdisc.Time(i))
				case 1:
					g.Remove(g.Member(4), qdisc.Time(i))
				case 2:
					g.SetUp(g.Member(3), true, qdisc.Time(i))
				case 3:
					add(t, g, lagg.PortConfig{Index: 4, Weight: uint32(i%3 + 1)})
				}
				return nil
			}))
		}
		close(done)
		wg.Wait()
		require.NoError(t, s.Update(func(g *lagg.Group) error { return g.SetWeight(g.Member(4), 1) }))
		if cfg.Mode == lagg.RoundRobin {
			p := new(qdisc.Packet)
			for last := s.Select(p); last == s.Select(p); { // to the end of the run
			}
			for range 7 {
				s.Select(p)
			}
			for range 10 {
				first := s.Select(p)
				for range 7 {
					require.Equal(t, first, s.Select(p))
				}
			}
		}
	}
}

// TestSharedZeroValue is an empty failover group.
func TestSharedZeroValue(t *testing.T) {
	var s lagg.Shared
	assert.Nil(t, s.Select(nil))
	require.NoError(t, s.Update(func(g *lagg.Group) error {
		addPorts(t, g, 2)
		return nil
	}))
	assert.Equal(t, 1, index(s.Select(nil)))
}

// TestSharedRefuses what needs a lock; the configuration stays as it was.
func TestSharedRefuses(t *testing.T) {
	for field, cfg := range map[string]lagg.Config{
		"StrideBytes": {Mode: lagg.RoundRobin, StrideBytes: true},
		"Counter":     {Mode: lagg.RoundRobin, Counter: lagg.Bucket},
		"Rand":        {Mode: lagg.Random, Rand: rand.NewPCG(1, 1)},
		"FlowShift":   {FlowShift: 32},
	} {
		s, err := lagg.NewShared(cfg)
		assert.Nil(t, s)
		assert.Equal(t, []string{field}, refused(t, err))

		s = mustShare(t, lagg.Config{Mode: lagg.RoundRobin, Stride: 2}, 2)
		require.Equal(t, 1, index(s.Select(nil)))
		err = s.Update(func(g *lagg.Group) error { return g.Change(cfg, 0) })
		assert.Equal(t, []string{field}, refused(t, err))
		require.NoError(t, s.Update(func(g *lagg.Group) error {
			assert.Equal(t, lagg.RoundRobin, g.Config().Mode)
			return nil
		}))
		assert.Equal(t, []int{2, 2}, picks(s, 3)[1:])
	}
	boom := errors.New("boom")
	assert.Equal(t, boom, new(lagg.Shared).Update(func(*lagg.Group) error { return boom }))
}

// TestSharedFrame: the selecting goroutine's frame decides, as in a Group.
func TestSharedFrame(t *testing.T) {
	cfg := lagg.Config{
		Mode: lagg.LoadBalance, Hasher: lagg.Hasher{Key: 77},
		Frame: func(p *qdisc.Packet) []byte { return qdisc.Value[[]byte](p) },
	}
	s, g := mustShare(t, cfg, 5), mustNew(t, cfg)
	addPorts(t, g, 5)
	for i := range 256 {
		p := qdisc.Packet{Payload: with(frame4(), 33, byte(i))}
		require.Equal(t, index(g.Select(&p)), index(s.Select(&p)))
	}
}

// TestSharedChangesWithoutPackets: several changes in a row leave the round
// where one would have.
func TestSharedChangesWithoutPackets(t *testing.T) {
	s := mustShare(t, lagg.Config{Mode: lagg.RoundRobin, Stride: 3}, 3)
	require.Equal(t, []int{1, 1, 1, 2}, picks(s, 4))
	update(t, s, func(g *lagg.Group) { g.SetUp(g.Member(2), false, 0) })
	update(t, s, func(g *lagg.Group) { g.SetUp(g.Member(2), true, 0) })
	assert.Equal(t, []int{2, 2, 3}, picks(s, 3), "the run goes on")
}

// TestSharedUpdateWithARefusedChange: nothing of the change happens, everything
// else does, and the error is f's.
func TestSharedUpdateWithARefusedChange(t *testing.T) {
	boom := errors.New("boom")
	s := mustShare(t, lagg.Config{Mode: lagg.LoadBalance, Consistent: true}, 7)
	update(t, s, func(g *lagg.Group) { // a history that dealing afresh would not repeat
		g.Remove(g.Member(2), 0)
		add(t, g, lagg.PortConfig{Index: 2})
	})
	before := mapping(s)
	err := s.Update(func(g *lagg.Group) error {
		err := g.Change(lagg.Config{Mode: lagg.RoundRobin, StrideBytes: true, Slots: lagg.MinSlots}, 5)
		assert.Equal(t, []string{"StrideBytes"}, refused(t, err))
		assert.Equal(t, lagg.LoadBalance, g.Config().Mode)
		assert.EqualValues(t, lagg.DefaultSlots, g.Config().Slots)
		return boom
	})
	assert.Equal(t, boom, err)
	assert.Equal(t, before, mapping(s))

	s = mustShare(t, lagg.Config{Reselect: lagg.OnFailure}, 2)
	update(t, s, func(g *lagg.Group) {
		g.SetUp(g.Member(1), false, 0)
		g.SetUp(g.Member(1), true, 0)
	})
	require.Equal(t, 2, index(s.Select(nil)))
	require.Error(t, s.Update(func(g *lagg.Group) error {
		return g.Change(lagg.Config{Mode: lagg.RoundRobin, Counter: lagg.Bucket}, 0)
	}))
	assert.Equal(t, 2, index(s.Select(nil)), "the port in use stays in use")
}

// TestSharedUpdateThatPanics: what was done before holds.
func TestSharedUpdateThatPanics(t *testing.T) {
	s := mustShare(t, lagg.Config{Mode: lagg.RoundRobin}, 2)
	assert.PanicsWithValue(t, "boom", func() {
		_ = s.Update(func(g *lagg.Group) error {
			g.SetUp(g.Member(1), false, 0)
			panic("boom")
		})
	})
	assert.Equal(t, []int{2, 2}, picks(s, 2))
	update(t, s, func(g *lagg.Group) { g.SetUp(g.Member(1), true, 0) })
	assert.Equal(t, []int{1, 2}, picks(s, 2))
}
