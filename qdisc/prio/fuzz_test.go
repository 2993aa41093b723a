package prio_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/prio"
)

// naive is strict priority written down as it is said: ask each band in turn.
type naive struct {
	bands   []*naiveBand
	priomap [16]uint8
	now     qdisc.Time
	dropped []*qdisc.Packet
}

type naiveBand struct {
	kind    byte // what child returns
	packets []*qdisc.Packet
	opens   qdisc.Time
	parked  bool // the first packet
}

// The kinds of children, and their limits in packets.
const (
	tailDrop = iota
	headDrop
	gateKind
	pickyKind
	kinds
)

var naiveLimit = [kinds]int{4, 3, 1 << 20, 4}

func child(t *testing.T, kind byte) qdisc.Qdisc {
	switch kind {
	case gateKind:
		return &qtest.Gate{}
	case pickyKind:
		return &picky{}
	}
	f, err := fifo.New(fifo.Config{Limit: new(naiveLimit[kind]), HeadDrop: kind == headDrop})
	require.NoError(t, err)
	return f
}

func (n *naive) band(p *qdisc.Packet) *naiveBand {
	if p.Class >= 1 && int(p.Class) <= len(n.bands) {
		return n.bands[p.Class-1]
	}
	if p.Class != 0 {
		return n.bands[n.priomap[0]]
	}
	return n.bands[n.priomap[p.Priority%16]]
}

func (n *naive) enqueue(p *qdisc.Packet) qdisc.Verdict {
	b := n.band(p)
	if len(b.packets) >= naiveLimit[b.kind] {
		if b.kind != headDrop {
			n.dropped = append(n.dropped, p)
			return qdisc.Dropped
		}
		n.dropped = append(n.dropped, b.packets[0])
		b.packets = append(b.packets[1:], p)
		return qdisc.Congested
	}
	b.packets = append(b.packets, p)
	return qdisc.Queued
}

func (n *naive) next(take bool) *qdisc.Packet {
	for _, b := range n.bands {
		if len(b.packets) == 0 || n.now < b.opens {
			continue
		}
		for b.kind == pickyKind && !b.parked && len(b.packets) > 2 {
			n.dropped = append(n.dropped, b.packets[0])
			b.packets = b.packets[1:]
		}
		p := b.packets[0]
		b.parked = !take && b.kind == pickyKind
		if take {
			b.packets = b.packets[1:]
		}
		return p
	}
	return nil
}

func (n *naive) empty(b *naiveBand) {
	n.dropped = append(n.dropped, b.packets...)
	b.packets, b.parked = nil, false
}

func (n *naive) held() (packets int, bytes int64) {
	for _, b := range n.bands {
		packets += len(b.packets)
		for _, p := range b.packets {
			bytes += int64(p.Len)
		}
	}
	return packets, bytes
}

func (n *naive) readyAt() qdisc.Time {
	at := qdisc.Never
	for _, b := range n.bands {
		if len(b.packets) > 0 {
			at = min(at, max(n.now, b.opens))
		}
	}
	return at
}

