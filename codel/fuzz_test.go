package codel_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
)

// program reads a byte string as operations; when it has run out all is 0.
type program []byte

func (p *program) byte() int { return int((*qtest.Program)(p).Byte()) }

func (p *program) flip() bool { return p.byte()&1 != 0 }

// pick draws one of some values.
func pick[T any](p *program, values ...T) T { return values[p.byte()%len(values)] }

// maybe draws nil as often as any of the values.
func maybe[T any](p *program, values ...T) *T {
	if i := p.byte() % (len(values) + 1); i < len(values) {
		return &values[i]
	}
	return nil
}

// machine is what both fuzz targets share: a clock that is not to be trusted
// and packets.
type machine struct {
	program
	t        testing.TB
	now      qdisc.Time
	id       uint32
	interval time.Duration // the present one
	huge     bool          // packets up to MaxLen
	owing    bool          // packets of many quanta, from many flows
}

func (m *machine) advance() {
	unit := pick(&m.program, 1, 1024, us, 100*us, ms, 10*ms, 100*ms, s, 100*s)
	m.now = m.now.Add(time.Duration(m.byte()) * duration(unit))
}

// jump goes far: back, ahead, to where Linux's clock turns or an interval would
// end at its 0, to the end of time.
func (m *machine) jump() {
	switch m.byte() % 8 {
	case 0:
		m.now -= qdisc.Time(m.byte()) * ms
	case 1:
		m.now = -qdisc.Time(m.byte()) << 50
	case 2:
		m.now += half - 100*ms*qdisc.Time(m.byte()%3)
	case 3:
		m.now += turn
	case 4, 5:
		first := turn - qdisc.Time(m.interval/1000*1000)>>10*tick
		m.now = m.now/turn*turn + first + qdisc.Time(m.byte()%3-1)*tick
	case 6:
		m.now = m.now/turn*turn + turn - 1
	case 7:
		if m.byte()%8 == 0 {
			m.now = qdisc.MaxTime - qdisc.Time(m.byte())*ms
		}
	}
}

func (m *machine) packet() (*qdisc.Packet, *item) {
	m.id++
	lens := []uint32{0, 1, 64, 100, 1000, 1514, 9000, 65535}
	if m.huge {
		lens = append(lens, 1<<20, 1<<24, qdisc.MaxLen, qdisc.MaxLen+1, math.MaxUint32)
	}
	p := &qdisc.Packet{Mark: m.id, Len: pick(&m.program, lens...), DSField: uint8(m.byte())}
	p.Flow = uint32(m.byte()) % 5 * 0x30000001
	if m.owing {
		p.Flow = uint32(m.byte()) << 24
		p.Len = pick(&m.program, p.Len, uint32(m.byte())<<8, uint32(m.byte())<<10)
	}
	p.Class = pick[uint32](&m.program, 0, 0, 0, 1, 2, 3, 17, math.MaxUint32)
	p.Truesize = pick(&m.program, 0, 0, p.Len+256, 1, math.MaxUint32)
	return p, &item{id: p.Mark, len: p.Len, flow: p.Flow, class: p.Class, charge: p.Charge(), ds: p.DSField}
}

// same wants the packet that the model gave, as it left it.
func (m *machine) same(want *item, got *qdisc.Packet) {
	m.t.Helper()
	if want == nil {
		require.Nil(m.t, got)
		return
	}
	require.NotNil(m.t, got, "packet %d", want.id)
	require.Equal(m.t, want.id, got.Mark)
	require.Equal(m.t, want.ds, got.DSField)
}

func (m *machine) target() time.Duration {
	return pick(&m.program, 1, 1000, 100*time.Microsecond, time.Millisecond, 0, 10*time.Minute, codel.MaxDuration)
}

func (m *machine) newInterval() time.Duration {
	m.interval = pick(&m.program, 1, 1023, 10*time.Microsecond, time.Millisecond, 10*time.Millisecond, codel.DefaultInterval,
		time.Second, 100*time.Second, 150*time.Second, 5*time.Minute, codel.MaxDuration)
	return m.interval
}

