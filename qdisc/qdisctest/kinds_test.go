package qdisctest_test

import (
	"math"
	"time"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/mq"
	"github.com/netsched/netsched/qdisc/multiq"
	"github.com/netsched/netsched/qdisc/prio"
	"github.com/netsched/netsched/qdisc/qdisctest"
	"github.com/netsched/netsched/qdisc/tbf"
)

// node returns a random discipline, at most depth levels of parents high.
func (t *tree) node(depth int, drops *qdisc.List) qdisc.Qdisc {
	var q qdisc.Qdisc
	var err error
	kind := t.below(14)
	if depth == 0 || t.size > 40 {
		kind = 6 + kind%8
	}
	switch kind {
	case 0, 1:
		cfg := t.prioConfig()
		cfg.Drops = drops
		q, err = prio.New(cfg)
	case 2, 3:
		cfg := t.tbfConfig()
		cfg.Drops = drops
		if !t.odds(3) {
			cfg.Child, cfg.LimitBytes = t.node(depth-1, nil), nil
		}
		q, err = tbf.New(cfg)
	case 4:
		q, err = multiq.New(multiq.Config{Bands: 1 + t.below(6), Limit: new(t.below(24)), Drops: drops})
	case 5:
		q, err = mq.New(mq.Config{Queues: 1 + t.below(6), Limit: new(t.below(24)), Drops: drops})
	case 6, 7:
		q = qdisctest.NewChaos(uint64(t.byte()), t.faults(), drops)
	case 8:
		cfg := t.fastConfig()
		cfg.Drops = drops
		q, err = fifo.NewFast(cfg)
	case 9, 10:
		q, err = t.aqm(kind == 9, drops)
	default:
		cfg := t.fifoConfig()
		cfg.Drops = drops
		q, err = fifo.New(cfg)
	}
	if err != nil {
		panic(err) // the random configurations are meant to be good
	}
	switch parent := q.(type) {
	case *tbf.TBF: // its child is in its Config
	case classful:
		t.branch(parent, depth)
	}
	return q
}

// classful is a parent whose children can be replaced.
type classful interface {
	qdisc.Parent
	SetChild(class uint32, q qdisc.Qdisc, now qdisc.Time) error
}

// branch puts random children under q.
func (t *tree) branch(q classful, depth int) {
	for class := range q.Children() {
		if t.size++; t.size > 40 || t.odds(4) {
			continue // the FIFO stays
		}
		if err := q.SetChild(class, t.node(depth-1, nil), 0); err != nil {
			panic(err)
		}
	}
}

// reconfigure gives q a new random configuration.
func (t *tree) reconfigure(q qdisc.Qdisc) error {
	switch q := q.(type) {
	case *fifo.FIFO:
		cfg := t.fifoConfig()
		cfg.Drops = q.Config().Drops
		return q.Change(cfg, t.now)
	case *tbf.TBF:
		cfg, old := t.tbfConfig(), q.Config()
		cfg.Drops = old.Drops
		if !t.odds(8) { // else most likely refused
			cfg.Child, cfg.Compat = old.Child, old.Compat
			if old.Child != nil {
				cfg.LimitBytes = nil
			}
		}
		if old.Compat == qdisc.Linux {
			cfg.Burst, cfg.PeakRate, cfg.MTU = old.Burst, old.PeakRate, old.MTU
		}
		return q.Change(cfg, t.now)
	case *codel.CoDel:
		cfg, old := t.codelConfig(), q.Config()
		cfg.Drops, cfg.Compat = old.Drops, old.Compat
		return q.Change(cfg, t.now)
	case *codel.FQ:
		cfg, old := t.fqConfig(), q.Config()
		cfg.Drops, cfg.Compat, cfg.Flows, cfg.SetAssociative = old.Drops, old.Compat, old.Flows, old.SetAssociative
		return q.Change(cfg, t.now)
	case *fifo.Fast:
		cfg := t.fastConfig()
		cfg.Drops = q.Config().Drops
		return q.Change(cfg, t.now)
	case *multiq.Multiq:
		return q.Change(multiq.Config{Bands: 1 + t.below(6), Limit: new(t.below(24)), Drops: q.Config().Drops}, t.now)
	case *mq.MQ:
		return q.Change(mq.Config{Queues: 1 + t.below(6), Limit: new(t.below(24)), Drops: q.Config().Drops}, t.now)
	case *prio.Prio:
		cfg := t.prioConfig()
		cfg.Drops = q.Config().Drops
		return q.Change(cfg, t.now)
	}
	return nil
}

func (t *tree) fifoConfig() fifo.Config {
	cfg := fifo.Config{HeadDrop: t.odds(3)}
	form := t.below(4)
	if form != 1 {
		cfg.Limit = new(t.below(24))
	}
	if form == 1 || form == 2 {
		cfg.LimitBytes = new(int64(t.below(20000)))
	}
	return cfg
}

func (t *tree) fastConfig() fifo.FastConfig {
	cfg := fifo.FastConfig{Limit: new(t.below(12)), ByDS: t.odds(2)}
	if t.odds(2) {
		cfg.Priomap = t.priomap(fifo.FastBands)
	}
	return cfg
}

func (t *tree) priomap(bands int) *[16]uint8 {
	m := new([16]uint8)
	for i := range m {
		m[i] = uint8(t.below(bands))
	}
	return m
}

func (t *tree) tbfConfig() tbf.Config {
	rates := [...]qdisc.Rate{8, 300, 64_001, 1e6, 12_345_678, 1e8, 1e10, 1e12, math.MaxUint64}
	i := t.below(len(rates) - 1)
	cfg := tbf.Config{Rate: rates[i], Burst: uint32(t.below(65536))}
	if t.odds(3) {
		cfg.PeakRate, cfg.MTU = rates[i+1], 1+uint32(t.below(4000))
	}
	if t.odds(2) {
		cfg.Overhead, cfg.MPU, cfg.ATM = uint32(t.below(48)), uint32(t.below(100)), t.odds(2)
	}
	if t.odds(2) {
		cfg.LimitBytes = new(int64(t.below(20000)))
	}
	if t.odds(2) {
		cfg.Split = func(p *qdisc.Packet, segs *qdisc.List) { t.ledger.Split(p, segs) }
	}
	if t.odds(3) {
		// Linux never lets go of a packet that is longer than the burst: a
		// direct call can put one into the child, and so can a Change.
		cfg.Compat = qdisc.Linux
		cfg.Burst = max(cfg.Burst, longest)
		cfg.MTU = max(cfg.MTU, longest)
	}
	return cfg
}

func (t *tree) prioConfig() prio.Config {
	cfg := prio.Config{Bands: 2 + t.below(4)}
	if t.odds(8) {
		cfg.Bands = 16
	}
	cfg.Priomap = t.priomap(cfg.Bands)
	if t.odds(2) {
		shift, n := t.below(32), uint32(cfg.Bands+2)
		cfg.Classify = func(p *qdisc.Packet) uint32 { return p.Flow >> shift % n }
	}
	return cfg
}

// faults mixes the faults of a Chaos.
func (t *tree) faults() qdisctest.Faults {
	chance := func() float64 { return float64(max(0, t.below(256)-128)) / 512 }
	return qdisctest.Faults{
		Refuse: chance(), PushOut: chance(), Self: chance(), Steal: chance(), Jump: chance(), Release: chance(),
		Drop: chance(), Hold: chance(), Block: chance() / 4, Delay: chance(),
		Longest: time.Duration(1 + t.span()), Limit: 1 + t.below(64), Looks: t.odds(2),
	}
}
