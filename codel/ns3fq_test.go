package codel_test

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
)

// The cases of ns-3's fq-codel-queue-disc-test-suite. A packet of 100 bytes and
// 20 of header has 120 here; flows are told apart by the hash in Packet.Flow,
// or (for the first case) by a classifier, where ns-3 has packet filters.

// perFlow is a number for each flow of a case.
type perFlow []int

// fqWant is the answer in one arithmetic.
type fqWant struct {
	ecn, ce, drops, left perFlow // marks by the law, for CEThreshold, drops by the law, packets left
	// deviation says where this differs from ns-3, and why; empty if nowhere.
	deviation string
}

var ns3FQ = []struct {
	name         string
	ce           time.Duration
	every        qdisc.Time // a dequeue, 60 times
	ns3          fqWant     // what it asserts, or its arithmetic gives
	exact, linux fqWant
}{
	{
		name: "ECN", every: 110 * ms,
		ns3: fqWant{ecn: perFlow{6, 6, 6, 0, 0}, ce: perFlow{0, 0, 0, 0, 0}, drops: perFlow{0, 0, 0, 4, 4}, left: perFlow{7, 7, 7, 3, 8}},
		exact: fqWant{
			ecn: perFlow{6, 6, 6, 0, 0}, ce: perFlow{0, 0, 0, 0, 0}, drops: perFlow{0, 0, 0, 3, 3}, left: perFlow{7, 7, 7, 4, 9},
			deviation: "drops 3, 3, not 4, 4: 1/sqrt(count) is not taken by one Newton step",
		},
		linux: fqWant{
			ecn: perFlow{19, 12, 12, 0, 0}, ce: perFlow{0, 0, 0, 0, 0}, drops: perFlow{0, 0, 0, 13, 13}, left: perFlow{0, 7, 7, 0, 0},
			deviation: "more of all: a queue is spared for its size by what all flows hold, not by its own",
		},
	},
	{
		name: "ECN, CE threshold, in time", ce: 2 * time.Millisecond, every: 100 * us,
		ns3:   fqWant{ecn: perFlow{0, 0, 0, 0, 0}, ce: perFlow{0, 6, 13, 0, 0}, drops: perFlow{0, 0, 0, 0, 0}, left: perFlow{7, 7, 7, 7, 12}},
		exact: fqWant{ecn: perFlow{0, 0, 0, 0, 0}, ce: perFlow{0, 6, 13, 0, 0}, drops: perFlow{0, 0, 0, 0, 0}, left: perFlow{7, 7, 7, 7, 12}},
		linux: fqWant{ecn: perFlow{0, 0, 0, 0, 0}, ce: perFlow{0, 6, 13, 0, 0}, drops: perFlow{0, 0, 0, 0, 0}, left: perFlow{7, 7, 7, 7, 12}},
	},
	{
		name: "ECN, CE threshold, late", ce: 2 * time.Millisecond, every: 110 * ms,
		ns3: fqWant{ecn: perFlow{6, 6, 6, 0, 0}, ce: perFlow{7, 7, 7, 0, 0}, drops: perFlow{0, 0, 0, 4, 4}, left: perFlow{7, 7, 7, 3, 8}},
		exact: fqWant{
			ecn: perFlow{6, 6, 6, 0, 0}, ce: perFlow{7, 7, 7, 0, 0}, drops: perFlow{0, 0, 0, 3, 3}, left: perFlow{7, 7, 7, 4, 9},
			deviation: "drops 3, 3, not 4, 4: 1/sqrt(count) is not taken by one Newton step",
		},
		linux: fqWant{
			ecn: perFlow{19, 12, 12, 0, 0}, ce: perFlow{20, 13, 13, 0, 0}, drops: perFlow{0, 0, 0, 13, 13}, left: perFlow{0, 7, 7, 0, 0},
			deviation: "more of all, as without a CE threshold; what the law marks counts for the threshold too",
		},
	},
}

