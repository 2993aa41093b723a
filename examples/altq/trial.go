package main

import (
	"slices"
	"strings"
	"time"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/netsim"
	"github.com/netsched/netsched/qdisc/pf"
)

// sizes are the lengths of the packets, in bytes.
var sizes = []uint32{1500, 576, 64}

// A trial lasts for settle and wireTime, with TCP, whose losses are slow to heal,
// for settle and tcpTime (that of the measurement of 2007), but each no longer
// than the link takes for mostPackets. What comes after settle counts.
const (
	settle      = 10 * time.Second
	wireTime    = 40 * time.Second
	tcpTime     = 60 * time.Second
	mostPackets = 50_000
)

// lasts cuts a time to what the link takes for mostPackets of a size.
func (c *conf) lasts(d time.Duration, size uint32) time.Duration {
	return min(d, time.Duration(mostPackets*float64(size)*8e9/float64(c.link)))
}

// trial is some queues that send all they can.
type trial struct {
	borrow  bool
	size    uint32
	senders []string
	results []result // of the senders
}

// result is what a queue gets, in bit/s.
type result struct {
	queue   string
	asked   float64
	atLeast bool // asked is what it has at least
	wire    float64
	payload float64
	altq    float64 // 0: not known
}

// name tells who sends.
func (t *trial) name() string {
	switch n := len(t.senders); {
	case n == 1:
		return t.senders[0] + " alone"
	case n > 2:
		return "all"
	}
	return strings.Join(t.senders, " and ")
}

// outcome is all that was measured.
type outcome struct {
	conf   *conf
	trials []*trial
	cost   *cost
}

// find returns the trial of some senders.
func (o *outcome) find(borrow bool, size uint32, senders ...string) *trial {
	for _, t := range o.trials {
		if t.borrow == borrow && t.size == size && slices.Equal(t.senders, senders) {
			return t
		}
	}
	return nil
}

// borrows tells whether to run without borrowing and with it.
func (c *conf) borrows() []bool {
	if c.scheduler == pf.CBQ {
		return []bool{false, true}
	}
	return []bool{false}
}

// measure runs every trial.
func (o *outcome) measure() error {
	var who [][]string
	for _, name := range o.conf.names {
		who = append(who, []string{name})
	}
	if len(o.conf.names) > 1 {
		who = append(who, o.conf.names)
	}
	for _, borrow := range o.conf.borrows() {
		for _, senders := range who {
			for _, size := range sizes {
				t := &trial{borrow: borrow, size: size, senders: senders}
				if err := t.run(o.conf); err != nil {
					return err
				}
				o.trials = append(o.trials, t)
			}
		}
	}
	return nil
}

// run runs a trial, once with senders that never stop and once with TCP.
func (t *trial) run(c *conf) error {
	for _, name := range t.senders {
		r := result{queue: name}
		if c.own {
			r.altq = recorded[figure{t.borrow, t.name(), t.size, name}] * 1e6
		}
		t.results = append(t.results, r)
	}
	if err := t.ask(c); err != nil {
		return err
	}
	if err := t.saturate(c); err != nil {
		return err
	}
	return t.connect(c)
}

// sender keeps its queue filled: a packet goes in for each that has come out or
// was lost.
type sender struct {
	sim   *netsim.Sim
	link  *netsim.Link
	look  qdisc.Packet
	meter *netsim.Meter
}

// ahead is how many packets of a sender are under way. It is less than any
// queue holds that names no qlimit.
const ahead = 20

func (s *sender) send() {
	p := s.sim.Alloc()
	p.Packet = qdisc.Packet{Class: s.look.Class, Len: s.look.Len, Flow: s.look.Flow, Payload: p}
	p.To = s
	s.link.Receive(p)
}

// Receive takes a packet at the end of its way.
func (s *sender) Receive(p *netsim.Packet) {
	s.meter.Receive(p)
	s.send()
}

// lost makes up for a packet that was dropped.
func (s *sender) lost() { s.sim.At(s.sim.Now().Add(time.Millisecond), s.send) }

// begin fills the queue.
func (s *sender) begin() {
	for range ahead {
		s.send()
	}
}

// senders puts the disciplines on a link and returns a sender for each queue named,
// which has not begun.
func (c *conf) senders(borrow bool, size uint32, names []string) (*netsim.Sim, []*sender, error) {
	tree, err := c.tree(borrow, false)
	if err != nil {
		return nil, nil, err
	}
	sim := netsim.New(1)
	link, err := netsim.NewLink(sim, netsim.LinkConfig{
		Rate: c.link, Qdisc: tree.Root(),
		OnDrop: func(p *netsim.Packet) { p.To.(*sender).lost() },
	})
	if err != nil {
		return nil, nil, err
	}
	var list []*sender
	for _, name := range names {
		s := &sender{sim: sim, link: link, meter: netsim.NewMeter(sim)}
		s.look = qdisc.Packet{Class: tree.Class(name), Len: size, Flow: tree.Class(name)}
		list = append(list, s)
	}
	return sim, list, nil
}

// saturate measures the rates on the wire.
func (t *trial) saturate(c *conf) error {
	sim, list, err := c.senders(t.borrow, t.size, t.senders)
	if err != nil {
		return err
	}
	for _, s := range list {
		s.begin()
	}
	from, wire := c.lasts(settle, t.size), c.lasts(wireTime, t.size)
	sim.Run(qdisc.Time(from))
	before := make([]uint64, len(list))
	for i, s := range list {
		before[i] = s.meter.Bytes
	}
	sim.Run(qdisc.Time(from + wire))
	for i, s := range list {
		t.results[i].wire = float64(s.meter.Bytes-before[i]) * 8 / wire.Seconds()
	}
	return nil
}
