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
	if err := s.Update(func(g *Group) error { return g.Change(cfg, 0) }); err != nil {
		return nil, err
	}
	return s, nil
}

// Update calls f with the group, alone, and has Select answer by the outcome
// when f has returned. f may call every method but Select and Send, and must
// neither keep g nor call Update or Remove of s. An error of f is returned; what
// f did before it, or before a panic, counts. Change refuses there what NewShared
// does, all or nothing as ever.
//
// A Select of the same time answers as before or as after. Runs go on as in a
// Group. Outside f only Index and Port of a Member may be called.
//
// To take a port out use Remove of s: the group's own, called by f, takes back
// what the port holds while goroutines still send to it.
func (s *Shared) Update(f func(g *Group) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	g, now, v := &s.group, s.seq.Load(), s.view.Load()
	g.shared = true
	g.invalidate()
	if v != nil {
		v.note(&g.round, now)
	}
	g.changed = false
	defer func() {
		if v == nil || g.changed {
			g.rebuild()
			s.view.Store(newView(g, now))
		}
	}()
	return f(g)
}

// Remove takes m out of the group, as Group.Remove does, in this order: m leaves
// the group; no Select that begins from now on returns m; then the port gives
// back what it holds, which Remove returns, while no lock is held.
//
// A goroutine that selected m before may still be about to send on it, so the
// port must bear Enqueue and Return, or Reset, at the same time, and a packet
// may come to it after Remove has returned. There are two ways to leave none
// there: the port itself, once Return was called, passes what comes to another
// Select, as in the example; or the caller waits until every goroutine has sent
// what it had selected a port for, and calls Return again.
//
// A port that is not in the group gives nothing back.
func (s *Shared) Remove(m *Member, now qdisc.Time) (back qdisc.List) {
	gone := false
	_ = s.Update(func(g *Group) error {
		gone = g.unlink(m, now)
		now = g.now
		return nil
	})
	if gone {
		back = giveBack(m.port, now)
		s.mu.Lock()
		s.group.stats.Returned += uint64(back.Len())
		s.mu.Unlock()
	}
	return back
}

// Select returns the port for p, nil if there is none, as Group.Select does;
// Config.Frame is called by the goroutine that selects, which also sends on the
// port itself: Shared has no Send, and of its Stats only Returned counts.
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
		return v.pick.choose(v.cfg.frameHash(p))
	case viaRandom:
		return v.alias.choose(v.table, rand.Uint64())
	}
	return v.active
}

// checkShared gathers why a configuration cannot be shared.
func checkShared(cfg *Config, errs *qdisc.ConfigErrors) {
	if cfg.Mode == RoundRobin && cfg.StrideBytes {
		errs.Add("StrideBytes", true, "runs in bytes cannot be counted by one atomic addition; use packets")
	}
	if cfg.Mode == RoundRobin && cfg.Counter == Bucket {
		errs.Add("Counter", uint8(cfg.Counter), "its two counters lose count between goroutines; use Runs or Sequence")
	}
	if cfg.Mode == Random && cfg.Rand != nil {
		errs.Add("Rand", cfg.Rand, "a source serves one goroutine; leave it nil")
	}
}
