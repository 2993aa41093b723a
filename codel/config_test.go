package codel_test

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
)

func TestConfigErrors(t *testing.T) {
	for _, tt := range []struct {
		name string
		cfg  codel.Config
		want []string
	}{
		{"zero value", codel.Config{}, nil},
		{"negative target", codel.Config{Target: -1}, []string{"Target"}},
		{"target too long", codel.Config{Target: codel.MaxDuration + 1}, []string{"Target"}},
		{"negative interval", codel.Config{Interval: -1}, []string{"Interval"}},
		{"interval too long", codel.Config{Interval: math.MaxInt64}, []string{"Interval"}},
		{"longest and shortest times", codel.Config{Target: 1, Interval: codel.MaxDuration, CEThreshold: new(codel.MaxDuration)}, nil},
		{"target above the interval", codel.Config{Target: time.Second, Interval: time.Millisecond}, nil},
		{"negative threshold", codel.Config{CEThreshold: new(time.Duration(-1))}, []string{"CEThreshold"}},
		{"threshold too long", codel.Config{CEThreshold: new(codel.MaxDuration + 1)}, []string{"CEThreshold"}},
		{"threshold of nothing", codel.Config{CEThreshold: new(time.Duration(0))}, nil},
		{"negative MTU", codel.Config{MTU: -1}, []string{"MTU"}},
		{"MTU too large", codel.Config{MTU: codel.MaxMTU + 1}, []string{"MTU"}},
		{"largest MTU", codel.Config{MTU: codel.MaxMTU}, nil},
		{"negative limit", codel.Config{Limit: new(-1)}, []string{"Limit"}},
		{"no room", codel.Config{Limit: new(0), MemoryLimit: new(int64(0))}, nil},
		{"all room", codel.Config{Limit: new(math.MaxInt), MemoryLimit: new(int64(math.MaxInt64))}, nil},
		{"negative memory", codel.Config{MemoryLimit: new(int64(-1))}, []string{"MemoryLimit"}},
		{"unknown arithmetic", codel.Config{Compat: 9}, []string{"Compat"}},
		{
			"all at once",
			codel.Config{Target: -1, Interval: -1, CEThreshold: new(time.Duration(-1)), MTU: -1, Limit: new(-1), MemoryLimit: new(int64(-1)), Compat: 2},
			[]string{"Target", "Interval", "CEThreshold", "MTU", "Compat", "Limit", "MemoryLimit"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q, err := codel.New(tt.cfg)
			assert.Equal(t, tt.want, qtest.Fields(t, err))
			assert.Equal(t, err == nil, q != nil)

			q = newCoDel(t, codel.Config{Limit: new(7)})
			put(t, q, 3, 1000, 0, 0)
			before := q.Config()
			assert.Equal(t, tt.want, qtest.Fields(t, q.Change(tt.cfg, 0)))
			if tt.want != nil {
				assert.Equal(t, 3, q.Len(), "all or nothing")
				assert.Empty(t, cmp.Diff(before, q.Config()))
			}
		})
	}
}

