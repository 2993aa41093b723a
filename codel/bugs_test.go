package codel_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/prio"
	"github.com/netsched/netsched/qdisc/tbf"
)

// Errors that other CoDels were reported to have.

// TestStaleFirstAbove: the time at which a queue went above target outlived its
// emptying, so that one late ping a second was lost to 26 % (Linux 815980fe6dbb).
func TestStaleFirstAbove(t *testing.T) {
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		t.Run("beside a bulk flow", func(t *testing.T) {
			var drops qdisc.List
			q := newFQ(t, codel.FQConfig{Drops: &drops, Compat: mode, NoECN: true})
			bulk, ping := bucket(1, 1024), bucket(2, 1024)
			put(t, q, 100, 1514, bulk, 0)
			pings := 0
			for now := qdisc.Time(0); now < 20*s; now += ms {
				phase := now % s
				if phase == 500*ms {
					put(t, q, 1, 100, ping, now)
				}
				if phase >= 500*ms && phase < 506*ms {
					continue // the link is busy
				}
				if p := q.Dequeue(now); p.Flow == ping {
					assert.Equal(t, 6*ms, now-p.Stamp)
					pings++
				}
				for flows(q, now)[1].Len < 100 {
					put(t, q, 1, 1514, bulk, now)
				}
			}
			assert.Equal(t, 20, pings)
			for p := range drops.Drain() {
				require.Equal(t, bulk, p.Flow)
			}
			assert.NotZero(t, q.ReadStats().Dropped, "the bulk flow is above target")
		})
		for _, found := range []bool{true, false} { // whether somebody asks the empty queue
			q := newCoDel(t, codel.Config{Compat: mode})
			for now := qdisc.Time(0); now < 600*s; now += 10 * s {
				put(t, q, 1, 100, 0, now)
				require.NotNil(t, q.Dequeue(now+6*ms))
				if found {
					require.Nil(t, q.Dequeue(now+6*ms))
				}
			}
		}
	})
}

// TestDroppedPacketIsNotHandedOut (ravinet/mahimahi#165): each packet leaves
// once, and it is those that go which the algorithm says.
func TestDroppedPacketIsNotHandedOut(t *testing.T) {
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		var drops qdisc.List
		q := newCoDel(t, codel.Config{Drops: &drops, Compat: mode})
		model := newCoDelModel(q.Config())
		seen := map[uint32]int{}
		for i := range uint32(40) {
			require.Equal(t, qdisc.Queued, q.Enqueue(&qdisc.Packet{Mark: i, Len: 1000}, 0))
			model.enqueue(&item{id: i, len: 1000, charge: 1000}, 0)
		}
		dropped := 0
		for now := 10 * ms; q.Len() > 0; now += 10 * ms {
			p := q.Dequeue(now)
			require.Equal(t, model.dequeue(now).id, p.Mark)
			seen[p.Mark]++
			lost := lossesOf(&drops)
			require.Equal(t, model.takeLost(), lost)
			for _, l := range lost {
				require.Equal(t, qdisc.AQM, l.reason)
				seen[l.id]++
				dropped++
			}
		}
		assert.Greater(t, dropped, 2)
		assert.Len(t, seen, 40)
		for id, n := range seen {
			assert.Equal(t, 1, n, "packet %d", id)
		}
	})
}

