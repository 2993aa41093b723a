package multiq_test

import (
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/multiq"
)

func newMultiq(t require.TestingT, cfg multiq.Config) *multiq.Multiq {
	q, err := multiq.New(cfg)
	require.NoError(t, err)
	return q
}

func packet(queue int, size uint32) *qdisc.Packet {
	return &qdisc.Packet{TxQueue: uint16(queue), Len: size}
}

// fill returns the packets in each band.
func fill(q *multiq.Multiq) (list []int) {
	for _, s := range q.Classes() {
		list = append(list, s.Len)
	}
	return list
}