func TestFQConfigErrors(t *testing.T) {
	for _, tt := range []struct {
		name string
		cfg  codel.FQConfig
		want []string
	}{
		{"zero value", codel.FQConfig{}, nil},
		{"negative flows", codel.FQConfig{Flows: -1}, []string{"Flows"}},
		{"too many flows", codel.FQConfig{Flows: codel.MaxFlows + 1}, []string{"Flows"}},
		{"most flows", codel.FQConfig{Flows: codel.MaxFlows}, nil},
		{"one flow", codel.FQConfig{Flows: 1}, nil},
		{"no whole sets", codel.FQConfig{Flows: 1025, SetAssociative: true}, []string{"Flows"}},
		{"one set", codel.FQConfig{Flows: 8, SetAssociative: true}, nil},
		{"quantum too small", codel.FQConfig{Quantum: 255}, []string{"Quantum"}},
		{"smallest quantum", codel.FQConfig{Quantum: codel.MinQuantum}, nil},
		{"largest quantum", codel.FQConfig{Quantum: codel.MaxQuantum}, nil},
		{"quantum too large", codel.FQConfig{Quantum: codel.MaxQuantum + 1}, []string{"Quantum"}},
		{"negative batch", codel.FQConfig{DropBatch: -1}, []string{"DropBatch"}},
		{"largest batch", codel.FQConfig{DropBatch: math.MaxInt}, nil},
		{"any selector in Linux", codel.FQConfig{CESelector: 255, CEMask: 1, Compat: qdisc.Linux}, nil},
		{"dead selector", codel.FQConfig{CESelector: 2, CEMask: 1}, []string{"CESelector"}},
		{
			"all at once",
			codel.FQConfig{
				Target: -1, Interval: codel.MaxDuration + 1, CEThreshold: new(time.Duration(-1)), MTU: -1, Compat: 2,
				Limit: new(-1), MemoryLimit: new(int64(-1)), Flows: -1, Quantum: 1, DropBatch: -1,
			},
			[]string{"Target", "Interval", "CEThreshold", "MTU", "Compat", "Limit", "MemoryLimit", "Flows", "Quantum", "DropBatch"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q, err := codel.NewFQ(tt.cfg)
			assert.Equal(t, tt.want, qtest.Fields(t, err))
			assert.Equal(t, err == nil, q != nil)
		})
	}
}

// TestFQChangeIsAllOrNothing, and what New fixes stays.
func TestFQChangeIsAllOrNothing(t *testing.T) {
	q := newFQ(t, codel.FQConfig{Flows: 16, SetAssociative: true, Limit: new(7)})
	put(t, q, 3, 1000, 0, 0)
	before := q.Config()
	for _, tt := range []struct {
		cfg  codel.FQConfig
		want []string
	}{
		{codel.FQConfig{Flows: 8, SetAssociative: true}, []string{"Flows"}},
		{codel.FQConfig{}, []string{"SetAssociative"}},
		{codel.FQConfig{SetAssociative: true, Compat: qdisc.Linux}, []string{"Compat"}},
		{codel.FQConfig{Flows: 32, Compat: qdisc.Linux}, []string{"Flows", "SetAssociative", "Compat"}},
		{codel.FQConfig{Flows: 32, Quantum: 1, Limit: new(0)}, []string{"Quantum", "Flows", "SetAssociative"}},
		{codel.FQConfig{SetAssociative: true, Limit: new(-1)}, []string{"Limit"}},
	} {
		assert.Equal(t, tt.want, qtest.Fields(t, q.Change(tt.cfg, 0)))
		assert.Equal(t, 3, q.Len())
		assert.Empty(t, cmp.Diff(before, q.Config()))
	}
	require.NoError(t, q.Change(codel.FQConfig{SetAssociative: true}, 0))
	assert.Equal(t, 16, q.Config().Flows, "no number: as it is")
}

func TestConfigFillsDefaults(t *testing.T) {
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		assert.Empty(t, cmp.Diff(codel.Config{
			Target: 5 * time.Millisecond, Interval: 100 * time.Millisecond, Limit: new(1000), MTU: 1514, Compat: mode,
		}, newCoDel(t, codel.Config{Compat: mode}).Config()))
		assert.Empty(t, cmp.Diff(codel.FQConfig{
			Flows: 1024, Quantum: 1514, Limit: new(10240), MemoryLimit: new(int64(32 << 20)), DropBatch: 64,
			Target: 5 * time.Millisecond, Interval: 100 * time.Millisecond, MTU: 1514, Compat: mode,
		}, newFQ(t, codel.FQConfig{Compat: mode}).Config()))
	})
}