// TestNS3FQECN: 5 flows of 20 packets that arrive at 0, the first 3 of them
// ECN-capable.
func TestNS3FQECN(t *testing.T) {
	for _, c := range ns3FQ {
		t.Run(c.name, func(t *testing.T) {
			eachMode(t, func(t *testing.T, mode qdisc.Compat) {
				want := c.exact
				if mode == qdisc.Linux {
					want = c.linux
				}
				asserted := c.ns3
				asserted.deviation = want.deviation
				require.Equal(t, want.deviation == "", reflect.DeepEqual(asserted, want), "a deviation has its reason")
				var drops qdisc.List
				cfg := codel.FQConfig{Quantum: 1514, MTU: 1499, Drops: &drops, Compat: mode}
				if c.ce > 0 {
					cfg.CEThreshold = &c.ce
				}
				q := newFQ(t, cfg)
				for f := range uint32(5) {
					for range 20 {
						p := &qdisc.Packet{Len: 120, Flow: bucket(int(f), 1024), Mark: f}
						if f < 3 {
							p.DSField = qdisc.ECT0
						}
						require.Equal(t, qdisc.Queued, q.Enqueue(p, 0))
					}
				}
				got := fqWant{ecn: make(perFlow, 5), ce: make(perFlow, 5), drops: make(perFlow, 5), left: make(perFlow, 5), deviation: want.deviation}
				before := q.Stats()
				for i := range qdisc.Time(60) {
					if p := q.Dequeue((i + 1) * c.every); p != nil {
						after := q.Stats()
						got.ecn[p.Mark] += int(after.ECNMark - before.ECNMark)
						got.ce[p.Mark] += int(after.CEMark - before.CEMark)
						before = after
					}
				}
				for _, flow := range marks(&drops) {
					got.drops[flow]++
				}
				for i, f := range q.Flows(0) {
					got.left[i] = f.Len
				}
				assert.Equal(t, want, got)
				qtest.Balanced(t, q)
			})
		})
	}
}

// TestNS3FQL4S: a CE threshold of 2 ms for ECT(1) alone; a dequeue every 1 ms.
func TestNS3FQL4S(t *testing.T) {
	for _, c := range []struct {
		name       string
		ect1, ect0 qdisc.Time // the first arrival
		gap        qdisc.Time // to the next, 70 in all
		flows      int
		// Marks of ECT(1) and of ECT(0) packets: by the law, for the threshold.
		ns3       [2][2]int
		want      map[qdisc.Compat][2][2]int
		deviation map[qdisc.Compat]string
	}{
		{
			"two flows", 500 * us, 500 * us, 500 * us, 2,
			[2][2]int{{0, 66}, {1, 0}},
			map[qdisc.Compat][2][2]int{qdisc.Exact: {{0, 66}, {1, 0}}, qdisc.Linux: {{1, 65}, {1, 0}}},
			map[qdisc.Compat]string{qdisc.Linux: "the flow's own queue would be too short for the law to mark a packet"},
		},
		{
			"one flow", 500 * us, 1 * ms, 1 * ms, 1,
			[2][2]int{{0, 68}, {1, 0}},
			map[qdisc.Compat][2][2]int{qdisc.Exact: {{1, 67}, {0, 0}}, qdisc.Linux: {{0, 68}, {1, 0}}},
			map[qdisc.Compat]string{qdisc.Exact: "the law judges ECT(1) packets too, and marks one that comes first"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachMode(t, func(t *testing.T, mode qdisc.Compat) {
				q := newFQ(t, codel.FQConfig{
					Quantum: 1514, MTU: 1499, CEThreshold: new(2 * time.Millisecond), CESelector: qdisc.ECT1, CEMask: 3, Compat: mode,
				})
				var got [2][2]int
				before := q.Stats()
				for now := qdisc.Time(0); now <= 140*ms; now += 500 * us {
					for i, first := range []qdisc.Time{c.ect1, c.ect0} {
						if now >= first && (now-first)%c.gap == 0 && (now-first)/c.gap < 70 {
							ds := []uint8{qdisc.ECT1, qdisc.ECT0}[i]
							p := &qdisc.Packet{Len: 120, Flow: bucket(i%c.flows, 1024), DSField: ds, Mark: uint32(i)}
							require.Equal(t, qdisc.Queued, q.Enqueue(p, now))
						}
					}
					if now == 0 || now%ms != 0 {
						continue
					}
					if p := q.Dequeue(now); p != nil {
						after := q.Stats()
						got[p.Mark][0] += int(after.ECNMark - before.ECNMark)
						got[p.Mark][1] += int(after.CEMark - before.CEMark)
						before = after
					}
				}
				assert.Equal(t, c.want[mode], got)
				assert.Equal(t, c.deviation[mode] == "", c.want[mode] == c.ns3, "a deviation has its reason")
				st := q.ReadStats()
				assert.Zero(t, st.Lost())
				assert.Zero(t, q.Len())
			})
		})
	}
}

