package priq_test

import (
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/priq"
)

func newPRIQ(t require.TestingT, cfg priq.Config) *priq.PRIQ {
	q, err := priq.New(cfg)
	require.NoError(t, err)
	return q
}

func add(t require.TestingT, q *priq.PRIQ, class uint32, priority int, child qdisc.Qdisc) {
	require.NoError(t, q.AddClass(class, priq.ClassConfig{Priority: priority, Child: child}, 0))
}

// filled returns a PRIQ of classes 1 to n, of priorities 0 to n-1.
func filled(t require.TestingT, cfg priq.Config, n int) *priq.PRIQ {
	q := newPRIQ(t, cfg)
	for i := range n {
		add(t, q, uint32(i+1), i, nil)
	}
	return q
}

func packet(class, size uint32) *qdisc.Packet { return &qdisc.Packet{Class: class, Len: size} }
