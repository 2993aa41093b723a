package cbq_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/cbq"
	"github.com/netsched/netsched/qdisc"
)

const (
	us = qdisc.Time(1e3)
	ms = 1000 * us
	s  = 1000 * ms
)

var guidelines = []cbq.Guideline{cbq.Formal, cbq.AncestorOnly, cbq.TopLevel}

func newCBQ(t require.TestingT, cfg cbq.Config) *cbq.CBQ {
	q, err := cbq.New(cfg)
	require.NoError(t, err)
	return q
}

func add(t require.TestingT, q *cbq.CBQ, class uint32, cfg cbq.ClassConfig) {
	require.NoError(t, q.AddClass(class, cfg, 0))
}

func packet(class, size uint32) *qdisc.Packet {
	return &qdisc.Packet{Class: class, Len: size}
}

func fill(t testing.TB, q *cbq.CBQ, class uint32, n int, size uint32, now qdisc.Time) {
	t.Helper()
	for range n {
		require.Equal(t, qdisc.Queued, q.Enqueue(packet(class, size), now))
	}
}

func stats(t testing.TB, q *cbq.CBQ, class uint32) cbq.ClassStats {
	t.Helper()
	st, ok := q.Stats(class)
	require.True(t, ok, "class %d", class)
	return st
}

// source is a class that always has packets, of these lengths in turn, or of
// one length at a rate.
type source struct {
	class uint32
	sizes []uint32
	rate  qdisc.Rate // 0: always backlogged
}

// link serves q at a rate for a time, all sources sending, and calls sent for
// each packet with the time at which its transmission begins. It asks only
// when the link is free and a packet may leave: at the wake-up time.
func link(t testing.TB, q *cbq.CBQ, rate qdisc.Rate, until qdisc.Time, sources []source, sent func(p *qdisc.Packet, now qdisc.Time)) {
	t.Helper()
	var now qdisc.Time
	var frac uint64 // ns times rate
	next := make([]int, len(sources))
	due := make([]qdisc.Time, len(sources))
	send := func(i int) uint32 {
		size := sources[i].sizes[next[i]%len(sources[i].sizes)]
		next[i]++
		q.Enqueue(packet(sources[i].class, size), now)
		return size
	}
	of := map[uint32]int{}
	for i, src := range sources {
		of[src.class] = i
		if src.rate == 0 {
			for range 4 {
				send(i)
			}
		}
	}
	for now < until {
		arrival := qdisc.Never
		for i, src := range sources {
			if src.rate == 0 {
				continue
			}
			for due[i] <= now {
				due[i] += qdisc.Time(uint64(send(i)) * 8e9 / uint64(src.rate))
			}
			arrival = min(arrival, due[i])
		}
		p := q.Dequeue(now)
		if p == nil {
			at := q.ReadyAt(now)
			if at <= now {
				t.Fatalf("at %v nothing may leave, and ReadyAt is %v", now, at)
			}
			now = min(at, arrival)
			continue
		}
		sent(p, now)
		if i := of[p.Class]; sources[i].rate == 0 {
			send(i)
		}
		ns := uint64(p.Len)*8e9 + frac
		now += qdisc.Time(ns / uint64(rate))
		frac = ns % uint64(rate)
	}
}
