package fifo

import (
	"fmt"
	"iter"

	"github.com/netsched/netsched/qdisc"
)

// FastBands is the number of bands of a Fast.
const FastBands = 3

// FastConfig describes a Fast. The zero value is Linux's.
type FastConfig struct {
	// Limit is that of each band, in packets: one band may be full while
	// another takes packets. nil: DefaultLimit; 0 refuses everything.
	Limit *int
	// Priomap gives the band, 0..2, of each priority 0..15; nil: Linux's,
	// 1 2 2 2 1 2 0 0, then 1. It is copied.
	Priomap *[16]uint8
	// ByDS takes each packet's priority from its DS field, by DSPriority,
	// instead of from Packet.Priority.
	ByDS bool

	Drops   *qdisc.List      // takes dropped packets; nil: the garbage collector (Change: the present list)
	Sojourn *qdisc.Histogram // records the time each packet waited; nil: not kept
}

// Fast is Linux's pfifo_fast, the discipline that a device starts with: three
// first-in first-out queues, called bands, in strict priority. A band is served
// only while those before it are empty. The band of a packet is that of its
// priority, of which the low 4 bits count, as in package prio. A Prio over FIFOs
// serves the same packets in the same order; it costs more and can do more.
//
// As in Linux the limit is that of each band. ns-3's queue of this name limits
// the sum of the three.
//
// A Fast is not safe for concurrent use. Its Peek looks and never parks.
// Nothing depends on time, and there is no Compat: Linux does the same.
type Fast struct {
	qdisc.Base
	bands [FastBands]fastBand
	limit int // of each band, in packets
	byDS  bool
	to    [16]uint8 // the band, by priority or by the four middle bits of the DS field
	cfg   FastConfig
}

type fastBand struct {
	list qdisc.List
	n    int // packets in it
}

// NewFast returns an empty Fast.
func NewFast(cfg FastConfig) (*Fast, error) {
	f := new(Fast)
	if err := f.Change(cfg, 0); err != nil {
		return nil, err
	}
	return f, nil
}

// Config returns the present configuration, with the defaults filled in.
func (f *Fast) Config() FastConfig { return f.cfg.resolve() }

// resolve fills in the defaults. The caller may change through its pointers
// what they point to, so that is copied.
func (c FastConfig) resolve() FastConfig {
	limit, priomap := DefaultLimit, [16]uint8{1, 2, 2, 2, 1, 2, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}
	if c.Limit != nil {
		limit = *c.Limit
	}
	if c.Priomap != nil {
		priomap = *c.Priomap
	}
	c.Limit, c.Priomap = &limit, &priomap
	return c
}

// Change sets a new configuration. It drops nothing and moves nothing: packets
// held stay in their bands, and a lower limit bars new ones until the band has
// drained below it.
func (f *Fast) Change(cfg FastConfig, now qdisc.Time) error {
	cfg = cfg.resolve()
	var errs qdisc.ConfigErrors
	if *cfg.Limit < 0 {
		errs.Add("Limit", *cfg.Limit, "a limit in packets is 0 or more")
	}
	for priority, b := range cfg.Priomap {
		if b >= FastBands {
			errs.Add(fmt.Sprintf("Priomap[%d]", priority), b, fmt.Sprintf("a band is 0 to %d", FastBands-1))
		}
	}
	if err := errs.Err(); err != nil {
		return err
	}
	if err := f.Attend(cfg.Drops, cfg.Sojourn); err != nil {
		return err
	}
	f.Clock(now)
	f.cfg, f.limit, f.byDS, f.to = cfg, *cfg.Limit, cfg.ByDS, *cfg.Priomap
	if cfg.ByDS {
		for i := range f.to {
			f.to[i] = cfg.Priomap[DSPriority(uint8(i<<1))]
		}
	}
	return nil
}

// BandStats is what one band of a Fast holds.
type BandStats struct {
	Len     int   // packets
	Backlog int64 // bytes
}

// Bands ranges over the bands, the first served first. It counts the bytes
// packet by packet.
func (f *Fast) Bands() iter.Seq2[int, BandStats] {
	return func(yield func(int, BandStats) bool) {
		for i := range f.bands {
			s := BandStats{Len: f.bands[i].n}
			for p := range f.bands[i].list.All() {
				s.Backlog += int64(p.Len)
			}
			if !yield(i, s) {
				return
			}
		}
	}
}
