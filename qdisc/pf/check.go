package pf

import (
	"github.com/netsched/netsched/qdisc/priq"
)

// device is an interface with its queues, as the lines place them.
type device struct {
	*Interface
	queues  []place
	byName  map[string]int // index into queues
	theDflt int            // the default queue's
}

// mostPlaces bounds the product of interfaces and queues, each of which may be at
// each: a list of interfaces makes it large by few words.
const mostPlaces = 1_000_000

// place is a queue of a device.
type place struct {
	*Queue
	parent   int // index into the queues, above this one; -1: the interface
	children []int
}

// devices places every queue at its interfaces and checks what can be without
// knowing any rate.
func (f *File) devices() ([]device, *Error) {
	var list []device
	if n := len(f.Interfaces); n > 0 && len(f.Queues) > mostPlaces/n {
		return nil, f.Interfaces[n-1].errorf("%d queues on %d interfaces are too many; want less, or a text for each interface", len(f.Queues), n)
	}
	used := make([]bool, len(f.Queues))
	names := map[string]bool{}
	for i := range f.Interfaces {
		d := device{Interface: &f.Interfaces[i], byName: map[string]int{}}
		if names[d.Name] {
			return nil, d.Pos.errorf("interface %s has an altq line already", d.Name)
		}
		names[d.Name] = true
		if err := d.put(f.Queues, used); err != nil {
			return nil, err
		}
		if err := d.check(); err != nil {
			return nil, err
		}
		list = append(list, d)
	}
	for i, ok := range used {
		if q := &f.Queues[i]; !ok {
			return nil, q.Pos.errorf("queue %s: no line above names it; want it in the braces of an altq or queue line", q.Name)
		}
	}
	return list, nil
}

// named is a name in the braces of a line, which waits for its queue line.
type named struct {
	Ref
	parent int
}

// put places the queues that belong to d.
func (d *device) put(queues []Queue, used []bool) *Error {
	waiting := map[string]named{}
	name := func(refs []Ref, parent int) *Error {
		for _, r := range refs {
			if _, ok := waiting[r.Name]; ok {
				return r.Pos.errorf("queue %s is named twice on interface %s", r.Name, d.Name)
			}
			waiting[r.Name] = named{r, parent}
		}
		return nil
	}
	err := name(d.Queues, -1)
	for i := 0; i < len(queues) && err == nil; i++ {
		q := &queues[i]
		from, ok := waiting[q.Name]
		if q.On != "" && q.On != d.Name || q.On == "" && !ok {
			continue
		}
		if !ok {
			return q.Pos.errorf("queue %s: no line above names it on interface %s", q.Name, d.Name)
		}
		if first, ok := d.byName[q.Name]; ok {
			return q.Pos.errorf("queue %s is defined already, on line %d", q.Name, d.queues[first].Line)
		}
		used[i] = true
		n := len(d.queues)
		d.byName[q.Name] = n
		d.queues = append(d.queues, place{Queue: q, parent: from.parent})
		if from.parent >= 0 {
			above := &d.queues[from.parent]
			above.children = append(above.children, n)
		}
		err = name(q.Queues, n)
	}
	if err != nil {
		return err
	}
	return d.undefined()
}

// undefined tells of the first name that has no queue line.
func (d *device) undefined() *Error {
	missing := func(refs []Ref) *Error {
		for _, r := range refs {
			if _, ok := d.byName[r.Name]; !ok {
				return r.Pos.errorf("queue %s has no line of its own below; want queue %s ...", r.Name, r.Name)
			}
		}
		return nil
	}
	err := missing(d.Queues)
	for i := 0; i < len(d.queues) && err == nil; i++ {
		err = missing(d.queues[i].Queues)
	}
	return err
}

// check checks each queue against the scheduler.
func (d *device) check() *Error {
	if err := d.checkMade(); err != nil {
		return err
	}
	d.theDflt = -1
	priorities := map[int]string{}
	for i := range d.queues {
		q := &d.queues[i]
		if q.Scheduler != "" && q.Scheduler != d.Scheduler {
			return q.Pos.errorf("queue %s: %s on an interface of %s; want %s", q.Name, q.Scheduler, d.Scheduler, d.Scheduler)
		}
		if q.Options.Default {
			if d.theDflt >= 0 {
				return q.Pos.errorf("queue %s: %s is the default of interface %s already", q.Name, d.queues[d.theDflt].Name, d.Name)
			}
			d.theDflt = i
		}
		most := 7
		switch d.Scheduler {
		case HFSC:
			most = maxPriority // it means nothing
			if q.Options.Default && len(q.children) > 0 {
				return q.Pos.errorf("queue %s: the default of hfsc cannot have queues below it", q.Name)
			}
		case PRIQ:
			most = priq.MaxPriority
			if other, ok := priorities[q.priority()]; ok {
				return q.Pos.errorf("queue %s: priority %d is that of %s; want one of its own (none given: %d)", q.Name, q.priority(), other, defaultPriority)
			}
			priorities[q.priority()] = q.Name
			if err := q.flat(); err != nil {
				return err
			}
		}
		if q.priority() < 0 || q.priority() > most {
			return q.Pos.errorf("queue %s: priority %d; want 0 to %d for %s", q.Name, q.priority(), most, d.Scheduler)
		}
	}
	if d.theDflt < 0 {
		return d.Pos.errorf("interface %s has no default queue; want one with %s(default)", d.Name, d.Scheduler)
	}
	return nil
}

// flat refuses what a queue of priq cannot have.
func (q *place) flat() *Error {
	switch {
	case q.Bandwidth != Bandwidth{}:
		return q.Pos.errorf("queue %s: priq shares no bandwidth; want a priority alone", q.Name)
	case len(q.Queues) > 0:
		return q.Pos.errorf("queue %s: priq has no queues below others", q.Name)
	}
	return nil
}

// defaultPriority is that of a queue that gives none.
const defaultPriority = 1

func (q *Queue) priority() int {
	if q.Priority == nil {
		return defaultPriority
	}
	return *q.Priority
}

// limit is the queue's limit in packets: 0 stands for the default, too.
func (q *Queue) limit() int {
	if q.QLimit == nil || *q.QLimit == 0 {
		return priq.DefaultLimit
	}
	return *q.QLimit
}
