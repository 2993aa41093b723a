package cake

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// TestFlowsHaveQueues: of 100 flows on 1024 queues, in sets of 8, none shares
// one; by plain hashing 9 would.
func TestFlowsHaveQueues(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		c := mustNew(t, Config{Diffserv: BestEffort})
		seen := map[uint16]bool{}
		for range 100 {
			p := &qdisc.Packet{Len: 100, Flow: r.Uint32(), Proto: 17}
			seen[c.find(&c.tins[0], p)] = true
			c.Enqueue(p, s)
		}
		require.Len(t, seen, 100)
		tin := c.Stats().Tins[0]
		assert.EqualValues(t, [2]uint64{100, 0}, [2]uint64{tin.WayMisses, tin.WayShared})
		require.NoError(t, c.check())
	}
}

// TestSetOfEight: nine flows of one home: eight have queues, one shares that
// of the home.
func TestSetOfEight(t *testing.T) {
	c := mustNew(t, Config{Diffserv: BestEffort, Isolation: DualSrcHost})
	tin := &c.tins[0]
	for i := range uint32(9) {
		p := &qdisc.Packet{Len: 100, Flow: i<<10 | 21, SrcHost: i, Proto: 17}
		want := uint16(16 + (5+i)%8)
		assert.Equal(t, want, c.find(tin, p))
		c.Enqueue(p, s)
		require.NoError(t, c.check())
	}
	st := c.Stats().Tins[0]
	assert.EqualValues(t, 8, st.WayMisses)
	// Enqueue found what find had marked: but not the ninth flow's, whose
	// queue was in use already, nor those away from home directly.
	assert.EqualValues(t, 1, st.WayShared)
	assert.EqualValues(t, 7, st.WayHits)
}

// TestFlowDefinitions: what is a flow in each mode.
func TestFlowDefinitions(t *testing.T) {
	a := qdisc.Packet{Flow: 1, SrcHost: 10, DstHost: 20}
	for mode, differs := range map[Isolation][4]bool{ // from one of another flow, source, destination, and both hosts swapped
		Flowblind: {}, SrcHost: {false, true, false, true}, DstHost: {false, false, true, true}, Hosts: {false, true, true, false},
		Flows: {true}, DualSrcHost: {true}, DualDstHost: {true}, TripleIsolate: {true},
	} {
		for k, b := range []qdisc.Packet{
			{Flow: 2, SrcHost: 10, DstHost: 20}, {Flow: 1, SrcHost: 11, DstHost: 20}, {Flow: 1, SrcHost: 10, DstHost: 21}, {Flow: 1, SrcHost: 20, DstHost: 10},
		} {
			c := mustNew(t, Config{Isolation: mode})
			assert.Equal(t, differs[k], c.find(&c.tins[0], &a) != c.find(&c.tins[0], &b), "%v: %d", mode, k)
		}
	}
}

// TestHashZero: to Linux an unused queue looks like one of a flow with hash 0.
func TestHashZero(t *testing.T) {
	for compat, misses := range map[qdisc.Compat]uint64{qdisc.Exact: 1, qdisc.Linux: 0} {
		c := mustNew(t, Config{Compat: compat})
		c.Enqueue(&qdisc.Packet{Len: 1, Proto: 6}, s)
		assert.Equal(t, misses, c.Stats().Tins[1].WayMisses)
	}
}

// TestDice: shares of less than a byte come out right on average, and Linux's
// quantum of a lone flow is short by one most of the time.
func TestDice(t *testing.T) {
	for _, tt := range []struct {
		compat qdisc.Compat
		load   uint16
		want   float64
	}{
		{qdisc.Exact, 1, 1514}, {qdisc.Exact, 7, 1514.0 / 7}, {qdisc.Exact, 1024, 1514.0 / 1024},
		{qdisc.Linux, 1, 1514 * 65535.0 / 65536}, {qdisc.Linux, 7, 1514 * 9362.0 / 65536}, {qdisc.Linux, 1024, 1514 * 63.0 / 65536},
	} {
		c := mustNew(t, Config{Isolation: DualSrcHost, Compat: tt.compat})
		tin := &c.tins[0]
		tin.src.bulk[3] = tt.load
		const rounds = 100_000
		f := &turn{src: 3, deficit: -1}
		for range rounds {
			c.grant(tin, f)
		}
		assert.InEpsilon(t, tt.want, float64(f.deficit)/rounds, 2e-3, "%+v", tt)
	}
}

// TestSparseFirst: a new flow goes before those that were served already.
func TestSparseFirst(t *testing.T) {
	for _, compat := range compats {
		c := mustNew(t, Config{Diffserv: BestEffort, Compat: compat})
		for range 20 {
			c.Enqueue(&qdisc.Packet{Len: 1500, Flow: 1, Proto: 17}, s)
		}
		for range 5 {
			require.NotNil(t, c.Dequeue(s))
		}
		c.Enqueue(&qdisc.Packet{Len: 100, Flow: 2, Proto: 17}, s)
		assert.EqualValues(t, 2, c.Dequeue(s).Flow)
		assert.EqualValues(t, 1, c.Dequeue(s).Flow)
		st := c.Stats().Tins[0]
		assert.EqualValues(t, [2]uint32{1, 1}, [2]uint32{st.SparseFlows, st.BulkFlows})
	}
}

// TestHugePackets: the rounds that a packet of 1 GB takes are made at once.
func TestHugePackets(t *testing.T) {
	for _, compat := range compats {
		for _, rate := range []qdisc.Rate{0, 100 * qdisc.Mbit} {
			c := mustNew(t, Config{Bandwidth: rate, MemoryLimit: 1 << 50, Compat: compat})
			for i := range uint32(30) {
				c.Enqueue(&qdisc.Packet{Len: qdisc.MaxLen, Flow: i % 10, Proto: 17, DSField: uint8(i%3) * 8 << 2}, s)
			}
			now := s
			for c.Len() > 0 {
				if c.Dequeue(now) == nil {
					now = c.ReadyAt(now)
				}
			}
			require.NoError(t, c.check())
		}
	}
}
