package cbq

import (
	"time"

	"github.com/netsched/netsched/qdisc"
)

// ClassConfig describes a class. Only Rate is required.
type ClassConfig struct {
	// Parent is the class above; 0: the root. It cannot be changed later. A
	// class with children may hold packets of its own: they have the rate
	// that the children leave, and borrow from the class.
	Parent uint32
	// Rate is what the class, with all below it, is guaranteed and limited
	// to, up to MaxRate. The rates of the children may exceed the
	// class's together: they are kept all the same, if the link can.
	Rate qdisc.Rate
	// Priority is 1 to 8 as in tc, 1 served first. 0: 8.
	Priority int
	// Weight is the class's share among those of its priority, below 2^50,
	// relative to theirs: less than 2^-34 of the scheduler's largest counts as
	// that. 0: Rate in bit/s.
	Weight uint64
	// Bounded keeps the class, and all below it, from borrowing above.
	Bounded bool
	// Isolated keeps others from borrowing what the class leaves of its Rate,
	// which is then no part of its parent's any more.
	Isolated bool

	// MaxBurst is how many packets of AvgPacket bytes, and one more, a class
	// that has been idle may send at once. 0: only the one.
	MaxBurst int
	// MinBurst is how many such packets a class waits for when it has reached its limit,
	// to send them at once. 0 or 1: it waits for one.
	MinBurst int
	// MinIdle bounds what the class can owe besides the packet that it sends,
	// as an average over 2^EWMA packets ("minidle", here positive): more is
	// forgotten. It matters where the children's rates exceed the class's.
	// 0: nothing is forgotten.
	MinIdle time.Duration
	// Bandwidth and AvgPacket are what bursts are reckoned by, EWMA the
	// estimator's. 0 and nil: those of Config.
	Bandwidth qdisc.Rate
	AvgPacket uint32
	EWMA      *int

	// Child is the discipline that holds the class's packets: empty, with no
	// drop list of its own. nil: a FIFO of Config.Limit packets. ChangeClass
	// takes nil or the present child; SetChild sets another.
	Child qdisc.Qdisc
}

// maxBurst is the largest burst in packets.
const maxBurst = 1 << 20

// check fills in the defaults.
func (cfg *ClassConfig) check(errs *qdisc.ConfigErrors) {
	if cfg.Rate == 0 || cfg.Rate > MaxRate {
		errs.Add("Rate", cfg.Rate, "required: 1 bit/s to 8 Tbit/s")
	}
	if cfg.Priority < 0 || cfg.Priority > numPriorities {
		errs.Add("Priority", cfg.Priority, "1 (served first) to 8; 0: 8")
	}
	if cfg.Priority == 0 {
		cfg.Priority = numPriorities
	}
	if cfg.Weight >= 1<<weightLen {
		errs.Add("Weight", cfg.Weight, "below 2^50; only its relation to the others' counts")
	}
	if cfg.MaxBurst < 0 || cfg.MaxBurst > maxBurst {
		errs.Add("MaxBurst", cfg.MaxBurst, "0 to 2^20 packets")
	}
	if cfg.MinBurst < 0 || cfg.MinBurst > maxBurst {
		errs.Add("MinBurst", cfg.MinBurst, "0 to 2^20 packets")
	}
	if cfg.MinIdle < 0 {
		errs.Add("MinIdle", cfg.MinIdle, "0 (no bound) or more: a debt of so much")
	}
	checkAvgPacket(cfg.AvgPacket, errs)
	checkEWMA(cfg.EWMA, errs)
	if cfg.EWMA != nil {
		cfg.EWMA = new(*cfg.EWMA)
	}
}
