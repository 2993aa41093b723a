package bql_test

import (
	"testing"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/qdisc"
	"github.com/stretchr/testify/require"
)

const (
	ms = qdisc.Time(1e6) // ns
	s  = qdisc.Time(1e9)
)

// frame is the length of a full-size Ethernet frame in bytes.
const frame = 1514

var modes = []qdisc.Compat{qdisc.Exact, qdisc.Linux}

// inModes runs f in both modes.
func inModes(t *testing.T, f func(t *testing.T, compat qdisc.Compat)) {
	for _, compat := range modes {
		t.Run(compat.String(), func(t *testing.T) { f(t, compat) })
	}
}

func mustNew(t testing.TB, cfg bql.Config) *bql.Limiter {
	t.Helper()
	l, err := bql.New(cfg)
	require.NoError(t, err)
	return l
}

// fixed is a configuration whose limit never moves.
func fixed(limit int64, compat qdisc.Compat) bql.Config {
	return bql.Config{LimitMin: limit, LimitMax: &limit, Compat: compat}
}
