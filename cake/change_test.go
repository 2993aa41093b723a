package cake

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// crowd enqueues n packets of many flows, hosts and DSCPs, numbered by Mark.
func crowd(t *testing.T, c *Cake, n int, now qdisc.Time) {
	for i := range n {
		f := uint32(i % 40)
		p := &qdisc.Packet{
			Len: 1000, Flow: f * 0x9e3779b1, SrcHost: f % 5, DstHost: f % 3, Mark: uint32(i), Proto: 17,
			DSField: []uint8{0, 8, 46, 34, 1, 48, 26, 10}[i%8] << 2,
		}
		require.Equal(t, qdisc.Queued, c.Enqueue(p, now))
	}
}

// TestChangeOfTins: in the default no packet is lost, flows keep their order,
// and packets their age. Linux throws away those of tins that are gone.
func TestChangeOfTins(t *testing.T) {
	for _, compat := range compats {
		for _, to := range []Diffserv{BestEffort, Diffserv3, Diffserv4, Precedence} {
			var drops qdisc.List
			c := mustNew(t, Config{Diffserv: Diffserv8, RTT: time.Second, Drops: &drops, Compat: compat})
			crowd(t, c, 400, s)
			cfg := c.Config()
			cfg.Diffserv = to
			require.NoError(t, c.Change(cfg, 2*s))
			require.NoError(t, c.check())
			lost := drops.Len()
			if compat == qdisc.Exact || to == Precedence {
				assert.Zero(t, lost)
			} else {
				assert.Positive(t, lost)
			}
			assert.EqualValues(t, lost, c.ReadStats().Purged)
			last := map[uint32]uint32{}
			for p := c.Dequeue(2 * s); p != nil; p = c.Dequeue(2 * s) {
				key := p.Flow + uint32(p.DSField) // a flow may stand in several tins
				assert.GreaterOrEqual(t, p.Mark, last[key])
				last[key] = p.Mark
				assert.Equal(t, s, p.Stamp)
			}
			assert.EqualValues(t, 400-lost-int(c.ReadStats().Dropped), c.ReadStats().Dequeued)
		}
	}
}

// TestChangeOfIsolation: hosts' counts are right again at once. Linux, which
// only ever lowers the counts that the present mode uses, leaves some behind.
func TestChangeOfIsolation(t *testing.T) {
	sum := func(h *hosts) (n int) {
		for _, b := range h.bulk {
			n += int(b)
		}
		return n
	}
	for _, compat := range compats {
		c := mustNew(t, Config{Diffserv: BestEffort, RTT: 100 * time.Second, Compat: compat})
		set := func(i Isolation) {
			cfg := c.Config()
			cfg.Isolation = i
			require.NoError(t, c.Change(cfg, s))
		}
		crowd(t, c, 400, s)
		for range 200 { // until the flows are bulk
			require.NotNil(t, c.Dequeue(s))
		}
		tin := &c.tins[0]
		require.EqualValues(t, 40, tin.bulk)
		require.Equal(t, 40, sum(&tin.src))
		set(Flows)
		require.NoError(t, c.check())
		for c.Len() > 0 {
			require.NotNil(t, c.Dequeue(s))
		}
		for i := range qdisc.Time(100) {
			c.Dequeue(s + i)
		}
		set(TripleIsolate)
		require.NoError(t, c.check())
		if compat == qdisc.Linux {
			assert.Equal(t, 40, sum(&tin.src), "of flows that are gone")
		} else {
			assert.Zero(t, sum(&tin.src))
		}
	}
}

// TestChangeRecounts: with the packets still there.
func TestChangeRecounts(t *testing.T) {
	c := mustNew(t, Config{RTT: 100 * time.Second})
	crowd(t, c, 400, s)
	for range 100 {
		c.Dequeue(s)
	}
	for i := range Isolation(8) {
		cfg := c.Config()
		cfg.Isolation = i
		require.NoError(t, c.Change(cfg, s))
		require.NoError(t, c.check())
		for range 30 {
			require.NotNil(t, c.Dequeue(s))
			require.NoError(t, c.check())
		}
	}
}

// TestAllInOneQueue: the sum of their lengths has more than 32 bits.
func TestAllInOneQueue(t *testing.T) {
	for _, compat := range compats {
		c := mustNew(t, Config{Diffserv: BestEffort, RTT: MaxTime, Compat: compat})
		const n = 10
		for i := range uint32(n) {
			c.Enqueue(&qdisc.Packet{Len: qdisc.MaxLen, Truesize: 1, Flow: i, Proto: 17}, s)
		}
		cfg := c.Config()
		cfg.Isolation = Flowblind
		require.NoError(t, c.Change(cfg, s))
		for i := range uint32(n) {
			require.Equal(t, qdisc.Queued, c.Enqueue(&qdisc.Packet{Len: qdisc.MaxLen, Truesize: 1, Flow: i, Proto: 17}, s))
			require.NoError(t, c.check())
		}
		if compat == qdisc.Exact {
			assert.Equal(t, uint64(2*n*qdisc.MaxLen), c.tins[0].queue[0].backlog)
		}
		cfg.MemoryLimit = 1 // the heap has them
		require.NoError(t, c.Change(cfg, s))
		c.Enqueue(&qdisc.Packet{Len: 1, Proto: 17}, s)
		require.NoError(t, c.check())
		assert.Equal(t, 1, c.Len())
	}
}

