package pf

import (
	"strings"

	"github.com/netsched/netsched/cbq"
	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/priq"
)

// Options is what ALTQ takes from the interface, and what its words cannot
// say. The zero value is an Ethernet interface whose altq line has a bandwidth.
type Options struct {
	Interface string     // whose tree to build; "": the only one's
	Speed     qdisc.Rate // of the interface, if the altq line names no bandwidth or a percentage
	MTU       int        // longest packet in bytes, 1 to codel.MaxMTU; 0: 1500
	// NoRegulator leaves out the token bucket: what takes packets from the tree
	// is as fast as the interface's bandwidth.
	NoRegulator bool
	// Lenient builds a queue without the options that are not here, red among
	// them, and tells of it in Tree.Warnings: the queue drops what its qlimit has no
	// room for. Otherwise they are errors.
	Lenient bool

	Drops   *qdisc.List      // takes the tree's dropped packets; nil: the garbage collector
	Sojourn *qdisc.Histogram // records the waiting time of each packet sent; nil: none
}

// Build reads the queueing lines of a pf.conf and builds the tree of an
// interface. What is wrong with the text is an [*Error], with opt a
// *qdisc.ConfigError.
func Build(text string, opt Options) (*Tree, error) {
	f, err := Parse(text)
	if err != nil {
		return nil, err
	}
	return f.Build(opt)
}

// Build builds the tree of an interface.
func (f *File) Build(opt Options) (*Tree, error) {
	list, bad := f.devices()
	if bad != nil {
		return nil, bad
	}
	d, err := pick(list, opt.Interface)
	if err != nil {
		return nil, err
	}
	if opt.MTU == 0 {
		opt.MTU = defaultMTU
	}
	if opt.MTU < 0 || opt.MTU > codel.MaxMTU {
		return nil, &qdisc.ConfigError{Field: "MTU", Value: opt.MTU, Why: "a packet has 1 to 2^20 bytes; 0 means 1500"}
	}
	if opt.Speed > maxRate {
		return nil, &qdisc.ConfigError{Field: "Speed", Value: opt.Speed, Why: "an interface has at most 2^62 bit/s"}
	}
	b := builder{device: d, opt: opt, link: d.Bandwidth.of(opt.Speed)}
	if d.Bandwidth == (Bandwidth{}) {
		b.link = opt.Speed
	}
	if b.link == 0 {
		return nil, d.Pos.errorf("interface %s: its speed is not known here; want a bandwidth such as 10Mb (or the Speed option set)", d.Name)
	}
	t, bad := b.build()
	if bad != nil {
		return nil, bad
	}
	return t, nil
}

// pick returns the interface of a name, or the only one.
func pick(list []device, name string) (*device, error) {
	for i := range list {
		if list[i].Name == name {
			return &list[i], nil
		}
	}
	switch {
	case len(list) == 0:
		return nil, &Error{Text: "there is no altq line; want one such as: altq on em0 bandwidth 10Mb cbq queue { std }"}
	case name != "":
		return nil, &qdisc.ConfigError{Field: "Interface", Value: name, Why: "no altq line is for it; there is " + names(list)}
	case len(list) > 1:
		return nil, &qdisc.ConfigError{Field: "Interface", Value: `""`, Why: "name one; there is " + names(list)}
	}
	return &list[0], nil
}

func names(list []device) string {
	var all []string
	for i := range list {
		all = append(all, list[i].Name)
	}
	return strings.Join(all, ", ")
}

// builder builds the tree of one interface.
type builder struct {
	*device
	opt   Options
	link  qdisc.Rate
	rates []qdisc.Rate // of the queues

	warnings []*Error
}

// class is the number of queue i in the scheduler; that of -1, the interface, is 0.
func class(i int) uint32 { return uint32(i + 1) }

