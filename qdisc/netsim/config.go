package netsim

import (
	"time"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/qdisc"
)

// QueueConfig describes a hardware queue of a Device, and its line. LinkConfig
// has the same fields.
type QueueConfig struct {
	// Rate of the line, up to 2^62 bit/s. 0: packets take no time.
	Rate qdisc.Rate
	// Delay is how long a packet travels after its last bit has left.
	Delay time.Duration
	// Jitter is the most by which a packet's delay is longer, at random and
	// equally likely. Packets keep their order: one whose turn would come too
	// early arrives with the one before.
	Jitter time.Duration
	// Loss is the share of packets lost on the line at random, 0 to 1.
	Loss float64

	// Overhead is charged on the line for each packet, and for each segment of
	// a super-packet, in bytes, -4096 to 4096: 24 for Ethernet's check
	// sequence, preamble and gap. MinFrame is the least that is charged with
	// it, 0 to 65535.
	Overhead int
	MinFrame int

	// Ring is how many packets the device takes ahead of the line, the one on
	// the line included. 0: 1, so that the discipline decides as late as can
	// be; with a Limiter 1024.
	Ring int
	// Limiter bounds the bytes that the device takes ahead; nil: nothing does.
	// It must be new, and serves this queue alone.
	Limiter *bql.Limiter
	// Completion is from the end of a transmission to the device's report,
	// which frees the ring's slots and the limiter's bytes for all packets
	// that have gone by then. 0: at once.
	Completion time.Duration

	// Medium makes the line a shared one, in half duplex. Its own rate and
	// delay hold, and this configuration must have none of its own, nor Loss,
	// Overhead or MinFrame.
	Medium *Medium
}

// check notes what is wrong, with field as a prefix to the names.
func (c *QueueConfig) check(s *Sim, prefix string, errs *qdisc.ConfigErrors) {
	if c.Rate > maxRate {
		errs.Add(prefix+"Rate", c.Rate, "a line has up to 2^62 bit/s")
	}
	if c.Delay < 0 {
		errs.Add(prefix+"Delay", c.Delay, "a packet cannot arrive before it is sent")
	}
	if c.Jitter < 0 {
		errs.Add(prefix+"Jitter", c.Jitter, "jitter adds to the delay: 0 or more")
	}
	if !(c.Loss >= 0 && c.Loss <= 1) {
		errs.Add(prefix+"Loss", c.Loss, "a share of all packets, 0 to 1")
	}
	if c.Overhead < -4096 || c.Overhead > 4096 {
		errs.Add(prefix+"Overhead", c.Overhead, "bytes for each packet, -4096 to 4096")
	}
	if c.MinFrame < 0 || c.MinFrame > 65535 {
		errs.Add(prefix+"MinFrame", c.MinFrame, "bytes, 0 to 65535")
	}
	if c.Ring < 0 {
		errs.Add(prefix+"Ring", c.Ring, "a number of packets, 0 or more")
	}
	if c.Completion < 0 {
		errs.Add(prefix+"Completion", c.Completion, "a packet cannot be reported before it is sent")
	}
	if c.Medium != nil && c.Medium.sim != s {
		errs.Add(prefix+"Medium", "of another world", "a link and its Medium belong to one Sim")
	}
	if c.Medium != nil && (c.Rate != 0 || c.Delay != 0 || c.Jitter != 0 || c.Loss != 0 || c.Overhead != 0 || c.MinFrame != 0) {
		errs.Add(prefix+"Medium", "set", "rate, delay and framing of a shared line are the Medium's; Jitter and Loss it has none")
	}
}
