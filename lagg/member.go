package lagg

import "github.com/netsched/netsched/qdisc"

// Port is where packets go out. Enqueue takes the packet, whatever the verdict.
//
// A qdisc.Qdisc has the method, but only keeps packets: somebody must call its
// Dequeue. Below a netsim.Link or a txq.Queue that somebody is the link or the
// queue, which look for packets when they are given one: the port is then a
// PortFunc of their Receive or Send, as in the examples, never the Qdisc itself.
//
// Enqueue may call SetUp and SetEnabled of its group, to take itself out on an
// error, and then Send, but not in a Broadcast, to have another port send the
// packet; the group counts it each time. It may call nothing else of the group.
type Port interface {
	Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict
}

// PortFunc is a function as a Port; another group's Send, for example. A nil
// one is no port.
type PortFunc func(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict

// Enqueue calls f.
func (f PortFunc) Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict { return f(p, now) }

// Returner is a Port that gives back what it holds when it is removed.
type Returner interface {
	Port
	// Return takes everything out of the port, in order.
	Return(now qdisc.Time) qdisc.List
}

// PortConfig describes a port to add.
type PortConfig struct {
	Port Port
	// Index orders the ports, as the interface index does in lagg(4), and no
	// two may have the same. 0: one above the largest.
	Index uint32
	// Weight is the port's share among the others' in RoundRobin with Counter
	// Runs, in Random and in a consistent LoadBalance, 1 to MaxWeight. 0: 1.
	Weight uint32
	// Speed is for Reselect Better and for the group's Speed. 0: unknown.
	Speed qdisc.Rate
	// Down is a link that is down to begin with.
	Down bool
	// Disabled is a port that the administrator has taken out.
	Disabled bool
}

// Member is a port in a group. Index and Port never change.
type Member struct {
	group  *Group // nil: removed
	port   Port
	index  uint32
	weight uint32
	speed  qdisc.Rate

	link     bool // as SetUp said last
	up       bool // as the group believes, after the delays
	disabled bool
	usable   bool       // up and not disabled
	since    qdisc.Time // while it waits: when link changed
	due      qdisc.Time // when link is believed; Never: it is

	standIn *Member // who serves its share; nil: nobody, or everybody
	credit  int64   // bytes left of its run, or what its last run had too much

	slots, quota int32 // of a consistent load balance: has and should have
	settled      bool  // it has had its first slots

	stats PortStats
}

// Index returns the port's place in the order of ports.
func (m *Member) Index() uint32 { return m.index }

// Port returns what was added.
func (m *Member) Port() Port { return m.port }

// Weight returns the port's weight.
func (m *Member) Weight() uint32 { return m.weight }

// Speed returns the port's speed, 0 if it is not known.
func (m *Member) Speed() qdisc.Rate { return m.speed }

// LinkUp tells whether the link is up, as SetUp said last.
func (m *Member) LinkUp() bool { return m.link }

// Enabled tells whether the administrator lets the port be used.
func (m *Member) Enabled() bool { return !m.disabled }

// Usable tells whether the port can be chosen: it is enabled, and its link has
// been up for long enough.
func (m *Member) Usable() bool { return m.usable }

// ReadStats returns the port's counters since it was added.
func (m *Member) ReadStats() PortStats { return m.stats }
