package trace

import "math/rand/v2"

// Random is the source of random words of a run.
type Random struct {
	Constant bool
	Seed     uint64 // or the constant
}

func parseRandom(s *scanner) Random {
	var r Random
	switch kind := s.word("random source"); kind {
	case "splitmix":
	case "const":
		r.Constant = true
	default:
		s.fail("unknown random source %q", kind)
	}
	r.Seed = s.u64("seed")
	return r
}

// Source returns the stream from its start. A number of 32 bits is the upper
// half of a word, one of 16 bits its upper quarter.
func (r Random) Source() rand.Source {
	if r.Constant {
		return constant(r.Seed)
	}
	m := splitMix(r.Seed)
	return &m
}

type constant uint64

func (c constant) Uint64() uint64 { return uint64(c) }

type splitMix uint64

func (s *splitMix) Uint64() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Xorshift is the random source of the ALTQ runs, 32 bits a draw; RED alone
// draws from it. Uint64 gives the draw in the upper half of the word, as
// Random does.
type Xorshift uint32

// NewXorshift seeds it; 0 means the runs' default seed.
func NewXorshift(seed uint32) *Xorshift {
	if seed == 0 {
		seed = 2463534242
	}
	x := Xorshift(seed)
	return &x
}

// Uint64 draws once.
func (x *Xorshift) Uint64() uint64 {
	*x ^= *x << 13
	*x ^= *x >> 17
	*x ^= *x << 5
	return uint64(*x) << 32
}
