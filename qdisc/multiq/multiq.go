// Package multiq serves a device with several hardware queues, as Linux's
// multiq has it: one band for each queue, and one packet from each running
// band in turn. The band of a hardware queue that is stopped, because it is
// full, is passed over, so a slow queue never delays the packets of another.
// A discipline that does not know has to take the slow queue's packet and keep
// it until there is room again; meanwhile all others starve.
package multiq

import (
	"github.com/netsched/netsched/internal/hwqueue"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// MaxBands bounds Config.Bands: the hardware queues that Packet.TxQueue can
// name.
const MaxBands = hwqueue.MaxQueues

// Config describes a Multiq.
type Config struct {
	// Bands is the number of the device's hardware queues, 1..65536; 0: 1. In
	// Linux the device says it.
	Bands int
	// Limit is that of each band's FIFO, in packets; nil: fifo.DefaultLimit.
	// Change leaves the bands that stay as they are.
	Limit *int

	Drops   *qdisc.List      // takes dropped packets; nil: the garbage collector (Change: the present list)
	Sojourn *qdisc.Histogram // records the time each packet waited; nil: not kept
}

// Multiq is a round robin over hardware queues with a child discipline in each
// band, a FIFO to begin with. Class k is band k-1, of hardware queue k-1. A
// packet goes to the band of its TxQueue, to band 0 if there is none of that
// number: that choice is the caller's, there is no Classify.
//
// Dequeue serves the first running band after the one served last, so it is
// band 1 that is served first of all. A shaper in a band that holds its packets
// back is passed over until its time. The turn is by packets, not bytes. A
// packet costs about the same with 4 bands as with 65536, on the average: a
// call may first have to make every band visible that has come due.
//
// It is a [qdisc.Parent] and a [qdisc.Stopper], and not safe for concurrent
// use. Its Peek looks and never parks, whatever the children do. There is no
// Compat: Linux does the same.
type Multiq struct {
	queues
	cfg Config
}

// queues hides the embedded field, not its verbs: Enqueue, Dequeue, Peek,
// ReadyAt and Reset are hwqueue's, reached without another call.
type queues = hwqueue.Queues

// New returns a Multiq with empty FIFOs and all hardware queues running.
func New(cfg Config) (*Multiq, error) {
	q := new(Multiq)
	if err := q.Change(cfg, 0); err != nil {
		return nil, err
	}
	return q, nil
}

// Config returns the present configuration, with the defaults filled in.
func (q *Multiq) Config() Config {
	cfg := q.cfg
	cfg.Limit = new(*cfg.Limit)
	return cfg
}

// Change sets a new configuration. Bands that stay keep their packets, their
// children and whether they are stopped; those of removed bands are purged; new
// bands get FIFOs and run. If the band served last is removed, band 0 is next.
func (q *Multiq) Change(cfg Config, now qdisc.Time) error {
	limit := fifo.DefaultLimit
	if cfg.Limit != nil {
		limit = *cfg.Limit
	}
	err := hwqueue.Resize(&q.queues, hwqueue.Settings{
		Field: "Bands", Queues: cfg.Bands, Limit: limit, Drops: cfg.Drops, Sojourn: cfg.Sojourn, Leaf: leaf,
	}, now)
	if err != nil {
		return err
	}
	q.cfg = cfg
	q.cfg.Bands, q.cfg.Limit = hwqueue.Count(&q.queues), &limit
	return nil
}

// leaf makes the child that a band starts with.
func leaf(limit int) (qdisc.Qdisc, error) { return fifo.New(fifo.Config{Limit: &limit}) }
