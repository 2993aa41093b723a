package qdisctest

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"

	"github.com/netsched/netsched/qdisc"
)

// Mallocs returns how many objects f allocates, exactly: an average, such as
// testing.AllocsPerRun gives, rounds a leak in every 200th call to nothing. The
// runtime may allocate on its own account meanwhile, so f runs up to 5 times,
// until it allocates nothing, and the least count is returned.
func Mallocs(f func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	least := ^uint64(0)
	for range 5 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		if least = min(least, after.Mallocs-before.Mallocs); least == 0 {
			break
		}
	}
	return least
}

const allocCalls = 100_000

func (s *suite) allocs() error {
	for _, load := range []struct {
		name string
		out  uint32 // Dequeues for 4 arrivals
	}{{"in balance", 4}, {"at the limit, dropping", 1}} {
		if n := Mallocs(s.load(load.out)); n != 0 {
			return fmt.Errorf("%s: %d allocations in %d calls", load.name, n, allocCalls)
		}
	}
	return nil
}

// load returns a function that makes allocCalls calls at least, with out
// Dequeues for 4 arrivals.
func (s *suite) load(out uint32) func() {
	var drops qdisc.List
	q := s.build(&drops)
	rng := rand.New(rand.NewPCG(s.seed, 3))
	free := qdisc.Alloc(1 << 14)
	now := qdisc.Time(1e9)

	return func() {
		for range allocCalls / 4 {
			now += 1000
			if free.Empty() {
				q.Reset(now)
				free.Append(&drops)
			}
			p := free.Pop()
			s.packet(rng, p, q)
			q.Enqueue(p, now)
			free.Append(&drops)
			if rng.Uint32N(16) == 0 {
				q.Peek(now)
			}
			if rng.Uint32N(4) >= out {
				continue
			}
			if p := q.Dequeue(now); p != nil {
				free.Push(p)
			} else if t := q.ReadyAt(now); t <= qdisc.MaxTime {
				now = t
			}
		}
	}
}