// TestNS3FQNoFilter: a packet that no filter knows is dropped. With no filter
// at all ours goes by its hash.
func TestNS3FQNoFilter(t *testing.T) {
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		q := newFQ(t, codel.FQConfig{Classify: func(*qdisc.Packet) uint32 { return 1025 }, Compat: mode})
		assert.Equal(t, qdisc.Dropped, q.Enqueue(&qdisc.Packet{Len: 120}, 0))
		assert.Zero(t, q.Len())
		assert.EqualValues(t, 1, q.ReadStats().Drops[qdisc.Unclassified])
		assert.Zero(t, q.Stats().DropOverlimit)
	})
}

// lens returns how many packets each queue in the rounds holds, new ones first.
func lens(q *codel.FQ) (all []int) {
	for _, f := range q.Flows(0) {
		all = append(all, f.Len)
	}
	return all
}

// TestNS3FQSeparation: 4 packets fit; the fifth takes half of the bytes of the
// fattest flow, from its head.
func TestNS3FQSeparation(t *testing.T) {
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		var drops qdisc.List
		q := newFQ(t, codel.FQConfig{Limit: new(4), Quantum: 1500, Drops: &drops, Compat: mode})
		id := uint32(0)
		send := func(flow int) qdisc.Verdict {
			id++
			return q.Enqueue(&qdisc.Packet{Len: 120, Flow: bucket(flow, 1024), Mark: id}, 0)
		}
		for range 3 {
			send(2)
		}
		assert.Equal(t, []int{3}, lens(q))
		send(7)
		assert.Equal(t, []int{3, 1}, lens(q))
		assert.Equal(t, 4, q.Len())
		assert.Equal(t, qdisc.Queued, send(7), "another flow loses")
		assert.Equal(t, []int{1, 2}, lens(q))
		assert.Equal(t, 3, q.Len())
		assert.Equal(t, []uint32{1, 2}, marks(&drops))
	})
}

// TestNS3FQPorts: the ports of TCP, and of UDP, tell flows apart.
func TestNS3FQPorts(t *testing.T) {
	key := qdisc.NewHashKey(rand.NewPCG(1, 2))
	for _, proto := range []uint8{6, 17} {
		q := newFQ(t, codel.FQConfig{Limit: new(10), Quantum: 1500})
		for _, ports := range [][2]uint8{{7, 27}, {7, 27}, {7, 27}, {8, 27}, {8, 28}, {7, 28}, {7, 28}} {
			header := make([]byte, 120)
			copy(header, []byte{0x45, 0, 0, 120, 0, 0, 0, 0, 64, proto, 0, 0, 10, 10, 1, 1, 10, 10, 1, 2, 0, ports[0], 0, ports[1]})
			header[32] = 5 << 4 // TCP's own length
			p := &qdisc.Packet{Len: 120}
			require.True(t, qdisc.ParseIP(p, header, 0, key))
			require.Equal(t, qdisc.Queued, q.Enqueue(p, 0))
		}
		assert.Equal(t, []int{3, 1, 1, 2}, lens(q))
	}
}

