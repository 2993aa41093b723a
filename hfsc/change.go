package hfsc

import "github.com/netsched/netsched/qdisc"

// ChangeClass sets a class's curves while packets wait. A curve that differs
// from the present one begins anew at now with what was served until then;
// one that is the same runs on. A zero curve takes the present one away.
func (h *HFSC) ChangeClass(class uint32, cfg ClassConfig, now qdisc.Time) error {
	c := h.lookup(class)
	if c == nil {
		return &qdisc.ConfigError{Field: "Class", Value: class, Why: "there is no such class; use AddClass"}
	}
	var errs qdisc.ConfigErrors
	if cfg.Parent != c.cfg.Parent {
		errs.Add("Parent", cfg.Parent, "a class stays below its parent")
	}
	if cfg.Child != nil && cfg.Child != c.child.Qdisc {
		errs.Add("Child", "another discipline", "ChangeClass keeps the child; use SetChild")
	}
	h.checkCurves(&cfg, c.kids == nil, &errs)
	if err := errs.Err(); err != nil {
		return err
	}
	cfg.Child = c.cfg.Child
	now = h.Clock(now)
	t := h.scale.ticks(now)
	h.Forget()
	old := c.cfg
	if c.live && c.shares && cfg.LinkShare.IsZero() {
		h.charge(c, 0, true, t) // it leaves link sharing
	}
	hadReal, hadShare := c.real, c.shares
	c.cfg = cfg
	h.setCurves(c)
	if cfg.RealTime != old.RealTime {
		c.deadline.begin(&h.scale, &c.rt, t, c.cumul)
	}
	if cfg.LinkShare != old.LinkShare {
		c.virtual.begin(&h.scale, &c.ls, c.vt, c.total)
	}
	if cfg.UpperLimit != old.UpperLimit {
		c.limit.begin(&h.scale, &c.ul, t, c.total)
		switch {
		case !c.limited:
			c.fit = 0
		case h.scale.exact: // else late inner change
			c.fit = c.limit.when(c.total)
		}
	}
	switch {
	case c.live:
		h.retag(c, hadReal, hadShare, now, t)
	case c.kids != nil && c.nactive != 0 && h.scale.exact: // else late inner change
		h.charge(c, 0, false, t)
	}
	return nil
}

// retag gives a live leaf whose curves have changed its new times.
func (h *HFSC) retag(c *class, hadReal, hadShare bool, now qdisc.Time, t uint64) {
	switch {
	case c.real:
		head := c.peek(now)
		if head == nil {
			c.real = hadReal // out of what it was in
			h.setAside(c, now)
			c.real = true
			return
		}
		if hadReal {
			h.eligible.advance(h, c, head.Len, t)
		} else {
			h.eligible.enter(h, c, head.Len, t)
		}
	case hadReal:
		h.eligible.leave(c)
	}
	switch {
	case c.shares && hadShare:
		h.charge(c, 0, false, t)
	case c.shares:
		h.join(c, t)
	}
}

// setCurves takes the curves from c's configuration.
func (h *HFSC) setCurves(c *class) {
	c.rt = h.scale.curve(c.cfg.RealTime)
	c.ls = h.scale.curve(c.cfg.LinkShare)
	c.ul = h.scale.curve(c.cfg.UpperLimit)
	c.real, c.shares, c.limited = c.rt.given, c.ls.given, c.ul.given
	c.slack = h.slack(c)
}