func (m *machine) threshold() *time.Duration {
	return maybe(&m.program, 0, time.Microsecond, time.Millisecond, time.Second, codel.MaxDuration)
}

func (m *machine) memory() *int64 {
	return maybe[int64](&m.program, 0, 1, 4000, 1<<20, 1<<33, math.MaxInt64)
}

func (m *machine) config() codel.Config {
	cfg := codel.Config{
		Target: m.target(), Interval: m.newInterval(), CEThreshold: m.threshold(), ECN: m.flip(),
		Limit: maybe(&m.program, 0, 1, 2, 5, 20, 100), MemoryLimit: m.memory(), MTU: pick(&m.program, 1, 1, 0, codel.MaxMTU),
	}
	if m.byte()%4 > 0 { // the law signals often
		cfg.Target, cfg.Interval, cfg.MTU = m.hurried()
		cfg.Limit, cfg.MemoryLimit = nil, nil
	}
	return cfg
}

func (m *machine) hurried() (target, interval time.Duration, mtu int) {
	m.interval = pick(&m.program, 1, 1000*time.Microsecond, 10*time.Millisecond)
	return pick(&m.program, 1, time.Microsecond, time.Millisecond), m.interval, 1
}

// runCoDel drives a CoDel beside the model.
func runCoDel(t testing.TB, in []byte) *codelModel {
	m := &machine{program: in, t: t, huge: true}
	var drops qdisc.List
	mode := qdisc.Compat(m.byte() & 1)
	cfg := m.config()
	cfg.Drops, cfg.Compat = &drops, mode
	q := newCoDel(t, cfg)
	model := newCoDelModel(q.Config())
	for len(m.program) > 0 {
		switch op := m.byte(); op % 16 {
		case 0, 1, 2, 3, 4, 5:
			for range 1 + op/32 { // a burst
				p, want := m.packet()
				require.Equal(t, model.enqueue(want, m.now), q.Enqueue(p, m.now))
			}
		case 6, 7, 8, 9, 10:
			m.same(model.dequeue(m.now), q.Dequeue(m.now))
		case 11:
			m.same(model.peek(m.now), q.Peek(m.now))
		case 12, 13:
			m.advance()
		case 14:
			if op < 128 {
				m.jump()
				break
			}
			cfg := m.config()
			cfg.Drops, cfg.Compat = &drops, mode
			require.NoError(t, q.Change(cfg, m.now))
			model.change(q.Config(), m.now)
		case 15:
			if op > 200 {
				m.now = pick(&m.program, 0, m.now, m.now/2)
				q.Reset(m.now)
				model.reset(m.now)
			}
		}
		model.check(t, q, &drops)
	}
	return model
}

func (m *machine) fqConfig() codel.FQConfig {
	cfg := codel.FQConfig{
		Target: m.target(), Interval: m.newInterval(), CEThreshold: m.threshold(), NoECN: m.flip(),
		Limit: maybe(&m.program, 0, 1, 2, 5, 20, 100), MemoryLimit: m.memory(), MTU: pick(&m.program, 1, 1, 0, codel.MaxMTU),
		DropBatch: pick(&m.program, 0, 1, 2, 3, math.MaxInt),
		Quantum:   pick(&m.program, 256, 257, 1514, 9000),
	}
	if m.huge { // the model goes through each round
		cfg.Quantum = pick(&m.program, 1<<16, codel.MaxQuantum)
	}
	if m.byte()%4 > 0 {
		cfg.Target, cfg.Interval, cfg.MTU = m.hurried()
		cfg.Limit, cfg.MemoryLimit = maybe(&m.program, 20, 50), nil
	}
	if m.owing {
		cfg.Quantum, cfg.MemoryLimit = codel.MinQuantum+m.byte()%3, new(int64(math.MaxInt64))
	}
	if m.flip() {
		cfg.CESelector, cfg.CEMask = uint8(m.byte()&3), uint8(m.byte()&3)
		if cfg.Compat == qdisc.Exact {
			cfg.CESelector &= cfg.CEMask
		}
	}
	if m.flip() {
		cfg.Classify = func(p *qdisc.Packet) uint32 { return p.Class }
	}
	return cfg
}

