package lagg

import (
	"math"

	"github.com/netsched/netsched/qdisc"
)

// round is where a round robin stands. While the table is in use, Group.pos
// and Group.left say it, and they are much faster; suspend writes down what
// outlives a change, and resume reads it.
type round struct {
	turn *Member // Runs: whose run was in progress, nil at the start
	used int64   // and how much of it the port has had

	seq uint32 // Sequence: packets; Bucket: runs before this one
	end uint64 // Sequence: the value of seq at the end of this run

	rest uint64 // Bucket: packets left of the run; 0: a whole one
	live bool   // Bucket: a run was begun since the last change
}

// restart forgets all rounds.
func (g *Group) restart() {
	g.round, g.pos, g.left = round{}, -1, 0
	for _, m := range g.list {
		m.credit = 0
	}
}

// share returns the length of m's runs, of Counter Runs, in packets or bytes.
func (g *Group) share(m *Member) int64 { return int64(g.stride) * int64(m.weight) }

// suspend writes down where the round stands.
func (g *Group) suspend() {
	r := &g.round
	switch {
	case g.cfg.Mode != RoundRobin:
	case g.cfg.Counter == Sequence:
		r.seq = uint32(r.end - g.left)
	case g.cfg.Counter == Bucket:
		if g.left > 0 {
			r.rest = g.left
		} else if r.live { // the next run has begun already
			r.seq, r.rest = r.seq+1, g.stride
		}
		r.live = false
	case g.pos >= 0 && g.pos < len(g.owners):
		r.turn = g.owners[g.pos]
		r.used = g.share(r.turn) - int64(g.left)
		if g.cfg.StrideBytes {
			r.used = g.share(r.turn) - r.turn.credit
		}
	}
	g.left = 0
}

// resume finds the place of the round in the present table.
func (g *Group) resume() {
	g.path = viaCounter
	switch g.cfg.Counter {
	case Sequence:
		g.resumeSequence()
		return
	case Bucket:
		g.resumeBucket()
		return
	}
	switch {
	case g.cfg.StrideBytes:
		g.path = viaBytes
	case g.sameWeights():
		g.path = viaStride
	}
	r := &g.round
	g.pos = -1
	if r.turn == nil {
		return
	}
	rest := g.share(r.turn) - r.used
	at, ok := search(g.owners, r.turn.index)
	if ok = ok && g.owners[at] == r.turn; ok {
		g.pos = at
	} else {
		g.pos = at - 1 // the next port begins
		rest = min(rest, 0)
	}
	if g.cfg.StrideBytes {
		r.turn.credit = rest
	} else {
		g.left = uint64(max(rest, 0))
	}
}

func (g *Group) sameWeights() bool {
	for _, m := range g.owners {
		if m.weight != 1 {
			return false
		}
	}
	return true
}

// nextRun begins a run, of any kind in packets, and takes its first one.
func (g *Group) nextRun() *Member {
	if len(g.table) == 0 {
		return nil
	}
	r := &g.round
	if g.pos++; g.pos >= len(g.table) {
		g.pos = 0
	}
	switch g.cfg.Counter {
	case Runs:
		g.left = uint64(g.share(g.owners[g.pos]))
	case Sequence:
		if r.end > math.MaxUint32 { // seq is 0 again
			r.end, g.pos = 0, 0
		}
		g.runTo(g.stride)
	case Bucket:
		if r.seq++; r.seq == 0 {
			g.pos = 0
		}
		g.left = g.stride
	}
	g.left--
	return g.table[g.pos]
}

// runTo begins the run of n packets from Sequence r.end on. The counter's wrap
// cuts it short.
func (g *Group) runTo(n uint64) {
	g.left = min(n, 1<<32-g.round.end)
	g.round.end += g.left
}

// resumeSequence does the divisions of lagg(4) once.
func (g *Group) resumeSequence() {
	seq, n := uint64(g.round.seq), uint64(len(g.table))
	g.round.end = seq
	if n > 0 {
		g.pos = int(seq / g.stride % n)
		g.runTo(g.stride - seq%g.stride)
	}
}

func (g *Group) resumeBucket() {
	r := &g.round
	if len(g.table) == 0 {
		return
	}
	g.pos = int(uint64(r.seq) % uint64(len(g.table)))
	r.live = true
	if g.left = r.rest; g.left == 0 {
		g.left = g.stride
	}
}

// chooseBytes gives each port its share of bytes in turn. What the last packet
// of a run has too much is taken off the port's next run; of more than a whole
// run, a whole run is, so the search passes over each port once at most.
func (g *Group) chooseBytes(p *qdisc.Packet) *Member {
	if len(g.table) == 0 {
		return nil
	}
	var m *Member
	if g.pos >= 0 {
		m = g.owners[g.pos]
	}
	for m == nil || m.credit <= 0 {
		if g.pos++; g.pos >= len(g.owners) {
			g.pos = 0
		}
		m = g.owners[g.pos]
		m.credit = max(0, m.credit+g.share(m))
	}
	m.credit -= max(1, int64(p.Len))
	return g.table[g.pos]
}

// Sequence returns the counter of Counter Sequence or Bucket; 0 with Runs.
func (g *Group) Sequence() uint32 {
	switch {
	case g.cfg.Mode != RoundRobin || g.cfg.Counter == Runs:
		return 0
	case g.path == viaRebuild:
		return g.round.seq
	case g.cfg.Counter == Sequence:
		return uint32(g.round.end - g.left)
	case g.left == 0 && g.round.live:
		return g.round.seq + 1
	}
	return g.round.seq
}

// SetSequence sets that counter. It does nothing with Runs.
func (g *Group) SetSequence(n uint32) {
	g.invalidate()
	g.round.seq = n
}