// TestNS3FQDeficit: ns-3 has a quantum of 90 and packets of 120 bytes; all is
// multiplied by 4 here, as a quantum is 256 at least. An inactive flow's
// deficit, which ns-3 looks at last, cannot be seen.
func TestNS3FQDeficit(t *testing.T) {
	type want struct{ len, deficit int } // of the flow, in packets and ns-3's bytes
	gone := want{-1, 0}
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		q := newFQ(t, codel.FQConfig{Quantum: 4 * 90, Compat: mode})
		check := func(step string, fresh, old int, one, two want) {
			t.Helper()
			st, all := q.Stats(), flows(q, 0)
			assert.Equal(t, [2]int{fresh, old}, [2]int{st.NewFlowsLen, st.OldFlowsLen}, "%s: new and old flows", step)
			for i, w := range []want{one, two} {
				f, ok := all[i]
				got := want{f.Len, f.Deficit / 4}
				if !ok {
					got = gone
				}
				assert.Equal(t, w, got, "%s: flow %d", step, i+1)
			}
		}
		enqueue := func(flow, n int) { put(t, q, n, 4*120, bucket(flow-1, 1024), 0) }
		dequeue := func(flow int) {
			t.Helper()
			p := q.Dequeue(0)
			require.NotNil(t, p)
			assert.Equal(t, bucket(flow-1, 1024), p.Flow)
		}
		enqueue(1, 1)
		check("first arrival", 1, 0, want{1, 90}, gone)
		dequeue(1)
		check("first departure", 1, 0, want{0, -30}, gone)
		enqueue(1, 2)
		check("flow 1 again", 1, 0, want{2, -30}, gone)
		enqueue(2, 2)
		check("flow 2", 2, 0, want{2, -30}, want{2, 90})
		dequeue(2)
		check("flow 2 sends", 1, 1, want{2, 60}, want{1, -30})
		dequeue(1)
		check("flow 1 sends", 0, 2, want{1, -60}, want{1, 60})
		dequeue(2)
		check("flow 2 sends again", 0, 2, want{1, 30}, want{0, -60})
		dequeue(1)
		check("flow 1 sends again", 0, 2, want{0, -90}, want{0, 30})
		assert.Nil(t, q.Dequeue(0))
		check("nothing left", 0, 0, gone, gone)
	})
}

// TestNS3FQSetAssociative: ns-3 takes the hash modulo 1024, we its upper bits.
// Where all 8 ways are taken ns-3 goes to the first of the set, we stay at home.
func TestNS3FQSetAssociative(t *testing.T) {
	eachMode(t, func(t *testing.T, mode qdisc.Compat) {
		q := newFQ(t, codel.FQConfig{SetAssociative: true, Quantum: 256, Compat: mode})
		send := func(hash uint32) { put(t, q, 1, 120, hash%1024<<22|hash/1024, 0) }
		for _, hash := range []uint32{0, 1, 1, 2, 3, 4, 4, 5, 6, 7, 1024} {
			send(hash)
		}
		assert.Equal(t, 11, q.Len())
		assert.Equal(t, []int{2, 2, 1, 1, 2, 1, 1, 1}, lens(q))
		send(1025)
		for _, c := range []struct {
			queue, want int
			deviation   string
		}{
			{0, 2, "3 in ns-3, which puts hash 1025 there"},
			{1, 3, "2 in ns-3: hash 1025 stays at home"},
		} {
			assert.Equal(t, c.want, flows(q, 0)[c.queue].Len, c.deviation)
		}
		send(10)
		assert.Equal(t, 1, flows(q, 0)[10].Len)
		assert.Len(t, flows(q, 0), 9)
	})
}
