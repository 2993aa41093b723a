package ways_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/internal/ways"
)

// model is the table written down as plainly as can be.
type model struct {
	tags []uint32
	had  []bool // whether anybody had the slot, with modulo
	busy []bool
}

func newModel(slots int, modulo bool) *model {
	m := &model{make([]uint32, slots), make([]bool, slots), make([]bool, slots)}
	for i := range m.had {
		m.had[i] = !modulo
	}
	return m
}

func (m *model) is(slot int, hash uint32) bool { return m.had[slot] && m.tags[slot] == hash }

func (m *model) find(hash uint32, home int) (int, ways.Match) {
	set := make([]int, 8)
	for i := range set {
		set[i] = home/8*8 + (home+i)%8
	}
	name := func(slot int) {
		m.tags[slot], m.had[slot] = hash, true
	}
	if m.is(home, hash) && m.busy[home] {
		return home, ways.Direct
	}
	for _, slot := range set {
		if m.is(slot, hash) {
			return slot, ways.Hit
		}
	}
	for _, slot := range set {
		if !m.busy[slot] {
			name(slot)
			return slot, ways.Miss
		}
	}
	return home, ways.Collision
}

// drive runs a byte program on a table and the model.
func drive(t testing.TB, program []byte) {
	if len(program) == 0 {
		return
	}
	slots, modulo := 16+8*int(program[0]>>1%3), program[0]&1 != 0
	table := ways.New(slots)
	if modulo {
		table = ways.NewModulo(slots)
	}
	m := newModel(slots, modulo)
	for i := 1; i+1 < len(program); i += 2 {
		op, arg := program[i], program[i+1]
		switch {
		case op < 160:
			hash := uint32(arg) * (1 + uint32(op)%2*0x01000001)
			home := int(uint64(hash) * uint64(slots) >> 32)
			if modulo {
				home = int(hash % uint32(slots))
			}
			require.Equal(t, m.is(home, hash) && m.busy[home], table.Has(hash, home))
			slot, match := m.find(hash, home)
			gotSlot, gotMatch := table.Find(hash, home)
			require.Equal(t, slot, gotSlot)
			require.Equal(t, match, gotMatch)
			if op < 120 {
				table.Take(slot)
				m.busy[slot] = true
			}
		case op < 250:
			slot := int(arg) % slots
			table.Free(slot)
			m.busy[slot] = false
		case op > 253:
			table.Reset()
			*m = *newModel(slots, modulo)
		}
	}
}

func randomProgram(seed uint64, n int) []byte {
	return qtest.RandomProgram(rand.New(rand.NewPCG(seed, 11)), n)
}

func TestAgainstModel(t *testing.T) {
	for seed := range uint64(200) {
		drive(t, randomProgram(seed, 1000))
	}
}

func FuzzWays(f *testing.F) {
	for seed := range uint64(10) {
		f.Add(randomProgram(seed, 300))
	}
	f.Fuzz(func(t *testing.T, program []byte) { drive(t, program) })
}
