package qdisc_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"

	"github.com/netsched/netsched/qdisc"
)

// TestPacketSize: a packet and the caller's 24 bytes beside it fit two cache
// lines.
func TestPacketSize(t *testing.T) {
	assert.LessOrEqual(t, unsafe.Sizeof(qdisc.Packet{}), uintptr(104))
}

func TestMisuse(t *testing.T) {
	var list, drops qdisc.List
	var b qdisc.Base
	linked := new(qdisc.Packet)
	drops.Push(linked)
	const twice, none = "qdisc: the packet is already in a discipline or a list", "qdisc: nil *Packet"
	assert.PanicsWithValue(t, none, func() { list.Push(nil) })
	assert.PanicsWithValue(t, twice, func() { list.Push(linked) })
	assert.PanicsWithValue(t, none, func() { b.Arrive(nil, 0) })
	assert.PanicsWithValue(t, twice, func() { b.Arrive(linked, 0) })
	b.Park(drops.Pop())
	assert.PanicsWithValue(t, twice, func() { list.Push(linked) }, "a parked packet is linked")
	assert.Same(t, linked, b.Unpark())
	assert.NotPanics(t, func() { list.Push(linked) })
}

func TestValue(t *testing.T) {
	type frame struct{ qdisc.Packet }
	f := new(frame)
	f.Payload = f
	assert.Same(t, f, qdisc.Value[*frame](&f.Packet))
	assert.Panics(t, func() { qdisc.Value[*int](&f.Packet) })
}

func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for r := range qdisc.NumReasons {
		assert.NotEmpty(t, r.String())
		seen[r.String()] = true
	}
	assert.Len(t, seen, int(qdisc.NumReasons))
	assert.Equal(t, "unknown reason", qdisc.NumReasons.String())
	assert.Equal(t, "unknown verdict", qdisc.Verdict(3).String())
	for v, name := range []string{"queued", "dropped", "congested"} {
		assert.Equal(t, name, qdisc.Verdict(v).String())
	}
	assert.Equal(t, "exact", qdisc.Exact.String())
	assert.Equal(t, "linux", qdisc.Linux.String())
}
