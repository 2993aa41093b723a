package netsim_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/netsim"
)

// TestPacketTwice: a link refuses, loudly, a packet that is freed or on its way
// already, wherever that is; and such a packet cannot be freed.
func TestPacketTwice(t *testing.T) {
	s := netsim.New(1)
	var kept []*netsim.Packet
	keep := receiver{s, func(p *netsim.Packet) { kept = append(kept, p) }}
	link := must(netsim.NewLink(s, netsim.LinkConfig{Rate: 12 * qdisc.Mbit, Delay: time.Millisecond, Ring: 2, To: keep}))
	other := must(netsim.NewDevice(s, netsim.DeviceConfig{Queues: make([]netsim.QueueConfig, 1)}))
	packets := make([]*netsim.Packet, 4)
	for i := range packets {
		packets[i] = s.Alloc()
		packets[i].Len = 1500
	}
	for _, p := range packets {
		link.Receive(p)
	}
	s.Run(millisecond + millisecond/2) // one in flight, on the line, in the ring, in the FIFO
	require.Equal(t, 1, link.Qdisc().Len())
	for i, p := range packets {
		assert.Panics(t, func() { link.Receive(p) }, i)
		assert.Panics(t, func() { other.Receive(p) }, i)
		assert.Panics(t, func() { s.Free(p) }, i)
	}
	s.Run(second)
	require.Equal(t, packets, kept)
	require.Zero(t, s.Alive())
	assert.Panics(t, func() { link.Receive(packets[0]) }, "it was freed")
	assert.Panics(t, func() { s.Free(packets[0]) })
	assert.EqualValues(t, 4, link.Stats().Received)
}

// TestOneLinkEach: a discipline serves one link, and a medium one world.
func TestOneLinkEach(t *testing.T) {
	s := netsim.New(1)
	q := must(fifo.New(fifo.Config{}))
	must(netsim.NewLink(s, netsim.LinkConfig{Qdisc: q}))
	_, err := netsim.NewLink(s, netsim.LinkConfig{Qdisc: q})
	qtest.ConfigErrors(t, err, "Qdisc = ")
	_, err = netsim.NewDevice(s, netsim.DeviceConfig{Qdisc: q, Queues: make([]netsim.QueueConfig, 1)})
	qtest.ConfigErrors(t, err, "Qdisc = ")
	hub := must(netsim.NewMedium(netsim.New(1), netsim.MediumConfig{}))
	_, err = netsim.NewLink(s, netsim.LinkConfig{Medium: hub})
	qtest.ConfigErrors(t, err, "Medium = of another world")
}

// TestEndOfTime: nothing goes on for ever where time ends.
func TestEndOfTime(t *testing.T) {
	s := netsim.New(1)
	start := qdisc.MaxTime - second
	s.Run(start)
	line := netsim.LinkConfig{Rate: 10 * qdisc.Mbit, Delay: 300 * time.Millisecond}
	there, back := must(netsim.NewLink(s, line)), must(netsim.NewLink(s, line))
	ping := must(netsim.NewPing(s, netsim.PingConfig{Forward: there, Reverse: back}))
	patterns := []netsim.Pattern{
		netsim.CBR{Rate: qdisc.Mbit}, netsim.Poisson{Rate: qdisc.Mbit}, netsim.Bursts{Packets: 2, Every: time.Millisecond},
		netsim.OnOff{Rate: qdisc.Mbit, On: time.Millisecond, Off: time.Millisecond}, netsim.Web{Rate: qdisc.Mbit},
		netsim.CBR{Rate: 1}, // the second packet is due after the end
	}
	for _, p := range patterns {
		must(netsim.NewSource(s, netsim.SourceConfig{Via: there, Pattern: p}))
	}
	for _, path := range []netsim.Receiver{there, s.Discard()} {
		must(netsim.NewTCP(s, netsim.TCPConfig{Forward: path, Reverse: back})).Start(start)
	}
	samples := 0
	netsim.NewSampler(s, 100*time.Millisecond, func() int64 { samples++; return 0 })
	s.Run(qdisc.Never)
	assert.Equal(t, qdisc.MaxTime, s.Now())
	assert.Equal(t, qdisc.Never, s.Next())
	assert.InDelta(t, 11, samples, 1)
	assert.EqualValues(t, 6, ping.Sent())
	assert.EqualValues(t, 2, ping.Received())
	s.Run(qdisc.Never)
}

