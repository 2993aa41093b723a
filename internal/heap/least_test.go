package heap

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// runLeast does the operations of a program beside a list.
func runLeast(t *testing.T, program []byte) {
	var l Least
	require.True(t, l.Empty())
	list := map[uint32]Entry{}
	seq := uint64(0)
	l.Grow(1)
	slots := 1
	for len(program) >= 3 {
		op, slot, arg := program[0], uint32(program[1])%uint32(slots), program[2]
		program = program[3:]
		_, has := list[slot]
		require.Equal(t, has, l.Has(slot))
		switch {
		case op%16 == 0:
			slots = min(slots+int(arg%16), 200)
			l.Grow(slots)
		case op%4 == 1 && has:
			l.Remove(slot)
			delete(list, slot)
		case op == 3:
			l.Clear()
			clear(list)
		default:
			seq++
			key := uint64(arg % 16)
			if key > 13 {
				key = ^(key - 14)
			}
			list[slot] = Entry{Key: key, Seq: seq, Slot: slot}
			if has {
				l.Update(slot, key, seq)
			} else {
				l.Push(slot, key, seq)
			}
		}
		require.Equal(t, len(list) == 0, l.Empty())
		var least *Entry
		for _, e := range list {
			if least == nil || compare(e, *least) < 0 {
				least = &e
			}
		}
		if least != nil {
			require.Equal(t, least.Slot, l.Top())
			require.Equal(t, min(least.Key, MaxKey), l.First())
		}
	}
}

func FuzzLeast(f *testing.F) {
	r := rand.New(rand.NewPCG(2, 3))
	for range 8 {
		program := make([]byte, 3000)
		for i := range program {
			program[i] = byte(r.Uint32())
		}
		f.Add(program)
	}
	f.Fuzz(func(t *testing.T, program []byte) { runLeast(t, program) })
}

func TestLeastRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 5))
	for range 30 {
		program := make([]byte, 6000)
		for i := range program {
			program[i] = byte(r.Uint32())
		}
		runLeast(t, program)
	}
}

// TestLeastIsStable: equal keys keep their order, also across a Grow.
func TestLeastIsStable(t *testing.T) {
	var l Least
	var want, got []uint32
	for n := range 70 {
		l.Grow(n + 1)
		l.Push(uint32(n), 7, uint64(1000-n))
		want = append(want, uint32(n))
	}
	slices.Reverse(want)
	for !l.Empty() {
		got = append(got, l.Top())
		l.Remove(l.Top())
	}
	require.Equal(t, want, got)
}

// BenchmarkLeast is BenchmarkReplace of a Least.
func BenchmarkLeast(b *testing.B) {
	for _, n := range []int{2, 10, 100, 1000, 10000} {
		b.Run("op=update/entries="+strconv.Itoa(n), func(b *testing.B) {
			var l Least
			l.Grow(n)
			rng := rand.New(rand.NewPCG(1, 1))
			step := make([]uint64, 1024)
			for i := range step {
				step[i] = 64 + rng.Uint64N(1437)
			}
			for i := range n {
				l.Push(uint32(i), step[i%1024], uint64(i))
			}
			b.ReportAllocs()
			seq := uint64(n)
			for b.Loop() {
				seq++
				l.Update(l.Top(), l.First()+step[seq%1024], seq)
			}
		})
	}
}
