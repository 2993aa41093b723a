package multiq_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/multiq"
)

// naive is the round written down as it is said: go from band to band, at most
// once around, and take the first packet there is.
type naive struct {
	bands   []*naiveBand
	current int // the band looked at last
	now     qdisc.Time
	dropped []*qdisc.Packet
}

type naiveBand struct {
	kind    byte
	packets []*qdisc.Packet
	opens   qdisc.Time
	stopped bool
}

// The kinds of children, and their limits in packets.
const (
	tailDrop = iota
	headDrop
	gateKind
	kinds
)

var naiveLimit = [kinds]int{4, 3, 1 << 20}

func child(t *testing.T, kind byte) qdisc.Qdisc {
	if kind == gateKind {
		return &qtest.Gate{}
	}
	f, err := fifo.New(fifo.Config{Limit: new(naiveLimit[kind]), HeadDrop: kind == headDrop})
	require.NoError(t, err)
	return f
}

func (n *naive) enqueue(p *qdisc.Packet) qdisc.Verdict {
	b := n.bands[0]
	if int(p.TxQueue) < len(n.bands) {
		b = n.bands[p.TxQueue]
	}
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
	at := n.current
	for range n.bands {
		at = (at + 1) % len(n.bands)
		b := n.bands[at]
		if b.stopped || len(b.packets) == 0 || n.now < b.opens {
			continue
		}
		p := b.packets[0]
		if take {
			b.packets = b.packets[1:]
			n.current = at
		}
		return p
	}
	return nil
}

func (n *naive) empty(b *naiveBand) {
	n.dropped = append(n.dropped, b.packets...)
	b.packets = nil
}

func (n *naive) resize(bands int) {
	for len(n.bands) > bands {
		n.empty(n.bands[len(n.bands)-1])
		n.bands = n.bands[:len(n.bands)-1]
	}
	for len(n.bands) < bands {
		n.bands = append(n.bands, &naiveBand{})
	}
	if n.current >= bands { // band 0 is next
		n.current = -1
	}
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
		switch {
		case len(b.packets) == 0:
		case b.stopped:
			at = min(at, qdisc.Blocked)
		default:
			at = min(at, max(n.now, b.opens))
		}
	}
	return at
}

// FuzzMultiq runs a program of bytes, an operation and its operand each, over
// a Multiq and the naive model, and compares them after every step.
func FuzzMultiq(f *testing.F) {
	f.Add([]byte("\x00\x01\x00\x02\x00\x03\x01\x00\x02\x00\x01\x00"))
	f.Add([]byte("\x05\x02\x06\x31\x00\x00\x00\x01\x00\x02\x01\x00\x03\x20\x01\x00\x01\x00"))
	f.Add([]byte("\x04\x04\x00\x00\x00\x03\x00\x05\x04\x01\x04\x07\x00\x02\x04\x00\x01\x00\x01\x00"))
	f.Add([]byte("\x09\x00\x09\x01\x00\x00\x00\x01\x00\x02\x01\x00\x01\x00\x0a\x01\x01\x00\x08\x05\x0a\x00"))
	sizes := [...]int{1, 2, 3, 8, 63, 64, 65, 130}
	f.Fuzz(func(t *testing.T, program []byte) {
		program = program[:min(len(program), 1000)]
		var drops qdisc.List
		limit := naiveLimit[tailDrop]
		q, n := newMultiq(t, multiq.Config{Bands: 3, Limit: &limit, Drops: &drops}), &naive{}
		n.resize(3)
		for step := 0; len(program) >= 2; step++ {
			op, arg := program[0]%11, program[1]
			program = program[2:]
			band := int(arg) % len(n.bands)
			b, class := n.bands[band], uint32(band+1)
			gaveNil := false
			switch op {
			case 0: // the last number is of no band
				p := packet(int(arg)%(len(n.bands)+1), uint32(step+1))
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
				n.resize(sizes[int(arg)%len(sizes)])
				require.NoError(t, q.Change(multiq.Config{Bands: len(n.bands), Limit: &limit, Drops: &drops}, n.now))
			case 5:
				n.empty(b)
				*b = naiveBand{kind: arg % kinds, stopped: b.stopped}
				require.NoError(t, q.SetChild(class, child(t, b.kind), n.now))
			case 6: // a shaper's time changes
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
				n.now, n.current = qdisc.Time(arg), 0
				q.Reset(n.now)
				for _, b := range n.bands {
					n.empty(b)
				}
			case 9:
				q.Stop(band)
				b.stopped = true
			case 10:
				q.Wake(band)
				b.stopped = false
			}
			packets, bytes := n.held()
			if q.Len() != packets || q.Backlog() != bytes {
				t.Fatalf("holds %d packets, %d bytes; want %d, %d", q.Len(), q.Backlog(), packets, bytes)
			}
			if at := q.ReadyAt(n.now); at != n.readyAt() || gaveNil && at <= n.now {
				// Where too many children would have to be asked it says now.
				if at != n.now || len(n.bands) < 64 || gaveNil {
					t.Fatalf("ReadyAt(%v) = %v, want %v", n.now, at, n.readyAt())
				}
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
