package txq

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
)

// machine drives a queue and a card with the steps of one Run, by a program of
// bytes, and checks after each step that every packet is in exactly one place.
type machine struct {
	t     require.TestingT
	q     *Queue
	r     *runner
	clock *virtual
	batch []*qdisc.Packet
	slept bool

	sent    [3]uint32 // packets sent to each hardware queue
	written [3]uint32 // and written
	bytes   [3]int64  // written and not reported
	stopped [3]bool   // by the device
	back    returned
}

const fuzzLimit = 40

func newMachine(t testing.TB, mode byte) *machine {
	m := &machine{t: t, clock: &virtual{}}
	var root qdisc.Qdisc = qtest.FIFO(fuzzLimit)
	if mode&1 != 0 {
		root = newMultiq(t, 3)
	}
	cfg := Config{Qdisc: root, Clock: m.clock, Queues: 3, Batch: 4 + int(mode>>6), Free: m.back.free}
	switch mode >> 1 & 3 {
	case 1:
		cfg.Limit = fixed(int64(mode) * 10)
	case 2:
		cfg.Limit = &bql.Config{HoldTime: 1000}
	case 3:
		cfg.Limit = &bql.Config{Compat: qdisc.Linux}
	}
	m.q = newQueue(t, cfg)
	m.r = &runner{q: m.q, later: mode&8 != 0, timer: m.clock}
	m.batch = make([]*qdisc.Packet, cfg.Batch)
	return m
}

func (m *machine) send(queue uint16, n int) {
	ps := packets(n, 0)
	for _, p := range ps {
		p.TxQueue, p.Mark, p.Len = queue, m.sent[queue], 1+m.sent[queue]*397%1500
		m.sent[queue]++
	}
	require.NoError(m.t, m.q.Send(ps))
}

// step is one round of Run: the device takes at most most, and nothing for a
// hardware queue that it has stopped.
func (m *machine) step(most int, final bool, early int) {
	n, _, b, err := m.q.take(m.batch, m.slept, m.r)
	m.q.handBack(b)
	m.slept = n == 0 && b == nil && err == nil
	if n == 0 {
		return
	}
	ps := m.batch[:n]
	take := 0
	for take < n && take < most && !m.stopped[ps[take].TxQueue] {
		p := ps[take]
		i := p.TxQueue
		require.LessOrEqual(m.t, m.written[i], p.Mark, "out of order")
		m.written[i] = p.Mark + 1
		m.bytes[i] += int64(p.Len)
		take++
	}
	if m.r.later && take > 0 && early > 0 {
		m.report(ps[0].TxQueue, early)
	}
	m.r.written(ps, take, final)
	if !m.r.later {
		m.bytes = [3]int64{}
	}
}

// report tells of n packets, or more than there are.
func (m *machine) report(queue uint16, n int) {
	bytes := min(m.bytes[queue], int64(n)*900)
	m.bytes[queue] -= bytes
	m.q.Completed(int(queue), n, bytes)
}

// check counts what must be somewhere.
func (m *machine) check() {
	q := m.q
	s := q.Stats()
	require.Equal(m.t, int(m.sent[0]+m.sent[1]+m.sent[2]), s.Len+m.back.Len())
	held := 0
	var flight fill
	for i := range q.hw {
		h := &q.hw[i]
		held += h.held.Len()
		require.Equal(m.t, h.flight.packets, h.ring.Len()+h.rest.Len()+h.held.Len()+h.writing)
		require.Zero(m.t, h.writing+h.early)
		require.True(m.t, h.again.Empty())
		flight.packets += h.flight.packets
		flight.bytes += h.flight.bytes
		require.Equal(m.t, m.stopped[i], h.stops&off != 0)
		if h.limiter != nil {
			require.Equal(m.t, m.bytes[i]+bytesOf(&h.rest), h.limiter.Inflight())
		}
		if !h.listed {
			require.True(m.t, h.stops&off != 0 || h.rest.Empty(), "forgotten")
			require.True(m.t, h.stops != 0 || h.held.Empty(), "forgotten")
		}
	}
	require.Equal(m.t, q.held, held)
	require.Equal(m.t, q.flight, flight)
}

func bytesOf(l *qdisc.List) (n int64) {
	for p := range l.All() {
		n += int64(p.Len)
	}
	return n
}

// finish lets everything go, and checks that nothing stays.
func (m *machine) finish() {
	for i := range m.stopped {
		m.stopped[i] = false
		m.q.Wake(i)
	}
	for rounds := 0; rounds < 2000 && m.q.Len() > 0; rounds++ {
		m.step(100, false, 0)
		for i := range uint16(3) {
			m.q.Completed(int(i), 100, m.bytes[i])
		}
		m.bytes = [3]int64{}
		m.clock.now++
		m.check()
	}
	require.Zero(m.t, m.q.Len(), "stuck")
}

// FuzzHardware drives three hardware queues.
func FuzzHardware(f *testing.F) {
	rng := rand.New(rand.NewPCG(9, 9))
	for mode := range 16 {
		program := []byte{byte(mode | mode<<6)}
		for range 300 {
			program = append(program, byte(rng.Uint32()))
		}
		f.Add(program)
	}
	f.Fuzz(drive)
}

// TestHardware is FuzzHardware with programs drawn at random.
func TestHardware(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	for range total(1000) {
		program := make([]byte, 20+rng.IntN(400))
		for i := range program {
			program[i] = byte(rng.Uint32())
		}
		drive(t, program)
	}
}

func drive(t *testing.T, program []byte) {
	if len(program) < 2 || len(program) > 2000 {
		return
	}
	m := newMachine(t, program[0])
	for _, b := range program[1:] {
		m.clock.now += qdisc.Time(b)
		queue, arg := uint16(b&3)%3, int(b>>2&7)
		switch b >> 5 {
		case 0, 1:
			m.send(queue, arg)
		case 2, 3:
			m.step(arg, false, 0)
		case 4:
			m.step(arg, arg == 5, arg)
		case 5:
			m.report(queue, arg)
		case 6:
			m.stopped[queue] = arg&1 != 0
			if arg&1 != 0 {
				m.q.Stop(int(queue))
			} else {
				m.q.Wake(int(queue))
			}
		}
		m.check()
	}
	if program[0]&16 != 0 {
		require.NoError(t, m.q.Close())
	} else {
		m.finish()
		require.NoError(t, m.q.Close())
	}
	for i := range 3 {
		m.q.Completed(i, 1000, 1<<30)
	}
	require.Zero(t, m.q.Len())
	require.EqualValues(t, m.sent[0]+m.sent[1]+m.sent[2], m.back.Len())
}