func (b *builder) build() (*Tree, *Error) {
	if err := b.resolve(); err != nil {
		return nil, err
	}
	if err := b.leaveOut(); err != nil {
		return nil, err
	}
	t := &Tree{name: b.Name, byName: map[string]uint32{}, warnings: b.warnings}
	for i := range b.queues {
		q := &b.queues[i]
		t.byName[q.Name] = class(i)
		info := QueueInfo{Name: q.Name, Class: class(i), Parent: class(q.parent), Default: i == b.theDflt}
		if b.rates != nil {
			info.Rate = b.rates[i]
		}
		t.queues = append(t.queues, info)
	}
	var bad *Error
	switch b.Scheduler {
	case CBQ:
		t.scheduler, bad = b.cbq()
	case HFSC:
		t.scheduler, bad = b.hfsc()
	default:
		t.scheduler, bad = b.priq()
	}
	if bad != nil {
		return nil, bad
	}
	t.root = t.scheduler
	if !b.opt.NoRegulator {
		cfg := RegulatorConfig{
			Rate: b.link, Burst: DefaultBurst(b.link, uint32(b.opt.MTU)), Child: t.scheduler,
			Drops: b.opt.Drops, Sojourn: b.opt.Sojourn,
		}
		if b.TBRSize != nil {
			cfg.Burst = *b.TBRSize
		}
		r, err := NewRegulator(cfg)
		if err != nil {
			return nil, b.Interface.refuse("interface "+b.Name, err)
		}
		t.root = r
	}
	return t, nil
}

// leaveOut warns of the options that are not here, or refuses them.
func (b *builder) leaveOut() *Error {
	for i := range b.queues {
		q := &b.queues[i]
		for _, o := range q.Options.Missing {
			if !b.opt.Lenient {
				return o.errorf("queue %s: option %s is not here; want codel, or none, or Options.Lenient to leave it out", q.Name, o.Name)
			}
			b.warn(o.Pos, "queue %s: option %s is not here and left out", q.Name, o.Name)
		}
	}
	return nil
}

func (b *builder) warn(p Pos, format string, args ...any) {
	b.warnings = append(b.warnings, p.errorf(format, args...))
}

// attend returns the list and histogram of the scheduler: those of the tree, if
// it is the root.
func (b *builder) attend() (*qdisc.List, *qdisc.Histogram) {
	if b.opt.NoRegulator {
		return b.opt.Drops, b.opt.Sojourn
	}
	return nil, nil
}

func (b *builder) cbq() (qdisc.Parent, *Error) {
	drops, sojourn := b.attend()
	q, err := cbq.New(cbq.Config{
		Bandwidth: b.link, AvgPacket: uint32(b.opt.MTU), Default: class(b.theDflt), Drops: drops, Sojourn: sojourn,
	})
	return add(b, q, err, func(i int, child qdisc.Qdisc) error {
		p := &b.queues[i]
		cfg := cbq.PFClass{
			Parent: class(p.parent), Bandwidth: b.rates[i], Priority: new(p.priority()), Borrow: p.Options.Borrow,
		}.Config(b.link, uint32(b.opt.MTU))
		cfg.Child = child
		return q.AddClass(class(i), cfg, 0)
	})
}

func (b *builder) hfsc() (qdisc.Parent, *Error) {
	drops, sojourn := b.attend()
	q, err := hfsc.New(hfsc.Config{Default: class(b.theDflt), Drops: drops, Sojourn: sojourn})
	return add(b, q, err, func(i int, child qdisc.Qdisc) error {
		rt, ls, ul := b.curves(i)
		return q.AddClass(class(i), hfsc.ClassConfig{
			Parent: class(b.queues[i].parent), RealTime: rt, LinkShare: ls, UpperLimit: ul, Child: child,
		}, 0)
	})
}

func (b *builder) priq() (qdisc.Parent, *Error) {
	drops, sojourn := b.attend()
	q, err := priq.New(priq.Config{Default: class(b.theDflt), Drops: drops, Sojourn: sojourn})
	return add(b, q, err, func(i int, child qdisc.Qdisc) error {
		return q.AddClass(class(i), priq.ClassConfig{Priority: b.queues[i].priority(), Child: child}, 0)
	})
}

// add adds all queues to a scheduler q, which New gave with err.
func add(b *builder, q qdisc.Parent, err error, one func(i int, child qdisc.Qdisc) error) (qdisc.Parent, *Error) {
	if err != nil {
		return nil, b.Interface.refuse("interface "+b.Name, err)
	}
	for i := range b.queues {
		p := &b.queues[i]
		child, err := b.leaf(p)
		if err == nil {
			err = one(i, child)
		}
		if err != nil {
			return nil, p.refuse("queue "+p.Name, err)
		}
	}
	return q, nil
}

// leaf makes what holds the packets of a queue.
func (b *builder) leaf(p *place) (qdisc.Qdisc, error) {
	limit := p.limit()
	if p.Options.CoDel {
		return codel.New(codel.Config{Limit: &limit, MTU: b.opt.MTU})
	}
	return fifo.New(fifo.Config{Limit: &limit})
}
