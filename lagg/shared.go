package lagg

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"github.com/netsched/netsched/qdisc"
)

// Shared is a group that many goroutines select from. Select takes no lock and
// makes one atomic addition in RoundRobin, none in the other modes; changes
// wait for each other. The zero value is an empty failover group, ready for
// Update. It must not be copied.
type Shared struct {
	view atomic.Pointer[view] // changes seldom: on a cache line of its own
	_    [56]byte
	seq  atomic.Uint64 // packets of all round robins
	_    [56]byte

	mu    sync.Mutex // guards group
	group Group
}

// NewShared returns an empty group. Its errors are *qdisc.ConfigErrors: those
// of New, and for what goroutines cannot share without a lock: StrideBytes,
// Counter Bucket, and with Random a Rand.
func NewShared(cfg Config) (*Shared, error) {
	s := new(Shared)
	err := s.Update(func(g *Group) error { return g.Change(cfg, 0) })
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Update calls f with the group, alone, and has Select answer by the outcome
// when f has returned. f may call every method but Select and Send, and must
// not keep g. An error of f is returned; what f did before it counts. A
// configuration that cannot be shared, see NewShared, is taken back and
// reported; the other changes of f stand.
//
// A Select of the same time answers as before or as after, so it may still
// return a port that f has removed. Runs go on as in a Group. Outside f only
// Index and Port of a Member may be called.
func (s *Shared) Update(f func(g *Group) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := &s.group
	before, now := g.cfg, s.seq.Load()
	g.invalidate()
	if v := s.view.Load(); v != nil {
		v.note(&g.round, now)
	}
	place := g.round
	err := f(g)
	if refusal := shareable(&g.cfg); refusal != nil {
		if back := g.Change(before, g.now); back != nil {
			panic(back) // it was in force
		}
		g.invalidate()
		g.round = place
		err = refusal
	}
	g.invalidate()
	g.rebuild()
	s.view.Store(newView(g, now))
	return err
}

// Select returns the port for p, nil if there is none, as Group.Select does;
// Config.Frame is called by the goroutine that selects, which also sends on the
// port itself: Shared has no Send, and its Stats stay 0.
func (s *Shared) Select(p *qdisc.Packet) *Member {
	v := s.view.Load() // before the number is drawn: see note
	if v == nil {
		return nil
	}
	switch v.path {
	case viaStride, viaCounter:
		if len(v.table) == 0 {
			return nil
		}
		return v.table[v.slot((s.seq.Add(1)-1-v.base)&v.mask)]
	case viaFlow:
		return v.pick.choose(p.Flow >> v.cfg.FlowShift)
	case viaFrame:
		return v.pick.choose(v.cfg.Hasher.Sum(v.cfg.Frame(p)))
	case viaRandom:
		return v.alias.choose(v.table, rand.Uint64())
	case viaLastOfAll:
		if n := len(v.table); n > 0 {
			return v.table[n-1]
		}
		return nil
	}
	return v.active
}

// shareable tells why a configuration cannot be shared.
func shareable(cfg *Config) error {
	var errs qdisc.ConfigErrors
	if cfg.Mode == RoundRobin && cfg.StrideBytes {
		errs.Add("StrideBytes", true, "runs in bytes cannot be counted by one atomic addition; use packets")
	}
	if cfg.Mode == RoundRobin && cfg.Counter == Bucket {
		errs.Add("Counter", uint8(cfg.Counter), "its two counters lose count between goroutines; use Runs or Sequence")
	}
	if cfg.Mode == Random && cfg.Rand != nil {
		errs.Add("Rand", cfg.Rand, "a source serves one goroutine; leave it nil")
	}
	return errs.Err()
}
