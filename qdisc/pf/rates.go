package pf

import (
	"time"

	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/qdisc"
)

// resolve computes the rates of the queues and checks them against the parent's.
func (b *builder) resolve() *Error {
	if b.Scheduler == PRIQ {
		return nil
	}
	b.rates = make([]qdisc.Rate, len(b.queues))
	for i := range b.queues {
		q := &b.queues[i]
		above := b.above(i)
		rate := q.Bandwidth.of(above)
		switch {
		case q.Bandwidth == Bandwidth{}:
			rate = above
		case rate == 0:
			return q.Pos.errorf("queue %s: bandwidth %v is less than 1 bit/s; want more", q.Name, q.Bandwidth)
		case rate > above:
			return q.Pos.errorf("queue %s: bandwidth %v is more than the %v above it; want at most that", q.Name, q.Bandwidth, Bandwidth{Rate: above})
		}
		if c := q.Options.LinkShare; c != nil {
			rate = c.Second.of(above) // as pfctl has it
		}
		b.rates[i] = rate
	}
	if b.Scheduler == HFSC {
		return b.admit()
	}
	return nil
}

// above returns the bandwidth of what is above queue i.
func (b *builder) above(i int) qdisc.Rate {
	if p := b.queues[i].parent; p >= 0 {
		return b.rates[p]
	}
	return b.link
}

// curves returns the service curves of queue i. Link sharing goes by the
// bandwidth if there is no curve for it.
func (b *builder) curves(i int) (rt, ls, ul hfsc.Curve) {
	o, above := &b.queues[i].Options, b.above(i)
	ls = hfsc.Line(b.rates[i])
	if o.LinkShare != nil {
		ls = o.LinkShare.on(above)
	}
	return o.RealTime.on(above), ls, o.UpperLimit.on(above)
}

// admit applies the rules by which ALTQ takes a tree of service curves.
func (b *builder) admit() *Error {
	link := hfsc.Line(b.link)
	for i := range b.queues {
		q := &b.queues[i]
		rt, ls, ul := b.curves(i)
		switch {
		case !ul.IsZero() && !under([]hfsc.Curve{ul}, link):
			return q.Pos.errorf("queue %s: upperlimit is more than the interface's bandwidth; want at most that", q.Name)
		case !ul.IsZero() && ul.M2 < rt.M2:
			return q.Pos.errorf("queue %s: upperlimit is less than realtime; want at least that", q.Name)
		}
		if err := b.admitBelow(q.Pos, "queue "+q.Name, q.children, ls); err != nil {
			return err
		}
	}
	return b.admitBelow(b.Interface.Pos, "interface "+b.Name, b.top(), link)
}

// top returns the queues right below the interface.
func (b *builder) top() (list []int) {
	for i := range b.queues {
		if b.queues[i].parent < 0 {
			list = append(list, i)
		}
	}
	return list
}

// admitBelow checks the curves of the queues below one place, whose link-sharing
// curve is share.
func (b *builder) admitBelow(p Pos, name string, queues []int, share hfsc.Curve) *Error {
	var realTime, linkShare []hfsc.Curve
	for _, i := range queues {
		rt, ls, _ := b.curves(i)
		realTime, linkShare = append(realTime, rt), append(linkShare, ls)
	}
	switch {
	case !under(realTime, hfsc.Line(b.link/5*4+b.link%5*4/5)):
		return p.errorf("%s: the realtime curves below it are more than 80%% of the interface's bandwidth; want less", name)
	case !under(linkShare, share):
		return p.errorf("%s: the linkshare curves (or bandwidths) below it are more than its own; want less", name)
	}
	return nil
}

// under tells whether curves together are never above a bound: lines that
// bend are to be compared where any of them bends, and at the end. What rounding
// of the rates can do is let pass.
func under(curves []hfsc.Curve, bound hfsc.Curve) bool {
	at := map[time.Duration]bool{bound.D: true}
	last := 0.0
	for _, c := range curves {
		at[c.D] = true
		last += float64(c.M2)
	}
	slack := float64(len(curves)) // bit/s
	if last > float64(bound.M2)+slack {
		return false
	}
	for d := range at {
		total := 0.0
		for _, c := range curves {
			total += amount(c, d)
		}
		if total > amount(bound, d)*(1+1e-9)+slack*d.Seconds() {
			return false
		}
	}
	return true
}

// amount is what a curve has after d, in bits.
func amount(c hfsc.Curve, d time.Duration) float64 {
	first := min(d, c.D)
	return float64(c.M1)*first.Seconds() + float64(c.M2)*(d-first).Seconds()
}
