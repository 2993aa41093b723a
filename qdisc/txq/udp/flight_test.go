package udp

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// startAt lets the indices of a flight begin at index, and the system's
// numbers at 0.
func startAt(f *flight, index uint32) {
	f.head, f.sent, f.tail, f.shift = index, index, index, -index
}

// sendAll pushes and confirms datagrams of the sizes.
func sendAll(f *flight, sizes ...uint32) {
	for _, n := range sizes {
		f.push(n)
	}
	f.confirm(len(sizes))
}

func TestFlightReports(t *testing.T) {
	for _, start := range []uint32{0, 1<<32 - 2, 1<<31 - 2} {
		f := new(flight)
		startAt(f, start)
		sendAll(f, 10, 20, 30, 40)
		assert.Equal(t, sum{1, 10}, f.report(0))
		assert.Equal(t, sum{}, f.report(0), "twice")
		assert.Equal(t, sum{2, 50}, f.report(2), "the report of 1 was lost")
		assert.Equal(t, sum{}, f.report(1), "late")
		assert.Equal(t, 1, f.held())
		assert.Equal(t, sum{1, 40}, f.report(3))
		assert.Zero(t, f.held())
		assert.Equal(t, flightSize, f.room())
	}
}

// The system reports what it sends before it says that it has.
func TestFlightReportBeforeConfirm(t *testing.T) {
	f := new(flight)
	f.push(10)
	f.push(20)
	f.push(30)
	assert.Equal(t, sum{2, 30}, f.report(1))
	assert.Equal(t, sum{}, f.confirm(2)) // there was no room for the third
	assert.Zero(t, f.held())
	sendAll(f, 30)
	assert.Equal(t, 1, f.held())
	assert.Equal(t, sum{1, 30}, f.report(2))
}

func TestFlightLosses(t *testing.T) {
	f := new(flight)
	startAt(f, 1<<32-1)
	for n := uint32(1); n <= 5; n++ {
		f.push(n)
	}
	assert.Equal(t, sum{1, 2}, f.lose(1))
	assert.Equal(t, sum{1, 5}, f.lose(3))
	assert.Equal(t, sum{}, f.confirm(3))
	assert.Equal(t, sum{1, 1}, f.report(0))
	assert.Equal(t, sum{1, 3}, f.report(1))
	assert.Equal(t, sum{1, 4}, f.report(2))
	assert.Zero(t, f.held())
}

// Others send on the socket, too: numbers 1, 2 and 5 are theirs.
func TestFlightForeignNumbers(t *testing.T) {
	f := new(flight)
	sendAll(f, 10, 20)
	assert.Equal(t, sum{1, 10}, f.report(0))
	assert.Equal(t, sum{1, 20}, f.report(1), "early, by mistake")
	assert.Equal(t, sum{}, f.report(2))
	assert.Equal(t, sum{}, f.report(3), "the one of 20")
	sendAll(f, 30)
	assert.Equal(t, sum{1, 30}, f.report(4), "in step again")
	f.push(40)
	f.push(50)
	assert.Equal(t, sum{1, 40}, f.report(5), "that of another, while 40 is being sent")
	assert.Equal(t, sum{}, f.confirm(0), "it is not")
	assert.Zero(t, f.held())
	sendAll(f, 40, 50) // 40 is not told twice
	assert.Equal(t, 1, f.held())
	assert.Equal(t, sum{1, 50}, f.report(6), "early")
	assert.Equal(t, sum{}, f.report(7), "the one of 50")
	sendAll(f, 60)
	assert.Equal(t, sum{1, 60}, f.report(8), "in step again")

	// A number beyond all that is being sent waits for what becomes of that.
	f.push(70)
	f.push(80)
	assert.Equal(t, sum{}, f.report(11))
	assert.Equal(t, sum{1, 70}, f.confirm(1))
	sendAll(f, 80)
	assert.Equal(t, sum{1, 80}, f.report(12), "in step again")
	// Told early, then refused: told once.
	f.push(90)
	f.push(100)
	assert.Equal(t, sum{1, 90}, f.report(13))
	assert.Equal(t, sum{}, f.lose(0))
	assert.Equal(t, sum{}, f.confirm(1))
	assert.Equal(t, sum{1, 100}, f.report(14))
}

