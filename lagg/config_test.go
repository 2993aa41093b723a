package lagg_test

import (
	"errors"
	"math"
	"testing"

	"github.com/netsched/netsched/lagg"
	"github.com/netsched/netsched/qdisc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// refused returns the fields that a configuration is refused for.
func refused(t *testing.T, err error) (names []string) {
	t.Helper()
	all, ok := err.(interface{ Unwrap() []error })
	require.True(t, ok, "%v", err)
	for _, e := range all.Unwrap() {
		var ce *qdisc.ConfigError
		require.True(t, errors.As(e, &ce), "%v", e)
		require.NotEmpty(t, ce.Why)
		names = append(names, ce.Field)
	}
	return names
}

func TestRefused(t *testing.T) {
	cases := []struct {
		cfg  lagg.Config
		want []string
	}{
		{lagg.Config{Mode: lagg.None + 1, DeadPorts: 3, Counter: 3, Reselect: 3}, []string{"Mode", "DeadPorts", "Counter", "Reselect"}},
		{lagg.Config{StrideBytes: true, Counter: lagg.Sequence, FlowShift: 32}, []string{"StrideBytes", "FlowShift"}},
		{lagg.Config{Consistent: true, DeadPorts: lagg.Rebuild}, []string{"DeadPorts"}},
		{lagg.Config{Slots: 128}, []string{"Slots"}},
		{lagg.Config{Slots: 1000}, []string{"Slots"}},
		{lagg.Config{Slots: 1 << 25}, []string{"Slots"}},
		{lagg.Config{UpDelay: -1, DownDelay: -1}, []string{"UpDelay", "DownDelay"}},
		{lagg.Config{Mode: lagg.Broadcast}, []string{"Copy"}},
		{lagg.Config{Hasher: lagg.Hasher{Policy: 4, Layers: 2}}, []string{"Hasher.Policy", "Hasher.Layers"}},
	}
	for _, c := range cases {
		g, err := lagg.New(c.cfg)
		assert.Nil(t, g)
		assert.Equal(t, c.want, refused(t, err))

		g = mustNew(t, lagg.Config{Mode: lagg.RoundRobin, Stride: 3})
		addPorts(t, g, 2)
		require.Equal(t, []int{1, 1}, picks(g, 2))
		assert.Equal(t, c.want, refused(t, g.Change(c.cfg, 0)))
		assert.Equal(t, []int{1, 2, 2, 2}, picks(g, 4), "nothing has changed")
	}
}

func TestPortsRefused(t *testing.T) {
	g := mustNew(t, lagg.Config{})
	_, err := g.Add(lagg.PortConfig{Weight: lagg.MaxWeight + 1})
	assert.Equal(t, []string{"Port", "Weight"}, refused(t, err))
	_, err = g.Add(lagg.PortConfig{Port: lagg.PortFunc(nil)})
	assert.Equal(t, []string{"Port"}, refused(t, err))
	add(t, g, lagg.PortConfig{Index: math.MaxUint32, Weight: lagg.MaxWeight})
	_, err = g.Add(lagg.PortConfig{Port: lagg.PortFunc(sunk)})
	assert.Equal(t, []string{"Index"}, refused(t, err))
	_, err = g.Add(lagg.PortConfig{Port: lagg.PortFunc(sunk), Index: math.MaxUint32})
	assert.Equal(t, []string{"Index"}, refused(t, err))
	assert.Equal(t, 1, g.Len())
}

func TestDefaults(t *testing.T) {
	var g lagg.Group
	cfg := g.Config()
	assert.Equal(t, lagg.Config{Stride: 1, Slots: lagg.DefaultSlots}, cfg)
	assert.Equal(t, "failover", cfg.Mode.String())
	assert.Equal(t, "none", lagg.None.String())
	assert.Equal(t, "unknown mode", lagg.Mode(6).String())
	m := add(t, &g, lagg.PortConfig{})
	assert.EqualValues(t, 1, m.Index())
	assert.EqualValues(t, 1, m.Weight())
	assert.Zero(t, m.Speed())
	assert.True(t, m.LinkUp() && m.Enabled() && m.Usable())
}

// TestIndexOrder: sorted, whatever the order of joining.
func TestIndexOrder(t *testing.T) {
	var g lagg.Group
	for _, i := range []uint32{16, 13, 12, 10, 0, 11, 14, 0} {
		add(t, &g, lagg.PortConfig{Index: i})
	}
	var order []int
	for m := range g.Members() {
		order = append(order, index(m))
		assert.Equal(t, m, g.Member(m.Index()))
	}
	assert.Equal(t, []int{10, 11, 12, 13, 14, 16, 17, 18}, order)
	assert.Nil(t, g.Member(15))
	assert.EqualValues(t, 16, g.Primary().Index(), "the first that was added")
}

// TestMaxPorts: 65536 ports, in every mode, and not one more.
func TestMaxPorts(t *testing.T) {
	g := mustNew(t, lagg.Config{Mode: lagg.RoundRobin})
	addPorts(t, g, lagg.MaxPorts)
	_, err := g.Add(lagg.PortConfig{Port: lagg.PortFunc(sunk)})
	assert.Equal(t, []string{"Port"}, refused(t, err))
	seen := make([]bool, lagg.MaxPorts+1)
	for i, at := range picks(g, lagg.MaxPorts) {
		require.Equal(t, i+1, at)
	}
	for _, cfg := range []lagg.Config{{Mode: lagg.Random}, {Mode: lagg.LoadBalance}, {Mode: lagg.LoadBalance, Consistent: true, Slots: 1 << 18}} {
		require.NoError(t, g.Change(cfg, 0))
		clear(seen)
		n := 0
		for _, at := range mapping(g) {
			if !seen[at] {
				seen[at] = true
				n++
			}
		}
		assert.Greater(t, n, lagg.MaxPorts/3)
	}
}

// TestStrangers: members of another group, removed ones and nil change nothing.
func TestStrangers(t *testing.T) {
	var g, other lagg.Group
	own := addPorts(t, &g, 2)
	gone := own[1]
	g.Remove(gone, 0)
	for _, m := range []*lagg.Member{nil, gone, add(t, &other, lagg.PortConfig{})} {
		g.SetUp(m, false, 0)
		g.SetEnabled(m, false)
		g.SetPrimary(m)
		g.SetSpeed(m, 5)
		require.NoError(t, g.SetWeight(m, 5))
		back := g.Remove(m, 0)
		assert.True(t, back.Empty())
	}
	assert.Equal(t, []int{1}, picks(&g, 1))
	assert.Equal(t, []int{1}, picks(&other, 1))
	assert.EqualValues(t, 1, other.Primary().Weight())
}