// TestChildEmptiesItselfUnseen: a child of which a limit or the law took
// everything left its parent with an active class that was empty (Linux
// 342debc12183, CVE-2025-37798).
func TestChildEmptiesItselfUnseen(t *testing.T) {
	parents := map[string]func(child qdisc.Qdisc) (qdisc.Parent, error){
		"prio": func(child qdisc.Qdisc) (qdisc.Parent, error) {
			q, err := prio.New(prio.Config{Priomap: new([16]uint8)})
			if err != nil {
				return nil, err
			}
			return q, q.SetChild(1, child, 0)
		},
		"tbf": func(child qdisc.Qdisc) (qdisc.Parent, error) {
			return tbf.New(tbf.Config{Rate: qdisc.Mbit, Burst: 2000, Child: child})
		},
	}
	for name, attach := range parents {
		for _, memory := range []int64{0, 1, 98, 150} {
			eachMode(t, func(t *testing.T, mode qdisc.Compat) {
				child := newFQ(t, codel.FQConfig{
					MemoryLimit: &memory, Flows: 1, Target: 100 * time.Microsecond, Interval: time.Millisecond, MTU: 1, Compat: mode,
				})
				q, err := attach(child)
				require.NoError(t, err)
				now := qdisc.Time(0)
				for range 10 {
					q.Enqueue(&qdisc.Packet{Len: 98}, now)
					now += 10 * us
				}
				st := q.Common().ReadStats()
				assert.NotZero(t, st.Lost(), name)
				now += s
				got := 0
				for q.Dequeue(now) != nil {
					got++
				}
				require.Equal(t, memory >= 98, got == 1)
				require.Zero(t, q.Len())
				require.Equal(t, qdisc.Never, q.ReadyAt(now))
				require.Nil(t, q.Peek(now))

				cfg := child.Config()
				cfg.MemoryLimit, cfg.Drops = nil, nil
				require.NoError(t, child.Change(cfg, now))
				q.Sync(1, now)
				for range 3 {
					require.Equal(t, qdisc.Queued, q.Enqueue(&qdisc.Packet{Len: 98}, now))
					require.Equal(t, now, q.ReadyAt(now))
					require.NotNil(t, q.Dequeue(now), "no stall")
				}
			})
		}
	}
}

// TestSillyQuantum: a quantum that overflows, or is so small that a round never
// ends (Linux c7c5e6ff533f).
func TestSillyQuantum(t *testing.T) {
	for _, quantum := range []int{-1, 1, 90, 255, 1<<20 + 1, math.MaxInt32, math.MinInt32} {
		_, err := codel.NewFQ(codel.FQConfig{Quantum: quantum})
		assert.Equal(t, []string{"Quantum"}, qtest.Fields(t, err), "%d", quantum)
	}
	assert.Equal(t, codel.DefaultQuantum, newFQ(t, codel.FQConfig{}).Config().Quantum)
	for _, quantum := range []int{256, 300, 1514, codel.MaxQuantum} {
		for _, size := range []uint32{65535, qdisc.MaxLen} {
			// Of the longest packet at the smallest quantum each takes 4
			// million rounds: thousands of them pass only if rounds without a
			// packet are skipped.
			q := newFQ(t, codel.FQConfig{Quantum: quantum, Flows: 64, Limit: new(1000), MemoryLimit: new(int64(math.MaxInt64))})
			for i := range 50 {
				put(t, q, 1, size, bucket(i, 64), 0)
				put(t, q, 1, 100, bucket(i, 64), 0)
			}
			for range 5000 {
				p := q.Dequeue(0)
				require.NotNil(t, p)
				require.Equal(t, qdisc.Queued, q.Enqueue(p, 0))
			}
			bytes := map[int]int64{}
			for i, f := range flows(q, 0) {
				bytes[i] = f.Backlog
			}
			require.Len(t, bytes, 50)
			for _, f := range flows(q, 0) {
				assert.LessOrEqual(t, f.Deficit, quantum)
				assert.Greater(t, f.Deficit, -int(size))
			}
		}
	}
}

