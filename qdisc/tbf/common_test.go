package tbf_test

import (
	"errors"
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

// fields returns the names of the fields that a ConfigError complains of.
func fields(t testing.TB, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	all := []error{err}
	if j, ok := err.(interface{ Unwrap() []error }); ok {
		all = j.Unwrap()
	}
	var names []string
	for _, e := range all {
		var ce *qdisc.ConfigError
		require.True(t, errors.As(e, &ce), "%v", e)
		require.NotEmpty(t, ce.Why)
		names = append(names, ce.Field)
	}
	return names
}

// balanced checks the identities of the counters.
func balanced(t testing.TB, q qdisc.Qdisc) {
	t.Helper()
	st := q.Common().ReadStats()
	require.Equal(t, st.Received+st.Split, st.Queued+st.Refused)
	require.Equal(t, st.Queued, st.Dequeued+st.Dropped+st.Purged+uint64(q.Len()))
}
