package hfsc_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/qdisc"
)

// TestFlatAfterTheFirstPiece: a curve of second slope 0 never gets beyond its
// first piece, not even by one byte.
func TestFlatAfterTheFirstPiece(t *testing.T) {
	const first = 2500 // bytes
	rt := hfsc.Curve{M1: qdisc.Mbit, D: 20 * time.Millisecond, M2: 0}
	for _, beyond := range []uint32{0, 1, 2, 1000} {
		q := newHFSC(t, hfsc.Config{})
		add(t, q, 1, hfsc.ClassConfig{RealTime: rt, LinkShare: hfsc.Line(qdisc.Mbit)})
		fill(t, q, 1, 3, first+beyond, s)
		if beyond > 0 {
			assert.Equal(t, uint64(math.MaxUint64), stats(t, q, 1).Deadline)
		} else {
			assert.Equal(t, uint64(s+20*ms), stats(t, q, 1).Deadline)
		}
		for range 3 {
			assert.NotNil(t, q.Dequeue(10*s))
		}
		st := stats(t, q, 1)
		if beyond > 0 {
			assert.EqualValues(t, 1, st.RealTime.Packets, "%d bytes beyond", beyond)
		} else {
			assert.EqualValues(t, 2, st.RealTime.Packets, "the second becomes eligible at the end of the first piece")
		}
	}
}

// TestLinuxMeanWraps: with a slope of 0 from the start Linux's virtual time is
// 2^64-1, and its mean with another is formed in 64 bits.
func TestLinuxMeanWraps(t *testing.T) {
	q := newHFSC(t, hfsc.Config{Compat: qdisc.Linux})
	add(t, q, 1, hfsc.ClassConfig{LinkShare: hfsc.Curve{M1: qdisc.Mbit}})
	for class := uint32(2); class <= 3; class++ {
		add(t, q, class, hfsc.ClassConfig{LinkShare: hfsc.Line(qdisc.Mbit)})
	}
	fill(t, q, 1, 2, 1000, 0)
	fill(t, q, 2, 3, 1000, 0)
	for _, class := range []uint32{1, 2, 2} {
		assert.Equal(t, class, q.Dequeue(0).Class)
	}
	assert.Equal(t, uint64(math.MaxUint64), stats(t, q, 1).VirtualTime)
	fill(t, q, 3, 1, 1000, 0)
	const ticks = 8_000_000 / 64 // of 1000 bytes, the smallest virtual time
	assert.EqualValues(t, (ticks-1)/2, stats(t, q, 3).VirtualTime)
}
