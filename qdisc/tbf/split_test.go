package tbf_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/tbf"
)

// cut makes p its own first segment and appends new packets for the rest.
func cut(p *qdisc.Packet, segs *qdisc.List) {
	n, size := p.Segs, uint32(p.SegSize)
	p.Len, p.Segs = size, 1
	segs.Push(p)
	for range n - 1 {
		segs.Push(packet(size))
	}
}

func super(segs, size uint16) *qdisc.Packet {
	return &qdisc.Packet{Len: uint32(segs) * uint32(size), Segs: segs, SegSize: size}
}

func TestSplit(t *testing.T) {
	var drops qdisc.List
	q := mustNew(t, tbf.Config{Rate: byteAMs, Burst: 1500, Split: cut, Drops: &drops})
	require.Equal(t, qdisc.Queued, q.Enqueue(super(10, 1448), 0))
	assert.Equal(t, 10, q.Len())
	assert.EqualValues(t, 14480, q.Backlog())
	st := q.ReadStats()
	assert.EqualValues(t, 1, st.Received)
	assert.EqualValues(t, 9, st.Split)
	assert.EqualValues(t, 10, st.Queued)
	assert.True(t, drops.Empty())
	qtest.Balanced(t, q)
}

// TestSplitOnlyWhatIsTooLong: a super-packet that the bucket holds passes whole.
func TestSplitOnlyWhatIsTooLong(t *testing.T) {
	q := mustNew(t, tbf.Config{Rate: byteAMs, Burst: 20000, Split: cut})
	require.Equal(t, qdisc.Queued, q.Enqueue(super(10, 1448), 0))
	assert.Equal(t, 1, q.Len())
	p := q.Dequeue(0)
	require.NotNil(t, p)
	assert.EqualValues(t, 10, p.Segs)
}

// TestPartlyRefusedSuperPacket (bug 25): parents' counters went below zero
// when a segment was refused.
func TestPartlyRefusedSuperPacket(t *testing.T) {
	var drops qdisc.List
	q := mustNew(t, tbf.Config{Rate: byteAMs, Burst: 1600, LimitBytes: new(int64(3 * 1448)), Split: cut})
	parent := mustNew(t, tbf.Config{Rate: qdisc.Tbit, Burst: 1e6, Child: q, Drops: &drops})
	require.Equal(t, qdisc.Congested, parent.Enqueue(super(10, 1448), 0))
	for _, x := range []*tbf.TBF{q, parent} {
		assert.Equal(t, 3, x.Len())
		assert.EqualValues(t, 3*1448, x.Backlog())
		st := x.ReadStats()
		assert.EqualValues(t, 1, st.Received)
		assert.EqualValues(t, 9, st.Split)
		assert.EqualValues(t, 3, st.Queued)
		assert.EqualValues(t, 7, st.Refused)
		qtest.Balanced(t, x)
	}
	assert.Equal(t, 7, drops.Len())
	for p := range drops.Drain() {
		assert.Equal(t, qdisc.Overlimit, p.Reason)
		assert.EqualValues(t, 1448, p.Len)
	}
	now := qdisc.Time(0)
	for range 3 {
		_, now = next(t, parent, now)
	}
	for _, x := range []*tbf.TBF{q, parent} {
		assert.Zero(t, x.Len())
		assert.Zero(t, x.Backlog())
		qtest.Balanced(t, x)
	}
	require.Equal(t, qdisc.Queued, parent.Enqueue(packet(1), now))
	require.Equal(t, qdisc.Dropped, parent.Enqueue(super(3, 1601), now), "segments too long themselves")
	require.Equal(t, 1, parent.Len())
	qtest.Balanced(t, parent)
}

func TestSplitVerdicts(t *testing.T) {
	ordinary := func(p *qdisc.Packet, segs *qdisc.List) { t.Fatal("an ordinary packet is not cut") }
	tests := []struct {
		name    string
		limit   int64
		p       *qdisc.Packet
		split   func(*qdisc.Packet, *qdisc.List)
		verdict qdisc.Verdict
		held    int
		reasons []qdisc.Reason
	}{
		{"no Split", 9000, super(3, 500), nil, qdisc.Dropped, 0, []qdisc.Reason{qdisc.TooLong}},
		{"not a super-packet", 9000, packet(1500), ordinary, qdisc.Dropped, 0, []qdisc.Reason{qdisc.TooLong}},
		{"one segment", 9000, super(1, 1500), ordinary, qdisc.Dropped, 0, []qdisc.Reason{qdisc.TooLong}},
		{"Split declines", 9000, super(3, 500), func(*qdisc.Packet, *qdisc.List) {}, qdisc.Dropped, 0, []qdisc.Reason{qdisc.TooLong}},
		{"all fit", 1500, super(3, 500), cut, qdisc.Queued, 3, nil},
		{"last refused", 1499, super(3, 500), cut, qdisc.Congested, 2, []qdisc.Reason{qdisc.Overlimit}},
		{"all refused", 499, super(3, 500), cut, qdisc.Dropped, 0, []qdisc.Reason{qdisc.Overlimit, qdisc.Overlimit, qdisc.Overlimit}},
		{"one too long", 9000, super(3, 500), func(p *qdisc.Packet, segs *qdisc.List) {
			cut(p, segs)
			segs.Push(packet(1001))
		}, qdisc.Congested, 3, []qdisc.Reason{qdisc.TooLong}},
		{"segments that are super-packets themselves", 9000, super(3, 500), func(p *qdisc.Packet, segs *qdisc.List) {
			segs.Push(p)
		}, qdisc.Dropped, 0, []qdisc.Reason{qdisc.TooLong}},
		{"longer than any packet", 9000, &qdisc.Packet{Len: 1<<32 - 1, Segs: 2, SegSize: 700}, cut, qdisc.Queued, 2, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var drops qdisc.List
			q := mustNew(t, tbf.Config{Rate: 1, Burst: 1000, LimitBytes: new(tt.limit), Split: tt.split, Drops: &drops})
			assert.Equal(t, tt.verdict, q.Enqueue(tt.p, 0))
			assert.Equal(t, tt.held, q.Len())
			var reasons []qdisc.Reason
			for p := range drops.Drain() {
				reasons = append(reasons, p.Reason)
			}
			assert.Equal(t, tt.reasons, reasons)
			qtest.Balanced(t, q)
		})
	}
}

// TestSplitKeepsTheChildsVerdict: a head-drop child makes room for segments.
func TestSplitKeepsTheChildsVerdict(t *testing.T) {
	leaf, err := fifo.New(fifo.Config{Limit: new(2), HeadDrop: true})
	require.NoError(t, err)
	q := mustNew(t, tbf.Config{Rate: 1, Burst: 1000, Child: leaf, Split: cut})
	assert.Equal(t, qdisc.Congested, q.Enqueue(super(3, 500), 0))
	assert.Equal(t, 2, q.Len())
	assert.EqualValues(t, 1, q.ReadStats().Dropped)
	qtest.Balanced(t, q)
}
