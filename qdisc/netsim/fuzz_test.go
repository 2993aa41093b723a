package netsim_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/netsim"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

// runNetwork builds a network from a program of bytes, of links and devices
// that lead into each other in a ring, behind disciplines that hold, lose and
// reorder packets, drives it by the rest of the program, and checks that every
// packet is accounted for.
func runNetwork(t testing.TB, program []byte) {
	next := func() int {
		if len(program) == 0 {
			return 0
		}
		b := program[0]
		program = program[1:]
		return int(b)
	}
	s := netsim.New(uint64(next()))
	medium := must(netsim.NewMedium(s, netsim.MediumConfig{}))
	n := 1 + next()%5
	type node struct {
		netsim.Receiver
		link   *netsim.Link
		device *netsim.Device
	}
	nodes := make([]node, n)
	// A packet takes as many hops as its Mark says.
	turn := receiverFunc(func(p *netsim.Packet) {
		if p.Mark == 0 {
			s.Free(p)
			return
		}
		p.Mark--
		p.Class++
		nodes[int(p.Class)%n].Receive(p)
	})
	dropped := uint64(0)
	onDrop := func(*netsim.Packet) { dropped++ }
	rate := func() qdisc.Rate {
		return []qdisc.Rate{0, 10 * qdisc.Kbit, qdisc.Mbit, 999999937, 1 << 63}[next()%5] >> (next() % 3)
	}
	queue := func() netsim.QueueConfig {
		kind := next()
		q := netsim.QueueConfig{Ring: next() % 4, Completion: time.Duration(next()*(kind>>7)) * time.Microsecond}
		if kind&1 != 0 {
			q.Limiter = must(bql.New(bql.Config{LimitMin: int64(next()) * 8}))
		}
		if kind&2 != 0 && kind&4 != 0 {
			q.Medium = medium
			return q
		}
		q.Rate = min(rate(), 1<<62)
		q.Delay = time.Duration(next()) * 100 * time.Microsecond
		q.Jitter = time.Duration(next()*(kind>>6&1)) * 100 * time.Microsecond
		q.Loss = float64(next()/200) / 4
		q.Overhead = next() - 128
		return q
	}
	for i := range nodes {
		faults := qdisctest.Faults{}
		for j, f := range []*float64{&faults.Refuse, &faults.PushOut, &faults.Steal, &faults.Jump, &faults.Drop, &faults.Hold, &faults.Delay} {
			if next()>>j&1 != 0 {
				*f = 0.1
			}
		}
		q := qdisctest.NewChaos(uint64(i), faults, nil)
		if next()&1 != 0 {
			d := must(netsim.NewDevice(s, netsim.DeviceConfig{Qdisc: q, Queues: []netsim.QueueConfig{queue(), queue(), queue()}, To: turn, OnDrop: onDrop}))
			nodes[i] = node{d, nil, d}
			continue
		}
		c := queue()
		l := must(netsim.NewLink(s, netsim.LinkConfig{
			Qdisc: q, Rate: c.Rate, Delay: c.Delay, Jitter: c.Jitter, Loss: c.Loss, Overhead: c.Overhead,
			Ring: c.Ring, Limiter: c.Limiter, Completion: c.Completion, Medium: c.Medium, To: turn, OnDrop: onDrop,
		}))
		nodes[i] = node{l, l, nil}
	}

	for len(program) > 0 {
		i := next() % n
		x, op := nodes[i], next()%8
		switch {
		case op == 0 && x.link != nil:
			x.link.SetRate(rate())
		case op == 0:
			x.device.SetRate(next()%4, rate())
		case op == 1 && x.link != nil:
			x.link.SetDelay(time.Duration(next()-10) * time.Millisecond)
		case op == 2 && x.link != nil:
			x.link.Qdisc().Reset(s.Now())
			x.link.Sync()
		case op == 2:
			x.device.Qdisc().Reset(s.Now())
			x.device.Sync()
		case op == 3:
			s.Run(s.Now() + qdisc.Time(next())*50*microsecond)
		default:
			for range next()%8 + 1 {
				p := s.Alloc()
				p.Len, p.Mark, p.Class, p.TxQueue = uint32(next()*next()), uint32(next()%8), uint32(i), uint16(next()%4)
				x.Receive(p)
			}
		}
	}
	s.Run(qdisc.MaxTime)
	require.Equal(t, qdisc.Never, s.Next())
	require.Zero(t, s.Alive())
	lost := uint64(0)
	for _, x := range nodes {
		var st netsim.LinkStats
		if x.link != nil {
			st = x.link.Stats()
			require.Zero(t, x.link.InFlight())
		} else {
			st = x.device.Stats()
			require.Zero(t, x.device.InFlight(0)+x.device.InFlight(1)+x.device.InFlight(2))
		}
		checkLink(t, "node", st)
		lost += st.Dropped + st.Lost + st.GivenUp
	}
	require.Equal(t, lost, dropped)
}

func TestRandomNetworks(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	for range 500 {
		program := make([]byte, 600)
		for i := range program {
			program[i] = byte(rng.Uint32())
		}
		runNetwork(t, program)
	}
}

func FuzzNetwork(f *testing.F) {
	f.Add([]byte("a small network, some packets and a few changes"))
	f.Fuzz(func(t *testing.T, program []byte) { runNetwork(t, program[:min(len(program), 2000)]) })
}
