//go:build !linux

package txq

func newSystemTimer(c systemClock) Timer { return newRuntimeTimer(c) }
