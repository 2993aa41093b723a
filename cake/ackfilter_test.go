package cake

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// header is a TCP packet as the tests write it.
type header struct {
	v6      bool
	port    uint16
	flags   uint16 // 0: ACK
	ack     uint32
	options []byte
	payload int
	proto   uint8 // 0: TCP
	bytes   []byte
}

func (h *header) write() {
	options := h.options
	for len(options)%4 != 0 {
		options = append(options, optEOL)
	}
	tcp := make([]byte, 20, 60)
	binary.BigEndian.PutUint16(tcp, h.port)
	binary.BigEndian.PutUint32(tcp[8:], h.ack)
	if h.flags == 0 {
		h.flags = flagACK
	}
	binary.BigEndian.PutUint16(tcp[12:], uint16(20+len(options))/4<<12|h.flags)
	tcp = append(tcp, options...)
	if h.proto == 0 {
		h.proto = protoTCP
	}
	ip := make([]byte, 20)
	if h.v6 {
		ip = make([]byte, 40)
		ip[0], ip[6] = 0x60, h.proto
		binary.BigEndian.PutUint16(ip[4:], uint16(len(tcp)+h.payload))
	} else {
		ip[0], ip[9] = 0x45, h.proto
		binary.BigEndian.PutUint16(ip[2:], uint16(20+len(tcp)+h.payload))
	}
	h.bytes = append(ip, tcp...)
}

func stamp(val, echo uint32) []byte {
	b := []byte{optNOP, optNOP, optTimestamp, 10}
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(b, val), echo)
}

func sack(edges ...uint32) []byte {
	b := []byte{optNOP, optNOP, optSACK, byte(2 + 4*len(edges))}
	for _, e := range edges {
		b = binary.BigEndian.AppendUint32(b, e)
	}
	return b
}

func bytesOf(p *qdisc.Packet) []byte { return p.Payload.(*header).bytes }

// filtered returns which packets of one queue are dropped, each as the ones
// after it arrive.
func filtered(t *testing.T, mode AckFilter, queue ...header) (dropped []int) {
	t.Helper()
	var drops qdisc.List
	c := mustNew(t, Config{AckFilter: mode, Header: bytesOf, Drops: &drops})
	for i := range queue {
		h := &queue[i]
		h.write()
		n := uint32(len(h.bytes) + h.payload)
		require.Equal(t, qdisc.Queued, c.Enqueue(&qdisc.Packet{Payload: h, Len: n, Flow: 1, Proto: h.proto, Mark: uint32(i)}, s))
		for p := range drops.Drain() {
			require.Equal(t, qdisc.AckFilter, p.Reason)
			dropped = append(dropped, int(p.Mark))
		}
		require.NoError(t, c.check())
	}
	st := c.ReadStats()
	assert.EqualValues(t, len(dropped), st.Drops[qdisc.AckFilter])
	assert.EqualValues(t, len(dropped), c.Stats().Tins[1].AckDrops)
	assert.EqualValues(t, len(queue), c.Stats().Tins[1].Packets)
	last := uint32(0)
	for _, p := range c.held() { // the others keep their order
		assert.True(t, last == 0 || p.Mark > last)
		last = p.Mark
	}
	return dropped
}

