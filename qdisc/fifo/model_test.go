package fifo_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// model is a FIFO written down as plainly as can be.
type model struct {
	limit, bytes int64 // -1: none
	headDrop     bool
	held         []*qdisc.Packet
	lost         []*qdisc.Packet // since the last call
}

func (m *model) backlog() (n int64) {
	for _, p := range m.held {
		n += int64(p.Len)
	}
	return n
}

func (m *model) fits(p *qdisc.Packet) bool {
	return (m.limit < 0 || int64(len(m.held)) < m.limit) && (m.bytes < 0 || m.backlog()+int64(p.Len) <= m.bytes)
}

func (m *model) enqueue(p *qdisc.Packet) qdisc.Verdict {
	verdict := qdisc.Queued
	switch never := m.limit == 0 || m.bytes >= 0 && int64(p.Len) > m.bytes || p.Len > qdisc.MaxLen; {
	case m.fits(p) && !never:
	case never || !m.headDrop:
		m.lost = append(m.lost, p)
		return qdisc.Dropped
	default:
		verdict = qdisc.Congested
		m.drop()
		for m.bytes >= 0 && m.backlog()+int64(p.Len) > m.bytes {
			m.drop()
		}
	}
	m.held = append(m.held, p)
	return verdict
}

func (m *model) drop() {
	m.lost = append(m.lost, m.held[0])
	m.held = m.held[1:]
}

func (m *model) dequeue() *qdisc.Packet {
	if len(m.held) == 0 {
		return nil
	}
	p := m.held[0]
	m.held = m.held[1:]
	return p
}

// configure draws a configuration from two bytes, for both.
func (m *model) configure(a, b byte) fifo.Config {
	cfg := fifo.Config{HeadDrop: a&1 != 0}
	m.limit, m.bytes, m.headDrop = -1, -1, cfg.HeadDrop
	if a&2 != 0 {
		cfg.Limit = new(int(b & 15))
		m.limit = int64(b & 15)
	}
	if a&4 != 0 {
		cfg.LimitBytes = new(int64(b) * 4)
		m.bytes = int64(b) * 4
	}
	if a&6 == 0 {
		m.limit = fifo.DefaultLimit
	}
	return cfg
}

// compare runs a byte program on a FIFO and the model.
func compare(t require.TestingT, program []byte) {
	if len(program) < 2 {
		return
	}
	var m model
	var drops qdisc.List
	cfg := m.configure(program[0], program[1])
	cfg.Drops = &drops
	q, err := fifo.New(cfg)
	require.NoError(t, err)
	for i := 2; i+1 < len(program); i += 2 {
		op, arg := program[i], program[i+1]
		switch now := qdisc.Time(i); {
		case op < 140:
			p := &qdisc.Packet{Len: uint32(arg)}
			if arg == 255 {
				p.Len = qdisc.MaxLen + uint32(op)
			}
			require.Equal(t, m.enqueue(p), q.Enqueue(p, now))
		case op < 220:
			require.Same(t, m.dequeue(), q.Dequeue(now))
		case op < 250:
			cfg := m.configure(op, arg)
			cfg.Drops = &drops
			require.NoError(t, q.Change(cfg, now))
		default:
			m.lost = append(m.lost, m.held...)
			m.held = nil
			q.Reset(now)
		}
		require.Equal(t, m.lost, slices.Collect(drops.Drain()))
		m.lost = nil
		require.Equal(t, len(m.held), q.Len())
		require.Equal(t, m.backlog(), q.Backlog())
		if len(m.held) > 0 {
			require.Same(t, m.held[0], q.Peek(0))
		} else {
			require.Nil(t, q.Peek(0))
		}
	}
}

func randomProgram(seed uint64, n int) []byte {
	return qtest.RandomProgram(rand.New(rand.NewPCG(seed, 6)), n)
}

func TestModel(t *testing.T) {
	for seed := range uint64(100) {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) { compare(t, randomProgram(seed, 2000)) })
	}
}

func FuzzModel(f *testing.F) {
	for seed := range uint64(8) {
		program := randomProgram(seed, 200)
		program[0] = byte(seed)
		f.Add(program)
	}
	f.Fuzz(func(t *testing.T, program []byte) { compare(t, program) })
}