// What is left in the send buffer accounts for the newest.
func TestFlightLeaves(t *testing.T) {
	f := new(flight)
	sendAll(f, 1472, 100, 500, 1472, 0)
	all := int64(2304 + 832 + 1280 + 2304 + 832)
	assert.Equal(t, sum{}, f.leave(all, 5))
	assert.Equal(t, sum{}, f.leave(all-2303, 5))
	assert.Equal(t, sum{1, 1472}, f.leave(all-2304, 5))
	sendAll(f, 7, 8)
	assert.Equal(t, sum{1, 100}, f.leave(832+2304+1, 5))
	assert.Equal(t, sum{3, 1972}, f.leave(0, 5))
	assert.Equal(t, sum{}, f.leave(0, 5))
	assert.Equal(t, sum{2, 15}, f.leave(0, 7))

	assert.EqualValues(t, 2304+1280, truesize(2000)) // measured
	assert.EqualValues(t, 6*2304+832, truesize(9000))
}

// FuzzFlight checks that each packet is reported exactly once, in order, with
// its own bytes, whatever is lost, late or somebody else's.
func FuzzFlight(f *testing.F) {
	f.Add([]byte{3, 0, 0, 1, 2, 2, 5, 5, 3, 1, 4, 6}, uint64(1))
	f.Add([]byte{63, 5, 5, 6, 5, 7, 2, 7, 1, 1, 6}, uint64(2))
	f.Fuzz(func(t *testing.T, program []byte, seed uint64) {
		m := newFlightModel(t, seed)
		for _, op := range program {
			m.op(op)
		}
		m.finish()
	})
}

// flightModel is a system that sends on a socket, and what has been told.
type flightModel struct {
	t   *testing.T
	r   *rand.Rand
	f   *flight
	num uint32 // the next one given out

	size    uint32   // the last one used: sizes are 1, 2, 3 ...
	waiting []uint32 // sizes to be sent: what did not go comes again
	sent    []uint32 // sizes taken by the system and not told yet
	ahead   int      // of waiting, told already
	queue   []uint32 // numbers to report
	foreign bool     // somebody else has sent
}

func newFlightModel(t *testing.T, seed uint64) *flightModel {
	m := &flightModel{t: t, r: rand.New(rand.NewPCG(seed, 0)), f: new(flight)}
	startAt(m.f, m.r.Uint32())
	return m
}

// told checks that s are the next to be told.
func (m *flightModel) told(s sum) {
	for range s.packets {
		switch {
		case len(m.sent) > 0:
			s.bytes -= int64(m.sent[0])
			m.sent = m.sent[1:]
		default:
			require.True(m.t, m.foreign, "told before it is sent")
			require.Less(m.t, m.ahead, len(m.waiting), "told what there is not")
			s.bytes -= int64(m.waiting[m.ahead])
			m.ahead++
		}
	}
	require.Zero(m.t, s.bytes)
}

func (m *flightModel) op(op byte) {
	switch op % 8 {
	case 0, 1, 2:
		m.write(int(op/8) + 1)
	case 3, 4, 5: // a report, or the last of several
		n := min(int(op/8)%4+1, len(m.queue))
		if n > 0 {
			m.report(m.queue[n-1])
			m.queue = m.queue[n:]
		}
	case 6: // somebody else sends
		m.number()
		m.foreign = true
	case 7: // the send buffer is found empty
		m.told(m.f.leave(0, m.f.sent))
		require.Empty(m.t, m.sent)
	}
}

func (m *flightModel) report(num uint32) { m.told(m.f.report(num)) }

func (m *flightModel) number() {
	m.queue = append(m.queue, m.num)
	m.num++
}

// write sends n datagrams. Some are refused, for some there is no room, and
// some are reported meanwhile.
func (m *flightModel) write(n int) {
	for len(m.waiting) < n {
		m.size++
		m.waiting = append(m.waiting, m.size)
	}
	n = min(n, m.f.room())
	for _, size := range m.waiting[:n] {
		m.f.push(size)
	}
	goes := m.r.IntN(n + 1)
	confirmed := 0
	for range goes {
		if m.r.IntN(8) == 0 && len(m.queue) > 0 {
			m.report(m.queue[0])
			m.queue = m.queue[1:]
		}
		size, early := m.waiting[0], m.ahead > 0
		m.waiting, m.ahead = m.waiting[1:], max(0, m.ahead-1)
		if m.r.IntN(8) == 0 {
			want := sum{1, int64(size)}
			if early {
				want = sum{}
			}
			require.Equal(m.t, want, m.f.lose(confirmed))
			continue
		}
		if !early {
			m.sent = append(m.sent, size)
		}
		m.number()
		confirmed++
	}
	m.told(m.f.confirm(confirmed))
}

// finish reports what is left.
func (m *flightModel) finish() {
	for _, num := range m.queue {
		m.report(num)
	}
	m.told(m.f.leave(0, m.f.sent))
	require.Empty(m.t, m.sent)
	require.Zero(m.t, m.f.held())
}
