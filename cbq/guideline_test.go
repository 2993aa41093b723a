package cbq_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/cbq"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

// candidate is a class that may send: within its own limit at level 0, or by
// borrowing from a class of that level.
type candidate struct {
	class, level, priority int
}

// before tells whether a comes before b in the order of Formal, or else of
// AncestorOnly.
func (a candidate) before(b candidate, formal bool) bool {
	if formal && a.level != b.level || a.priority == b.priority {
		return a.level < b.level
	}
	return a.priority < b.priority
}

// fuzzer runs a program of bytes, and checks after each packet that nobody had
// to be served before it: by the guidelines in words, with all classes looked
// at, from what the statistics say.
type fuzzer struct {
	t       *testing.T
	q       *cbq.CBQ
	drops   qdisc.List
	now     qdisc.Time
	program qtest.Program
	fresh   bool // the last arrival was for a class within its limit, and nothing was asked for since
	in, out int
	checked int
}

// candidates returns who may send. False: the statistics do not tell, because of
// packets in a class with children, or of isolated classes.
func (f *fuzzer) candidates() (list []candidate, known bool) {
	states := map[uint32]cbq.ClassStats{}
	root := 1
	for id, st := range f.q.Classes() {
		states[id] = st
		cfg, _ := f.q.Class(id)
		if cfg.Isolated || st.Level > 0 && st.Len > 0 {
			return nil, false
		}
		root = max(root, st.Level+1)
	}
	for id, st := range states {
		if st.Len == 0 {
			continue
		}
		cfg, _ := f.q.Class(id)
		c := candidate{class: int(id), priority: cfg.Priority}
		for st.UnderTime > f.now {
			if cfg.Bounded {
				c.level = -1
				break
			}
			if cfg.Parent == 0 {
				c.level = root
				break
			}
			st = states[cfg.Parent]
			c.level = st.Level
			cfg, _ = f.q.Class(cfg.Parent)
		}
		if c.level >= 0 {
			list = append(list, c)
		}
	}
	return list, true
}

// dequeue takes a packet and judges the choice.
func (f *fuzzer) dequeue() {
	all, known := f.candidates()
	known = known && f.q.Parked() == nil
	fresh := f.fresh
	f.fresh = false
	p := f.q.Dequeue(f.now)
	if p != nil {
		f.out++
	}
	if !known {
		return
	}
	f.checked++
	if p == nil {
		require.Empty(f.t, all, "somebody may send")
		if f.q.Len() > 0 {
			require.Greater(f.t, f.q.ReadyAt(f.now), f.now)
		}
		return
	}
	var got *candidate
	for i := range all {
		if all[i].class == int(p.Class) {
			got = &all[i]
		}
	}
	require.NotNil(f.t, got, "class %d may not send", p.Class)
	for _, c := range all {
		switch g := f.q.Config().Guideline; g {
		case cbq.Formal, cbq.AncestorOnly:
			require.False(f.t, c.before(*got, g == cbq.Formal), "%v: class %d, and not %+v", g, p.Class, c)
		case cbq.TopLevel:
			require.False(f.t, c.level <= got.level && c.before(*got, false), "%v: class %d, and not %+v", g, p.Class, c)
			require.False(f.t, fresh && got.level > 0, "an arrival at a class within its limit lets nobody borrow")
		}
	}
}

