package bql_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
)

// program reads a byte string as operations; when it has run out all is 0.
type program []byte

func (p *program) byte() uint64 { return uint64((*qtest.Program)(p).Byte()) }

// number returns a number below 2^bits, small ones as likely as large.
func (p *program) number(bits uint64) uint64 {
	scale := p.byte()
	return (p.byte()<<56 | p.byte()<<48 | p.byte()<<40) >> (64 - bits) >> (scale % bits)
}

func (p *program) config(compat qdisc.Compat) bql.Config {
	flags := p.byte()
	cfg := bql.Config{Compat: compat}
	if flags&1 != 0 {
		cfg.LimitMin = int64(p.number(18))
	}
	if flags&2 != 0 {
		cfg.LimitMax = new(int64(p.number(18)))
	}
	if flags&4 != 0 {
		cfg.HoldTime = time.Duration(p.number(30))
	}
	if flags&8 != 0 {
		cfg.StallThreshold = time.Duration(p.number(28))
	}
	if flags&16 != 0 { // far up
		top := bql.MaxLimit
		if compat == qdisc.Linux {
			top = bql.DefaultLimitMax
		}
		cfg.LimitMax = new(top - int64(flags>>5))
	}
	return cfg
}

// FuzzLimiter drives a limiter beside a naive model in integers of any size,
// and compares all that can be seen after every step.
func FuzzLimiter(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		f.Add(qtest.RandomProgram(r, 400))
	}
	f.Fuzz(func(t *testing.T, in []byte) { drive(t, in[:min(len(in), 2000)]) })
}

// TestAgainstModel drives random programs.
func TestAgainstModel(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	programs := 2000
	if testing.Short() {
		programs = 300
	}
	var grown, shrunk, stalls, excess, changes int
	for range programs {
		m := drive(t, qtest.RandomProgram(r, 300))
		if m == nil {
			continue
		}
		grown, shrunk, changes = grown+m.grown, shrunk+m.shrunk, changes+m.changes
		stalls, excess = stalls+m.stalls(), excess+int(m.excess.Int64())
	}
	for what, n := range map[string]int{"grown": grown, "shrunk": shrunk, "stalls": stalls, "excess": excess, "changes": changes} {
		require.Greater(t, n, programs/4, what)
	}
}

// drive runs a program and returns the model at its end, nil if the
// configuration was refused.
func drive(t *testing.T, in []byte) *model {
	p := program(in)
	compat := qdisc.Compat(p.byte() & 1)
	l, err := bql.New(p.config(compat))
	if err != nil {
		require.NotEmpty(t, refused(t, err))
		return nil
	}
	m := newModel(l.Config())
	now := qdisc.Time(0)
	for len(p) > 0 {
		switch op := p.byte(); op % 16 {
		case 0, 1, 2, 3, 4: // as many objects as a driver would queue, or one more than that
			size := uint32(p.number(16))
			if op&16 != 0 {
				size = uint32(p.number(28))
			}
			for n := op >> 5 & 3; ; n-- {
				if op&0x80 != 0 {
					l.Queued(size)
					m.count(size)
				} else {
					equal(t, l.QueuedAt(size, now), l.Available())
					m.countAt(size, now)
				}
				if n == 0 || l.Available() < 0 {
					break
				}
			}
		case 5, 6, 7: // some of what is in flight
			n := uint64(l.Inflight()) * (op >> 4) / 15
			l.Completed(n, now)
			m.report(n, now)
		case 8: // all of it
			n := uint64(l.Inflight())
			l.Completed(n, now)
			m.report(n, now)
		case 9:
			n := p.number(63)
			l.Completed(n, now)
			m.report(n, now)
		case 10, 11:
			now = now.Add(time.Duration(p.number(24)))
		case 12:
			now += qdisc.Time(p.number(30))
		case 13:
			if op&0x70 == 0x70 {
				now += qdisc.Time(p.number(63)) // may overflow
				break
			}
			now -= qdisc.Time(p.number(20))
		case 14:
			if cfg := p.config(compat); l.Change(cfg, now) == nil {
				m.change(l.Config(), now)
			}
		case 15:
			if op&0x30 == 0x30 {
				l.Reset(now)
				m.reset(now)
			}
		}
		m.check(t, l)
	}
	return m
}

// TestAnything: nothing that is called in any order, with any number and at
// any time, panics or makes what is in flight negative.
func TestAnything(t *testing.T) {
	inModes(t, func(t *testing.T, compat qdisc.Compat) {
		r := rand.New(rand.NewPCG(7, 8))
		l := mustNew(t, bql.Config{Compat: compat, StallThreshold: time.Nanosecond})
		for range 200_000 {
			n, now := r.Uint64()>>r.IntN(64), qdisc.Time(r.Uint64()>>r.IntN(64))
			switch r.IntN(8) {
			case 0, 1:
				l.Queued(uint32(n))
			case 2, 3:
				l.QueuedAt(uint32(n), now)
			case 4, 5, 6:
				l.Completed(n, now)
			case 7:
				if r.IntN(50) == 0 {
					l.Reset(now)
				}
			}
			if l.Inflight() < 0 || l.StallMax() < 0 || l.Limit() < 0 || l.Limit() > l.LimitMax() {
				t.Fatalf("in flight %d, limit %d, longest stall %v", l.Inflight(), l.Limit(), l.StallMax())
			}
		}
	})
}