// FuzzPrio runs a program of bytes, an operation and its operand each, over a
// Prio and the naive model, and compares them after every step.
func FuzzPrio(f *testing.F) {
	f.Add([]byte("\x00\x01\x00\x12\x00\x23\x01\x00\x02\x00\x01\x00"))
	f.Add([]byte("\x05\x21\x06\x31\x00\x01\x00\x11\x00\x02\x01\x00\x03\x20\x01\x00\x01\x00"))
	f.Add([]byte("\x04\x08\x00\x70\x00\x71\x04\x02\x04\x10\x00\xf0\x00\xf4\x04\x02\x01\x00\x01\x00"))
	f.Add([]byte("\x05\x30\x00\x01\x00\x02\x00\x03\x00\x04\x00\x05\x02\x00\x02\x00\x01\x00\x07\x00\x08\x05"))
	f.Fuzz(func(t *testing.T, program []byte) {
		program = program[:min(len(program), 1000)]
		var drops qdisc.List
		q := newPrio(t, prio.Config{Drops: &drops})
		n := &naive{priomap: prio.DefaultPriomap()}
		for class := range q.Children() {
			require.NoError(t, q.SetChild(class, child(t, tailDrop), 0))
			n.bands = append(n.bands, &naiveBand{})
		}
		for step := 0; len(program) >= 2; step++ {
			op, arg := program[0]%9, program[1]
			program = program[2:]
			class := uint32(arg>>4) % uint32(len(n.bands))
			b := n.bands[class]
			class++
			gaveNil := false
			switch op {
			case 0:
				p := &qdisc.Packet{Len: 1 + uint32(step), Class: uint32(arg >> 3), Priority: uint32(arg) * 7}
				require.Equal(t, n.enqueue(p), q.Enqueue(p, n.now))
			case 1:
				p := q.Dequeue(n.now)
				require.Same(t, n.next(true), p)
				gaveNil = p == nil
			case 2:
				p := q.Peek(n.now)
				require.Same(t, n.next(false), p)
				gaveNil = p == nil
			case 3: // time goes on, or a caller's clock lags
				n.now += qdisc.Time(arg)
				if arg%4 == 0 {
					require.Same(t, n.next(true), q.Dequeue(n.now))
					require.Same(t, n.next(false), q.Peek(n.now-qdisc.Time(arg)))
				}
			case 4:
				cfg := prio.Config{Bands: 2 + int(arg)%15, Priomap: new([16]uint8), Drops: &drops}
				for i := range cfg.Priomap {
					cfg.Priomap[i] = uint8((i + int(arg)) % cfg.Bands)
				}
				old := len(n.bands)
				require.NoError(t, q.Change(cfg, n.now))
				n.priomap = *cfg.Priomap
				for len(n.bands) > cfg.Bands {
					n.empty(n.bands[len(n.bands)-1])
					n.bands = n.bands[:len(n.bands)-1]
				}
				for len(n.bands) < cfg.Bands {
					n.bands = append(n.bands, &naiveBand{})
				}
				for k := old; k < cfg.Bands; k++ {
					require.NoError(t, q.SetChild(uint32(k+1), child(t, tailDrop), n.now))
				}
			case 5:
				n.empty(b)
				*b = naiveBand{kind: arg % kinds}
				require.NoError(t, q.SetChild(class, child(t, b.kind), n.now))
			case 6:
				if g, ok := q.Child(class).(*qtest.Gate); ok {
					b.opens = n.now + qdisc.Time(arg%16)*8 - 32
					g.Opens = b.opens
				}
				q.Sync(class, n.now)
			case 7: // the child is emptied directly
				if arg%2 == 0 {
					q.Child(class).Reset(n.now)
					n.empty(b)
				}
				q.Sync(class, n.now)
			case 8:
				n.now = qdisc.Time(arg)
				q.Reset(n.now)
				for _, b := range n.bands {
					n.empty(b)
				}
			}
			packets, bytes := n.held()
			if q.Len() != packets || q.Backlog() != bytes {
				t.Fatalf("holds %d packets, %d bytes; want %d, %d", q.Len(), q.Backlog(), packets, bytes)
			}
			if at := q.ReadyAt(n.now); at != n.readyAt() || gaveNil && at <= n.now {
				t.Fatalf("ReadyAt(%v) = %v, want %v", n.now, at, n.readyAt())
			}
			qtest.CheckSums(t, q)
			lost := 0
			for p := range drops.Drain() {
				if p.Reason == qdisc.NotDropped || !slices.Contains(n.dropped, p) {
					t.Fatalf("packet %d was lost with reason %q", p.Len, p.Reason)
				}
				lost++
			}
			if lost != len(n.dropped) {
				t.Fatalf("%d packets were lost, want %d", lost, len(n.dropped))
			}
			n.dropped = n.dropped[:0]
		}
	})
}
