package qtest

import "math/rand/v2"

// Program is a byte string that a fuzz test reads as operations; when it has
// run out all is 0.
type Program []byte

// RandomProgram returns n random bytes.
func RandomProgram(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// Byte takes the next byte.
func (p *Program) Byte() byte {
	if len(*p) == 0 {
		return 0
	}
	b := (*p)[0]
	*p = (*p)[1:]
	return b
}
