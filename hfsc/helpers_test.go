package hfsc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/qdisc"
)

const (
	ms = qdisc.Time(1e6)
	s  = 1000 * ms
)

var modes = []qdisc.Compat{qdisc.Exact, qdisc.Linux}

func newHFSC(t require.TestingT, cfg hfsc.Config) *hfsc.HFSC {
	q, err := hfsc.New(cfg)
	require.NoError(t, err)
	return q
}

func add(t require.TestingT, q *hfsc.HFSC, class uint32, cfg hfsc.ClassConfig) {
	require.NoError(t, q.AddClass(class, cfg, 0))
}

func packet(class, size uint32) *qdisc.Packet {
	return &qdisc.Packet{Class: class, Len: size}
}

func fill(t testing.TB, q *hfsc.HFSC, class uint32, n int, size uint32, now qdisc.Time) {
	t.Helper()
	for range n {
		require.Equal(t, qdisc.Queued, q.Enqueue(packet(class, size), now))
	}
}

func stats(t testing.TB, q *hfsc.HFSC, class uint32) hfsc.ClassStats {
	t.Helper()
	st, ok := q.Stats(class)
	require.True(t, ok, "class %d", class)
	return st
}

// next dequeues at now or at the wake-up times after it.
func next(t testing.TB, q *hfsc.HFSC, now qdisc.Time) (*qdisc.Packet, qdisc.Time) {
	t.Helper()
	for range 1000 {
		if p := q.Dequeue(now); p != nil {
			return p, now
		}
		at := q.ReadyAt(now)
		require.Greater(t, at, now)
		require.LessOrEqual(t, at, qdisc.MaxTime, "%d packets are held", q.Len())
		now = at
	}
	require.FailNow(t, "no packet at a thousand wake-ups")
	return nil, 0
}
