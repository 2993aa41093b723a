package heap

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func compare(a, b Entry) int {
	return cmp.Or(cmp.Compare(min(a.Key, MaxKey), min(b.Key, MaxKey)), cmp.Compare(a.Tie, b.Tie), cmp.Compare(a.Seq, b.Seq))
}

// run does the operations of a program beside a sorted list.
func run(t *testing.T, program []byte) {
	var h Heap
	var list []Entry
	require.True(t, h.Empty())
	seq := uint64(0)
	entry := func(arg byte, slot uint32) Entry {
		seq++
		e := Entry{Key: uint64(arg % 16), Tie: uint64(arg>>4) % 3, Seq: seq, Slot: slot}
		switch arg % 16 {
		case 14:
			e.Key = 1<<64 - 1
		case 15:
			e.Key = MaxKey - 1
		}
		return e
	}
	find := func(slot uint32) int {
		return slices.IndexFunc(list, func(e Entry) bool { return e.Slot == slot })
	}
	h.Grow(1)
	slots := 1
	for len(program) >= 3 {
		op, slot, arg := program[0], uint32(program[1])%uint32(slots), program[2]
		program = program[3:]
		i := find(slot)
		require.Equal(t, i >= 0, h.Has(slot))
		switch {
		case op%8 == 0:
			slots = min(slots+int(arg), 200)
			h.Grow(slots)
		case op%8 == 1 && len(list) > 0:
			require.Equal(t, list[0].Slot, h.Pop())
			list = list[1:]
		case op%8 == 2 && i >= 0:
			h.Remove(slot)
			list = slices.Delete(list, i, i+1)
		case op == 3:
			h.Clear()
			list = nil
		case i >= 0:
			list[i] = entry(arg, slot)
			h.Update(list[i])
		default:
			list = append(list, entry(arg, slot))
			h.Push(list[len(list)-1])
		}
		slices.SortFunc(list, compare)
		require.Equal(t, len(list), h.Len())
		require.Equal(t, len(list) == 0, h.Empty())
		if len(list) > 0 {
			require.Equal(t, list[0].Slot, h.Top())
			require.Equal(t, min(list[0].Key, MaxKey), h.First())
			require.Equal(t, len(list) == 1 || min(list[1].Key, MaxKey) > uint64(arg%16), h.Lone(uint64(arg%16)))
		}
	}
	for _, e := range list {
		require.Equal(t, e.Slot, h.Pop())
	}
	require.True(t, h.Empty())
}

func TestRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 30 {
		program := make([]byte, 6000)
		for i := range program {
			program[i] = byte(rng.Uint32())
		}
		run(t, program)
	}
}

func FuzzHeap(f *testing.F) {
	f.Add([]byte("\x00\x00\x30\x04\x01\x22\x04\x02\x33\x01\x00\x00\x04\x05\x0e\x02\x01\x01"))
	f.Fuzz(func(t *testing.T, program []byte) { run(t, program[:min(len(program), 3000)]) })
}

// TestSorts: many entries come out in order, equal keys as they went in.
func TestSorts(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 5, 17, 1000, 5000} {
		rng := rand.New(rand.NewPCG(uint64(n), 1))
		var h Heap
		h.Grow(n)
		want := make([]Entry, n)
		for i := range want {
			want[i] = Entry{Key: rng.Uint64N(uint64(n)/2 + 1), Seq: uint64(i), Slot: uint32(i)}
			h.Push(want[i])
		}
		slices.SortFunc(want, compare)
		for _, e := range want {
			require.Equal(t, e.Slot, h.Pop())
		}
	}
}

func TestMax(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var m Max
	assert.Zero(t, m.Largest())
	var keys []uint64
	noted := map[uint32]bool{}
	for range 20_000 {
		switch rng.IntN(20) {
		case 0:
			if len(keys) < 100 {
				keys = append(keys, 0)
				m.Grow(len(keys))
			}
		case 1:
			for _, slot := range m.Settle() {
				m.Set(slot, keys[slot])
				delete(noted, slot)
			}
			require.Empty(t, noted)
			if len(keys) > 0 {
				require.Equal(t, slices.Max(keys), m.Largest())
			}
		case 2:
			if rng.IntN(50) == 0 {
				m.Clear()
				clear(keys)
				clear(noted)
				require.Zero(t, m.Largest())
			}
		default:
			if len(keys) > 0 {
				slot := rng.Uint32N(uint32(len(keys)))
				keys[slot] = rng.Uint64N(1000)
				if !noted[slot] {
					noted[slot] = true
					m.Touch(slot)
				}
			}
		}
	}
}

// BenchmarkReplace: the smallest of n entries gets a key that is larger by a
// random amount, as a class that was served does.
func BenchmarkReplace(b *testing.B) {
	for _, n := range []int{2, 10, 100, 1000, 10000} {
		b.Run("op=update/entries="+strconv.Itoa(n), func(b *testing.B) {
			var h Heap
			h.Grow(n)
			rng := rand.New(rand.NewPCG(1, 1))
			step := make([]uint64, 1024)
			for i := range step {
				step[i] = 64 + rng.Uint64N(1437)
			}
			for i := range n {
				h.Push(Entry{Key: step[i%1024], Seq: uint64(i), Slot: uint32(i)})
			}
			b.ReportAllocs()
			seq := uint64(n)
			for b.Loop() {
				seq++
				h.Update(Entry{Key: h.First() + step[seq%1024], Seq: seq, Slot: h.Top()})
			}
		})
	}
}
