package tbf_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/tbf"
)

// program reads a byte string as operations; when it has run out all is 0.
type program []byte

func (p *program) byte() uint64 { return uint64((*qtest.Program)(p).Byte()) }

// number returns a number of about 0 to 62 bits, small ones as likely as large.
func (p *program) number() uint64 {
	v := p.byte()
	return (p.byte()<<8 | p.byte() | 1<<16) << (v % 47) >> 16
}

func (p *program) config(compat qdisc.Compat) tbf.Config {
	flags := p.byte()
	cfg := tbf.Config{Rate: qdisc.Rate(p.number()), Compat: compat}
	if flags&1 != 0 {
		cfg.PeakRate = cfg.Rate + qdisc.Rate(p.number())
		cfg.MTU = uint32(p.number() % 4000)
	}
	if flags&2 != 0 {
		cfg.Burst = uint32(p.number() % (1 << 31))
	} else {
		cfg.Burst = uint32(p.byte() * 16)
	}
	if flags&4 != 0 {
		cfg.Overhead, cfg.MPU = uint32(p.byte()), uint32(p.byte())
	}
	cfg.ATM = flags&8 != 0
	if flags&16 != 0 {
		cfg.LimitBytes = new(int64(p.byte() * 64))
	}
	if flags&32 != 0 {
		cfg.Split = cut
	}
	return cfg
}

// FuzzTBF drives a filter beside a naive model that counts in integers of any
// size, and compares all that can be seen after every step.
func FuzzTBF(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		f.Add(qtest.RandomProgram(r, 400))
	}
	f.Fuzz(func(t *testing.T, in []byte) { drive(t, in) })
}

// TestAgainstModel drives random programs.
func TestAgainstModel(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	programs := 3000
	if testing.Short() {
		programs = 500
	}
	for range programs {
		drive(t, qtest.RandomProgram(r, 300))
	}
}

func drive(t *testing.T, in []byte) {
	p := program(in)
	compat := qdisc.Compat(p.byte() & 1)
	cfg := p.config(compat)
	var drops qdisc.List
	cfg.Drops = &drops
	q, err := tbf.New(cfg)
	if err != nil {
		require.NotEmpty(t, qtest.Fields(t, err))
		return
	}
	m := newModel(q.Config())
	now := qdisc.Time(0)
	ids := uint32(0)
	for len(p) > 0 {
		switch op := p.byte(); op % 16 {
		case 0, 1, 2, 3, 4:
			ids++
			pkt := &qdisc.Packet{Mark: ids, Len: uint32(p.byte() * 8)}
			if op&16 != 0 {
				pkt.Len = uint32(p.number())
			}
			if op&32 != 0 {
				pkt.Segs, pkt.SegSize = uint16(p.byte()%9), uint16(p.byte()*8)
			}
			length := pkt.Len
			segs, size := pkt.Segs, pkt.SegSize
			require.Equal(t, m.enqueue(ids, length, segs, size, now), q.Enqueue(pkt, now))
		case 5, 6, 7, 8:
			same(t, m.dequeue(now), q.Dequeue(now))
			m.checkReady(t, q, now)
		case 9:
			same(t, m.peek(now), q.Peek(now))
			m.checkReady(t, q, now)
		case 10, 11:
			if at := q.ReadyAt(now); at <= qdisc.MaxTime {
				now = at
			}
		case 12:
			now = now.Add(1)
		case 13:
			now += qdisc.Time(p.number()) // may overflow: a discipline survives it
		case 14:
			if op&16 == 0 {
				now -= qdisc.Time(p.byte())
				break
			}
			cfg := p.config(compat)
			cfg.Drops = &drops
			if q.Change(cfg, now) == nil {
				m.change(q.Config(), now)
			}
		case 15:
			if op&0x70 == 0x70 {
				q.Reset(now)
				m.reset(now)
			}
		}
		m.check(t, q, &drops)
	}
}

// same wants the packet that the model gave: its number, 0 for none.
func same(t *testing.T, want uint32, p *qdisc.Packet) {
	t.Helper()
	if p == nil {
		require.Zero(t, want)
		return
	}
	require.Equal(t, want, p.Mark)
}
