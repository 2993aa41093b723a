package pf

import (
	"cmp"
	"slices"
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
		if c := q.Options.LinkShare; c != nil && b.Scheduler == HFSC {
			rate = c.Second.of(above) // as pfctl has it
		}
		b.rates[i] = rate
	}
	if b.Scheduler == HFSC {
		return b.admit()
	}
	b.warnOfSums()
	return nil
}

// warnOfSums tells of queues that ask for more together than what is above them
// has. What rounding can do is let pass.
func (b *builder) warnOfSums() {
	sums := make([]qdisc.Rate, len(b.queues)+1) // by class
	for i, rate := range b.rates {
		sums[class(b.queues[i].parent)] += rate
	}
	if slack := qdisc.Rate(len(b.queues)); sums[0] > b.link+slack {
		b.warnOfSum(b.Interface.Pos, "interface "+b.Name, sums[0], b.link)
	}
	for i, rate := range b.rates {
		q := &b.queues[i]
		if slack := qdisc.Rate(len(q.children)); sums[class(i)] > rate+slack {
			b.warnOfSum(q.Pos, "queue "+q.Name, sums[class(i)], rate)
		}
	}
}

func (b *builder) warnOfSum(p Pos, name string, sum, of qdisc.Rate) {
	b.warn(p, "%s: the bandwidths below it, %v together, are more than its %v", name, Bandwidth{Rate: sum}, Bandwidth{Rate: of})
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

// under tells whether curves together are never above a bound. Lines that bend
// are compared where any of them bends, and in the end. What rounding of the
// rates can do is let pass.
func under(curves []hfsc.Curve, bound hfsc.Curve) bool {
	bends := append(slices.Clone(curves), hfsc.Curve{D: bound.D})
	slices.SortFunc(bends, func(a, b hfsc.Curve) int { return cmp.Compare(a.D, b.D) })
	slack := float64(len(curves)) // bit/s
	rate, last := 0.0, 0.0
	for _, c := range bends {
		rate += float64(c.M1)
		last += float64(c.M2)
	}
	if last > float64(bound.M2)+slack {
		return false
	}
	total, at := 0.0, time.Duration(0)
	for _, c := range bends {
		total += rate * (c.D - at).Seconds()
		if total > amount(bound, c.D)*(1+1e-9)+slack*c.D.Seconds() {
			return false
		}
		rate += float64(c.M2) - float64(c.M1)
		at = c.D
	}
	return true
}

// amount is what a curve has after d, in bits.
func amount(c hfsc.Curve, d time.Duration) float64 {
	first := min(d, c.D)
	return float64(c.M1)*first.Seconds() + float64(c.M2)*(d-first).Seconds()
}
