package udp

import (
	"net"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/txq"
)

var _ txq.Completer = (*Completer)(nil)

// A limited queue gets going again only by what the device reports.
func TestCompleter(t *testing.T) {
	receiver, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Skip("no UDP socket on loopback: ", err)
	}
	defer receiver.Close()
	conn, err := net.DialUDP("udp", nil, receiver.LocalAddr().(*net.UDPAddr))
	require.NoError(t, err)
	defer conn.Close()

	payload := make([]byte, 1000)
	root, err := fifo.New(fifo.Config{})
	require.NoError(t, err)
	const packets = 200
	freed := make(chan int, packets)
	q, err := txq.New(txq.Config{
		Qdisc: root,
		Limit: &bql.Config{LimitMax: new(int64(1500))},
		Free:  func(ps *qdisc.List) { freed <- ps.Len() },
	})
	require.NoError(t, err)
	c, err := NewCompleter(conn, Config{Bytes: func(*qdisc.Packet) []byte { return payload }})
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() { ended <- q.Run(c) }()
	for range packets {
		require.NoError(t, q.Send([]*qdisc.Packet{{Len: 1000}}))
	}
	for n := 0; n < packets; {
		n += <-freed
	}
	s := q.Stats()
	assert.EqualValues(t, packets, s.SentPackets)
	assert.NotZero(t, s.Stops, "two packets are above the limit")
	require.NoError(t, q.Close())
	assert.ErrorIs(t, <-ended, net.ErrClosed)
	require.NoError(t, c.Close())

	_, err = NewCompleter(conn, Config{Bytes: func(*qdisc.Packet) []byte { return payload }, Done: func(int, int64) {}})
	assert.ErrorContains(t, err, "Done")
}
