// Package mq gives each hardware queue of a device a discipline of its own, as
// Linux's mq does. Nothing is scheduled between them: a transmit queue serves
// each hardware queue when that has room, by DequeueFrom, and a queue that is
// slow, shaped or stopped does not concern the others.
//
// It is multiq and two verbs that name the queue; the two share their code.
// Take multiq if one loop serves the device and this package if each hardware
// queue has its own. A program with a goroutine for each hardware queue needs
// neither, but one tree for each.
package mq

import (
	"github.com/netsched/netsched/internal/hwqueue"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// MaxQueues bounds Config.Queues: the hardware queues that Packet.TxQueue can
// name.
const MaxQueues = hwqueue.MaxQueues

// Config describes an MQ.
type Config struct {
	// Queues is the number of the device's hardware queues, 1..65536; 0: 1. In
	// Linux the device says it.
	Queues int
	// Limit is that of each queue's FIFO, in packets; nil: fifo.DefaultLimit.
	// Change leaves the queues that stay as they are.
	Limit *int

	Drops   *qdisc.List      // takes dropped packets; nil: the garbage collector (Change: the present list)
	Sojourn *qdisc.Histogram // records the time each packet waited; nil: not kept
}

// MQ holds a child discipline for each hardware queue, a FIFO to begin with.
// Class k is hardware queue k-1. Enqueue gives a packet to the queue of its
// TxQueue, to queue 0 if there is none of that number.
//
// DequeueFrom serves one hardware queue. Dequeue, Peek and ReadyAt are for who
// does not ask by queue: they go round the queues that run, a packet of each in
// turn, beginning with queue 1, exactly as multiq does.
//
// It is a [qdisc.Parent] and a [qdisc.Stopper], and not safe for concurrent
// use, not even by different queues: they share counters and drop list. Its
// Peek looks and never parks, whatever the children do. There is no Compat.
// Linux has pfifo_fast in each queue to begin with, and its mq can only be the
// root.
type MQ struct {
	queues
	cfg Config
}

// queues hides the embedded field, not its verbs: Enqueue, Dequeue, Peek,
// ReadyAt and Reset are hwqueue's, reached without another call.
type queues = hwqueue.Queues

// New returns an MQ with empty FIFOs and all hardware queues running.
func New(cfg Config) (*MQ, error) {
	q := new(MQ)
	if err := q.Change(cfg, 0); err != nil {
		return nil, err
	}
	return q, nil
}

// Config returns the present configuration, with the defaults filled in.
func (q *MQ) Config() Config {
	cfg := q.cfg
	cfg.Limit = new(*cfg.Limit)
	return cfg
}

// Change sets a new configuration. Queues that stay keep their packets, their
// children and whether they are stopped; those of removed queues are purged;
// new queues get FIFOs and run.
func (q *MQ) Change(cfg Config, now qdisc.Time) error {
	limit := fifo.DefaultLimit
	if cfg.Limit != nil {
		limit = *cfg.Limit
	}
	err := hwqueue.Resize(&q.queues, hwqueue.Settings{
		Field: "Queues", Queues: cfg.Queues, Limit: limit, Drops: cfg.Drops, Sojourn: cfg.Sojourn, Leaf: leaf,
	}, now)
	if err != nil {
		return err
	}
	q.cfg = cfg
	q.cfg.Queues, q.cfg.Limit = hwqueue.Count(&q.queues), &limit
	return nil
}

// leaf makes the child that a queue starts with.
func leaf(limit int) (qdisc.Qdisc, error) { return fifo.New(fifo.Config{Limit: &limit}) }
