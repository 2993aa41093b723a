package pf

import (
	"fmt"
	"strings"
	"time"
)

// Print prints f as lines of a pf.conf: first the interfaces and then the
// queues, macros replaced, words in one order, and bandwidths in their largest
// unit. Parse reads it back, and Print prints that the same.
func Print(f *File) string {
	var b strings.Builder
	for i := range f.Interfaces {
		f.Interfaces[i].print(&b)
	}
	for i := range f.Queues {
		f.Queues[i].print(&b)
	}
	return b.String()
}

func (d *Interface) print(b *strings.Builder) {
	fmt.Fprintf(b, "altq on %s", d.Name)
	if d.Bandwidth != (Bandwidth{}) {
		fmt.Fprintf(b, " bandwidth %v", d.Bandwidth)
	}
	if d.QLimit != nil {
		fmt.Fprintf(b, " qlimit %d", *d.QLimit)
	}
	if d.TBRSize != nil {
		fmt.Fprintf(b, " tbrsize %d", *d.TBRSize)
	}
	fmt.Fprintf(b, " %s queue", d.Scheduler)
	printRefs(b, d.Queues)
	b.WriteString("\n")
}

func (q *Queue) print(b *strings.Builder) {
	fmt.Fprintf(b, "queue %s", q.Name)
	if q.On != "" {
		fmt.Fprintf(b, " on %s", q.On)
	}
	if q.Bandwidth != (Bandwidth{}) {
		fmt.Fprintf(b, " bandwidth %v", q.Bandwidth)
	}
	if q.Priority != nil {
		fmt.Fprintf(b, " priority %d", *q.Priority)
	}
	if q.QLimit != nil {
		fmt.Fprintf(b, " qlimit %d", *q.QLimit)
	}
	if q.Scheduler != "" {
		fmt.Fprintf(b, " %s", q.Scheduler)
		if list := q.Options.list(); len(list) > 0 {
			fmt.Fprintf(b, "(%s)", strings.Join(list, " "))
		}
	}
	if len(q.Queues) > 0 {
		printRefs(b, q.Queues)
	}
	b.WriteString("\n")
}

func printRefs(b *strings.Builder, refs []Ref) {
	b.WriteString(" {")
	for _, r := range refs {
		b.WriteString(" " + r.Name)
	}
	b.WriteString(" }")
}

// list returns the options as words.
func (o *QueueOptions) list() (list []string) {
	for _, flag := range []struct {
		on   bool
		name string
	}{{o.Default, "default"}, {o.Borrow, "borrow"}, {o.CoDel, "codel"}} {
		if flag.on {
			list = append(list, flag.name)
		}
	}
	for _, r := range o.Missing {
		list = append(list, r.Name)
	}
	for _, curve := range []struct {
		c    *Curve
		name string
	}{{o.RealTime, "realtime"}, {o.LinkShare, "linkshare"}, {o.UpperLimit, "upperlimit"}} {
		if curve.c != nil {
			list = append(list, curve.name+" "+curve.c.String())
		}
	}
	return list
}

// String prints c as pf.conf has it.
func (c *Curve) String() string {
	if c.D == 0 {
		return c.Second.String()
	}
	return fmt.Sprintf("(%v %d %v)", c.First, c.D/time.Millisecond, c.Second)
}
