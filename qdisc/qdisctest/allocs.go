package qdisctest

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"

	"github.com/netsched/netsched/qdisc"
)

const (
	allocCalls    = 100_000
	allocAttempts = 5 // another goroutine may allocate meanwhile
)

// allocs counts exactly: an average would round a leak in every 200th call to
// nothing.
func (s *suite) allocs() error {
	for _, load := range []struct {
		name string
		out  uint32 // Dequeues for 4 arrivals
	}{{"in balance", 4}, {"at the limit, dropping", 1}} {
		n := uint64(0)
		for range allocAttempts {
			if n = s.mallocs(load.out); n == 0 {
				break
			}
		}
		if n != 0 {
			return fmt.Errorf("%s: %d allocations in %d calls", load.name, n, allocCalls)
		}
	}
	return nil
}

func (s *suite) mallocs(out uint32) uint64 {
	var drops qdisc.List
	q := s.build(&drops)
	rng := rand.New(rand.NewPCG(s.seed, 3))
	free := qdisc.Alloc(1 << 14)
	now := qdisc.Time(1e9)

	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
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
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs
}
