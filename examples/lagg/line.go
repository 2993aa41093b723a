package main

import (
	"fmt"
	"time"

	"github.com/netsched/netsched/lagg"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/netsim"
)

// The links. What a packet takes on the line beside its bytes is preamble, check
// sequence and gap.
const (
	links    = 2
	rate     = 10 * qdisc.Gbit
	oneWay   = 50 * time.Microsecond
	overhead = 24
	mss      = 1448
)

// A run is measured when the connection has found its window.
const (
	startUp = 20 * time.Millisecond
	measure = 50 * time.Millisecond
)

// setup is what the command line says.
type setup struct {
	window int64 // of the receiver, bytes
	cost   cost
}

// standard is the setup by default. A run and a packet together take 3.05 us:
// fitted to the 3.80 Gbit/s that were published for a port change at every
// packet. That a run takes 7.5 times what a packet does was measured with UDP
// runs over two veth links (Linux 6.18): 0.27, 0.80, 1.5 and 2.25 Gbit/s in runs
// of 1, 4, 16 and 64, all within 10 % of what the two costs give. Nothing is
// fitted to the published 9.74 Gbit/s.
var standard = setup{
	window: 512 << 10,
	cost:   cost{run: 2690 * time.Nanosecond, packet: 360 * time.Nanosecond},
}

// packets is the window in packets.
func (c setup) packets() int64 { return c.window / mss }

// A sender retransmits what the receiver misses after so many duplicate
// acknowledgements.
type sender struct {
	name      string
	dupThresh int
}

var senders = []sender{
	{"patient", 300}, // what Linux's becomes when it meets reordering (tcp_max_reordering)
	{"hasty", 3},     // RFC 6675
}

// spread is how the flow is spread over the links.
type spread struct {
	name   string
	config lagg.Config
	whole  bool // the group is given super-packets, which the ports cut
}

const longest = 2048 // stride

// spreads returns what is compared: by hash, by strides in packets, and by
// stride 1 in super-packets.
func spreads() []spread {
	all := []spread{{name: "hash", config: lagg.Config{Mode: lagg.LoadBalance}}}
	for stride := uint32(1); stride <= longest; stride *= 2 {
		all = append(all, spread{name: fmt.Sprint(stride), config: lagg.Config{Mode: lagg.RoundRobin, Stride: stride}})
	}
	return append(all, spread{name: "1, TSO", config: lagg.Config{Mode: lagg.RoundRobin, Stride: 1}, whole: true})
}

// result is what a run measured.
type result struct {
	arrivals
	goodput qdisc.Rate
	sent    uint64 // packets, those sent again included
	resent  uint64
	lost    uint64 // in full queues, since the beginning
}

// simulate sends one flow over the links.
func simulate(c setup, from sender, over spread) (*result, error) {
	s := netsim.New(1)
	h := newHost(s, links, c.cost)
	group, err := lagg.New(over.config)
	if err != nil {
		return nil, err
	}
	var lines []*netsim.Link
	card := &card{sim: s}
	for _, port := range h.ports {
		l, err := netsim.NewLink(s, netsim.LinkConfig{Rate: rate, Delay: oneWay, Overhead: overhead, To: port})
		if err != nil {
			return nil, err
		}
		if _, err := group.Add(lagg.PortConfig{Port: card.to(l)}); err != nil {
			return nil, err
		}
		lines = append(lines, l)
	}
	back, err := netsim.NewLink(s, netsim.LinkConfig{Rate: rate, Delay: oneWay, Overhead: overhead})
	if err != nil {
		return nil, err
	}
	conn, err := netsim.NewTCP(s, netsim.TCPConfig{
		Forward: &entry{s, group, over.whole}, Reverse: back, MSS: mss, GSO: fullRun, Window: c.window, DupThresh: from.dupThresh,
		Coalesce: 1, CoalesceSegs: fullRun, // the packets of a run come at the same time, and are acknowledged as one
	})
	if err != nil {
		return nil, err
	}
	conn.Start(0)
	s.Run(qdisc.Time(startUp))
	h.count()
	before := conn.Stats()
	s.Run(qdisc.Time(startUp + measure))
	after := conn.Stats()
	r := &result{
		arrivals: h.arrivals, goodput: after.Goodput(before),
		sent: after.Segments - before.Segments, resent: after.Retransmitted - before.Retransmitted,
	}
	for i, l := range lines {
		r.lost += l.Stats().Dropped + h.ports[i].dropped
	}
	return r, nil
}

// entry is the group as the sender sees it.
type entry struct {
	sim   *netsim.Sim
	group *lagg.Group
	whole bool
}

// Receive sends a super-packet on, whole or cut into packets.
func (e *entry) Receive(p *netsim.Packet) {
	if e.whole {
		e.group.Send(&p.Packet, e.sim.Now())
		return
	}
	for packets := cut(e.sim, p); !packets.Empty(); {
		e.group.Send(packets.Pop(), e.sim.Now())
	}
}

// card is what the sender's ports have in common: they cut super-packets that
// are left, and number packets in the order of sending.
type card struct {
	sim    *netsim.Sim
	number uint32
}

// to returns the port for a link. What the link drops it counts itself.
func (c *card) to(l *netsim.Link) lagg.Port {
	return lagg.PortFunc(func(q *qdisc.Packet, _ qdisc.Time) qdisc.Verdict {
		for packets := cut(c.sim, qdisc.Value[*netsim.Packet](q)); !packets.Empty(); {
			p := qdisc.Value[*netsim.Packet](packets.Pop())
			p.Mark = c.number
			c.number++
			l.Receive(p)
		}
		return qdisc.Queued
	})
}

// cut returns the packets of a super-packet, or the one that p is.
func cut(s *netsim.Sim, p *netsim.Packet) (packets qdisc.List) {
	if s.SplitTCP(&p.Packet, &packets); packets.Empty() {
		packets.Push(&p.Packet)
	}
	return packets
}