// TestConfigHasPointersOfItsOwn: what a caller writes to a configuration that
// it gave or got changes nothing.
func TestConfigHasPointersOfItsOwn(t *testing.T) {
	limit, memory, threshold := 3, int64(5000), time.Millisecond
	cfg := codel.Config{Limit: &limit, MemoryLimit: &memory, CEThreshold: &threshold}
	q := newCoDel(t, cfg)
	fqCfg := codel.FQConfig{Limit: &limit, MemoryLimit: &memory, CEThreshold: &threshold}
	fq := newFQ(t, fqCfg)
	require.NoError(t, q.Change(cfg, 0))
	require.NoError(t, fq.Change(fqCfg, 0))
	limit, memory, threshold = 0, 0, 0
	for range 2 {
		got, fqGot := q.Config(), fq.Config()
		assert.Equal(t, 3, *got.Limit)
		assert.Equal(t, 3, *fqGot.Limit)
		assert.EqualValues(t, 5000, *got.MemoryLimit)
		assert.EqualValues(t, 5000, *fqGot.MemoryLimit)
		assert.Equal(t, time.Millisecond, *got.CEThreshold)
		assert.Equal(t, time.Millisecond, *fqGot.CEThreshold)
		*got.Limit, *got.MemoryLimit, *got.CEThreshold = 0, 0, 0
		*fqGot.Limit, *fqGot.MemoryLimit, *fqGot.CEThreshold = 0, 0, 0
	}
	put(t, q, 1, 1000, 0, 0)
	put(t, fq, 1, 1000, 0, 0)
	assert.NotNil(t, q.Dequeue(0))
	assert.NotNil(t, fq.Dequeue(0))
}

// TestConfigCanBeSetAgain: what Config returns changes nothing when it is set.
func TestConfigCanBeSetAgain(t *testing.T) {
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		q := newCoDel(t, codel.Config{CEThreshold: new(time.Duration(0)), ECN: true, MTU: 9000, Drops: new(qdisc.List), Compat: mode})
		before := q.Config()
		require.NoError(t, q.Change(before, 0))
		same := cmpopts.EquateComparable(qdisc.List{})
		assert.Empty(t, cmp.Diff(before, q.Config(), same))
		fq := newFQ(t, codel.FQConfig{Flows: 24, SetAssociative: true, CESelector: 1, CEMask: 3, NoECN: true, Drops: new(qdisc.List), Compat: mode})
		fqBefore := fq.Config()
		require.NoError(t, fq.Change(fqBefore, 0))
		assert.Empty(t, cmp.Diff(fqBefore, fq.Config(), same))
	})
}

// TestChangeKeepsWhatWasCounted, and the control state.
func TestChangeKeepsWhatWasCounted(t *testing.T) {
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		q := full(t, codel.Config{ECN: true, Compat: mode}, 100, qdisc.ECT1, 0)
		require.Equal(t, qdisc.Dropped, q.Enqueue(&qdisc.Packet{Len: 1000}, 0))
		require.NotNil(t, q.Dequeue(5*ms))
		for _, at := range signalTimes(mode, 5*ms, 100*ms, 5) {
			require.NotNil(t, q.Dequeue(at))
		}
		now := s / 2
		st, common := q.Stats(now), q.ReadStats()
		require.EqualValues(t, 5, st.Count)
		require.NoError(t, q.Change(codel.Config{Interval: time.Second, Target: time.Millisecond, Compat: mode}, now))
		assert.Equal(t, st, q.Stats(now))
		assert.Equal(t, common, q.ReadStats())
		other := qdisc.Compat(1) - mode
		assert.Equal(t, []string{"Compat"}, qtest.Fields(t, q.Change(codel.Config{Compat: other, Limit: new(0)}, now)))
		assert.Equal(t, []string{"Limit", "Compat"}, qtest.Fields(t, q.Change(codel.Config{Compat: other, Limit: new(-1)}, now)))
		assert.Equal(t, common, q.ReadStats())
	})
}

// TestOwnDropListBelowAParent is refused, with nothing else changed.
func TestOwnDropListBelowAParent(t *testing.T) {
	child, fq := newCoDel(t, codel.Config{}), newFQ(t, codel.FQConfig{})
	var parent qdisc.Base
	require.NoError(t, new(qdisc.Child).Attach(&parent, child))
	require.NoError(t, new(qdisc.Child).Attach(&parent, fq))
	assert.Equal(t, []string{"Drops"}, qtest.Fields(t, child.Change(codel.Config{Drops: new(qdisc.List), MTU: 7}, 0)))
	assert.Equal(t, []string{"Drops"}, qtest.Fields(t, fq.Change(codel.FQConfig{Drops: new(qdisc.List), MTU: 7}, 0)))
	assert.Equal(t, codel.DefaultMTU, child.Config().MTU)
	assert.Equal(t, codel.DefaultMTU, fq.Config().MTU)
}