// TestLonePackets: a queue of one packet is no queue, whatever it waited
// (marcopolo/simnet lost 8 of 50), and a packet of no bytes is a packet.
func TestLonePackets(t *testing.T) {
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		for _, size := range []uint32{1514, 100, 0} {
			for _, q := range []qdisc.Qdisc{newCoDel(t, codel.Config{Compat: mode}), newFQ(t, codel.FQConfig{Compat: mode})} {
				now := qdisc.Time(0)
				for range 50 {
					put(t, q, 1, size, 7, now)
					require.Equal(t, 1, q.Len())
					now += 20 * ms
					require.Equal(t, now, q.ReadyAt(now))
					require.NotNil(t, q.Dequeue(now))
				}
				st := q.Common().ReadStats()
				assert.Zero(t, st.Lost())
			}
		}
		q := newCoDel(t, codel.Config{MTU: 1500, Compat: mode})
		for now := qdisc.Time(0); now < 60*s; now += s {
			put(t, q, 2, 1500, 0, now) // one behind the other
			require.NotNil(t, q.Dequeue(now+200*ms))
			require.NotNil(t, q.Dequeue(now+400*ms))
		}
		assert.Zero(t, signals(q), "what is left is no more than MTU")
	})
}

// TestProducerOutrunsTheLink: a queue that grew without bound at twice the rate
// (pion/interceptor#227) has limits in packets and bytes, and the law drops the
// oldest.
func TestProducerOutrunsTheLink(t *testing.T) {
	const size, limit, memory = 1250, 1000, 900_000
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		run := func(q qdisc.Qdisc, drops *qdisc.List) {
			t.Helper()
			id, latest := uint32(0), uint32(0)
			byLaw := 0
			for now := qdisc.Time(0); now < 60*s; now += 500 * us {
				id++
				q.Enqueue(&qdisc.Packet{Len: size, Mark: id}, now)
				if now%ms == 0 {
					p := q.Dequeue(now)
					oldest := p != nil && p.Mark > latest
					for d := range drops.All() {
						if d.Reason == qdisc.AQM {
							oldest = oldest && d.Mark < p.Mark && d.Mark > latest
							byLaw++
						}
					}
					if !oldest {
						t.Fatalf("%v: packet %+v leaves after %d", now, p, latest)
					}
					latest = p.Mark
				}
				for range drops.Drain() {
				}
				if q.Len() > limit || q.Backlog() > memory {
					t.Fatalf("%v: %d packets, %d bytes", now, q.Len(), q.Backlog())
				}
			}
			assert.Greater(t, byLaw, 1000)
			qtest.Balanced(t, q)
		}
		var drops qdisc.List
		run(newCoDel(t, codel.Config{MemoryLimit: new(int64(memory)), Drops: &drops, Compat: mode}), &drops)
		run(newFQ(t, codel.FQConfig{Limit: new(limit), MemoryLimit: new(int64(memory)), Drops: &drops, Compat: mode}), &drops)
	})
}

// TestPeekJudgesOnce: a Peek that judges and a Dequeue that judges again feed
// the law twice, or act on a stale verdict (ns-3 issue 209). Here Peek judges
// and parks: Dequeue hands that packet out, which waited until then.
func TestPeekJudgesOnce(t *testing.T) {
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		var h qdisc.Histogram
		q := newCoDel(t, codel.Config{Sojourn: &h, Compat: mode})
		put(t, q, 10, 1000, 0, 0)
		p := q.Peek(ms)
		require.NotNil(t, p)
		for now := ms; now < 200*ms; now += 10 * ms {
			require.Same(t, p, q.Peek(now))
			require.Equal(t, 10, q.Len())
			require.EqualValues(t, 10_000, q.Backlog())
			require.Equal(t, now, q.ReadyAt(now))
		}
		assert.Equal(t, time.Millisecond, q.Stats(200*ms).Delay.Round(100*time.Microsecond), "what the law judged")
		require.Same(t, p, q.Dequeue(200*ms))
		assert.Equal(t, 200*time.Millisecond, h.Max())
		assert.Equal(t, 9, q.Len())
		assert.Zero(t, signals(q))
		require.NotNil(t, q.Dequeue(200*ms), "above target for the first time")
		require.NotNil(t, q.Dequeue(299*ms))
		assert.Zero(t, signals(q))
		require.NotNil(t, q.Dequeue(301*ms))
		assert.Equal(t, 1, signals(q))
	})
}