// TestEarlyLengths: of packets that are lost none is remembered, wherever they
// are lost.
func TestEarlyLengths(t *testing.T) {
	for name, lose := range map[string]func(c *Cake, cfg Config){
		"reset": func(c *Cake, cfg Config) { c.Reset(s) },
		"change": func(c *Cake, cfg Config) {
			cfg.Diffserv = BestEffort
			_ = c.Change(cfg, s)
			for range 40 {
				c.Dequeue(s)
			}
		},
		"memory": func(c *Cake, cfg Config) {
			cfg.MemoryLimit = 1
			_ = c.Change(cfg, s)
			c.Enqueue(&qdisc.Packet{Len: 1, Proto: 17}, s)
		},
		"COBALT": func(c *Cake, cfg Config) {
			for c.Len() > 0 {
				c.Dequeue(100 * s)
			}
		},
		"filter": func(c *Cake, cfg Config) {
			cfg.Header, cfg.AckFilter = bytesOf, FilterAcks
			_ = c.Change(cfg, s)
			for i := range uint32(3) {
				h := &header{ack: i}
				h.write()
				c.Enqueue(&qdisc.Packet{Payload: h, Len: 40, Flow: 7, Proto: protoTCP}, s)
				if i == 1 { // one that a later one makes superfluous
					cfg.Overhead = new(2)
					_ = c.Change(cfg, s)
				}
			}
			for c.Len() > 0 {
				c.Dequeue(s)
			}
		},
	} {
		c := mustNew(t, Config{Compat: qdisc.Linux})
		crowd(t, c, 40, s)
		cfg := c.Config()
		cfg.Overhead = new(1)
		require.NoError(t, c.Change(cfg, s))
		require.Len(t, c.early, 40)
		lose(c, cfg)
		require.Less(t, c.Len(), 2)
		assert.Empty(t, c.early, name)
	}
}

// TestChangeOfFraming: the default charges a packet as the line is when it
// leaves, Linux as it was when the packet came.
func TestChangeOfFraming(t *testing.T) {
	for compat, want := range map[qdisc.Compat]qdisc.Time{qdisc.Exact: 1040, qdisc.Linux: 1000} {
		c := mustNew(t, Config{Bandwidth: 8 * qdisc.Gbit, Target: 10 * time.Second, Compat: compat})
		a, b, x := &qdisc.Packet{Len: 1000, Proto: 17}, &qdisc.Packet{Len: 1000, Proto: 17}, &qdisc.Packet{Len: 1000, Proto: 17}
		c.Enqueue(a, s)
		c.Enqueue(b, s)
		cfg := c.Config()
		cfg.Overhead = new(40)
		require.NoError(t, c.Change(cfg, s))
		assert.Equal(t, [2]uint32{65535, 0}, [2]uint32{c.Stats().MinNet, c.Stats().MaxNet})
		c.Enqueue(x, s)
		require.Same(t, a, c.Dequeue(s))
		require.Equal(t, s+want, c.ReadyAt(s))
		c.Enqueue(a, s)
		require.Same(t, b, c.Dequeue(2*s))
		require.Same(t, x, c.Dequeue(2*s))
		require.Same(t, a, c.Dequeue(2*s))
		assert.Equal(t, s+2*want+2*1040, c.line.next, "none is charged twice as it was")
		assert.Nil(t, c.early)
	}
}

// TestRejectedChange: all or nothing.
func TestRejectedChange(t *testing.T) {
	c := mustNew(t, Config{Bandwidth: qdisc.Mbit})
	before := c.Config()
	crowd(t, c, 10, s)
	bad := before
	bad.Bandwidth, bad.Diffserv, bad.MTU = 5*qdisc.Mbit, 77, -1
	require.Error(t, c.Change(bad, s))
	other := before
	other.Compat = qdisc.Linux
	require.Error(t, c.Change(other, s))
	after := c.Config()
	assert.Equal(t, before.String(), after.String())
	assert.Equal(t, 10, c.Len())
}

// TestCurrentTin: Linux is left at tin 7 by a change or a reset with fewer.
func TestCurrentTin(t *testing.T) {
	for compat, want := range map[qdisc.Compat]int{qdisc.Exact: 0, qdisc.Linux: 7} {
		c := mustNew(t, Config{Diffserv: Diffserv3, Compat: compat})
		assert.Equal(t, want, c.current)
		crowd(t, c, 40, s)
		for c.Len() > 0 {
			require.NotNil(t, c.Dequeue(s))
		}
		c.Reset(s)
		assert.Equal(t, want, c.current)
	}
	c := mustNew(t, Config{Diffserv: Precedence})
	c.current = 6
	cfg := c.Config()
	cfg.Diffserv = Diffserv8
	require.NoError(t, c.Change(cfg, s))
	assert.Equal(t, 6, c.current, "it is still there")
}
