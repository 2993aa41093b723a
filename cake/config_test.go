package cake_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/cake"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
)

func TestConfigErrors(t *testing.T) {
	bad := map[string]cake.Config{
		"Bandwidth = 63bit":      {Bandwidth: 63},
		"Bandwidth = 1001Tbit":   {Bandwidth: 1001 * qdisc.Tbit},
		"Diffserv = unknown":     {Diffserv: 5},
		"Isolation = unknown":    {Isolation: 8},
		"AckFilter = unknown":    {AckFilter: 3},
		"Header = <nil>":         {AckFilter: cake.FilterAcks},
		"Overhead = -65":         {Framing: cake.Framing{Overhead: new(-65)}},
		"Overhead = 257":         {Framing: cake.Framing{Overhead: new(257)}},
		"MPU = 257":              {Framing: cake.Framing{MPU: 257}},
		"MPU = -1":               {Framing: cake.Framing{MPU: -1}},
		"Link = unknown":         {Framing: cake.Framing{Link: 3}},
		"RTT = -1ns":             {RTT: -1},
		"RTT = 1h11m34.967296s":  {RTT: cake.MaxTime + time.Microsecond},
		"Target = -1ns":          {Target: -1},
		"MemoryLimit = -1":       {MemoryLimit: -1},
		"MTU = -1":               {MTU: -1},
		"MTU = 1048577":          {MTU: 1<<20 + 1},
		"Compat = unknown":       {Compat: 2},
		"Target = 1h11m34.9673s": {Target: cake.MaxTime + 5*time.Microsecond},
	}
	for text, cfg := range bad {
		_, err := cake.New(cfg)
		qtest.ConfigErrors(t, err, text)
		q := mustNew(t, cake.Config{})
		qtest.ConfigErrors(t, q.Change(cfg, 0), text)
	}
	_, err := cake.New(cake.Config{Bandwidth: 1, MTU: -1, RTT: -1})
	qtest.ConfigErrors(t, err, "Bandwidth", "MTU", "RTT")
}

func TestDefaults(t *testing.T) {
	target := func(cfg cake.Config) time.Duration { return mustNew(t, cfg).Stats().Tins[0].Target }
	cfg := mustNew(t, cake.Config{}).Config()
	assert.Equal(t, 100*time.Millisecond, cfg.RTT)
	assert.Equal(t, 5*time.Millisecond, target(cfg))
	assert.Equal(t, 1514, cfg.MTU)
	for _, rtt := range []time.Duration{cake.Datacentre, cake.LAN, cake.Metro, cake.Regional, cake.Internet, cake.Oceanic, cake.Satellite, cake.Interplanetary} {
		assert.Equal(t, rtt/20, target(cake.Config{RTT: rtt}))
	}
	assert.Equal(t, time.Microsecond, target(cake.Config{RTT: 2 * time.Microsecond}))
}

// TestDerived: what is derived follows a change of what it is derived from, by
// way of Config too; what is set stays.
func TestDerived(t *testing.T) {
	for _, compat := range compats {
		for set, want := range map[time.Duration]time.Duration{0: 500 * time.Microsecond, 7 * time.Millisecond: 7 * time.Millisecond} {
			q := mustNew(t, cake.Config{Target: set, Bandwidth: 100 * qdisc.Mbit, Compat: compat})
			cfg := q.Config()
			assert.Equal(t, set, cfg.Target)
			cfg.RTT = 10 * time.Millisecond
			require.NoError(t, q.Change(cfg, 0))
			assert.Equal(t, want, q.Stats().Tins[1].Target)
			cfg = q.Config()
			cfg.RTT = time.Second
			require.NoError(t, q.Change(cfg, 0))
			assert.EqualValues(t, 15_503_360, q.Stats().MemoryLimit)
		}
	}
}

// TestShortestTimes: Linux keeps whole microseconds, and one at least: 0 would
// be the default.
func TestShortestTimes(t *testing.T) {
	for compat, want := range map[qdisc.Compat]time.Duration{qdisc.Exact: 999, qdisc.Linux: time.Microsecond} {
		q := mustNew(t, cake.Config{RTT: 999, Target: 999, Compat: compat})
		cfg := q.Config()
		assert.Equal(t, [2]time.Duration{want, want}, [2]time.Duration{cfg.RTT, cfg.Target})
		assert.Equal(t, want, q.Stats().Tins[0].Target)
	}
}

// TestSlowestRate: Linux's Autorate may come down to a byte a second, the
// default's does not go below MinBandwidth.
func TestSlowestRate(t *testing.T) {
	for _, tt := range []struct {
		rate     qdisc.Rate
		autorate bool
		compat   qdisc.Compat
		ok       bool
	}{
		{cake.MinBandwidth, false, qdisc.Exact, true},
		{cake.MinBandwidth - 1, false, qdisc.Exact, false},
		{cake.MinBandwidth - 1, true, qdisc.Exact, false},
		{8, true, qdisc.Exact, false},
		{8, true, qdisc.Linux, true},
		{7, true, qdisc.Linux, false},
		{8, false, qdisc.Linux, false},
	} {
		_, err := cake.New(cake.Config{Bandwidth: tt.rate, Autorate: tt.autorate, Compat: tt.compat})
		assert.Equal(t, tt.ok, err == nil, "%+v", tt)
	}
}

