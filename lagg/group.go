package lagg

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/netsched/netsched/qdisc"
)

// Group is several ports used as one. It is not safe for concurrent use; see
// Shared. The zero value is an empty failover group, ready for Add and Change.
type Group struct {
	left   uint64    // packets left of the run in progress
	pos    int       // its slot; -1: before the first run
	table  []*Member // who serves each slot; nil: nobody, or a balancer's displaced says
	stride uint64    // of cfg, at least 1
	path   path

	owners []*Member // whose slots they are: usable ports, all ports, or dealt
	dealt  []*Member // owners in a consistent load balance
	stale  bool      // ports or weights changed since they were dealt
	even   bool      // or weights did: all may get and give

	round  round
	pick   balancer
	alias  aliasTable
	rand   rand.Source
	served []*Member // table, where it is not one of the other lists

	list   []*Member // by index
	usable int       // how many are
	lowest uint32    // no port of a smaller index is usable

	primary, active *Member // of a failover

	now     qdisc.Time
	due     qdisc.Time // no pending link change is due earlier
	late    bool       // and perhaps none then
	pending int        // how many there are
	ripe    []*Member  // room to sort them

	shared  bool // by goroutines, which cannot do everything without a lock
	changed bool // since their last view

	cfg   Config
	stats Stats
}

// New returns an empty group. Its errors are *qdisc.ConfigErrors.
func New(cfg Config) (*Group, error) {
	g := new(Group)
	if err := g.Change(cfg, 0); err != nil {
		return nil, err
	}
	return g, nil
}

// Config returns the present configuration, with defaults filled in.
func (g *Group) Config() Config {
	cfg := g.cfg
	cfg.Stride, cfg.Slots = max(cfg.Stride, 1), cmp.Or(cfg.Slots, DefaultSlots)
	return cfg
}

// Change sets a new configuration, all or nothing, while packets flow. Another
// Mode, Counter or StrideBytes starts the round afresh at the first port;
// another number of Slots deals them afresh. Waits for UpDelay or DownDelay that
// are in progress last as long as the new delay says, from the link's change on.
// The port that a failover uses stays in use if Reselect, as it is now, lets it.
func (g *Group) Change(cfg Config, now qdisc.Time) error {
	if err := g.check(&cfg); err != nil {
		return err
	}
	g.Advance(now)
	g.invalidate()
	if cfg.Mode != g.cfg.Mode || cfg.Counter != g.cfg.Counter || cfg.StrideBytes != g.cfg.StrideBytes {
		g.restart()
	}
	if cmp.Or(cfg.Slots, DefaultSlots) != cmp.Or(g.cfg.Slots, DefaultSlots) {
		g.dealt = nil
	}
	switch {
	case cfg.Rand != nil:
		g.rand = cfg.Rand
	case g.rand == nil || g.cfg.Rand != nil:
		g.rand = rand.NewPCG(rand.Uint64(), rand.Uint64())
	}
	if cfg.Frame != nil && cfg.Hasher.Key == 0 {
		if cfg.Hasher.Key = g.cfg.Hasher.Key; cfg.Hasher.Key == 0 {
			cfg.Hasher.Key = uint32(g.rand.Uint64())
		}
	}
	g.cfg = cfg
	g.stride = uint64(max(cfg.Stride, 1))
	g.reserve()
	g.reselect()
	g.retime()
	return nil
}

// invalidate comes before every change of ports or configuration that table
// follows from. The next choice rebuilds it: many changes cost one.
func (g *Group) invalidate() {
	g.changed = true
	if g.path != viaRebuild {
		g.suspend()
		g.path = viaRebuild
	}
}

// reserve makes room, so that a choice need not.
func (g *Group) reserve() {
	n := len(g.list)
	g.ripe = slices.Grow(g.ripe[:0], n)
	g.pick.usable = slices.Grow(g.pick.usable, max(0, n-len(g.pick.usable)))
	if g.cfg.Mode == LoadBalance && g.cfg.Consistent {
		if g.dealt == nil {
			g.dealt, g.stale = make([]*Member, cmp.Or(g.cfg.Slots, DefaultSlots)), true
			for _, m := range g.list {
				m.settled = false
			}
		}
		n = len(g.dealt)
	}
	g.served = slices.Grow(g.served, max(0, n-len(g.served)))
	if g.cfg.Mode == Random {
		g.alias.reserve(n)
	}
}
