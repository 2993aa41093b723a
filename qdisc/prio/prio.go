// Package prio is strict priority between 2 to 16 bands, as Linux's prio and
// tc-prio(8) have it. A band is served only while no band before it has a
// packet to give, so a busy band starves those after it; a shaper in a band
// bounds what it takes. While the shaper holds its packets back the bands after
// it are served.
package prio

import (
	"fmt"

	"github.com/netsched/netsched/internal/bands"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// MinBands and MaxBands bound Config.Bands; DefaultBands is Linux's default.
const (
	MinBands     = 2
	MaxBands     = bands.Max
	DefaultBands = 3
)

// DefaultPriomap returns Linux's default map from priority to band, for 3
// bands or more: 1 2 2 2 1 2 0 0, then 1.
func DefaultPriomap() [16]uint8 {
	return [16]uint8{1, 2, 2, 2, 1, 2, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}
}

// Config describes a Prio.
type Config struct {
	// Bands is the number of bands, 2..16; 0: 3.
	Bands int
	// Priomap gives the band (0 first) of each priority 0..15; nil:
	// DefaultPriomap. New and Change copy it.
	Priomap *[16]uint8
	// Limit is that of each band's FIFO, in packets; nil: fifo.DefaultLimit.
	// Change leaves the bands that stay as they are.
	Limit *int
	// Classify gives a packet's class; nil: Packet.Class. Class k from 1 to
	// Bands is band k-1; 0 leaves the choice to the packet's priority; any
	// other goes where priority 0 goes.
	Classify func(*qdisc.Packet) uint32

	Drops   *qdisc.List      // takes dropped packets; nil: the garbage collector (Change: the present list)
	Sojourn *qdisc.Histogram // records the time each packet waited; nil: not kept
}

// Prio is a strict-priority scheduler with a child discipline in each band, a
// FIFO to begin with. It is not safe for concurrent use. Its
// Peek looks and never parks, whatever the children do. There is no Compat:
// Linux does the same.
type Prio struct {
	strict
	n        uint32 // bands in use
	priomap  [16]uint8
	limit    int // of a new band's FIFO, in packets
	classify func(*qdisc.Packet) uint32
	cfg      Config
}

// strict hides the embedded field, not its verbs: Dequeue, Peek, ReadyAt and
// Reset are those of Bands, reached without another call.
type strict = bands.Bands

// New returns a Prio with empty FIFOs.
func New(cfg Config) (*Prio, error) {
	q := new(Prio)
	if err := q.Change(cfg, 0); err != nil {
		return nil, err
	}
	return q, nil
}

// Config returns the present configuration, with the defaults filled in.
func (q *Prio) Config() Config {
	cfg := q.cfg
	cfg.Bands, cfg.Priomap, cfg.Limit = int(q.n), new(q.priomap), new(q.limit)
	return cfg
}

// Change sets a new configuration. Bands that stay keep their packets and
// their children; those of removed bands are purged; new bands get FIFOs. Each
// entry of the map must be a band, so fewer than 3 bands need a map.
func (q *Prio) Change(cfg Config, now qdisc.Time) error {
	n, priomap, err := cfg.resolve()
	limit := fifo.DefaultLimit
	if cfg.Limit != nil {
		limit = *cfg.Limit
	}
	if err != nil {
		return err
	}
	var added [MaxBands]qdisc.Child
	for b := q.n; b < n; b++ {
		if added[b], err = q.hang(nil, limit); err != nil {
			return err
		}
	}
	if err := q.Attend(cfg.Drops, cfg.Sojourn); err != nil {
		return err
	}
	now = q.Clock(now)
	for b := n; b < q.n; b++ {
		bands.Child(&q.strict, b).Detach(now)
		bands.Put(&q.strict, b, qdisc.Child{})
	}
	for b := q.n; b < n; b++ {
		bands.Put(&q.strict, b, added[b])
	}
	q.n, q.priomap, q.limit, q.classify, q.cfg = n, priomap, limit, cfg.Classify, cfg
	return nil
}

// resolve fills in the defaults and checks the ranges.
func (cfg *Config) resolve() (bands uint32, priomap [16]uint8, err error) {
	n := cfg.Bands
	if n == 0 {
		n = DefaultBands
	}
	priomap = DefaultPriomap()
	if cfg.Priomap != nil {
		priomap = *cfg.Priomap
	}
	var errs qdisc.ConfigErrors
	if cfg.Limit != nil && *cfg.Limit < 0 {
		errs.Add("Limit", *cfg.Limit, "a limit in packets is 0 or more")
	}
	if n < MinBands || n > MaxBands {
		errs.Add("Bands", cfg.Bands, fmt.Sprintf("a prio has %d to %d bands", MinBands, MaxBands))
		return 0, priomap, errs.Err()
	}
	for prio, b := range priomap {
		if int(b) >= n {
			errs.Add(fmt.Sprintf("Priomap[%d]", prio), b, fmt.Sprintf("with %d bands, a band is 0 to %d", n, n-1))
		}
	}
	return uint32(n), priomap, errs.Err()
}
