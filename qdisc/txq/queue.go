package txq

import (
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// ErrClosed is returned after Close. errors.Is takes it for net.ErrClosed.
var ErrClosed error = closedError{}

type closedError struct{}

func (closedError) Error() string { return "txq: the queue is closed" }
func (closedError) Unwrap() error { return net.ErrClosed }

// Defaults and ranges of Config.
const (
	DefaultCatchup = 2 * time.Millisecond // twice what time.Timer is late in an idle process
	MaxCatchup     = time.Second
	DefaultBatch   = 64
	MaxBatch       = 1024
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

	// Batch is how many packets Run hands to a device at once: 1 to MaxBatch;
	// 0: DefaultBatch.
	Batch int
}

// Queue is a transmit queue. All methods are safe for concurrent use.
type Queue struct {
	clock   Clock
	timer   Timer
	catchup time.Duration
	free    func(*qdisc.List)
	batch   int

	mu     sync.Mutex // guards all below
	root   qdisc.Qdisc
	drops  *qdisc.List
	spare  *bag       // empty bags to hand packets back in
	due    qdisc.Time // of the next departure: root.ReadyAt as last seen
	closed bool

	// One consumer at a time waits on timer; others wait their turn.
	turn     sync.Cond
	occupied bool       // timer has its consumer
	asleep   bool       // which nobody has woken yet
	until    qdisc.Time // when timer is to wake it

	unsent qdisc.List // left over when a Run ended
	flight fill       // with a device, or unsent

	stats Stats
}

// fill is a number of packets and of their bytes.
type fill struct {
	packets int
	bytes   int64
}

func (f *fill) add(p *qdisc.Packet) { f.packets++; f.bytes += int64(p.Len) }
func (f *fill) sub(p *qdisc.Packet) { f.packets--; f.bytes -= int64(p.Len) }

// New returns a Queue that owns cfg.Qdisc and its drop list; a discipline
// without one is given one.
func New(cfg Config) (*Queue, error) {
	var errs qdisc.ConfigErrors
	q := &Queue{clock: cfg.Clock, free: cfg.Free, batch: cfg.Batch, catchup: DefaultCatchup, root: cfg.Qdisc}
	q.turn.L = &q.mu
	if cfg.Catchup != nil {
		q.catchup = *cfg.Catchup
	}
	if q.catchup < 0 || q.catchup > MaxCatchup {
		errs.Add("Catchup", q.catchup, "timers are between 0 and 1 s late")
	}
	if q.batch == 0 {
		q.batch = DefaultBatch
	}
	if q.batch < 0 || q.batch > MaxBatch {
		errs.Add("Batch", q.batch, "a batch has 1 to 1024 packets")
	}
	if q.root == nil || q.root.Common() == nil {
		errs.Add("Qdisc", nil, "a transmit queue needs a discipline")
	}
	err := errs.Err()
	if err == nil {
		err = q.adopt()
	}
	if err != nil {
		return nil, err
	}
	if q.clock == nil {
		q.clock = SystemClock()
	}
	q.timer = q.clock.NewTimer()
	q.due = q.root.ReadyAt(q.clock.Now())
	return q, nil
}

// adopt takes over the root's drop list, or gives it one.
func (q *Queue) adopt() error {
	base := q.root.Common()
	if base.HasParent() {
		return &qdisc.ConfigError{Field: "Qdisc", Value: fmt.Sprintf("%T", q.root), Why: "it has a parent; a transmit queue owns the whole tree"}
	}
	q.drops = base.DropList()
	if q.drops == nil {
		q.drops = new(qdisc.List)
	}
	return base.Attend(q.drops, base.Sojourn())
}
