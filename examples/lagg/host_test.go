package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/netsim"
)

// tcp notes what the host hands on, and when.
type tcp struct {
	sim     *netsim.Sim
	numbers []uint32
	at      []qdisc.Time
}

func (r *tcp) Receive(p *netsim.Packet) {
	r.numbers = append(r.numbers, p.Mark)
	r.at = append(r.at, r.sim.Now())
	r.sim.Free(p)
}

// arrive has packets of one flow arrive at the same time, packet i at the port
// that at returns.
func arrive(packets int, at func(i int) int) (*host, *tcp) {
	s := netsim.New(1)
	h := newHost(s, links, cost{run: 1000 * time.Nanosecond, packet: 10 * time.Nanosecond})
	end := &tcp{sim: s}
	for i := range packets {
		p := s.Alloc()
		p.To, p.Mark = end, uint32(i)
		p.TCP.Seq, p.TCP.Bytes = uint64(i)*mss, mss
		h.ports[at(i)].Receive(p)
	}
	s.Run(qdisc.Time(time.Second))
	return h, end
}

// TestRuns: packets that follow each other in one poll of one port are a run, of
// at most 44, and each run takes its time.
func TestRuns(t *testing.T) {
	h, end := arrive(100, func(int) int { return 0 })
	// The first packet is served at once; the rest is polled 64 at a time.
	want := []int{1, 44, 20, 35}
	assert.EqualValues(t, len(want), h.runs)
	assert.EqualValues(t, 100, h.packets)
	assert.Zero(t, h.late)
	now, next := qdisc.Time(0), 0
	for _, n := range want {
		now = now.Add(h.cost.run + time.Duration(n)*h.cost.packet)
		for range n {
			assert.EqualValues(t, next, end.numbers[next])
			assert.Equal(t, now, end.at[next])
			next++
		}
	}
	assert.EqualValues(t, now, h.busy)
	assert.Zero(t, h.sim.Alive())
}

// TestNoRuns: by turns over two ports no packet follows another, and what one
// poll has overtaken is late.
func TestNoRuns(t *testing.T) {
	h, end := arrive(100, func(i int) int { return i % links })
	assert.EqualValues(t, 100, h.runs)
	assert.Len(t, end.numbers, 100)
	assert.Equal(t, []uint32{0, 1, 3, 5}, end.numbers[:4], "the first one found its port alone")
	assert.EqualValues(t, 99, end.numbers[50])
	// 2, 4 ... 98 come after 99.
	assert.EqualValues(t, 49, h.late)
	assert.EqualValues(t, 49*99-(2+98)*49/2, h.behind)
}

// TestFullPort: a port holds 4096 packets beside the one being served.
func TestFullPort(t *testing.T) {
	h, end := arrive(ringSize+10, func(int) int { return 1 })
	assert.EqualValues(t, 9, h.ports[1].dropped)
	assert.Len(t, end.numbers, ringSize+1)
	assert.Zero(t, h.sim.Alive())
}
