package cbq

import (
	"cmp"
	"math/bits"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// TCClass is a class in the words of tc's cbq. Config turns it into a
// ClassConfig.
type TCClass struct {
	Parent    uint32        // class number; 0: the root
	Rate      qdisc.Rate    // "rate": required
	Bandwidth qdisc.Rate    // "bandwidth": of the link, to reckon bursts by; 0: Config.Bandwidth
	Prio      int           // "prio": 1 (served first) to 8; 0: 8
	Allot     uint32        // "allot": bytes a round, before weighting; 0: DefaultAllot
	Weight    uint64        // "weight"; 0: the rate in bytes/s, or 1 at prio 8
	AvgPacket uint32        // "avpkt": bytes; 0: Config.AvgPacket
	MaxBurst  int           // "maxburst": packets
	MinBurst  int           // "minburst": packets
	MinIdle   time.Duration // "minidle": the debt, positive; 0: no bound
	EWMA      *int          // "ewma"; nil: Config.EWMA
	Bounded   bool          // "bounded"; false: "borrow"
	Isolated  bool          // "isolated"; false: "sharing"
}

// DefaultAllot is the allot of a class in bytes: an Ethernet frame.
const DefaultAllot = 1514

// Config returns the class for AddClass. Weight and allot count by their
// product, as in Linux; "cell" and "mpu" only shape Linux's tables of rates and
// have no counterpart.
func (c TCClass) Config() ClassConfig {
	weight := c.Weight
	switch {
	case weight != 0:
	case cmp.Or(c.Prio, numPriorities) == numPriorities:
		weight = 1
	default:
		weight = max(1, uint64(c.Rate)/8)
	}
	share := uint64(1<<weightLen - 1)
	if hi, lo := bits.Mul64(weight, uint64(cmp.Or(c.Allot, DefaultAllot))); hi == 0 {
		share = min(share, lo)
	}
	return ClassConfig{
		Parent: c.Parent, Rate: c.Rate, Bandwidth: c.Bandwidth, Priority: c.Prio, Weight: share,
		AvgPacket: c.AvgPacket, MaxBurst: c.MaxBurst, MinBurst: c.MinBurst, MinIdle: c.MinIdle, EWMA: c.EWMA,
		Bounded: c.Bounded, Isolated: c.Isolated,
	}
}

// TC returns a class in the words of tc, for a change of some of them: its
// Config is cfg again, but for the Child. Unless it is 0, Weight is in Weight
// alone, with an Allot of 1.
func (cfg ClassConfig) TC() TCClass {
	c := TCClass{
		Parent: cfg.Parent, Rate: cfg.Rate, Bandwidth: cfg.Bandwidth, Prio: cfg.Priority, Weight: cfg.Weight,
		AvgPacket: cfg.AvgPacket, MaxBurst: cfg.MaxBurst, MinBurst: cfg.MinBurst, MinIdle: cfg.MinIdle, EWMA: cfg.EWMA,
		Bounded: cfg.Bounded, Isolated: cfg.Isolated,
	}
	if c.Weight != 0 {
		c.Allot = 1
	}
	return c
}

// PFClass is a queue of pf.conf's cbq. Config turns it into a ClassConfig.
type PFClass struct {
	Parent    uint32     // class number; 0: the root, which stands for the interface
	Bandwidth qdisc.Rate // "bandwidth", percentages resolved; 0: a ten-thousandth of the interface's
	Priority  *int       // "priority": 0 to 7 (served first); nil: DefaultPFPriority
	Borrow    bool       // "borrow", from the parent
}

const (
	// DefaultPFPriority is the priority of a queue that names none.
	DefaultPFPriority = 1
	// pfPriorities is the number of priorities of pf.conf's cbq.
	pfPriorities = 8
	// defaultMTU is Ethernet's.
	defaultMTU = 1500
)

// Config returns the class for AddClass, on an interface of the given
// bandwidth and MTU in bytes (0: 1500). The burst is pfctl's ([DefaultMaxBurst] of packets
// as long as the MTU), the largest debt 32 such packets (see [MinIdle]). The
// minimal burst of 2 is left at 1: no word of pf.conf sets it, and all it does
// is to make a class wait for longer than it must.
//
// A priority out of range gives one that AddClass refuses.
func (c PFClass) Config(link qdisc.Rate, mtu uint32) ClassConfig {
	mtu = cmp.Or(mtu, defaultMTU)
	rate := c.Bandwidth
	if rate == 0 {
		rate = max(1, link/10_000)
	}
	priority := DefaultPFPriority
	if c.Priority != nil {
		priority = *c.Priority
	}
	cfg := ClassConfig{
		Parent: c.Parent, Rate: rate, Priority: pfPriorities - priority, AvgPacket: mtu,
		MaxBurst: DefaultMaxBurst(link, rate, mtu), MinIdle: MinIdle(rate, mtu), Bounded: !c.Borrow,
	}
	if priority == pfPriorities {
		cfg.Priority = -1 // 0 would be the default
	}
	return cfg
}
