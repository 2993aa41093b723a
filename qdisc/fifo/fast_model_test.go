package fifo_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/prio"
)

// fastModel is a Fast written down as plainly as can be.
type fastModel struct {
	limit   int
	priomap [16]uint8
	byDS    bool
	bands   [fifo.FastBands][]*qdisc.Packet
}

func (m *fastModel) enqueue(p *qdisc.Packet) qdisc.Verdict {
	priority := p.Priority % 16
	if m.byDS {
		switch p.DSField & 0x18 {
		case 0x00:
			priority = 0
		case 0x08:
			priority = 2
		case 0x10:
			priority = 6
		case 0x18:
			priority = 4
		}
	}
	b := &m.bands[m.priomap[priority]]
	if len(*b) >= m.limit || p.Len > qdisc.MaxLen {
		return qdisc.Dropped
	}
	*b = append(*b, p)
	return qdisc.Queued
}

func (m *fastModel) next(take bool) *qdisc.Packet {
	for i, b := range m.bands {
		if len(b) > 0 {
			if take {
				m.bands[i] = b[1:]
			}
			return b[0]
		}
	}
	return nil
}

// configure draws a configuration from two bytes, for both.
func (m *fastModel) configure(a, b byte) fifo.FastConfig {
	cfg := fifo.FastConfig{Limit: new(int(b & 7)), ByDS: a&1 != 0}
	m.limit, m.byDS = int(b&7), cfg.ByDS
	m.priomap = [16]uint8{1, 2, 2, 2, 1, 2, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}
	if a&2 != 0 {
		rng := rand.New(rand.NewPCG(uint64(a), uint64(b)))
		for i := range m.priomap {
			m.priomap[i] = uint8(rng.IntN(fifo.FastBands))
		}
		cfg.Priomap = new(m.priomap)
	}
	return cfg
}

// twin is a Prio over three FIFOs, which must do the same.
func twin(t require.TestingT, m *fastModel) *prio.Prio {
	q, err := prio.New(prio.Config{Priomap: &m.priomap, Limit: &m.limit})
	require.NoError(t, err)
	return q
}

// compareFast runs a byte program on a Fast and the model, and with a copy of
// each packet on the twin.
func compareFast(t require.TestingT, program []byte) {
	if len(program) < 2 {
		return
	}
	var m fastModel
	var drops qdisc.List
	cfg := m.configure(program[0], program[1])
	cfg.Drops = &drops
	q := newFast(t, cfg)
	p3 := twin(t, &m)
	for i := 2; i+1 < len(program); i += 2 {
		op, arg := program[i], program[i+1]
		lost := []*qdisc.Packet{}
		switch now := qdisc.Time(i); {
		case op < 140:
			p := &qdisc.Packet{Len: uint32(op), Priority: uint32(arg), DSField: arg, Class: uint32(op)}
			if arg == 255 {
				p.Len = qdisc.MaxLen + uint32(op)
			}
			other := *p
			other.Class = 0 // a Fast has none
			if m.byDS {
				other.Priority = fifo.DSPriority(arg)
			}
			want := m.enqueue(p)
			require.Equal(t, want, q.Enqueue(p, now))
			require.Equal(t, want, p3.Enqueue(&other, now))
			if want == qdisc.Dropped {
				lost = append(lost, p)
			}
		case op < 220:
			want, other := m.next(true), p3.Dequeue(now)
			require.Same(t, want, q.Dequeue(now))
			require.Equal(t, want == nil, other == nil)
			if want != nil {
				require.Equal(t, want.Len, other.Len)
				require.Equal(t, want.DSField, other.DSField)
			}
		case op < 250:
			cfg := m.configure(op, arg)
			cfg.Drops = &drops
			require.NoError(t, q.Change(cfg, now))
			pcfg := p3.Config()
			pcfg.Priomap = &m.priomap
			require.NoError(t, p3.Change(pcfg, now))
			for _, band := range p3.Children() {
				require.NoError(t, band.(*fifo.FIFO).Change(fifo.Config{Limit: &m.limit}, now))
			}
		default:
			q.Reset(now)
			p3.Reset(now)
			for b := range m.bands {
				lost = append(lost, m.bands[b]...)
				m.bands[b] = nil
			}
		}
		require.Same(t, m.next(false), q.Peek(qdisc.Time(i)))
		held := 0
		for band, s := range q.Bands() {
			bytes := int64(0)
			for _, p := range m.bands[band] {
				bytes += int64(p.Len)
			}
			require.Equal(t, fifo.BandStats{Len: len(m.bands[band]), Backlog: bytes}, s)
			held += s.Len
		}
		require.Equal(t, held, q.Len())
		dropped := []*qdisc.Packet{}
		for p := range drops.Drain() {
			dropped = append(dropped, p)
		}
		require.Equal(t, len(lost), len(dropped))
		for j := range lost {
			require.Same(t, lost[j], dropped[j])
		}
	}
}

func TestFastModel(t *testing.T) {
	for seed := range uint64(100) {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) { compareFast(t, randomProgram(seed, 2000)) })
	}
}

func FuzzFast(f *testing.F) {
	for seed := range uint64(8) {
		program := randomProgram(seed, 200)
		program[0] = byte(seed)
		f.Add(program)
	}
	f.Fuzz(func(t *testing.T, program []byte) { compareFast(t, program) })
}
