package txq

import (
	"fmt"
	"time"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/qdisc"
)

// Defaults and ranges of Config.
const (
	DefaultCatchup = 2 * time.Millisecond // twice what time.Timer is late in an idle process
	MaxCatchup     = time.Second
	DefaultBatch   = 64
	MaxBatch       = 1024
	MaxQueues      = 1 << 16 // what Packet.TxQueue can name
)

// Config describes a Queue.
type Config struct {
	// Qdisc is the root of the tree that the queue is to own. It must not
	// have seen a later time than Clock tells. Required.
	Qdisc qdisc.Qdisc

	// Clock tells the time; nil: SystemClock().
	Clock Clock

	// Catchup is the lateness of timers that costs no rate: 0 to MaxCatchup;
	// nil: DefaultCatchup. See the package comment.
	Catchup *time.Duration

	// Free takes back the packets that the queue is finished with: dropped
	// ones, and those sent by Run, whose Reason is NotDropped. It runs
	// unlocked, possibly in several goroutines at once, and must not keep the
	// list, only the packets. nil leaves them, unlinked, to the garbage
	// collector.
	Free func(ps *qdisc.List)

	// Batch is how many packets Run hands to a device at once, and how many
	// are set aside for stopped hardware queues: 1 to MaxBatch; 0:
	// DefaultBatch.
	Batch int

	// Queues is the number of the device's hardware queues: 1 to MaxQueues;
	// 0: 1. A packet's is its TxQueue, or queue 0 if there is none of that
	// number.
	Queues int

	// Limit describes the limiter of the bytes in flight that each hardware
	// queue gets; nil: none. See the package comment.
	Limit *bql.Config

	// OnError says what Run does about an error of its device that trying
	// again does not help.
	OnError ErrorPolicy

	// Block makes Send wait while Len is this many packets or more, so that
	// the discipline need not drop; 0: Send never waits. Neither Free nor a
	// consumer may then call Send.
	Block int
}

// ErrorPolicy says what Run does about an error of its device. A temporary one
// is never its concern: Run tries again.
type ErrorPolicy uint8

const (
	// EndRun makes Run return the error. What the device has not taken waits,
	// in front, for the next Run or Recv.
	EndRun ErrorPolicy = iota
	// DropPacket drops the first packet that the device has not taken, with
	// Reason Purged, counts it in Stats.Errors and goes on.
	DropPacket
	// CloseQueue closes the queue and makes Run return the error.
	CloseQueue
)

// check fills in defaults and gathers what is wrong.
func (c *Config) check() error {
	var errs qdisc.ConfigErrors
	if c.Catchup == nil {
		c.Catchup = new(DefaultCatchup)
	}
	if *c.Catchup < 0 || *c.Catchup > MaxCatchup {
		errs.Add("Catchup", *c.Catchup, "timers are between 0 and 1 s late")
	}
	if c.Batch == 0 {
		c.Batch = DefaultBatch
	}
	if c.Batch < 0 || c.Batch > MaxBatch {
		errs.Add("Batch", c.Batch, "a batch has 1 to 1024 packets")
	}
	if c.Queues == 0 {
		c.Queues = 1
	}
	if c.Queues < 0 || c.Queues > MaxQueues {
		errs.Add("Queues", c.Queues, fmt.Sprintf("a device has 1 to %d hardware queues", MaxQueues))
	}
	if c.OnError > CloseQueue {
		errs.Add("OnError", uint8(c.OnError), "EndRun (0), DropPacket (1) or CloseQueue (2)")
	}
	if c.Block < 0 {
		errs.Add("Block", c.Block, "a number of packets, 0 or more")
	}
	if c.Qdisc == nil || c.Qdisc.Common() == nil {
		errs.Add("Qdisc", nil, "a transmit queue needs a discipline")
	}
	return errs.Err()
}
