package netsim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

const (
	msec       = time.Millisecond
	fullPacket = tcpHeader + 1448 // bytes of a full packet
)

func seconds(s float64) qdisc.Time { return qdisc.Time(s * 1e9) }

// dumbbell is a bottleneck with a FIFO of so many packets in front, and a way
// back without one.
type dumbbell struct {
	*Sim
	forward, reverse *Link
}

func newDumbbell(t testing.TB, seed uint64, rate qdisc.Rate, rtt time.Duration, packets int) *dumbbell {
	t.Helper()
	q, err := fifo.New(fifo.Config{Limit: &packets})
	require.NoError(t, err)
	return newDumbbellOf(t, seed, LinkConfig{Rate: rate, Delay: rtt / 2, Qdisc: q}, LinkConfig{Delay: rtt / 2})
}

func newDumbbellOf(t testing.TB, seed uint64, forward, reverse LinkConfig) *dumbbell {
	t.Helper()
	s := New(seed)
	f, err := NewLink(s, forward)
	require.NoError(t, err)
	r, err := NewLink(s, reverse)
	require.NoError(t, err)
	return &dumbbell{s, f, r}
}

func (d *dumbbell) connect(t testing.TB, cfg TCPConfig) *TCP {
	t.Helper()
	if cfg.Forward == nil {
		cfg.Forward = d.forward
	}
	if cfg.Reverse == nil {
		cfg.Reverse = d.reverse
	}
	c, err := NewTCP(d.Sim, cfg)
	require.NoError(t, err)
	return c
}

// run lets the world run until a time and returns what c did in between.
func (d *dumbbell) run(c *TCP, until qdisc.Time) (since, now TCPStats) {
	since = c.Stats()
	d.Run(until)
	return since, c.Stats()
}

// filter is a place on the way at which something is done to packets: pass
// returns where each goes on, nil if it is lost.
type filter struct {
	sim  *Sim
	pass func(p *Packet) Receiver
}

func (f *filter) Receive(p *Packet) {
	if next := f.pass(p); next != nil {
		next.Receive(p)
		return
	}
	f.sim.Free(p)
}

// bdp returns a bandwidth-delay product in packets.
func bdp(rate qdisc.Rate, rtt time.Duration) int {
	return int(float64(rate)*rtt.Seconds()/8/fullPacket + 0.5)
}