// TestConfigIsACopy: of the caller's numbers, and for the caller.
func TestConfigIsACopy(t *testing.T) {
	overhead := 10
	q := mustNew(t, cake.Config{Framing: cake.Framing{Overhead: &overhead}})
	overhead = 20
	assert.Equal(t, 10, *q.Config().Overhead)
	*q.Config().Overhead = 30
	assert.Equal(t, 10, *q.Config().Overhead)
}

// TestWords: the lines that tc-testing expects, without what is the same in
// all.
func TestWords(t *testing.T) {
	const usual = "diffserv3 triple-isolate nonat nowash no-ack-filter split-gso rtt 100ms raw overhead 0"
	for want, cfg := range map[string]cake.Config{
		"bandwidth unlimited " + usual:                  {},
		"bandwidth 1Kbit " + usual:                      {Bandwidth: 1000},
		"bandwidth unlimited autorate-ingress " + usual: {Autorate: true},
		"bandwidth unlimited diffserv3 triple-isolate nonat nowash no-ack-filter split-gso rtt 200us raw overhead 0":                     {RTT: 200 * time.Microsecond},
		"bandwidth unlimited besteffort hosts nonat wash no-ack-filter split-gso rtt 100ms raw overhead 0":                               {Diffserv: cake.BestEffort, Isolation: cake.Hosts, Wash: true},
		"bandwidth unlimited diffserv8 dsthost nat nowash no-ack-filter no-split-gso rtt 100ms raw overhead 0":                           {Diffserv: cake.Diffserv8, Isolation: cake.DstHost, NAT: true, NoSplit: true},
		"bandwidth unlimited precedence dual-srchost nonat nowash ack-filter-aggressive split-gso rtt 100ms raw overhead 0":              {Diffserv: cake.Precedence, Isolation: cake.DualSrcHost, AckFilter: cake.FilterAcksAggressive},
		"bandwidth unlimited diffserv3 triple-isolate nonat nowash no-ack-filter split-gso rtt 100ms raw ptm overhead 0 memlimit 10000b": {MemoryLimit: 10000, Framing: cake.Framing{Link: cake.PTM}},
		"bandwidth unlimited diffserv3 triple-isolate nonat nowash no-ack-filter split-gso rtt 100ms raw atm overhead 0 fwmark 0x8":      {FwMark: 8, Framing: cake.Framing{Link: cake.ATM}},
		"bandwidth unlimited diffserv3 triple-isolate nonat nowash no-ack-filter split-gso rtt 100ms noatm overhead 128 mpu 256":         {Framing: cake.Framing{Overhead: new(128), MPU: 256}},
		"bandwidth unlimited diffserv3 triple-isolate nonat nowash ingress no-ack-filter split-gso rtt 100ms atm overhead 48":            {Framing: cake.Conservative(), Ingress: true},
		"bandwidth 1500Mbit diffserv4 flows nonat nowash ack-filter split-gso rtt 1e+03s raw overhead 0 memlimit 4Mb":                    {Bandwidth: 1500 * qdisc.Mbit, Diffserv: cake.Diffserv4, Isolation: cake.Flows, AckFilter: cake.FilterAcks, RTT: cake.Interplanetary, MemoryLimit: 4 << 20},
		"bandwidth unlimited diffserv3 flowblind nonat nowash no-ack-filter split-gso rtt 1s raw overhead 0 memlimit 2Kb":                {Isolation: cake.Flowblind, RTT: time.Second, MemoryLimit: 2048},
		"bandwidth unlimited diffserv3 dual-dsthost nonat nowash no-ack-filter split-gso rtt 1.5ms raw overhead 0":                       {Isolation: cake.DualDstHost, RTT: 1500 * time.Microsecond},
	} {
		assert.Equal(t, want, cfg.String())
	}
	assert.Equal(t, "unknown mode", cake.Diffserv(9).String())
}

func TestModesFromWords(t *testing.T) {
	for d := range cake.Diffserv(5) {
		var got cake.Diffserv
		require.NoError(t, got.UnmarshalText([]byte(d.String())))
		assert.Equal(t, d, got)
	}
	for i := range cake.Isolation(8) {
		var got cake.Isolation
		require.NoError(t, got.UnmarshalText([]byte(i.String())))
		assert.Equal(t, i, got)
	}
	for a := range cake.AckFilter(3) {
		var got cake.AckFilter
		require.NoError(t, got.UnmarshalText([]byte(a.String())))
		assert.Equal(t, a, got)
	}
	for l := range cake.Link(3) {
		var got cake.Link
		require.NoError(t, got.UnmarshalText([]byte(l.String())))
		assert.Equal(t, l, got)
	}
	var d cake.Diffserv
	assert.ErrorContains(t, d.UnmarshalText([]byte("best")), `"best" is none of`)
}
