package txq

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/netsched/netsched/qdisc"
)

// These tests see real time; none asserts how late a timer is.

func clocks() map[string]Clock {
	return map[string]Clock{"system": SystemClock(), "runtime": RuntimeClock()}
}

func TestTimerIsNeverEarly(t *testing.T) {
	for name, clock := range clocks() {
		timer := clock.NewTimer()
		for range 50 {
			until := clock.Now().Add(200 * time.Microsecond)
			timer.Wait(until)
			assert.GreaterOrEqual(t, clock.Now(), until, name)
			timer.Wait(until)
			timer.Wait(0)
		}
		timer.Stop()
	}
}

// far is out of reach of any test.
const far = 10 * time.Hour

// A Wake before Wait, or between two, ends exactly the next one.
func TestWakeSticks(t *testing.T) {
	for name, clock := range clocks() {
		timer := clock.NewTimer()
		for _, until := range []qdisc.Time{qdisc.Never, qdisc.Blocked, clock.Now().Add(far), qdisc.MaxTime} {
			timer.Wake()
			timer.Wake()
			timer.Wait(until)
			short := clock.Now().Add(time.Millisecond)
			timer.Wait(short)
			assert.GreaterOrEqual(t, clock.Now(), short, "%s: two Wakes before a Wait are one", name)
		}
		timer.Stop()
		timer.Wait(qdisc.Never)
		timer.Wake()
	}
}

// Wakes at any moment of a Wait end it: a lost one would hang.
func TestWakeEndsWait(t *testing.T) {
	for name, clock := range clocks() {
		t.Run(name, func(t *testing.T) {
			timer := clock.NewTimer()
			ready := make(chan struct{})
			var wg sync.WaitGroup
			wg.Go(func() {
				for i := range 5000 {
					<-ready
					for range i % 64 {
						runtime.Gosched()
					}
					timer.Wake()
				}
			})
			for i := range 5000 {
				ready <- struct{}{}
				if i%2 == 0 {
					timer.Wait(clock.Now().Add(far))
				} else {
					timer.Wait(qdisc.Never)
				}
			}
			wg.Wait()
			timer.Wait(0) // a Wake may be left
			until := clock.Now().Add(time.Millisecond)
			timer.Wait(until)
			assert.GreaterOrEqual(t, clock.Now(), until, "a Wake has a lasting effect")
			timer.Stop()
		})
	}
}

func TestStopEndsWait(t *testing.T) {
	for _, clock := range clocks() {
		for _, until := range []qdisc.Time{qdisc.Never, clock.Now().Add(far)} {
			timer := clock.NewTimer()
			var wg sync.WaitGroup
			wg.Go(func() { timer.Wait(until) })
			runtime.Gosched()
			timer.Stop()
			wg.Wait()
		}
	}
}

func TestSystemClocksAgree(t *testing.T) {
	a := SystemClock().Now()
	b := SystemClock().Now()
	assert.LessOrEqual(t, a, b)
	assert.Less(t, b.Sub(a), time.Minute)
}

// BenchmarkTimer reports how late the waits of an otherwise idle process end.
func BenchmarkTimer(b *testing.B) {
	for name, clock := range clocks() {
		for _, wait := range []time.Duration{120 * time.Microsecond, time.Millisecond, 5 * time.Millisecond} {
			b.Run(fmt.Sprintf("clock=%s/wait=%v", name, wait), func(b *testing.B) {
				timer := clock.NewTimer()
				defer timer.Stop()
				var late []time.Duration
				for b.Loop() {
					until := clock.Now().Add(wait)
					timer.Wait(until)
					late = append(late, clock.Now().Sub(until))
				}
				slices.Sort(late)
				b.ReportMetric(float64(late[len(late)/2]), "p50-ns")
				b.ReportMetric(float64(late[len(late)*99/100]), "p99-ns")
			})
		}
	}
}

// BenchmarkWake reports how long it takes from Wake to the end of a Wait.
func BenchmarkWake(b *testing.B) {
	for name, clock := range clocks() {
		for _, until := range []string{"never", "far"} {
			b.Run(fmt.Sprintf("clock=%s/until=%s", name, until), func(b *testing.B) {
				timer := clock.NewTimer()
				defer timer.Stop()
				reply := make(chan qdisc.Time)
				var stop atomic.Bool
				go func() {
					for {
						if until == "never" {
							timer.Wait(qdisc.Never)
						} else {
							timer.Wait(clock.Now().Add(far))
						}
						if stop.Load() {
							return
						}
						reply <- clock.Now()
					}
				}()
				var took []time.Duration
				for b.Loop() {
					for range 50 {
						runtime.Gosched() // let the other goroutine fall asleep
					}
					began := clock.Now()
					timer.Wake()
					took = append(took, (<-reply).Sub(began))
				}
				slices.Sort(took)
				b.ReportMetric(float64(took[len(took)/2]), "p50-ns")
				b.ReportMetric(float64(took[len(took)*99/100]), "p99-ns")
				stop.Store(true)
				timer.Wake()
			})
		}
	}
}
