package netsim

import (
	"iter"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// seriesLen is how many windows a Series has; even.
const seriesLen = 4096

// Window is a span of a Series: how many values fell into it, their sum and the
// largest.
type Window struct {
	Count uint64
	Sum   int64
	Max   int64
}

// Mean returns the mean value, 0 if there is none.
func (w Window) Mean() float64 {
	if w.Count == 0 {
		return 0
	}
	return float64(w.Sum) / float64(w.Count)
}

func (w *Window) add(o Window) {
	if w.Count == 0 || o.Count != 0 && o.Max > w.Max {
		w.Max = o.Max
	}
	w.Count += o.Count
	w.Sum += o.Sum
}

// Series gathers values over time in windows of equal length, in fixed memory:
// when time has run through all 4096 of them, windows are joined in pairs and
// from then on twice as long. Values may be nanoseconds, bytes, packets.
type Series struct {
	every   time.Duration
	used    int
	windows []Window
}

// NewSeries returns an empty series with windows of a length, at least 1 ns, that
// begin at time 0.
func NewSeries(every time.Duration) *Series {
	return &Series{every: max(every, 1), windows: make([]Window, seriesLen)}
}

// Add adds a value at a time.
func (s *Series) Add(at qdisc.Time, value int64) {
	i := max(0, int64(at)/int64(s.every))
	for i >= seriesLen {
		s.join()
		i = int64(at) / int64(s.every)
	}
	s.used = max(s.used, int(i)+1)
	s.windows[i].add(Window{1, value, value})
}

// join makes one window of each two.
func (s *Series) join() {
	for i := range seriesLen / 2 {
		w := s.windows[2*i]
		w.add(s.windows[2*i+1])
		s.windows[i] = w
	}
	clear(s.windows[seriesLen/2:])
	s.used = (s.used + 1) / 2
	s.every *= 2
}

// Every returns how long a window is now.
func (s *Series) Every() time.Duration { return s.every }

// Windows returns the windows up to the last one with a value, window i from
// i*Every() on. It is the series' own memory, to be read before the next Add.
func (s *Series) Windows() []Window { return s.windows[:s.used] }

// All ranges over the windows that hold a value, with the time at which each
// begins. The series must not change meanwhile.
func (s *Series) All() iter.Seq2[time.Duration, Window] {
	return func(yield func(time.Duration, Window) bool) {
		for i, w := range s.Windows() {
			if w.Count > 0 && !yield(time.Duration(i)*s.every, w) {
				return
			}
		}
	}
}

// Sampler calls a function at equal intervals and keeps what it returns: the
// length of a queue, a congestion window.
type Sampler struct {
	*Series
	sim   *Sim
	value func() int64
	timer *Timer
	step  time.Duration
}

// NewSampler samples value from now on, every step (at least 1 ns). It never
// stops, so that the world always has a next event.
func NewSampler(s *Sim, step time.Duration, value func() int64) *Sampler {
	m := &Sampler{Series: NewSeries(step), sim: s, value: value, step: max(step, 1)}
	m.timer = s.NewTimer(m.sample)
	m.timer.Set(s.now)
	return m
}

func (m *Sampler) sample() {
	m.Add(m.sim.now, m.value())
	m.timer.Set(m.sim.now.Add(m.step))
}

// Stop ends the sampling.
func (m *Sampler) Stop() { m.timer.Stop() }