func TestAckFilter(t *testing.T) {
	const ece, fin, psh = flagACK | flagECE, flagACK | 1, flagACK | 8
	a := func(n uint32) header { return header{ack: n} }
	with := func(n uint32, options []byte) header { return header{ack: n, options: options} }
	for _, tt := range []struct {
		name               string
		queue              []header
		normal, aggressive []int
	}{
		{"one", []header{a(1)}, nil, nil},
		{"two", []header{a(1), a(2)}, nil, []int{0}},
		{"three", []header{a(1), a(2), a(3)}, []int{0}, []int{0, 1}},
		{"five", []header{a(1), a(2), a(3), a(4), a(5)}, []int{0, 1, 2}, []int{0, 1, 2, 3}},
		{"IPv6", []header{{v6: true, ack: 1}, {v6: true, ack: 2}, {v6: true, ack: 3}}, []int{0}, []int{0, 1}},
		{"other versions", []header{{v6: true, ack: 1}, a(2)}, nil, nil},
		{"wrapped", []header{a(0xfffffff0), a(0xffffffff), a(5)}, []int{0}, []int{0, 1}},
		{"out of order", []header{a(3), a(2), a(1)}, nil, nil},
		{"duplicates", []header{a(7), a(7), a(7), a(7)}, nil, nil},
		{"duplicates, then more", []header{a(7), a(7), a(7), a(8)}, []int{0}, []int{0}},
		{"other ports", []header{{port: 1, ack: 1}, {port: 2, ack: 2}, {port: 2, ack: 3}, {port: 1, ack: 4}}, nil, []int{1}},
		{"data", []header{{ack: 1, payload: 1}, a(2), a(3), a(4)}, []int{1}, []int{1, 2}},
		{"newer with data", []header{a(1), a(2), {ack: 3, payload: 100}}, []int{0}, []int{0, 1}},
		{"FIN and PSH", []header{{ack: 1, flags: fin}, {ack: 2, flags: psh}, a(3), a(4)}, nil, []int{2}},
		{"reserved bits", []header{{ack: 1, flags: flagACK | 0x100}, {ack: 2, flags: flagACK | 0x800}, a(3), a(4)}, nil, []int{2}},
		{"newer is SYN", []header{a(1), a(2), {ack: 3, flags: flagACK | flagSYN}}, nil, []int{0}},
		{"newer has no ACK", []header{a(1), a(2), {ack: 3, flags: 4}}, nil, []int{0}},
		{"not TCP", []header{{ack: 1, proto: 17}, {ack: 2, proto: 17}, {ack: 3, proto: 17}}, nil, nil},
		{"ECE changes", []header{a(1), {ack: 2, flags: ece}, {ack: 3, flags: ece}, {ack: 4, flags: ece}}, []int{1}, []int{1, 2}},
		{"ECE changes back", []header{{ack: 1, flags: ece}, a(2), a(3)}, nil, []int{1}},
		{"older stamps", []header{with(1, stamp(5, 9)), with(2, stamp(5, 9)), with(3, stamp(6, 9))}, []int{0}, []int{0, 1}},
		{"newer stamps", []header{with(1, stamp(7, 9)), with(2, stamp(5, 10)), with(3, stamp(6, 9))}, nil, nil},
		{"stamps vanish", []header{with(1, stamp(5, 9)), with(2, stamp(5, 9)), a(3)}, nil, []int{0}},
		{"MD5 and EOL", []header{with(1, append([]byte{optMD5, 18}, make([]byte, 16)...)), with(2, []byte{optEOL}), a(3)}, []int{0}, []int{0, 1}},
		{"unknown option", []header{with(1, []byte{30, 4, 0, 0}), with(2, []byte{30, 4, 0, 0}), a(3)}, nil, nil},
		{"cut option", []header{with(1, []byte{optSACK, 12, 0, 0}), a(2), a(3)}, nil, []int{1}},

		{"SACK vanishes", []header{with(1, sack(10, 20)), a(2), a(3)}, nil, []int{1}},
		{"SACK grows", []header{with(1, sack(10, 20)), with(1, sack(10, 30)), with(1, sack(10, 40))}, []int{0}, []int{0, 1}},
		{"SACK appears", []header{a(1), a(1), with(1, sack(10, 40))}, []int{0}, []int{0}},
		{"SACK shrinks", []header{with(1, sack(10, 40)), with(1, sack(10, 40)), with(2, sack(10, 20))}, nil, nil},
		{"SACK same, acknowledging more", []header{with(1, sack(10, 40)), with(2, sack(10, 40)), with(3, sack(10, 40))}, []int{0}, []int{0, 1}},
		{"SACK same, a duplicate", []header{with(1, sack(10, 40)), with(1, sack(10, 40)), with(1, sack(10, 40))}, nil, nil},
		{"SACK in another order", []header{with(1, sack(10, 20, 30, 40)), with(1, sack(10, 20, 30, 40)), with(1, sack(50, 60, 30, 40, 10, 20))}, []int{0}, []int{0}},
		{"D-SACK", []header{with(100, sack(10, 20)), with(100, sack(10, 20)), with(101, sack(10, 30))}, nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.Nil(t, filtered(t, NoAckFilter, tt.queue...))
			assert.Equal(t, tt.normal, filtered(t, FilterAcks, tt.queue...))
			assert.Equal(t, tt.aggressive, filtered(t, FilterAcksAggressive, tt.queue...))
		})
	}
}

