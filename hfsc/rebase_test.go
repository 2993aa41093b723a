package hfsc

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// TestRebase: shares of 1, 2 and 4 bit/s, used as weights, come to virtual
// times beyond 2^62 soon. Packets leave in the order that they do with 2^8
// times the shares, where virtual times stay smaller.
func TestRebase(t *testing.T) {
	build := func(unit qdisc.Rate) *HFSC {
		q, err := New(Config{})
		require.NoError(t, err)
		for i := range 3 {
			require.NoError(t, q.AddClass(uint32(i+1), ClassConfig{LinkShare: Line(unit << i)}, 0))
		}
		return q
	}
	slow, fast := build(1), build(1<<8)
	rng := rand.New(rand.NewPCG(1, 1))
	rebased := 0
	last := uint64(0)
	for step := range 400_000 {
		if slow.Len() == 0 || rng.IntN(4) > 0 && slow.Len() < 200 {
			class, size := 1+rng.Uint32N(3), 1+rng.Uint32N(60_000)
			if rng.IntN(1000) == 0 {
				size = 1 << 26
			}
			for _, q := range []*HFSC{slow, fast} {
				q.Enqueue(&qdisc.Packet{Class: class, Len: size}, 0)
			}
			continue
		}
		p, want := slow.Dequeue(0), fast.Dequeue(0)
		require.Equal(t, want.Class, p.Class, "step %d", step)
		require.Equal(t, want.Len, p.Len)
		if now := slow.root.kids.cvtmin; now < last/2 && now != 0 {
			rebased++
		}
		last = slow.root.kids.cvtmin
		require.Less(t, last, uint64(3<<61))
	}
	assert.Greater(t, rebased, 3)
}

// TestVirtualTimeSaturates: shares so small that one packet takes longer than
// times can hold neither stall nor wrap.
func TestVirtualTimeSaturates(t *testing.T) {
	q, err := New(Config{})
	require.NoError(t, err)
	require.NoError(t, q.AddClass(1, ClassConfig{LinkShare: Line(1)}, 0))
	require.NoError(t, q.AddClass(2, ClassConfig{LinkShare: Line(1)}, 0))
	for range 20 {
		for class := range uint32(2) {
			q.Enqueue(&qdisc.Packet{Class: class + 1, Len: qdisc.MaxLen}, 0)
		}
	}
	sent := [3]int{}
	for range 20 {
		p := q.Dequeue(0)
		require.NotNil(t, p)
		sent[p.Class]++
	}
	assert.InDelta(t, sent[1], sent[2], 2)
}

// TestYearsOfService: counters of bytes that have wrapped, and curves begun
// long ago.
func TestYearsOfService(t *testing.T) {
	q, err := New(Config{})
	require.NoError(t, err)
	rate := Line(qdisc.Tbit)
	require.NoError(t, q.AddClass(1, ClassConfig{RealTime: rate}, 0))
	require.NoError(t, q.AddClass(2, ClassConfig{LinkShare: rate, UpperLimit: rate}, 0))
	var sent [3]uint64
	now := qdisc.Time(1e9)
	for class := range uint32(2) {
		for range 3 {
			q.Enqueue(&qdisc.Packet{Class: class + 1, Len: 1 << 30}, now)
		}
	}
	for _, c := range q.classes {
		// As if 2^64 - 2^31 bytes had been served: 4.7 years ago it began.
		c.total -= 1 << 31
		c.cumul -= 1 << 31
		for _, r := range []*runtime{&c.deadline, &c.virtual, &c.limit} {
			r.y -= 1 << 31
		}
	}
	start := now
	for now < start+10e9 {
		p := q.Dequeue(now)
		if p == nil {
			now = q.ReadyAt(now)
			continue
		}
		sent[p.Class] += uint64(p.Len)
		q.Enqueue(p, now)
	}
	for class := 1; class <= 2; class++ {
		assert.InEpsilon(t, 1.25e12, float64(sent[class]), 2e-3, "class %d", class)
	}
	assert.Less(t, q.classes[0].total, uint64(math.MaxUint64/2), "the counter has wrapped")
}
