package cake

import (
	"math"
	"math/rand/v2"

	"github.com/netsched/netsched/internal/invsqrt"
	"github.com/netsched/netsched/qdisc"
)

// law is COBALT's parameters in one tin: CoDel, and BLUE for flows that it does
// not reach. Times are compared by the sign of their difference alone.
type law struct {
	target, interval qdisc.Time
	packetTime       qdisc.Time // of MTU bytes at the tin's rate
	linux            bool
}

// What BLUE's drop probability, in 2^-32, goes up by when the memory is full,
// and down by when the flow's queue is empty.
const (
	blueUp   = 1 << 24
	blueDown = 1 << 20
)

// roots are Linux's 1/sqrt(n) in 2^-32 for n up to 15. Four Newton steps from
// the entry before leave 0.70671 at 2.
var roots = makeRoots()

func makeRoots() (r [16]uint32) {
	x := uint32(math.MaxUint32)
	for n := range r {
		for range 4 {
			if n > 0 {
				x = invsqrt.Newton(x, uint32(n))
			}
		}
		r[n] = x
	}
	return r
}

// counted follows a change of the number of signals.
func (l *law) counted(q *queue) {
	switch {
	case !l.linux:
	case q.count < uint32(len(roots)):
		q.root = roots[q.count]
	default:
		q.root = invsqrt.Newton(q.root, q.count)
	}
}

// step returns the time from a signal to the next: interval / sqrt(count)
// (RFC 8289 section 5.4). Linux takes the interval modulo 2^32 ns.
func (l *law) step(q *queue) qdisc.Time {
	if l.linux {
		return qdisc.Time(uint64(uint32(l.interval)) * uint64(q.root) >> 32)
	}
	return invsqrt.Step(l.interval, q.count)
}

// calm tells whether p, the head of q that left just now, goes without further
// ado, as most packets do. If not, judge decides.
func (l *law) calm(q *queue, delay qdisc.Time, now qdisc.Time) bool {
	if q.count != 0 || q.blue != 0 || delay > l.target {
		return false
	}
	q.dropping = false
	q.dropNext = now + l.interval
	return true
}

// judge decides whether p, the head of q that left just now, is to be dropped,
// and whether it is to be marked if it is not dropped all the same. flows is how
// many compete for the line if the queue stands behind the bottleneck, where a
// few packets of each are no sign of congestion.
func (l *law) judge(q *queue, p *qdisc.Packet, flows uint32, now qdisc.Time, random rand.Source) (drop, mark bool) {
	delay := now - p.Stamp
	over := delay > l.target && delay > l.packetTime*qdisc.Time(flows)*2 && delay > l.packetTime*4
	late := now - q.dropNext
	due := q.count != 0 && late >= 0
	switch {
	case !over:
		q.dropping = false
	case !q.dropping:
		q.dropping = true
		q.dropNext = now + l.step(q)
		if q.count == 0 {
			q.count = 1
		}
		if !l.linux { // which goes by the old time once more
			late = now - q.dropNext
			due = late >= 0
		}
	}
	if due && q.dropping {
		mark = p.ECN() != qdisc.NotECT
		drop = !mark
		q.count = min(q.count, math.MaxUint32-1) + 1
		l.counted(q)
		q.dropNext += l.step(q)
		late = now - q.dropNext
	} else {
		if due && q.count > many && !l.linux {
			l.forgive(q, late)
		}
		for due {
			q.count--
			l.counted(q)
			q.dropNext += l.step(q)
			late = now - q.dropNext
			due = q.count != 0 && late >= 0
		}
	}
	if q.blue != 0 && uint32(random.Uint64()>>32) < q.blue {
		drop = true
	}
	if q.count == 0 {
		q.dropNext = now + l.interval
	} else if late > 0 && !drop {
		q.dropNext = now
	}
	return drop, mark
}

// many signals are forgiven at once, fewer one by one.
const many = 256

// forgive takes back at once all signals but a few that judge would take back one
// by one, as no new one was due for a time of late: of a flood there may be
// millions. From n to N they are interval / sqrt(k) apart, which adds up to 2
// interval (sqrt(N - 1/2) - sqrt(n - 1/2)), to a thousandth of a step.
func (l *law) forgive(q *queue, late qdisc.Time) {
	const fewest = 8 // the square root of n, from which on that is so
	span := 2 * float64(l.interval)
	from := math.Sqrt(float64(q.count) - 0.5)
	to := max(from-float64(late)/span, fewest)
	n := uint32(math.Ceil(float64(to*to) + 0.5))
	if n >= q.count {
		return
	}
	q.dropNext += qdisc.Time(span * (from - math.Sqrt(float64(n)-0.5)))
	q.count = n
}

// empty notes that q, which has something to remember, was found empty, and
// tells whether BLUE has let go of it.
func (l *law) empty(q *queue, now qdisc.Time) (quiet bool) {
	if q.blue != 0 && now-q.blueTime > l.target {
		q.blue -= min(q.blue, blueDown)
		q.blueTime = now
		quiet = q.blue == 0
	}
	if q.count != 0 && now-q.dropNext >= 0 {
		q.count--
		l.counted(q)
		q.dropNext += l.step(q)
	}
	return quiet
}

// full notes that q filled the memory, and tells whether BLUE takes it up.
func (l *law) full(q *queue, now qdisc.Time) (unresponsive bool) {
	if uint64(now-q.blueTime) > uint64(l.target) {
		unresponsive = q.blue == 0
		q.blue = min(q.blue, math.MaxUint32-blueUp) + blueUp
		q.blueTime = now
	}
	q.dropping, q.dropNext = true, now
	q.count = max(q.count, 1)
	return unresponsive
}
