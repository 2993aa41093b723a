package cbq

import "github.com/netsched/netsched/qdisc"

// ChangeClass sets a class's configuration while packets wait. What the class
// owes, in bytes, stays.
func (q *CBQ) ChangeClass(class uint32, cfg ClassConfig, now qdisc.Time) error {
	c := q.lookup(class)
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
	cfg.check(&errs)
	if err := errs.Err(); err != nil {
		return err
	}
	cfg.Child = c.cfg.Child
	now = q.Clock(now)
	q.stop(c)
	above := c.place()
	from := above
	if c.own != nil {
		from = c.own
	}
	q.suspend(from)
	above.give(cfg.Rate, c.cfg.Rate)
	above.take(c.takes(&cfg), c.takes(&c.cfg))
	c.cfg = cfg
	if c.own == nil {
		q.tune(c, now)
	}
	q.resume(from, now)
	q.revive(c, now)
	return nil
}
