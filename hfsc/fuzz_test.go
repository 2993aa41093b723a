package hfsc_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/qdisc"
)

var fuzzCurves = [16]hfsc.Curve{
	{}, {}, hfsc.Line(8 * qdisc.Kbit), hfsc.Line(qdisc.Mbit), hfsc.Line(10 * qdisc.Mbit), hfsc.Line(3_333_336),
	{M1: 10 * qdisc.Mbit, D: time.Millisecond, M2: qdisc.Mbit},
	{M1: qdisc.Mbit, D: 10 * time.Millisecond, M2: 10 * qdisc.Mbit},
	{M1: 0, D: 5 * time.Millisecond, M2: qdisc.Mbit},
	{M1: qdisc.Mbit, D: 20 * time.Millisecond, M2: 0},
	{M1: 80_000_008, D: 333 * time.Microsecond, M2: 7_000_000},
	{M1: 40, D: time.Second, M2: 8},
	{M1: 8, D: time.Microsecond, M2: 8000},
	hfsc.Line(10 * qdisc.Gbit), {M1: 20 * qdisc.Gbit, D: 100 * time.Microsecond, M2: 1_234_567_888}, hfsc.Line(qdisc.Mbit),
}

var fuzzLens = [8]uint32{0, 1, 64, 300, 576, 1500, 1514, 9000}

var fuzzSteps = [8]qdisc.Time{1, 63, 1000, 12_345, 100_000, 1_000_000, 37_000_000, 1_000_000_000}

// fuzzer runs a program of bytes over the scheduler and the naive one.
type fuzzer struct {
	t       *testing.T
	q       *hfsc.HFSC
	n       *naive
	drops   qdisc.List
	now     qdisc.Time
	program []byte
	gaveNil bool
}

func (f *fuzzer) byte() int {
	if len(f.program) == 0 {
		return 0
	}
	b := f.program[0]
	f.program = f.program[1:]
	return int(b)
}

// config reads three curves: rt, ls, ul.
func (f *fuzzer) config(parent uint32) hfsc.ClassConfig {
	a, b := f.byte(), f.byte()
	return hfsc.ClassConfig{Parent: parent, RealTime: fuzzCurves[a&15], LinkShare: fuzzCurves[a>>4], UpperLimit: fuzzCurves[b&15]}
}

func (f *fuzzer) step() {
	op := f.byte()
	arg := op >> 4
	class := uint32(1 + arg%12)
	f.gaveNil = false
	switch op % 16 {
	case 0, 1, 2, 3, 4:
		p := packet(class, fuzzLens[f.byte()%8])
		require.Equal(f.t, f.n.enqueue(p, f.now), f.q.Enqueue(p, f.now))
	case 5, 6, 7:
		p := f.q.Dequeue(f.now)
		require.Same(f.t, f.n.dequeue(f.now), p)
		f.gaveNil = p == nil
	case 8:
		p := f.q.Peek(f.now)
		require.Same(f.t, f.n.peek(f.now), p)
		f.gaveNil = p == nil
	case 9:
		f.now += fuzzSteps[arg%8]
	case 10:
		if at := f.q.ReadyAt(f.now); at <= f.now+3600*s {
			f.now = max(f.now, at)
		}
	case 11:
		cfg := f.config(uint32(f.byte() % 13))
		if f.q.AddClass(class, cfg, f.now) == nil {
			f.n.add(class, cfg, f.now)
		}
	case 12:
		if f.q.RemoveClass(class, f.now) == nil {
			f.n.remove(class, f.now)
		}
	case 13:
		old, _ := f.q.Class(class)
		cfg := f.config(old.Parent)
		if f.q.ChangeClass(class, cfg, f.now) == nil {
			f.n.change(class, cfg, f.now)
		}
	case 14:
		if arg == 0 {
			f.now = qdisc.Time(f.byte()) * 1000
			f.q.Reset(f.now)
			f.n.reset()
		}
		f.q.Sync(class, f.now) // nothing happened
	case 15:
		cfg := f.q.Config()
		cfg.Default = uint32(arg)
		require.NoError(f.t, f.q.Change(cfg, f.now))
		f.n.def = cfg.Default
	}
	f.compare()
}

func (f *fuzzer) compare() {
	if f.gaveNil && f.q.Len() > 0 {
		require.Equal(f.t, max(f.n.wake, f.now+1), f.q.ReadyAt(f.now))
	}
	held := f.n.held()
	if f.n.parked != nil {
		held++
	}
	require.Equal(f.t, held, f.q.Len())
	lost := f.n.lost
	for p := range f.drops.Drain() {
		require.Contains(f.t, lost, p)
		lost = slices.DeleteFunc(lost, func(q *qdisc.Packet) bool { return q == p })
	}
	require.Empty(f.t, lost)
	f.n.lost = nil
	classes := 0
	for id, got := range f.q.Classes() {
		classes++
		c := f.n.class[id]
		require.NotNil(f.t, c)
		if c.leaf() {
			require.Equal(f.t, len(c.queue), got.Len, "class %d", id)
		}
		want := hfsc.State{
			Total: c.total, Cumulative: c.cumul, Eligible: c.e, Deadline: c.d, VirtualTime: c.vt, Adjusted: c.vtadj, Fit: c.myf,
			Period: c.period, Active: uint32(c.nactive), ChildMin: c.cvtmin, ChildMax: c.cvtoff,
		}
		if want != got.State {
			f.t.Fatalf("class %d: %+v\nwant %+v", id, got.State, want)
		}
	}
	require.Len(f.t, f.n.class, classes)
}

func runFuzz(t *testing.T, program []byte) {
	f := fuzzer{t: t, program: program, now: 1e9}
	compat := qdisc.Compat(f.byte() % 2)
	f.n = newNaive(compat, 4)
	f.q = newHFSC(t, hfsc.Config{Compat: compat, Limit: new(4), Drops: &f.drops})
	for len(f.program) > 0 {
		f.step()
	}
}

// FuzzHFSC compares every packet, loss, wake-up and tag with the naive
// scheduler's.
func FuzzHFSC(f *testing.F) {
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 1))
		program := make([]byte, 400)
		for i := range program {
			program[i] = byte(rng.Uint32())
		}
		program[0] = byte(seed)
		f.Add(program)
	}
	f.Fuzz(func(t *testing.T, program []byte) { runFuzz(t, program[:min(len(program), 2000)]) })
}

// TestAgainstNaive is FuzzHFSC with long random programs that begin with a
// tree.
func TestAgainstNaive(t *testing.T) {
	rounds := 400
	if testing.Short() {
		rounds = 60
	}
	for seed := range uint64(rounds) {
		rng := rand.New(rand.NewPCG(seed, 2))
		program := []byte{byte(seed)}
		for class := range byte(12) {
			parent := byte(0)
			if class > 0 {
				parent = byte(rng.IntN(int(class) + 1))
			}
			program = append(program, class<<4|11, parent, byte(rng.Uint32()|0x20), byte(rng.Uint32()))
		}
		for range 2000 {
			program = append(program, byte(rng.Uint32()))
		}
		runFuzz(t, program)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}
