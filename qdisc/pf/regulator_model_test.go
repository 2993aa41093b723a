package pf_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/pf"
)

// bucket is the token bucket in numbers that have no limits.
type bucket struct {
	tokens, depth, rate big.Int // in units of 1e-9 bit, and of that a nanosecond
	filled              qdisc.Time
}

var unitsPerByte = big.NewInt(8e9)

// set sets a new configuration at now.
func (b *bucket) set(cfg pf.RegulatorConfig, now qdisc.Time) {
	b.tokens, b.filled = *b.at(now), now
	b.rate.SetUint64(uint64(cfg.Rate))
	b.depth.Mul(big.NewInt(int64(cfg.Burst)), unitsPerByte)
	if b.tokens.Cmp(&b.depth) > 0 {
		b.tokens.Set(&b.depth)
	}
}

// at returns the tokens that there are at now, if the bucket is filled then.
func (b *bucket) at(now qdisc.Time) *big.Int {
	t := big.NewInt(int64(now - b.filled))
	t.Mul(t, &b.rate).Add(t, &b.tokens)
	if t.Cmp(&b.depth) > 0 {
		t.Set(&b.depth)
	}
	return t
}

// open tells whether a packet may leave at now.
func (b *bucket) open(now qdisc.Time) bool {
	if b.tokens.Sign() > 0 {
		return true
	}
	t := b.at(now)
	if t.Sign() <= 0 && now < qdisc.MaxTime { // at the end of time nothing waits
		return false
	}
	b.tokens, b.filled = *t, now
	return true
}

func (b *bucket) spend(n uint32) {
	var t big.Int
	b.tokens.Sub(&b.tokens, t.Mul(big.NewInt(int64(n)), unitsPerByte))
}

// TestRegulatorModel: at all rates, depths and lengths, at both ends of time, with
// a clock that goes back and changes meanwhile, a packet leaves just when the
// bucket in big numbers has a token, and ReadyAt is the first nanosecond of that.
func TestRegulatorModel(t *testing.T) {
	for seed := range uint64(200) {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) { regulatorModel(t, rand.New(rand.NewPCG(seed, 1)), seed%5 == 0) })
	}
}

func regulatorModel(t *testing.T, r *rand.Rand, late bool) {
	random := func() pf.RegulatorConfig {
		return pf.RegulatorConfig{
			Rate:  []qdisc.Rate{1, 7, 1000, 123456789, 1e10, 1e12, 1e13, math.MaxUint64}[r.IntN(8)],
			Burst: []uint32{1, 64, 1500, 9000, pf.MaxBurst}[r.IntN(5)],
		}
	}
	cfg := random()
	q := newRegulator(t, cfg)
	now := qdisc.Time(0)
	if late {
		now = qdisc.MaxTime - qdisc.Time(r.Int64N(1e13))
		q.Reset(now)
	}
	b := &bucket{filled: now}
	b.set(cfg, now)
	b.tokens.Set(&b.depth)
	for range 300 {
		gaveNil := false
		switch r.IntN(8) {
		case 0, 1:
			q.Enqueue(&qdisc.Packet{Len: []uint32{0, 1, 64, 1500, qdisc.MaxLen}[r.IntN(5)]}, now)
		case 2, 3, 4:
			at := max(0, now-qdisc.Time(r.IntN(2)*r.IntN(1000)))
			now = max(at, q.Latest())
			held := q.Len() > 0
			p := q.Peek(at)
			require.Equal(t, b.open(now) && held, p != nil)
			require.Same(t, p, q.Dequeue(at))
			if gaveNil = p == nil; !gaveNil {
				b.spend(p.Len)
			}
		case 5:
			now = now.Add(1)
			now += qdisc.Time(min(r.Int64N([]int64{100, 1e6, 1e9, 1e12, 1e17}[r.IntN(5)]), int64(qdisc.MaxTime-now)))
		case 6:
			if at := q.ReadyAt(now); at < qdisc.Blocked {
				now = max(now, at-qdisc.Time(r.IntN(2)))
			}
		case 7:
			if r.IntN(3) == 0 {
				cfg = random()
				require.NoError(t, q.Change(cfg, now))
				b.set(cfg, now)
			}
		}
		if gaveNil && q.Len() > 0 {
			at := q.ReadyAt(now)
			require.Greater(t, at, now)
			require.LessOrEqual(t, b.at(at-1).Sign(), 0)
			require.True(t, at == qdisc.MaxTime || b.at(at).Sign() > 0)
		}
		qtest.CheckSums(t, q)
	}
}
