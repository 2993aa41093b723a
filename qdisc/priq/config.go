package priq

import (
	"github.com/netsched/netsched/internal/bands"
	"github.com/netsched/netsched/qdisc"
)

const (
	// MaxClass is the largest class number, and the most classes there are.
	MaxClass = bands.Max
	// MaxPriority is the priority that is served first.
	MaxPriority = MaxClass - 1
	// DefaultLimit is ALTQ's default limit of a class, in packets.
	DefaultLimit = 50
)

// Config describes the scheduler as a whole. The zero value is usable.
type Config struct {
	// Default is the class of packets that name none, or one that does not
	// exist; 0: such packets are refused. It need not exist yet.
	Default uint32
	// Limit is that of a class's own FIFO, in packets; nil: DefaultLimit.
	// Change leaves the classes there are as they are.
	Limit *int
	// Classify gives a packet's class; nil: Packet.Class.
	Classify func(*qdisc.Packet) uint32

	Drops   *qdisc.List      // takes dropped packets; nil: the garbage collector (Change: the present list)
	Sojourn *qdisc.Histogram // records the time each packet waited; nil: not kept
}

// PRIQ is a strict-priority scheduler with a child discipline in each class.
// It is not safe for concurrent use. Its Peek looks and never parks, whatever
// the children do.
type PRIQ struct {
	strict   // the class of priority p in band MaxPriority-p
	classify func(*qdisc.Packet) uint32
	fallback uint32              // the band of the default class, none if it does not exist
	at       [MaxClass]uint32    // the band of class k in at[k-1], none if it does not exist
	held     [bands.Max]occupant // of each band
	cfg      Config
}

// strict hides the embedded field, not its verbs: Dequeue, Peek, ReadyAt and
// Reset are those of Bands, reached without another call.
type strict = bands.Bands

// none stands for the band of a class that does not exist.
const none = bands.Max

// occupant is the class in a band.
type occupant struct {
	class uint32 // 0: there is no class of this priority
	own   bool   // the child is the class's own FIFO
}

// band returns the band of a priority.
func band(priority int) uint32 { return uint32(MaxPriority - priority) }

// New returns a scheduler without classes.
func New(cfg Config) (*PRIQ, error) {
	q := new(PRIQ)
	for i := range q.at {
		q.at[i] = none
	}
	if err := q.Change(cfg, 0); err != nil {
		return nil, err
	}
	return q, nil
}

// Config returns the present configuration, with the defaults filled in.
func (q *PRIQ) Config() Config {
	cfg := q.cfg
	cfg.Limit = new(*cfg.Limit) // the caller may change its own
	return cfg
}

// Change sets a new configuration. It keeps the classes and all packets.
func (q *PRIQ) Change(cfg Config, now qdisc.Time) error {
	if cfg.Limit == nil {
		cfg.Limit = new(DefaultLimit)
	}
	cfg.Limit = new(*cfg.Limit)
	var errs qdisc.ConfigErrors
	if cfg.Default > MaxClass {
		errs.Add("Default", cfg.Default, "a class number is 1 to 16; 0: no default class")
	}
	if *cfg.Limit < 0 {
		errs.Add("Limit", *cfg.Limit, "a limit in packets is 0 or more")
	}
	if err := errs.Err(); err != nil {
		return err
	}
	if err := q.Attend(cfg.Drops, cfg.Sojourn); err != nil {
		return err
	}
	q.Clock(now)
	q.cfg, q.classify = cfg, cfg.Classify
	q.fallback = q.find(cfg.Default)
	return nil
}

// find returns the band of a class, none if it does not exist.
func (q *PRIQ) find(class uint32) uint32 {
	if class-1 < MaxClass {
		return q.at[class-1]
	}
	return none
}
