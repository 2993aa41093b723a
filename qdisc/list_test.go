package qdisc_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// lists runs a byte program on two Lists beside two slices.
func lists(t require.TestingT, program []byte) {
	var list [2]qdisc.List
	var want [2][]*qdisc.Packet
	free := make([]*qdisc.Packet, 0, 32)
	for range cap(free) {
		free = append(free, new(qdisc.Packet))
	}
	for _, op := range program {
		a, b := op&1, op&1^1
		switch op >> 1 & 15 {
		case 0, 1, 2, 3, 4, 5:
			if n := len(free); n > 0 {
				p := free[n-1]
				free = free[:n-1]
				list[a].Push(p)
				want[a] = append(want[a], p)
				require.True(t, p.Linked())
				require.Panics(t, func() { list[a].Push(p) })
				require.Panics(t, func() { list[b].Push(p) })
			}
		case 6, 7, 8, 9:
			p := list[a].Pop()
			if len(want[a]) == 0 {
				require.Nil(t, p)
				break
			}
			require.Same(t, want[a][0], p)
			require.False(t, p.Linked())
			want[a] = want[a][1:]
			free = append(free, p)
		case 10:
			list[a].Append(&list[b])
			want[a] = append(want[a], want[b]...)
			want[b] = nil
		case 11:
			list[a].Append(&list[a])
		case 12: // all, or all but what a break leaves
			stop := int(op >> 5)
			for p := range list[a].Drain() {
				require.Same(t, want[a][0], p)
				want[a] = want[a][1:]
				free = append(free, p)
				if stop--; stop < 0 {
					break
				}
			}
		case 13: // the body owns what it is given
			for p := range list[a].Drain() {
				require.Same(t, want[a][0], p)
				want[a] = want[a][1:]
				if op&32 != 0 && list[b].Empty() {
					list[b].Push(p)
					want[b] = append(want[b], p)
				} else {
					free = append(free, p)
				}
			}
		}
		for i := range list {
			require.True(t, slices.Equal(want[i], slices.Collect(list[i].All())))
			require.Equal(t, len(want[i]), list[i].Len())
			require.Equal(t, len(want[i]) == 0, list[i].Empty())
			if head := list[i].Head(); len(want[i]) == 0 {
				require.Nil(t, head)
			} else {
				require.Same(t, want[i][0], head)
			}
		}
	}
}

func listProgram(seed uint64, n int) []byte {
	rng := rand.New(rand.NewPCG(seed, 7))
	program := make([]byte, n)
	for i := range program {
		program[i] = byte(rng.Uint32())
	}
	return program
}

func TestList(t *testing.T) { lists(t, listProgram(1, 5000)) }

func FuzzList(f *testing.F) {
	f.Add([]byte{})
	f.Add(listProgram(2, 100))
	f.Fuzz(func(t *testing.T, program []byte) { lists(t, program) })
}

func TestAlloc(t *testing.T) {
	free := qdisc.Alloc(5)
	seen := map[*qdisc.Packet]bool{}
	for p := range free.Drain() {
		seen[p] = true
		assert.Equal(t, qdisc.Packet{}, *p)
	}
	assert.Len(t, seen, 5)
	none := qdisc.Alloc(0)
	assert.True(t, none.Empty())
}
