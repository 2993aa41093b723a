package codel_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/qdisc"
)

const (
	us = qdisc.Time(1e3) // ns
	ms = qdisc.Time(1e6)
	s  = qdisc.Time(1e9)

	tick = qdisc.Time(1024) // of Linux's clock, in ns
)

var modes = []qdisc.Compat{qdisc.Exact, qdisc.Linux}

// eachMode runs f in both arithmetics.
func eachMode(t *testing.T, f func(t *testing.T, mode qdisc.Compat)) {
	for _, mode := range modes {
		t.Run(mode.String(), func(t *testing.T) { f(t, mode) })
	}
}

func newCoDel(t require.TestingT, cfg codel.Config) *codel.CoDel {
	q, err := codel.New(cfg)
	require.NoError(t, err)
	return q
}

func newFQ(t require.TestingT, cfg codel.FQConfig) *codel.FQ {
	q, err := codel.NewFQ(cfg)
	require.NoError(t, err)
	return q
}

// put enqueues n packets of size bytes of a flow and wants all of them queued.
func put(t testing.TB, q qdisc.Qdisc, n int, size, flow uint32, now qdisc.Time) {
	t.Helper()
	for range n {
		require.Equal(t, qdisc.Queued, q.Enqueue(&qdisc.Packet{Len: size, Flow: flow}, now))
	}
}

// marks returns the Mark of each packet of a list, emptying it.
func marks(list *qdisc.List) (all []uint32) {
	for p := range list.Drain() {
		all = append(all, p.Mark)
	}
	return all
}

// flows returns where each flow in the rounds stands.
func flows(q *codel.FQ, now qdisc.Time) map[int]codel.FlowStats {
	all := map[int]codel.FlowStats{}
	for i, f := range q.Flows(now) {
		all[i] = f
	}
	return all
}

// bucket returns a flow hash of queue i of n.
func bucket(i, n int) uint32 { return uint32((uint64(i)<<32 + uint64(n) - 1) / uint64(n)) }

func duration(t qdisc.Time) time.Duration { return time.Duration(t) }
