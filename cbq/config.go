package cbq

import (
	"time"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

const (
	// MaxClass is the largest class number.
	MaxClass = 1<<20 - 1
	// MaxRate is the largest rate of the link or a class.
	MaxRate = 8 * qdisc.Tbit
	// DefaultAvgPacket is the average length of a packet in bytes that most
	// published setups of tc give.
	DefaultAvgPacket = 1000
	// MaxEWMA is the largest filter constant, as in tc.
	MaxEWMA = 31
)

// Config describes the scheduler as a whole. Only Bandwidth is required.
type Config struct {
	// Bandwidth is the rate of the link, up to MaxRate. It must be right to some
	// percent where bursts matter; the rates of classes do not depend on it.
	// The link sets the pace: the scheduler does not hold packets back to it,
	// but what isolated classes leave of it.
	Bandwidth qdisc.Rate
	// AvgPacket is the average length of a packet in bytes, by which bursts
	// are reckoned ("avpkt"). 0: DefaultAvgPacket.
	AvgPacket uint32
	// EWMA is the filter constant of the estimator, 0 to MaxEWMA: its gain is
	// 2^-EWMA. nil: DefaultEWMA.
	EWMA *int
	// Guideline says when classes borrow. 0: Formal.
	Guideline Guideline
	// CatchUp is how far a class that holds packets may fall behind its rate, because
	// others kept it from sending, and still catch up. 0: the time that the
	// link takes for 16 packets of AvgPacket bytes of each class, but not less
	// than 100 ms.
	CatchUp time.Duration
	// Default is the class of packets that name none, or one that does not
	// exist; 0: such packets are refused. It need not exist yet.
	Default uint32
	// Limit is that of a class's own FIFO, in packets; nil: fifo.DefaultLimit.
	// Change leaves the classes there are as they are.
	Limit *int
	// Classify gives a packet's class; nil: Packet.Class.
	Classify func(*qdisc.Packet) uint32

	Drops   *qdisc.List      // takes dropped packets; nil: the garbage collector (Change: the present list)
	Sojourn *qdisc.Histogram // records the time each packet waited; nil: not kept
}

// New returns a scheduler without classes. Its error joins a
// *qdisc.ConfigError for each thing that is wrong with cfg.
func New(cfg Config) (*CBQ, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	q := &CBQ{top: maxLevel}
	if err := q.Attend(cfg.Drops, cfg.Sojourn); err != nil {
		return nil, err
	}
	q.root.level, q.root.free, q.root.cost = 1, true, turnCost(1)
	q.root.index = q.lenders.put(&q.root)
	q.rows.add(&q.root)
	q.grow()
	q.set(cfg, 0)
	return q, nil
}

// Config returns the present configuration, with the defaults filled in.
func (q *CBQ) Config() Config {
	cfg := q.cfg
	cfg.Limit, cfg.EWMA = new(*cfg.Limit), new(*cfg.EWMA) // the caller may change its own
	return cfg
}

// Change sets a new configuration. It keeps the classes and all packets.
func (q *CBQ) Change(cfg Config, now qdisc.Time) error {
	if err := cfg.check(); err != nil {
		return err
	}
	if err := q.Attend(cfg.Drops, cfg.Sojourn); err != nil {
		return err
	}
	now = q.Clock(now)
	q.Forget()
	q.set(cfg, now)
	return nil
}

// check fills in the defaults.
func (cfg *Config) check() error {
	var errs qdisc.ConfigErrors
	switch {
	case cfg.Bandwidth == 0:
		errs.Add("Bandwidth", cfg.Bandwidth, "required: the rate of the link, 1 bit/s or more")
	case cfg.Bandwidth > MaxRate:
		errs.Add("Bandwidth", cfg.Bandwidth, "at most 8 Tbit/s")
	}
	checkAvgPacket(cfg.AvgPacket, &errs)
	checkEWMA(cfg.EWMA, &errs)
	if cfg.AvgPacket == 0 {
		cfg.AvgPacket = DefaultAvgPacket
	}
	if cfg.EWMA == nil {
		cfg.EWMA = new(DefaultEWMA)
	}
	cfg.EWMA = new(*cfg.EWMA)
	if cfg.Guideline > TopLevel {
		errs.Add("Guideline", cfg.Guideline, "Formal (0), AncestorOnly (1) or TopLevel (2)")
	}
	if cfg.CatchUp < 0 {
		errs.Add("CatchUp", cfg.CatchUp, "0 (by the number of classes) or more")
	}
	if cfg.Default > MaxClass {
		errs.Add("Default", cfg.Default, "a class number is 1 to 1048575; 0: no default class")
	}
	if cfg.Limit == nil {
		cfg.Limit = new(fifo.DefaultLimit)
	}
	if *cfg.Limit < 0 {
		errs.Add("Limit", *cfg.Limit, "a limit in packets is 0 or more")
	}
	cfg.Limit = new(*cfg.Limit)
	return errs.Err()
}

func checkAvgPacket(n uint32, errs *qdisc.ConfigErrors) {
	if n > qdisc.MaxLen {
		errs.Add("AvgPacket", n, "at most 2^30 bytes")
	}
}

func checkEWMA(n *int, errs *qdisc.ConfigErrors) {
	if n != nil && (*n < 0 || *n > MaxEWMA) {
		errs.Add("EWMA", *n, "0 to 31: the gain is 2^-EWMA")
	}
}

func (q *CBQ) set(cfg Config, now qdisc.Time) {
	q.cfg, q.classify, q.guideline = cfg, cfg.Classify, cfg.Guideline
	q.linkByte = nsPerByte / float64(cfg.Bandwidth)
	q.top = maxLevel
	q.setCatchUp()
	q.suspend(&q.root)
	for c := range q.classes.all() {
		q.tune(c, now)
	}
	q.resume(&q.root, now)
}

// leastCatchUp is what a class may always catch up: as long as a
// busy system keeps a program from running.
const leastCatchUp = 100 * time.Millisecond

// setCatchUp follows the number of classes: those that come before a class in
// its turn may be all others, with a packet of up to 16 times the average.
func (q *CBQ) setCatchUp() {
	if q.catchUp = qdisc.Time(min(q.cfg.CatchUp, time.Duration(span))); q.catchUp == 0 {
		round := 16 * float64(q.classes.len()) * float64(q.cfg.AvgPacket) * q.linkByte
		q.catchUp = qdisc.Time(max(leastCatchUp, duration(round)))
	}
}
