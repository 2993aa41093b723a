package txq

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
)

// departures notes what left when, and checks it against a curve.
type departures struct {
	rate  float64 // bytes a nanosecond
	sent  float64
	low   float64 // least of sent before a moment - rate * that moment
	worst float64 // most of what left in an interval - rate * the interval
}

func (d *departures) add(bytes int, at qdisc.Time) {
	d.low = min(d.low, d.sent-d.rate*float64(at))
	d.sent += float64(bytes)
	d.worst = max(d.worst, d.sent-d.rate*float64(at)-d.low)
}

// shaped sends 1500-byte packets through a bucket of one such packet at
// 100 Mbit/s for 2 s, with timers that are late, and returns the share of the
// rate that was reached.
func shaped(t *testing.T, late, catchup time.Duration, batch int, standing bool) (share float64, s Stats) {
	const size, end = 1500, qdisc.Time(2e9)
	clock := &virtual{t: t, late: late, now: 1e6}
	var back returned
	q := newQueue(t, Config{Qdisc: newTBF(t, 100*qdisc.Mbit), Clock: clock, Catchup: &catchup, Free: back.free})
	free := packets(40000, size)
	send := func(n int) {
		if q.Len() > 300 {
			n = 3
		}
		n = min(n, len(free))
		require.NoError(t, q.Send(free[:n]))
		free = free[n:]
	}
	if standing {
		require.NoError(t, q.Send(free))
		free = nil
	} else {
		send(200)
		// Arrivals all the time, in the middle of waits and when departures
		// are overdue.
		clock.meanwhile = func(until qdisc.Time) {
			began := clock.now
			clock.now = until - 10
			send(30)
			clock.now = max(began, until.Add(late/2))
			if late > 0 {
				clock.rung = false // the consumer is as late as ever
			}
			send(30)
			clock.rung = false
		}
	}
	d := departures{rate: 100e6 / 8 / 1e9}
	dst := make([]*qdisc.Packet, batch)
	began := clock.now
	for clock.now < end {
		n, err := q.Recv(dst)
		require.NoError(t, err)
		for _, p := range dst[:n] {
			d.add(int(p.Len), clock.now)
		}
		free = append(free, dst[:n]...)
		if n == batch {
			clock.now += 2000 // writing takes its time
		}
	}
	assert.LessOrEqual(t, d.worst, size+d.rate*float64(catchup)+1, "more than the curve, the burst and Catchup allow")
	return d.sent / (d.rate * float64(clock.now-began)), q.Stats()
}

// A late timer costs no rate, whatever the burst.
func TestLatenessCostsNoRate(t *testing.T) {
	for _, late := range []time.Duration{0, 50 * time.Microsecond, time.Millisecond, DefaultCatchup} {
		for _, batch := range []int{1, 3, 64} {
			for _, standing := range []bool{true, false} {
				t.Run(fmt.Sprintf("late=%v/batch=%d/standing=%v", late, batch, standing), func(t *testing.T) {
					share, s := shaped(t, late, DefaultCatchup, batch, standing)
					assert.GreaterOrEqual(t, share, 0.999)
					assert.LessOrEqual(t, share, 1.001) // the burst is 0.06 %
					assert.Equal(t, late, s.LateMax)
					assert.Zero(t, s.Overruns)
				})
			}
		}
	}
}

// What is beyond Catchup is forfeit: a packet takes 120 us.
func TestLatenessBeyondCatchup(t *testing.T) {
	for _, c := range []struct {
		late, catchup time.Duration
		share         float64
	}{
		{time.Millisecond, 0, 120. / 1120},
		{5 * time.Millisecond, 2 * time.Millisecond, 17. / (5000. / 120)},
		{5 * time.Millisecond, 5 * time.Millisecond, 1},
	} {
		share, s := shaped(t, c.late, c.catchup, 64, true)
		assert.InEpsilon(t, c.share, share, 0.05, "late %v, catch-up %v", c.late, c.catchup)
		assert.Equal(t, c.late, s.LateMax)
		assert.Equal(t, c.late > c.catchup, s.Overruns > 0)
		assert.Equal(t, time.Duration(s.Overruns)*max(0, c.late-c.catchup), s.Forfeit)
	}
}

// broken holds packets but never knows when to ask again.
type broken struct {
	qdisc.Qdisc
	answer  func(now qdisc.Time) qdisc.Time
	dequeue int
}

func (b *broken) Dequeue(qdisc.Time) *qdisc.Packet  { b.dequeue++; return nil }
func (b *broken) ReadyAt(now qdisc.Time) qdisc.Time { return b.answer(now) }

// A discipline whose next event is in the past, or creeps, makes no busy loop.
func TestNextEventInThePast(t *testing.T) {
	for name, answer := range map[string]func(qdisc.Time) qdisc.Time{
		"past":  func(qdisc.Time) qdisc.Time { return 0 },
		"now":   func(now qdisc.Time) qdisc.Time { return now },
		"creep": func(now qdisc.Time) qdisc.Time { return now + 1 },
	} {
		t.Run(name, func(t *testing.T) {
			clock := &virtual{t: t, now: 1e9, late: time.Millisecond}
			b := &broken{Qdisc: qtest.FIFO(10), answer: answer}
			q := newQueue(t, Config{Qdisc: b, Clock: clock})
			require.NoError(t, q.Send(packets(1, 100)))
			clock.meanwhile = func(qdisc.Time) {
				if clock.waits == 100 {
					require.NoError(t, q.Close())
				}
			}
			_, err := q.Recv(make([]*qdisc.Packet, 1))
			assert.ErrorIs(t, err, ErrClosed)
			assert.GreaterOrEqual(t, clock.now, qdisc.Time(1e9+99e6), "waits make time pass")
			assert.LessOrEqual(t, b.dequeue, 100*(maxSteps+2))
		})
	}
}
