package pf

// checkMade refuses what Parse does not give, but a File that was made otherwise may
// have.
func (d *device) checkMade() *Error {
	if s := d.Scheduler; s != CBQ && s != HFSC && s != PRIQ {
		return d.Pos.errorf("interface %s: scheduler %q is not here; want cbq, hfsc or priq", d.Name, s)
	}
	const want = "want a percentage of at most 100"
	if !d.Bandwidth.valid() {
		return d.Pos.errorf("interface %s: bandwidth %v; %s", d.Name, d.Bandwidth, want)
	}
	for i := range d.queues {
		q := &d.queues[i]
		list := []Bandwidth{q.Bandwidth}
		for _, c := range []*Curve{q.Options.RealTime, q.Options.LinkShare, q.Options.UpperLimit} {
			if c != nil {
				list = append(list, c.First, c.Second)
			}
		}
		for _, b := range list {
			if !b.valid() {
				return q.Pos.errorf("queue %s: bandwidth %v; %s", q.Name, b, want)
			}
		}
	}
	return nil
}
