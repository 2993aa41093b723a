package qdisctest_test

import (
	"time"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/qdisc"
)

// aqm returns a queue manager: one queue or many.
func (t *tree) aqm(one bool, drops *qdisc.List) (qdisc.Qdisc, error) {
	if one {
		cfg := t.codelConfig()
		cfg.Drops = drops
		return codel.New(cfg)
	}
	cfg := t.fqConfig()
	cfg.Drops = drops
	return codel.NewFQ(cfg)
}

// codelConfig has a law that often signals.
func (t *tree) codelConfig() codel.Config {
	cfg := codel.Config{
		Target: 1 + t.brief(), Interval: 1 + t.brief(), Limit: new(t.below(24)), MTU: 1, ECN: t.odds(2), Compat: t.mode(),
	}
	if t.odds(2) {
		cfg.MemoryLimit = new(int64(t.below(20000)))
	}
	if t.odds(2) {
		cfg.CEThreshold = new(t.brief())
	}
	return cfg
}

func (t *tree) fqConfig() codel.FQConfig {
	law := t.codelConfig()
	cfg := codel.FQConfig{
		Target: law.Target, Interval: law.Interval, Limit: law.Limit, MemoryLimit: law.MemoryLimit, MTU: 1, NoECN: law.ECN, CEThreshold: law.CEThreshold,
		Flows: 1 + t.below(12), Quantum: codel.MinQuantum + t.below(3000), DropBatch: t.below(5), Compat: law.Compat,
	}
	if t.odds(3) {
		cfg.SetAssociative, cfg.Flows = true, 8
	}
	if t.odds(3) {
		cfg.Classify = func(p *qdisc.Packet) uint32 { return p.Priority % 5 }
	}
	return cfg
}

// brief is a time that the law may have.
func (t *tree) brief() time.Duration { return min(time.Duration(t.span()), codel.MaxDuration-1) }

func (t *tree) mode() qdisc.Compat {
	if t.odds(2) {
		return qdisc.Linux
	}
	return qdisc.Exact
}
