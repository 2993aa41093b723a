package cake_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/cake"
	"github.com/netsched/netsched/qdisc"
)

const (
	us = qdisc.Time(1000)
	ms = 1000 * us
	s  = 1000 * ms
)

var compats = []qdisc.Compat{qdisc.Exact, qdisc.Linux}

func mustNew(t testing.TB, cfg cake.Config) *cake.Cake {
	t.Helper()
	if cfg.Rand == nil {
		cfg.Rand = rand.NewPCG(1, 2)
	}
	c, err := cake.New(cfg)
	require.NoError(t, err)
	return c
}

// packet returns a UDP packet of n bytes of a flow.
func packet(n, flow uint32) *qdisc.Packet {
	return &qdisc.Packet{Len: n, Flow: flow, SrcHost: flow, DstHost: flow, Proto: 17}
}

func dscp(p *qdisc.Packet, dscp uint8) *qdisc.Packet {
	p.DSField = dscp << 2
	return p
}

// fill enqueues n packets of size bytes of one flow.
func fill(t testing.TB, q qdisc.Qdisc, n int, size, flow uint32, now qdisc.Time) {
	t.Helper()
	for range n {
		require.Equal(t, qdisc.Queued, q.Enqueue(packet(size, flow), now))
	}
}

// next follows ReadyAt to the next packet, and returns it and the time.
func next(t testing.TB, q qdisc.Qdisc, now qdisc.Time) (*qdisc.Packet, qdisc.Time) {
	t.Helper()
	for range 10 {
		if p := q.Dequeue(now); p != nil {
			return p, now
		}
		at := q.ReadyAt(now)
		require.Greater(t, at, now)
		require.Less(t, at, qdisc.Blocked, "nothing is held")
		now = at
	}
	require.FailNow(t, "no packet comes")
	return nil, 0
}
