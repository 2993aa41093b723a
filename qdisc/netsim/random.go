package netsim

import "math/bits"

// uniform returns a random number from 0 to most, both included. (rand.Uint64N
// differs on 32-bit machines.) The error is below 2^-64 times most.
func (s *Sim) uniform(most uint64) uint64 {
	if most == 1<<64-1 {
		return s.rng.Uint64()
	}
	hi, _ := bits.Mul64(s.rng.Uint64(), most+1)
	return hi
}
