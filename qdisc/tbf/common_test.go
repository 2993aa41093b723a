package tbf_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/tbf"
)

const (
	ms = qdisc.Time(1e6) // ns
	s  = qdisc.Time(1e9)
)

// unit is the exact mode's cost of a byte.
const unit = int64(8e9)

func mustNew(t testing.TB, cfg tbf.Config) *tbf.TBF {
	t.Helper()
	q, err := tbf.New(cfg)
	require.NoError(t, err)
	return q
}

func packet(n uint32) *qdisc.Packet { return &qdisc.Packet{Len: n} }

// fill enqueues n packets of size bytes at now and wants all of them queued.
func fill(t testing.TB, q qdisc.Qdisc, n int, size uint32, now qdisc.Time) {
	t.Helper()
	for range n {
		require.Equal(t, qdisc.Queued, q.Enqueue(packet(size), now))
	}
}

// leave dequeues at now until nothing may leave, and returns the number sent.
func leave(q qdisc.Qdisc, now qdisc.Time) int {
	n := 0
	for q.Dequeue(now) != nil {
		n++
	}
	return n
}

// next follows ReadyAt until a packet leaves, and returns it and the time.
func next(t testing.TB, q qdisc.Qdisc, now qdisc.Time) (*qdisc.Packet, qdisc.Time) {
	t.Helper()
	for {
		if p := q.Dequeue(now); p != nil {
			return p, now
		}
		at := q.ReadyAt(now)
		require.Greater(t, at, now)
		require.LessOrEqual(t, at, qdisc.MaxTime)
		now = at
	}
}
