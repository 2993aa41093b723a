package netsim_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/netsim"
)

const (
	microsecond = qdisc.Time(time.Microsecond)
	millisecond = qdisc.Time(time.Millisecond)
	second      = qdisc.Time(time.Second)
)

func TestEqualTimesFireInTheOrderOfSet(t *testing.T) {
	s := netsim.New(1)
	var got []int
	var timers []*netsim.Timer
	for i := range 50 {
		timers = append(timers, s.NewTimer(func() { got = append(got, i) }))
	}
	for _, timer := range timers {
		timer.Set(second)
	}
	timers[0].Set(second) // again: behind all others
	timers[7].Stop()
	require.False(t, timers[7].Pending())
	require.True(t, timers[0].Pending())
	require.Equal(t, second, s.Next())

	s.Run(second - 1)
	require.Empty(t, got)
	require.Equal(t, second-1, s.Now())
	s.Run(second)
	require.Len(t, got, 49)
	require.Equal(t, 0, got[48])
	require.True(t, slices.IsSorted(got[:48]))
	require.Equal(t, qdisc.Never, s.Next())
}

func TestTimerTimes(t *testing.T) {
	s := netsim.New(1)
	fired := 0
	timer := s.NewTimer(func() { fired++ })
	for _, never := range []qdisc.Time{qdisc.Never, qdisc.Blocked} {
		timer.Set(5)
		timer.Set(never)
		require.False(t, timer.Pending(), "%v stops a timer", never)
	}
	timer.Stop()

	s.Run(10)
	timer.Set(3)
	require.Equal(t, qdisc.Time(10), s.Next(), "a past time is now")
	s.Run(5)
	require.Zero(t, fired, "a run into the past does nothing")
	s.Run(10)
	require.Equal(t, 1, fired)

	timer.Set(qdisc.MaxTime)
	s.Run(qdisc.Never)
	require.Equal(t, 2, fired)
	require.Equal(t, qdisc.MaxTime, s.Now())
}

func TestRunFromAnEvent(t *testing.T) {
	s := netsim.New(1)
	var seen []qdisc.Time
	s.At(5, func() {
		s.Run(100)
		seen = append(seen, s.Now(), s.Next())
	})
	s.At(7, func() { seen = append(seen, s.Now()) })
	s.Run(10)
	require.Equal(t, []qdisc.Time{5, 7, 7}, seen)
}

func TestTimersAreInlined(t *testing.T) {
	qtest.Inlined(t, "(*Timer).Pending", "(*Sim).Now", "(*event).before")
}

// modelEvent and model are the naive queue: a list that is searched.
type modelEvent struct {
	at    qdisc.Time
	order int
	timer int
}

type model struct {
	now    qdisc.Time
	events []modelEvent
	orders int
}

func (m *model) stop(timer int) {
	m.events = slices.DeleteFunc(m.events, func(e modelEvent) bool { return e.timer == timer })
}

func (m *model) set(timer int, at qdisc.Time) {
	m.stop(timer)
	m.orders++
	m.events = append(m.events, modelEvent{max(at, m.now), m.orders, timer})
}

func (m *model) next() (e modelEvent, ok bool) {
	if len(m.events) == 0 {
		return e, false
	}
	return slices.MinFunc(m.events, func(a, b modelEvent) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.order, b.order))
	}), true
}

// runTimers drives timers by a program of bytes, from outside and from the
// timers' own functions, beside the model.
func runTimers(t testing.TB, program []byte) {
	const timers = 40
	s, m := netsim.New(1), &model{}
	next := func() byte {
		if len(program) == 0 {
			return 0
		}
		b := program[0]
		program = program[1:]
		return b
	}
	list := make([]*netsim.Timer, timers)
	act := func() {
		op, i := next(), int(next())%timers
		at := s.Now() + qdisc.Time(op>>2) - 3 // also into the past
		switch op & 3 {
		case 0:
			list[i].Stop()
			m.stop(i)
		default:
			list[i].Set(at)
			m.set(i, at)
		}
	}
	for i := range list {
		list[i] = s.NewTimer(func() {
			want, ok := m.next()
			require.True(t, ok, "timer %d fired, none is set", i)
			require.Equal(t, want.timer, i, "at %v", s.Now())
			require.Equal(t, want.at, s.Now())
			m.now = want.at
			m.stop(i)
			for n := next() % 4; n > 0 && len(program) > 0; n-- {
				act()
				if want, ok := m.next(); ok {
					require.Equal(t, want.at, s.Next())
				}
			}
		})
	}
	for len(program) > 0 {
		for range next()%8 + 1 {
			act()
		}
		until := s.Now() + qdisc.Time(next()%64)
		s.Run(until)
		m.now = until
		if e, ok := m.next(); ok {
			require.Greater(t, e.at, until)
			require.Equal(t, e.at, s.Next())
		} else {
			require.Equal(t, qdisc.Never, s.Next())
		}
		for i, timer := range list {
			require.Equal(t, slices.ContainsFunc(m.events, func(e modelEvent) bool { return e.timer == i }), timer.Pending())
		}
	}
}

func TestTimersAgainstModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		program := make([]byte, 2000)
		for i := range program {
			program[i] = byte(rng.Uint32())
		}
		runTimers(t, program)
	}
}

func FuzzTimers(f *testing.F) {
	f.Add([]byte("set and stop some timers, run a while, again and again"))
	f.Add([]byte{7, 255, 1, 255, 2, 255, 3, 255, 4, 64, 3, 255, 9, 254, 1, 253, 2})
	f.Fuzz(func(t *testing.T, program []byte) { runTimers(t, program[:min(len(program), 4000)]) })
}
