package netsim

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// CBR sends at a constant bit rate: each packet is followed by the next when
// its own bits have passed at Rate, exactly in the long run. The first leaves
// at once.
type CBR struct{ Rate qdisc.Rate }

// Pacer implements Pattern.
func (c CBR) Pacer(errs *qdisc.ConfigErrors) Pacer {
	checkRate("Pattern.Rate", c.Rate, errs)
	return &pace{rate: c.Rate}
}

// Next implements Pacer.
func (p *pace) Next(_ *rand.Rand, last uint32) (time.Duration, uint32) {
	return p.take(uint64(last)), 0
}

// Poisson sends packets at independent times: the gaps are exponential, with
// the mean that gives Rate for packets of Len bytes (0: 1500).
type Poisson struct {
	Rate qdisc.Rate
	Len  uint32
}

// Pacer implements Pattern.
func (p Poisson) Pacer(errs *qdisc.ConfigErrors) Pacer {
	checkRate("Pattern.Rate", p.Rate, errs)
	if p.Len == 0 {
		p.Len = defaultLen
	}
	if p.Len > qdisc.MaxLen {
		errs.Add("Pattern.Len", p.Len, "up to 2^30 bytes")
	}
	mean := float64(p.Len) * 8e9 / float64(p.Rate)
	if mean < 1 {
		errs.Add("Pattern.Rate", p.Rate, "gaps are whole nanoseconds, and 1 or more on the average")
	}
	return &poisson{mean}
}

type poisson struct{ mean float64 } // ns

// Next implements Pacer.
func (p *poisson) Next(r *rand.Rand, _ uint32) (time.Duration, uint32) {
	return exponential(r, p.mean), 0
}

// OnOff sends at Rate during on times and nothing during off times. Both are
// exponential with the given means; Fixed makes them constant. It begins with
// an on time, and a packet belongs to the on time in which it starts.
type OnOff struct {
	Rate    qdisc.Rate
	On, Off time.Duration
	Fixed   bool
}

// Pacer implements Pattern.
func (o OnOff) Pacer(errs *qdisc.ConfigErrors) Pacer {
	checkRate("Pattern.Rate", o.Rate, errs)
	checkSpan("Pattern.On", o.On, errs)
	checkSpan("Pattern.Off", o.Off, errs)
	return &onOff{OnOff: o, pace: pace{rate: o.Rate}}
}

// onOffTimes is how many on times may pass during one packet. After more of them
// the next packet simply follows: what is left of them does not show.
const onOffTimes = 1000

type onOff struct {
	OnOff
	pace pace
	left time.Duration // of the on time
}

// Next implements Pacer.
func (o *onOff) Next(r *rand.Rand, last uint32) (time.Duration, uint32) {
	if last == 0 {
		o.left = o.span(r, o.On)
		return 0, 0
	}
	gap := o.pace.take(uint64(last))
	o.left -= gap
	for n := 0; o.left <= 0; n++ {
		if n == onOffTimes {
			o.left = 1
			break
		}
		// The on time ended while the last packet was being sent. If that
		// outlasts the off time too, part of the next on time has passed.
		next := gap + o.left + o.span(r, o.Off)
		o.left = o.span(r, o.On)
		if next < gap {
			o.left -= gap - next
		} else {
			gap, o.pace.rest = next, 0
		}
	}
	return gap, 0
}

func (o *onOff) span(r *rand.Rand, mean time.Duration) time.Duration {
	if o.Fixed {
		return mean
	}
	return max(1, exponential(r, float64(mean)))
}

// Bursts sends Packets packets at once, every Every. The first burst leaves at
// once.
type Bursts struct {
	Packets int
	Every   time.Duration
}

// Pacer implements Pattern.
func (b Bursts) Pacer(errs *qdisc.ConfigErrors) Pacer {
	if b.Packets < 1 {
		errs.Add("Pattern.Packets", b.Packets, "a burst has 1 packet or more")
	}
	checkSpan("Pattern.Every", b.Every, errs)
	return &bursts{Bursts: b}
}

type bursts struct {
	Bursts
	sent int // of the burst
}

// Next implements Pacer.
func (b *bursts) Next(_ *rand.Rand, last uint32) (gap time.Duration, length uint32) {
	if last != 0 {
		b.sent++
	}
	if b.sent == b.Packets {
		b.sent, gap = 0, b.Every
	}
	return gap, 0
}

// maxSpan is the longest mean of a random time: it leaves room for the longest
// that can be drawn.
const maxSpan = 1000 * time.Hour

func checkRate(field string, r qdisc.Rate, errs *qdisc.ConfigErrors) {
	if r == 0 || r > maxRate {
		errs.Add(field, r, "1 to 2^62 bit/s")
	}
}

func checkSpan(field string, d time.Duration, errs *qdisc.ConfigErrors) {
	if d <= 0 || d > maxSpan {
		errs.Add(field, d, "above 0, at most 1000 hours")
	}
}

// exponential draws a time with a given mean in ns, rounded to whole ones, so
// that machines whose logarithms differ in the last bit agree.
func exponential(r *rand.Rand, mean float64) time.Duration {
	return time.Duration(math.Round(min(mean*r.ExpFloat64(), 1<<62)))
}