// TestAckFilterReadsAnything: headers that are cut off or nonsense.
func TestAckFilterReadsAnything(t *testing.T) {
	h := header{ack: 5, options: append(sack(1, 2), stamp(3, 4)...)}
	for _, h.v6 = range []bool{false, true} {
		h.write()
		whole := h.bytes
		for n := range len(whole) + 1 {
			_, ok := parse(&qdisc.Packet{Proto: 6}, func(*qdisc.Packet) []byte { return whole[:n] })
			assert.Equal(t, n == len(whole), ok, "%d bytes", n)
		}
		for i := range whole {
			for _, b := range []byte{0, 1, 0x45, 0x60, 0xff} {
				was := whole[i]
				whole[i] = b
				if seg, ok := parse(&qdisc.Packet{Proto: 6}, func(*qdisc.Packet) []byte { return whole }); ok {
					seg.plain(&seg)
					assert.LessOrEqual(t, seg.compareSACK(&seg), 1)
				}
				whole[i] = was
			}
		}
	}
	whole := h.bytes
	assert.False(t, func() bool {
		_, ok := parse(&qdisc.Packet{Proto: 17}, func(*qdisc.Packet) []byte { return whole })
		return ok
	}(), "Packet.Proto says that it is not TCP")
	h.v6 = false
	h.write()
	h.bytes[6] = 0x20
	_, ok := parse(&qdisc.Packet{Payload: &h, Proto: 6}, bytesOf)
	assert.False(t, ok, "a fragment")
}

// TestSuperPacketIsNoAck: one whose IP length does not fit, and so is 0, or that
// has segments.
func TestSuperPacketIsNoAck(t *testing.T) {
	for _, v6 := range []bool{false, true} {
		for _, segs := range []uint16{0, 5} {
			h := header{v6: v6, ack: 5}
			h.write()
			if segs == 0 {
				h.bytes[2], h.bytes[3] = 0, 0
				if v6 {
					h.bytes[4], h.bytes[5] = 0, 0
				}
			}
			p := &qdisc.Packet{Payload: &h, Proto: protoTCP, Segs: segs}
			seg, ok := parse(p, bytesOf)
			require.True(t, ok)
			assert.False(t, seg.plain(&seg), "IPv6 %v, %d segments", v6, segs)
		}
	}
}

// TestFilteredAckOnIngress: it has used the line.
func TestFilteredAckOnIngress(t *testing.T) {
	for _, ingress := range []bool{false, true} {
		c := mustNew(t, Config{Bandwidth: 8 * qdisc.Mbit, Ingress: ingress, AckFilter: FilterAcks, Header: bytesOf, Diffserv: BestEffort})
		for i := range 3 {
			h := &header{ack: uint32(i)}
			h.write()
			c.Enqueue(&qdisc.Packet{Payload: h, Len: 1000, Flow: 1, Proto: 6}, s)
		}
		next := s
		if ingress {
			next += ms
		}
		assert.Equal(t, next, c.line.next)
		assert.Equal(t, s, c.failsafe)
	}
}

// TestLongQueueIsSearchedInPart: or each acknowledgement would take longer than
// the one before. Linux looks at all.
func TestLongQueueIsSearchedInPart(t *testing.T) {
	for _, compat := range compats {
		for _, mode := range []AckFilter{FilterAcks, FilterAcksAggressive} {
			var drops qdisc.List
			looked := 0
			c := mustNew(t, Config{AckFilter: mode, Drops: &drops, Compat: compat, Header: func(p *qdisc.Packet) []byte {
				looked++
				return bytesOf(p)
			}})
			put := func(h header) {
				h.write()
				c.Enqueue(&qdisc.Packet{Payload: &h, Len: 1000, Flow: 1, Proto: protoTCP}, s)
			}
			for range maxSearched {
				put(header{payload: 960})
			}
			for ack := range uint32(2) {
				put(header{ack: ack + 1})
			}
			looked = 0
			put(header{ack: 3})
			if compat == qdisc.Linux {
				assert.Greater(t, looked, maxSearched+1)
				assert.False(t, drops.Empty())
			} else {
				assert.Equal(t, maxSearched+1, looked)
				assert.True(t, drops.Empty())
			}
			require.NoError(t, c.check())
		}
	}
}
