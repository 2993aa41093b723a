package cake

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

// program reads a byte string as operations; when it has run out all is 0.
type program []byte

func (p *program) byte() uint64 { return uint64((*qtest.Program)(p).Byte()) }

// number returns a number of at most that many bits or so, small ones as likely
// as large.
func (p *program) number(bits uint64) uint64 {
	v := p.byte()
	return (p.byte()<<8 | p.byte() | 1<<16) << (v % bits) >> 16
}

func (p *program) config(compat qdisc.Compat) Config {
	cfg := Config{
		Diffserv: Diffserv(p.byte() % 5), Isolation: Isolation(p.byte() % 8), AckFilter: AckFilter(p.byte() % 3),
		Compat: compat, Header: tcpHeader, Rand: rand.NewPCG(p.byte(), 1),
	}
	flags := p.byte()
	if flags&1 != 0 {
		cfg.Bandwidth = min(max(qdisc.Rate(p.number(50)), MinBandwidth), MaxBandwidth)
	}
	cfg.Ingress, cfg.Autorate, cfg.Wash = flags&2 != 0, flags&4 != 0, flags&8 != 0
	if flags&16 != 0 {
		cfg.Framing = Framing{Overhead: new(int(p.byte()%100) - 64), MPU: int(p.byte()), Link: Link(p.byte() % 3)}
	}
	if flags&32 != 0 {
		cfg.MemoryLimit = int64(p.number(20)) + 1
	}
	if flags&64 != 0 {
		cfg.RTT = min(time.Duration(p.number(40))+time.Microsecond, MaxTime)
		cfg.FwMark, cfg.MTU = uint32(p.byte()), int(p.number(19))+1
	}
	return cfg
}

// tcpHeader makes an IPv4 and TCP header up from the fields of a packet.
func tcpHeader(p *qdisc.Packet) []byte {
	h := make([]byte, 52)
	h[0], h[9] = 0x45, 6
	binary.BigEndian.PutUint16(h[2:], uint16(52+p.Mark>>30))
	binary.BigEndian.PutUint32(h[12:], p.SrcHost)
	binary.BigEndian.PutUint32(h[28:], p.Mark&0xff)
	h[32], h[33] = 8<<4, 0x10|uint8(p.Mark>>8)&0xc3
	h[40], h[41], h[42], h[43] = 1, 1, uint8(p.Mark>>16)%10, 10
	binary.BigEndian.PutUint32(h[44:], p.Mark>>10)
	return h
}

func (p *program) packet(q *qdisc.Packet) {
	kind := p.byte()
	q.Len = uint32(p.number(12))
	q.Flow, q.SrcHost, q.DstHost = uint32(p.byte())<<22>>(kind&24), uint32(p.byte()%8), uint32(p.byte()%8)
	q.DSField, q.Proto = uint8(p.byte()), uint8(p.byte()%2*6)
	switch kind % 8 {
	case 0: // nothing that a caller writes may cause a panic
		q.Len, q.Truesize, q.Priority, q.Class = uint32(p.number(32)), uint32(p.number(32)), uint32(p.byte()), uint32(p.byte())
		q.NetOff, q.HdrLen, q.Flow = uint16(p.number(16)), uint16(p.number(16)), uint32(p.number(32))
	case 1:
		q.Segs, q.SegSize, q.HdrLen = uint16(p.byte()%20), uint16(p.number(16)), uint16(p.byte())
	case 2:
		q.Truesize = q.Len + 256
	case 3:
		q.Mark, q.Proto = uint32(p.number(32)), 6
	}
	q.NetOff = uint16(min(p.byte(), 14))
}

// FuzzCake makes calls and changes of all kinds beside a ledger, and recounts
// everything after each.
func FuzzCake(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 30 {
		f.Add(qtest.RandomProgram(r, 600))
	}
	f.Fuzz(func(t *testing.T, in []byte) { drive(t, in) })
}

// TestPrograms drives random programs.
func TestPrograms(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	programs := 150
	if testing.Short() {
		programs = 30
	}
	for range programs {
		drive(t, qtest.RandomProgram(r, 2000))
	}
}

func drive(t *testing.T, in []byte) {
	p := program(in)
	compat := qdisc.Compat(p.byte() & 1)
	cfg := p.config(compat)
	var drops qdisc.List
	var l *qdisctest.Ledger
	cfg.Drops = &drops
	cfg.Split = func(p *qdisc.Packet, segs *qdisc.List) { l.Split(p, segs) }
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	l = qdisctest.NewLedger(c, &drops)
	now := qdisc.Time(p.number(60))
	for len(p) > 0 && l.Err() == nil {
		switch op := p.byte(); {
		case op < 140:
			q := l.Packet()
			p.packet(q)
			l.Enqueue(q, now)
		case op < 210:
			l.Dequeue(now)
		case op < 220:
			l.Peek(now)
		case op < 240:
			now = qdisc.Time(min(uint64(now)+p.number(44), uint64(qdisc.MaxTime)))
		case op < 250:
			if at := l.ReadyAt(now); at <= qdisc.MaxTime {
				now = max(now, at)
			}
		case op < 254:
			next := p.config(compat)
			next.Split = cfg.Split
			change(t, c, l, next, now)
		default:
			now = qdisc.Time(p.number(60))
			l.Reset(now)
		}
		if err := c.check(); err != nil && l.Err() == nil {
			t.Fatal(err)
		}
	}
	if l.Err() == nil {
		l.Drain(now, func(qdisc.Time) {})
	}
	if err := l.Err(); err != nil {
		t.Fatal(err)
	}
}

// change sets cfg, by which the default must lose no packet.
func change(t *testing.T, c *Cake, l *qdisctest.Ledger, cfg Config, now qdisc.Time) {
	lost, _ := l.Lost()
	l.Do("Change", now, func() {
		if err := c.Change(cfg, now); err != nil {
			t.Fatal(err)
		}
	})
	if after, _ := l.Lost(); after != lost && !c.linux {
		t.Fatalf("a change lost %d packets", after-lost)
	}
}