func (f *fuzzer) step() {
	op := f.program.Byte()
	class := uint32(1 + op>>4%12)
	switch op % 16 {
	case 0, 1, 2, 3, 4, 5:
		p := packet(class, [8]uint32{0, 1, 64, 300, 576, 1500, 1514, 9000}[f.program.Byte()%8])
		st, ok := f.q.Stats(class)
		if !ok {
			p.Class = f.q.Config().Default // where it goes anyway
			st, _ = f.q.Stats(p.Class)
		}
		f.fresh = f.q.Enqueue(p, f.now) == qdisc.Queued && st.UnderTime <= f.now && st.Level == 0
		f.in++
	case 6, 7, 8, 9:
		f.dequeue()
	case 10:
		f.fresh = false
		if op>>4 < 4 {
			f.q.Peek(f.now)
		}
	case 11:
		f.now += [8]qdisc.Time{1, 63, 1000, 12_345, 100_000, 1_000_000, 37_000_000, s}[op>>4%8]
		f.fresh = false
	case 12:
		if at := f.q.ReadyAt(f.now); at <= f.now+3600*s {
			f.now = max(f.now, at)
			f.fresh = false
		}
	case 13, 14, 15:
		f.fresh = false
		f.change(op, class)
	}
	f.out += f.drops.Len()
	for range f.drops.Drain() {
	}
	require.Equal(f.t, f.in, f.out+f.q.Len(), "every packet leaves once")
	if f.q.Parked() == nil {
		qtest.CheckSums(f.t, f.q)
	}
	require.NoError(f.t, qdisctest.Check(f.q))
}

func (f *fuzzer) change(op byte, class uint32) {
	a, b := f.program.Byte(), f.program.Byte()
	cfg := cbq.ClassConfig{
		Rate: 1 + qdisc.Rate(a)<<(b%28), Priority: int(b % 9), Weight: uint64(a) << (b % 40), Bounded: b&16 != 0, Isolated: b&0xe0 == 0xe0,
		MaxBurst: int(a % 3), MinIdle: time.Duration(b&3) * time.Millisecond,
	}
	switch op % 16 {
	case 13:
		if cfg.Parent = uint32(a % 13); op>>4 < 12 {
			_ = f.q.AddClass(class, cfg, f.now) // some exist
		} else {
			f.q.Sync(class, f.now)
		}
	case 14:
		old, _ := f.q.Class(class)
		cfg.Parent = old.Parent
		_ = f.q.ChangeClass(class, cfg, f.now)
	case 15:
		switch {
		case a < 16:
			f.now = qdisc.Time(b) * 1000
			f.q.Reset(f.now)
		case a < 64:
			cfg := f.q.Config()
			cfg.Default, cfg.Guideline, cfg.Bandwidth = uint32(b%13), guidelines[a%3], 1+qdisc.Rate(a)*qdisc.Mbit
			require.NoError(f.t, f.q.Change(cfg, f.now))
		default:
			_ = f.q.RemoveClass(class, f.now)
		}
	}
}

func runProgram(t *testing.T, program []byte) int {
	f := fuzzer{t: t, program: program}
	f.q = newCBQ(t, cbq.Config{Bandwidth: 100 * qdisc.Mbit, Guideline: guidelines[f.program.Byte()%3], Limit: new(20), Drops: &f.drops})
	for i := range uint32(3) {
		add(t, f.q, i+1, cbq.ClassConfig{Parent: i, Rate: 40 * qdisc.Mbit >> i, Priority: int(i + 1)})
		add(t, f.q, i+4, cbq.ClassConfig{Parent: i, Rate: 30 * qdisc.Mbit >> i, Bounded: i == 1})
	}
	for len(f.program) > 0 {
		f.step()
	}
	return f.checked
}

// TestGuidelines: in trees that change at random, a class over its limit is never
// served while one that it has to yield to is backlogged, and nobody waits who
// may send.
func TestGuidelines(t *testing.T) {
	checked := 0
	for seed := range uint64(60) {
		checked += runProgram(t, qtest.RandomProgram(rand.New(rand.NewPCG(seed, 1)), 4000))
	}
	assert.Greater(t, checked, 5000)
}

func FuzzCBQ(f *testing.F) {
	for seed := range uint64(6) {
		f.Add(qtest.RandomProgram(rand.New(rand.NewPCG(seed, 2)), 500))
	}
	f.Fuzz(func(t *testing.T, program []byte) { runProgram(t, program[:min(len(program), 2000)]) })
}