// runFQ drives an FQ beside the model. Of 8 programs, by their first
// byte, 2 are huge and 2 owing.
func runFQ(t testing.TB, in []byte) *fqModel {
	m := &machine{program: in, t: t}
	var drops qdisc.List
	kind := m.byte()
	mode := qdisc.Compat(kind & 1)
	m.huge, m.owing = kind>>1&3 == 1, kind>>1&3 == 2
	n, sets := pick(&m.program, 1, 2, 3, 7, 8, 16), m.flip()
	if m.owing {
		n *= 3
	}
	cfg := m.fqConfig()
	cfg.Drops, cfg.Compat, cfg.Flows, cfg.SetAssociative = &drops, mode, n, sets && n%8 == 0
	q := newFQ(t, cfg)
	model := newFQModel(q.Config())
	for len(m.program) > 0 {
		switch op := m.byte(); op % 16 {
		case 0, 1, 2, 3, 4, 5:
			for range 1 + op/32 { // a burst
				p, want := m.packet()
				require.Equal(t, model.enqueue(want, m.now), q.Enqueue(p, m.now))
			}
		case 6, 7, 8, 9, 10:
			m.same(model.dequeue(m.now), q.Dequeue(m.now))
		case 11:
			m.same(model.peek(m.now), q.Peek(m.now))
		case 12, 13:
			m.advance()
		case 14:
			if op < 128 {
				m.jump()
				break
			}
			cfg := m.fqConfig()
			cfg.Drops, cfg.Compat, cfg.SetAssociative = &drops, mode, q.Config().SetAssociative
			if m.owing {
				cfg.Limit = new(model.len() * m.byte() / 128)
			}
			require.NoError(t, q.Change(cfg, m.now))
			model.change(q.Config(), m.now)
		case 15:
			if op > 200 {
				m.now = pick(&m.program, 0, m.now, m.now/2)
				q.Reset(m.now)
				model.reset(m.now)
			}
		}
		model.check(t, q, &drops)
	}
	return model
}

// FuzzCoDel drives a CoDel beside a naive model and compares all that can be
// seen after every step.
func FuzzCoDel(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		f.Add(qtest.RandomProgram(r, 400))
	}
	f.Fuzz(func(t *testing.T, in []byte) { runCoDel(t, in) })
}

// FuzzFQ does the same with an FQ.
func FuzzFQ(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		f.Add(qtest.RandomProgram(r, 400))
	}
	f.Fuzz(func(t *testing.T, in []byte) { runFQ(t, in) })
}

func programs() int {
	if testing.Short() {
		return 200
	}
	return 1000
}

// TestCoDelAgainstModel drives random programs, and sees to it that they do not
// miss what matters.
func TestCoDelAgainstModel(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var aqm, ecn, ce [2]uint64
	for i := range programs() {
		in := qtest.RandomProgram(r, 600)
		in[0] = byte(i)
		m := runCoDel(t, in)
		aqm[i&1] += m.drops[qdisc.AQM]
		ecn[i&1] += m.ECNMark
		ce[i&1] += m.CEMark
	}
	for i := range modes {
		require.Greater(t, min(aqm[i], ecn[i], ce[i]), uint64(programs()/10), "drops %v, marks %v %v", aqm, ecn, ce)
	}
}

func TestFQAgainstModel(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var aqm, ecn, ce, heads, waits [2]uint64
	for i := range programs() {
		in := qtest.RandomProgram(r, 1000)
		in[0] = byte(i)
		m := runFQ(t, in)
		aqm[i&1] += m.drops[qdisc.AQM]
		heads[i&1] += m.drops[qdisc.HeadDrop]
		waits[i&1] += uint64(m.waits)
		ecn[i&1] += m.ECNMark
		ce[i&1] += m.CEMark
	}
	for i := range modes {
		require.Greater(t, min(aqm[i], ecn[i], ce[i], heads[i], waits[i]), uint64(programs()/10),
			"drops %v %v, marks %v %v, waits %v", aqm, heads, ecn, ce, waits)
	}
}
