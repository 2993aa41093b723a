package cbq

import (
	"math/bits"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// nsPerByte is the time of a byte at 1 bit/s.
const nsPerByte = 8_000_000_000

// meter measures a rate by a virtual clock: at + frac is the instant from
// which all that was charged is within the rate. Nothing is rounded but the
// time of a byte, by less than 2^-64 ns.
type meter struct {
	at    qdisc.Time // may be before 0; Never: the rate is 0
	frac  uint64     // of a nanosecond, times 2^64
	whole uint64     // nanoseconds a byte
	part  uint64     // and their fraction, times 2^64
	rate  qdisc.Rate
	hold  qdisc.Time // how much longer than need be it waits: offtime
	lag   qdisc.Time // that, and how far an idle class may fall behind: its burst
	lead  qdisc.Time // how far it may be ahead before a packet is counted: minidle
	average
}

// over tells whether the limit is exceeded.
func (m *meter) over(now qdisc.Time) bool { return m.at > now || m.at == now && m.frac != 0 }

// due returns when to stop waiting, as a key of a heap.
func (m *meter) due() uint64 {
	if m.at == qdisc.Never {
		return uint64(qdisc.Never)
	}
	at := uint64(m.at) + uint64(m.hold)
	if m.frac != 0 {
		at++
	}
	return min(at, uint64(qdisc.MaxTime))
}

// rest drops the credit, beyond the burst, of a class that has been idle.
func (m *meter) rest(now qdisc.Time) {
	if since := now - (m.lag - m.hold); m.at < since {
		m.at, m.frac = since, 0
	}
}

// charge counts n bytes sent now. The clock does not start before since, as a
// class that could not send catches up no more than that, and not further ahead
// than what may be owed.
func (m *meter) charge(n uint64, now, since qdisc.Time) {
	before, beforeFrac := m.at, m.frac
	if m.at < since-m.lag {
		m.at, m.frac = since-m.lag, 0
	} else if m.at-now > m.lead {
		m.at, m.frac = now+m.lead, 0
	}
	hi, lo := bits.Mul64(n, m.part)
	frac, carry := bits.Add64(m.frac, lo, 0)
	step := n*m.whole + hi + carry // below 2^63, as n is at most MaxLen
	at := m.at + qdisc.Time(step)
	switch {
	case m.at > 0 && step > uint64(qdisc.MaxTime-m.at):
		at, frac = qdisc.MaxTime, 0
	case at < before: // what is forgotten makes no wait shorter that has begun
		at, frac = before, beforeFrac
	}
	m.at, m.frac = at, frac
}

// set gives the meter another rate. What it is ahead, in bytes, stays.
func (m *meter) set(rate qdisc.Rate, now qdisc.Time) {
	old := m.rate
	if rate == old {
		return
	}
	m.rate = rate
	m.perByte = 0
	switch {
	case rate == 0:
		m.at, m.frac, m.whole, m.part = qdisc.Never, 0, 0, 0
		return
	case old == 0:
		m.at = now
	case m.over(now):
		m.at, m.frac = scale(now, m.at-now, m.frac, old, rate)
	}
	m.perByte = nsPerByte / float64(rate)
	m.whole = nsPerByte / uint64(rate)
	m.part, _ = bits.Div64(nsPerByte%uint64(rate), 0, uint64(rate))
}

// scale returns now + (t + frac) * from / to, with its fraction; t grows to span
// at most.
func scale(now, t qdisc.Time, frac uint64, from, to qdisc.Rate) (qdisc.Time, uint64) {
	carry, low := bits.Mul64(frac, uint64(from))
	hi, lo := bits.Mul64(uint64(t), uint64(from))
	lo, c := bits.Add64(lo, carry, 0)
	hi += c
	if hi >= uint64(to) {
		return now.Add(time.Duration(span)), 0
	}
	ahead, rest := bits.Div64(hi, lo, uint64(to))
	part, _ := bits.Div64(rest, low, uint64(to))
	if ahead >= uint64(span) {
		return now.Add(time.Duration(span)), 0
	}
	return now.Add(time.Duration(ahead)), part
}

// restart sets the meter to what a class has that was idle for long.
func (m *meter) restart() {
	if m.rate != 0 {
		m.at, m.frac = -span, 0
	}
	m.average.restart()
}