// TestExtremes: lengths and rates at the ends of their ranges bring neither
// negative gaps nor a world that stands still.
func TestExtremes(t *testing.T) {
	huge := func(*rand.Rand) uint32 { return 1<<32 - 1 }
	const most = 1 << 62 // bit/s
	for _, c := range []struct {
		pattern netsim.Pattern
		length  uint32
		gap     [2]time.Duration
	}{
		{netsim.CBR{Rate: 1}, 0, [2]time.Duration{qdisc.MaxLen * 8e9, qdisc.MaxLen * 8e9}},
		{netsim.CBR{Rate: most}, 0, [2]time.Duration{1, 3}},
		{netsim.Poisson{Rate: 1, Len: qdisc.MaxLen}, 1, [2]time.Duration{1, 1 << 62}},
		{netsim.OnOff{Rate: qdisc.Kbit, On: 1, Off: 1}, 1500, [2]time.Duration{12 * time.Second, 12*time.Second + time.Microsecond}},
		{netsim.Poisson{Rate: 12e12}, 1500, [2]time.Duration{0, 20}},
	} {
		cfg := netsim.SourceConfig{Pattern: c.pattern, Packet: packet(1, c.length), Count: 2}
		if c.length == 0 {
			cfg.Size = huge
		}
		at, _ := emissions(cfg, qdisc.MaxTime)
		require.Len(t, at, 2, "%+v", c.pattern)
		assert.GreaterOrEqual(t, at[1].Sub(at[0]), c.gap[0], "%+v", c.pattern)
		assert.LessOrEqual(t, at[1].Sub(at[0]), c.gap[1], "%+v", c.pattern)
	}
	s := netsim.New(1)
	_, err := netsim.NewSource(s, netsim.SourceConfig{Via: s.Discard(), Pattern: netsim.Poisson{Rate: most, Len: 1500}})
	qtest.ConfigErrors(t, err, "Pattern.Rate = ")
	_, err = netsim.NewSource(s, netsim.SourceConfig{
		Via: s.Discard(), Pattern: netsim.Poisson{Rate: 1, Len: 1<<30 + 1}, Packet: packet(1, 1<<30+1),
	})
	qtest.ConfigErrors(t, err, "Packet.Len = ", "Pattern.Len = ")

	// The longest packet with the most framing takes longer than time has.
	l := must(netsim.NewLink(s, netsim.LinkConfig{Rate: 1, Overhead: 4096}))
	p := s.Alloc()
	p.Len, p.Segs = qdisc.MaxLen, 65535
	l.Receive(p)
	s.Run(qdisc.MaxTime - 1)
	assert.Equal(t, 1, l.InFlight())
}

// TestAnswerAtOnce: an application that answers from within OnDeliver, over a
// path that takes no time.
func TestAnswerAtOnce(t *testing.T) {
	s := netsim.New(1)
	var c *netsim.TCP
	cfg := netsim.TCPConfig{Forward: netsim.Endpoint, Reverse: netsim.Endpoint, OnDemand: true, Bytes: 100, Coalesce: time.Millisecond}
	left := 10
	cfg.OnDeliver = func(qdisc.Time, uint64) {
		if left--; left >= 0 {
			c.Write(uint64(2000 + 100*left))
		}
	}
	c = must(netsim.NewTCP(s, cfg))
	c.Start(0)
	s.Run(10 * second)
	assert.EqualValues(t, 100+10*2000+4500, c.Stats().Delivered)
	assert.Zero(t, c.Stats().Spurious)
	assert.Zero(t, c.Stats().Retransmitted)
	assert.Zero(t, s.Alive())
}
