package lagg

import (
	"math/rand/v2"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// Mode says how a group chooses among its ports.
type Mode uint8

// The modes. The zero value is lagg(4)'s default.
const (
	// Failover sends everything on one port: the primary, or its stand-in.
	Failover Mode = iota
	// RoundRobin gives each port a run of packets in turn.
	RoundRobin
	// Random draws a port for each packet.
	Random
	// LoadBalance keeps each flow on a port.
	LoadBalance
	// Broadcast sends a copy on every usable port.
	Broadcast
	// None sends and accepts nothing.
	None
	numModes
)

var modeNames = [numModes]string{"failover", "roundrobin", "random", "loadbalance", "broadcast", "none"}

// String returns the name that lagg(4) has for it.
func (m Mode) String() string {
	if m < numModes {
		return modeNames[m]
	}
	return "unknown mode"
}

// DeadPorts says who serves the share of a port that is not usable.
type DeadPorts uint8

// The policies for dead ports.
const (
	// Spread gives the share to all usable ports. Of a load balance no flow
	// moves but those of the dead port, and these come back with it.
	Spread DeadPorts = iota
	// NextActive gives all of it to one port, as lagg(4) does: the successor
	// in the order of indexes if that is usable, else the first usable port.
	NextActive
	// Rebuild counts usable ports only, as Linux bonding does. Of a load
	// balance most flows move. The other modes know no difference to Spread.
	Rebuild
)

// Counter says how round robin counts its runs.
type Counter uint8

// The counters. They differ in what a change in mid-run does; see the package
// comment.
const (
	// Runs remembers whose run is in progress and how much of it is left.
	Runs Counter = iota
	// Sequence is lagg(4)'s since December 2019: a packet counter of 32 bits,
	// divided by the stride.
	Sequence
	// Bucket is lagg(4)'s of 2014 to 2019: a counter of runs, and one that
	// goes down within a run.
	Bucket
)

// Reselect says when the primary of a failover takes over from its stand-in.
type Reselect uint8

// The policies, named as bonding's primary_reselect. When no port is left, the
// first to become usable is taken, whatever the policy.
const (
	// Always: at once. The answer depends on the ports' present state alone.
	Always Reselect = iota
	// Better: when its speed is above the stand-in's. Otherwise a port in use
	// stays in use.
	Better
	// OnFailure: when the stand-in fails. A port in use stays in use.
	OnFailure
)

// Limits of the configuration.
const (
	MaxPorts     = 1 << 16 // in a group
	MaxWeight    = 1 << 12 // of a port
	MinSlots     = 1 << 8  // of a consistent load balance
	MaxSlots     = 1 << 24
	DefaultSlots = 1 << 14
)

// Config describes a group. The zero value is a failover. Fields that the mode
// does not use are ignored, but checked.
type Config struct {
	Mode Mode
	// DeadPorts is for RoundRobin, Random and LoadBalance.
	DeadPorts DeadPorts

	// Stride is the length of a round-robin run in packets, or in bytes with
	// StrideBytes (rr_limit; bonding: packets_per_slave). A port of weight w
	// has w times as much. 0: 1.
	Stride uint32
	// StrideBytes has Stride count bytes of Packet.Len. Choose it no smaller
	// than the longest packet, or long packets weigh too little. Counter Runs
	// only.
	StrideBytes bool
	Counter     Counter

	// FlowShift is the number of low bits of Packet.Flow to leave out, 0 to
	// 31, when LoadBalance goes by it. (lagg(4)'s flowid_shift, 16 there: the
	// low bits of a network card's hash have chosen the receive queue.)
	FlowShift uint8
	// Frame, if not nil, returns a packet's Ethernet frame, and LoadBalance
	// goes by Hasher's hash of it instead of Packet.Flow; for a packet of which
	// it returns nothing, by Packet.Flow all the same. It must not call into the
	// group.
	Frame func(*qdisc.Packet) []byte
	// Hasher is for Frame. Key 0: drawn from Rand, once for a group.
	Hasher Hasher
	// Consistent has LoadBalance deal Slots to the ports, by weight, so that a
	// port added or removed moves its own share of the flows, and none of
	// another usable port. Without it most flows move then, and weights do not
	// count.
	Consistent bool
	// Slots is a power of two, MinSlots to MaxSlots. Shares are exact to a few
	// slots, so choose many times the number of ports: one in excess of the
	// slots has no flows. 0: DefaultSlots.
	Slots uint32

	// Reselect is for Failover.
	Reselect Reselect
	// ReceiveAll has Failover accept packets from every port
	// (failover_rx_all).
	ReceiveAll bool

	// UpDelay and DownDelay are how long a link must have been up or down
	// before the group believes it (bonding: updelay, downdelay). While no
	// port is usable, UpDelay is none. After a Change of them the links that
	// have changed already wait by the new ones.
	UpDelay, DownDelay time.Duration

	// Copy returns a copy of a packet for Broadcast, which needs it, or nil if
	// there is no memory. The copy stands in no list. It must not call into
	// the group.
	Copy func(*qdisc.Packet) *qdisc.Packet
	// Drops takes the packets for which there is no port, with Reason
	// Unclassified. nil: they are left to the garbage collector.
	Drops *qdisc.List
	// Rand is the source for Random and for the hash key. nil: one seeded at
	// random.
	Rand rand.Source
}

// check gathers what is wrong with a configuration for the group.
func (g *Group) check(cfg *Config) error {
	var errs qdisc.ConfigErrors
	if cfg.Mode >= numModes {
		errs.Add("Mode", uint8(cfg.Mode), "no such mode")
	}
	if cfg.DeadPorts > Rebuild {
		errs.Add("DeadPorts", uint8(cfg.DeadPorts), "Spread (0), NextActive (1) or Rebuild (2)")
	}
	if cfg.Counter > Bucket {
		errs.Add("Counter", uint8(cfg.Counter), "Runs (0), Sequence (1) or Bucket (2)")
	}
	if cfg.Reselect > OnFailure {
		errs.Add("Reselect", uint8(cfg.Reselect), "Always (0), Better (1) or OnFailure (2)")
	}
	if cfg.StrideBytes && cfg.Counter != Runs {
		errs.Add("StrideBytes", true, "lagg(4)'s counters count packets; use Counter Runs")
	}
	if cfg.FlowShift > 31 {
		errs.Add("FlowShift", cfg.FlowShift, "0 to 31 bits")
	}
	if cfg.Consistent && cfg.DeadPorts == Rebuild {
		errs.Add("DeadPorts", uint8(cfg.DeadPorts), "Rebuild moves most flows, Consistent none; use one of them")
	}
	if n := cfg.Slots; n != 0 && (n&(n-1) != 0 || n < MinSlots || n > MaxSlots) {
		errs.Add("Slots", n, "a power of two, 256 to 16777216")
	}
	if cfg.UpDelay < 0 {
		errs.Add("UpDelay", cfg.UpDelay, "a time of 0 or more")
	}
	if cfg.DownDelay < 0 {
		errs.Add("DownDelay", cfg.DownDelay, "a time of 0 or more")
	}
	if cfg.Mode == Broadcast && cfg.Copy == nil {
		errs.Add("Copy", nil, "a broadcast needs it for all ports but one")
	}
	cfg.Hasher.check(&errs)
	if g.shared {
		checkShared(cfg, &errs)
	}
	return errs.Err()
}
