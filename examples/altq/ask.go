package main

import (
	"slices"

	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/pf"
)

// ask works out what the file asks for each sender.
func (t *trial) ask(c *conf) error {
	switch c.scheduler {
	case pf.CBQ:
		t.askCBQ(c)
	case pf.HFSC:
		return t.askHFSC(c)
	default: // the highest priority has all
		best := 0
		for i := range t.results {
			if c.priority(t.senders[i]) > c.priority(t.senders[best]) {
				best = i
			}
		}
		t.results[best].asked = float64(c.link)
	}
	return nil
}

func (c *conf) priority(name string) int {
	for i := range c.file.Queues {
		if q := &c.file.Queues[i]; q.Name == name && (q.On == "" || q.On == c.device) && q.Priority != nil {
			return *q.Priority
		}
	}
	return 1
}

// askCBQ: a queue has its bandwidth, less what those below it use. One that may
// borrow has the link when nobody else sends; with others, what is left goes to
// those that may borrow.
func (t *trial) askCBQ(c *conf) {
	total := 0.0
	for i := range t.results {
		r := &t.results[i]
		class := c.class(r.queue)
		r.asked = float64(c.queues[class-1].Rate) - t.usedBelow(c, class)
		if t.borrow && len(t.senders) == 1 {
			r.asked = float64(c.link)
		}
		total += r.asked
	}
	for i := range t.results {
		t.results[i].atLeast = t.borrow && total < float64(c.link)
	}
}

func (c *conf) class(name string) uint32 {
	return uint32(slices.IndexFunc(c.queues, func(q pf.QueueInfo) bool { return q.Name == name }) + 1)
}

// usedBelow is what the queues below a class use of its bandwidth.
func (t *trial) usedBelow(c *conf, class uint32) (sum float64) {
	for _, q := range c.queues {
		if q.Parent != class {
			continue
		}
		if slices.Contains(t.senders, q.Name) {
			sum += float64(q.Rate)
		} else {
			sum += t.usedBelow(c, q.Class)
		}
	}
	return min(sum, float64(c.queues[class-1].Rate))
}

// askHFSC asks hfsc.Check how the queues that send share the link.
func (t *trial) askHFSC(c *conf) error {
	tree, err := c.tree(false, false)
	if err != nil {
		return err
	}
	var busy []hfsc.Spec
	for _, spec := range tree.Scheduler().(*hfsc.HFSC).Tree() {
		if t.busy(c, spec.Class) {
			busy = append(busy, spec)
		}
	}
	report, err := hfsc.Check(busy, c.link, t.size)
	if err != nil {
		return err
	}
	held := false // by an upper limit: then there is more for the others
	for _, g := range report.Leaves {
		if i := slices.Index(t.senders, tree.Name(g.Class)); i >= 0 {
			limit := c.upperLimit(g.Class, busy)
			t.results[i].asked = float64(min(g.Share, limit))
			t.results[i].atLeast = limit > g.Share
			held = held || limit < g.Share
		}
	}
	for i := range t.results {
		t.results[i].atLeast = t.results[i].atLeast && held
	}
	return nil
}

// busy tells whether a class, or one below it, sends.
func (t *trial) busy(c *conf, class uint32) bool {
	for _, q := range c.queues {
		if q.Class == class && slices.Contains(t.senders, q.Name) || q.Parent == class && t.busy(c, q.Class) {
			return true
		}
	}
	return false
}

// upperLimit is the least upper limit of a class and those above it.
func (c *conf) upperLimit(class uint32, tree []hfsc.Spec) qdisc.Rate {
	limit := c.link
	for class != 0 {
		i := slices.IndexFunc(tree, func(s hfsc.Spec) bool { return s.Class == class })
		if !tree[i].UpperLimit.IsZero() {
			limit = min(limit, tree[i].UpperLimit.M2)
		}
		class = tree[i].Parent
	}
	return limit
}
