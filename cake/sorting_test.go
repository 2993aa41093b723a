package cake

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// TestMarkBeforeClassify: and both before the DSCP; numbers that are no tin's do
// not count, nor does either with one tin.
func TestMarkBeforeClassify(t *testing.T) {
	for _, tt := range []struct {
		mark, class uint32
		want        string
	}{
		{0x10, 3, "Bulk"}, {0x20, 3, "Best Effort"}, {0x30, 1, "Voice"}, {0x40, 3, "Voice"}, {0xf0, 1, "Bulk"},
		{0x0f, 1, "Bulk"}, {0, 0, "Voice"}, {0, 4, "Voice"}, {0, 1 << 31, "Voice"},
	} {
		c := mustNew(t, Config{FwMark: 0xf0, Classify: func(p *qdisc.Packet) uint32 { return p.Class }})
		c.Enqueue(&qdisc.Packet{Len: 1, Proto: 6, DSField: 46 << 2, Mark: tt.mark, Class: tt.class}, s)
		for _, tin := range c.Stats().Tins {
			assert.Equal(t, tin.Name == tt.want, tin.Packets == 1, "%+v: %s", tt, tin.Name)
		}
	}
	c := mustNew(t, Config{FwMark: 0xf0, Diffserv: BestEffort})
	c.Enqueue(&qdisc.Packet{Len: 1, Mark: 0x30}, s)
	assert.EqualValues(t, 1, c.Stats().Tins[0].Packets)
}

// TestWash: the tin is chosen first, ECN stays.
func TestWash(t *testing.T) {
	c := mustNew(t, Config{Wash: true})
	p := &qdisc.Packet{Len: 1, Proto: 6, DSField: 46<<2 | qdisc.ECT1}
	c.Enqueue(p, s)
	assert.EqualValues(t, qdisc.ECT1, p.DSField)
	assert.EqualValues(t, 1, c.Stats().Tins[2].Packets)
}

// TestWashSegments: each is washed, and the whole is not before it is cut.
func TestWashSegments(t *testing.T) {
	var segs []*qdisc.Packet
	c := mustNew(t, Config{Wash: true, Split: func(p *qdisc.Packet, list *qdisc.List) {
		assert.EqualValues(t, 46<<2|qdisc.ECT0, p.DSField)
		for range p.Segs {
			s := &qdisc.Packet{Len: 100, Proto: p.Proto, DSField: p.DSField}
			segs = append(segs, s)
			list.Push(s)
		}
	}})
	c.Enqueue(&qdisc.Packet{Len: 300, Segs: 3, Proto: 6, DSField: 46<<2 | qdisc.ECT0}, s)
	require.Len(t, segs, 3)
	for _, p := range segs {
		assert.EqualValues(t, qdisc.ECT0, p.DSField)
	}
	assert.EqualValues(t, 3, c.Stats().Tins[2].Packets)
}

// TestWashRefused: what is refused stays as it came.
func TestWashRefused(t *testing.T) {
	var whole qdisc.List
	c := mustNew(t, Config{Wash: true, MemoryLimit: 100, Split: func(p *qdisc.Packet, list *qdisc.List) {
		list.Push(&qdisc.Packet{Len: 200, DSField: p.DSField, Proto: p.Proto})
		whole.Push(p)
	}})
	var drops qdisc.List
	cfg := c.Config()
	cfg.Drops = &drops
	require.NoError(t, c.Change(cfg, s))
	for _, p := range []*qdisc.Packet{{Len: 101}, {Len: 100, Segs: 2}} {
		p.DSField, p.Proto = 46<<2, 6
		require.Equal(t, qdisc.Dropped, c.Enqueue(p, s))
		assert.EqualValues(t, 46<<2, drops.Pop().DSField)
	}
}

// TestNotIP: ARP goes with network control.
func TestNotIP(t *testing.T) {
	c := mustNew(t, Config{})
	c.Enqueue(&qdisc.Packet{Len: 60}, s)
	assert.EqualValues(t, 1, c.Stats().Tins[2].Packets)
}
