package pf_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/pf"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

func newRegulator(t testing.TB, cfg pf.RegulatorConfig) *pf.Regulator {
	if cfg.Child == nil {
		cfg.Child = qtest.FIFO(1000)
	}
	r, err := pf.NewRegulator(cfg)
	require.NoError(t, err)
	return r
}

func TestRegulatorContract(t *testing.T) {
	for _, rate := range []qdisc.Rate{20 * qdisc.Mbit, math.MaxUint64} {
		t.Run(rate.String(), func(t *testing.T) {
			qdisctest.TestQdisc(t, func(drops *qdisc.List) qdisc.Qdisc {
				return newRegulator(t, pf.RegulatorConfig{Rate: rate, Burst: 2000, Child: qtest.FIFO(20), Drops: drops})
			}, qdisctest.Peeks(qdisctest.Looking))
			qdisctest.TestParent(t, func(drops *qdisc.List, child func() qdisc.Qdisc) qdisc.Parent {
				return newRegulator(t, pf.RegulatorConfig{Rate: rate, Child: child(), Drops: drops})
			})
		})
	}
}

// TestRegulatorRate: after the burst the rate is exact, at every rate and
// packet length, and ReadyAt is the first nanosecond at which a packet leaves.
func TestRegulatorRate(t *testing.T) {
	for _, rate := range []qdisc.Rate{1, 8, qdisc.Kbit, 10 * qdisc.Mbit, 123456789, 10 * qdisc.Gbit, qdisc.Tbit} {
		for _, size := range []uint32{64, 1500} {
			t.Run(fmt.Sprint(rate, "/", size), func(t *testing.T) {
				r := newRegulator(t, pf.RegulatorConfig{Rate: rate, Burst: 3000})
				const packets = 500
				for range packets {
					r.Enqueue(&qdisc.Packet{Len: size}, 0)
				}
				now, sent := qdisc.Time(0), 0
				for r.Len() > 0 {
					if r.Dequeue(now) != nil {
						sent++
						continue
					}
					at := r.ReadyAt(now)
					require.Greater(t, at, now)
					require.Nil(t, r.Peek(at-1))
					now = at
				}
				require.Equal(t, packets, sent)
				// All but the burst, and what the last packet owes, was earned.
				earned := float64(now) * float64(rate)
				burst, all := 3000*8e9, float64(packets)*float64(size)*8e9
				assert.GreaterOrEqual(t, earned, (all-burst-float64(size)*8e9)*(1-1e-9))
				assert.LessOrEqual(t, earned, all-burst+float64(packets)*float64(rate))
			})
		}
	}
}

// TestRegulatorOverdraws: any tokens let a packet of any length go, and the
// bucket is filled only when they are used up.
func TestRegulatorOverdraws(t *testing.T) {
	var h qdisc.Histogram
	r := newRegulator(t, pf.RegulatorConfig{Rate: 8 * qdisc.Mbit, Burst: 1000, Sojourn: &h}) // a byte a microsecond
	for _, n := range []uint32{999, 5000, 1, 1} {
		r.Enqueue(&qdisc.Packet{Len: n}, 0)
	}
	assert.Equal(t, []int{999, 5000}, qtest.Drain(r, 0))
	assert.Equal(t, qdisc.Time(4999_001), r.ReadyAt(0), "4999 bytes are owed")
	assert.Nil(t, r.Dequeue(4999_000))
	assert.Equal(t, uint64(2), r.ReadStats().Overlimits)
	assert.Equal(t, []int{1}, qtest.Drain(r, 4999_001))
	assert.Equal(t, qdisc.Time(5000_001), r.ReadyAt(0))
	assert.Equal(t, []int{1}, qtest.Drain(r, 1e12))
	assert.Equal(t, uint64(4), h.Count())
	r.Enqueue(&qdisc.Packet{Len: 998}, 1e12)
	r.Enqueue(&qdisc.Packet{Len: 2}, 1e12)
	r.Enqueue(&qdisc.Packet{Len: 3}, 1e12)
	assert.Equal(t, []int{998, 2}, qtest.Drain(r, 1e12), "no more than the depth was saved up")
	qtest.CheckSums(t, r)
}

func TestRegulatorConfig(t *testing.T) {
	_, err := pf.NewRegulator(pf.RegulatorConfig{Burst: pf.MaxBurst + 1})
	qtest.ConfigErrors(t, err, "Rate", "Burst")
	_, err = pf.NewRegulator(pf.RegulatorConfig{Rate: 1})
	qtest.ConfigErrors(t, err, "Child")

	r := newRegulator(t, pf.RegulatorConfig{Rate: 10 * qdisc.Mbit})
	assert.EqualValues(t, 6000, r.Config().Burst)
	qtest.ConfigErrors(t, r.Change(pf.RegulatorConfig{Rate: 1, Child: qtest.FIFO(1)}, 0), "Child")
	qtest.ConfigErrors(t, r.Change(pf.RegulatorConfig{}, 0), "Rate")
	assert.Equal(t, 10*qdisc.Mbit, r.Config().Rate)
	assert.NotNil(t, r.Child(1))
	assert.Nil(t, r.Child(2))

	// A change while the bucket owes: what was earned so far counts at the old
	// rate, the rest at the new.
	for range 3 {
		r.Enqueue(&qdisc.Packet{Len: 7000}, 0)
	}
	require.NotNil(t, r.Dequeue(0)) // owes 1000 bytes: 800 us
	require.NoError(t, r.Change(pf.RegulatorConfig{Rate: 1 * qdisc.Mbit}, 400_000))
	assert.EqualValues(t, 1500, r.Config().Burst)
	assert.Equal(t, qdisc.Time(4400_001), r.ReadyAt(0))
	require.NoError(t, r.Change(pf.RegulatorConfig{Rate: 1 * qdisc.Mbit, Burst: 7000}, 1e12))
	assert.Equal(t, qdisc.Time(1e12), r.ReadyAt(1e12))
	assert.Equal(t, []int{7000}, qtest.Drain(r, 1e12), "1500 of them saved up")
}

func TestDefaultBurst(t *testing.T) {
	for rate, packets := range map[qdisc.Rate]uint32{
		1 * qdisc.Mbit: 1, 1*qdisc.Mbit + 1: 4, 10 * qdisc.Mbit: 4, 11 * qdisc.Mbit: 8, 200 * qdisc.Mbit: 8,
		201 * qdisc.Mbit: 24, 2500 * qdisc.Mbit: 24, 2501 * qdisc.Mbit: 128,
	} {
		assert.Equal(t, packets*1500, pf.DefaultBurst(rate, 1500), rate.String())
	}
	assert.EqualValues(t, pf.MaxBurst, pf.DefaultBurst(qdisc.Tbit, pf.MaxBurst))
}

func TestRegulatorAllocations(t *testing.T) {
	var drops qdisc.List
	r := newRegulator(t, pf.RegulatorConfig{Rate: 100 * qdisc.Mbit, Child: qtest.FIFO(5), Drops: &drops})
	free := qdisc.Alloc(64)
	now := qdisc.Time(0)
	assert.Zero(t, qdisctest.Mallocs(func() {
		for range 100_000 {
			now += 10_000
			for range 2 {
				if p := free.Pop(); p != nil {
					p.Len = 1500
					r.Enqueue(p, now)
				}
			}
			r.Peek(now)
			r.ReadyAt(now)
			if p := r.Dequeue(now); p != nil {
				free.Push(p)
			}
			free.Append(&drops)
		}
	}))
	assert.NotZero(t, r.ReadStats().Refused)
	assert.NotZero(t, r.ReadStats().Overlimits)
}
