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

// Queue is a transmit queue. All methods are safe for concurrent use. It is a
// [qdisc.Stopper] for its device.
type Queue struct {
	clock   Clock
	timer   Timer
	catchup time.Duration
	free    func(*qdisc.List)
	batch   int
	onError ErrorPolicy
	block   int

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

	pauses []*Timer // of the Runs that wait for their device

	room    sync.Cond // for Sends that wait
	waiting int       // their number

	hw      []hwQueue
	stopper qdisc.Stopper // the root, if it is one
	running int           // hardware queues that are not stopped
	held    int           // packets set aside for stopped ones
	ready   []*hwQueue    // which may have packets that go before the discipline's
	events  uint64        // calls of Stop and Wake
	flight  fill          // with a device, or on the way to one

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
// without one is given one. All hardware queues run.
func New(cfg Config) (*Queue, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	q := &Queue{
		clock: cfg.Clock, catchup: *cfg.Catchup, free: cfg.Free, batch: cfg.Batch,
		onError: cfg.OnError, block: cfg.Block, root: cfg.Qdisc,
	}
	q.turn.L, q.room.L = &q.mu, &q.mu
	if err := q.equip(cfg.Queues, cfg.Limit); err != nil {
		return nil, err
	}
	if err := q.adopt(); err != nil {
		return nil, err
	}
	if q.clock == nil {
		q.clock = SystemClock()
	}
	q.timer = q.clock.NewTimer()
	now := q.clock.Now()
	for i := range q.hw {
		if l := q.hw[i].limiter; l != nil {
			l.Reset(now) // its hold time begins
		}
	}
	q.due = q.root.ReadyAt(now)
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
