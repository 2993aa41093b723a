package lagg_test

import (
	"fmt"

	"github.com/netsched/netsched/lagg"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// wire is a port that says what goes out on it.
type wire string

func (w wire) Enqueue(p *qdisc.Packet, _ qdisc.Time) qdisc.Verdict {
	fmt.Println(w, p.Len)
	return qdisc.Queued
}

// Two links in turn, three packets at a time, and one of them fails.
func Example() {
	g, err := lagg.New(lagg.Config{Mode: lagg.RoundRobin, Stride: 3})
	if err != nil {
		panic(err)
	}
	var links []*lagg.Member
	for _, name := range []wire{"eth0", "eth1"} {
		m, err := g.Add(lagg.PortConfig{Port: name})
		if err != nil {
			panic(err)
		}
		links = append(links, m)
	}
	for i := range uint32(8) {
		if i == 5 {
			g.SetUp(links[1], false, 0)
		}
		g.Send(&qdisc.Packet{Len: 100 + i}, 0)
	}
	// Output:
	// eth0 100
	// eth0 101
	// eth0 102
	// eth1 103
	// eth1 104
	// eth0 105
	// eth0 106
	// eth0 107
}

// A flow stays on one port, and changes it only if that port fails.
func ExampleGroup_Select() {
	g, err := lagg.New(lagg.Config{Mode: lagg.LoadBalance})
	if err != nil {
		panic(err)
	}
	for _, name := range []wire{"eth0", "eth1", "eth2"} {
		if _, err := g.Add(lagg.PortConfig{Port: name}); err != nil {
			panic(err)
		}
	}
	flow := &qdisc.Packet{Flow: 4} // a hash; 4 mod 3 ports is 1
	fmt.Println(g.Select(flow).Port(), g.Select(flow).Port())
	g.SetEnabled(g.Select(flow), false)
	fmt.Println(g.Select(flow).Port() != wire("eth1"))
	// Output:
	// eth1 eth1
	// true
}

// The packets that waited on a link that is taken out go out on the others.
func ExampleGroup_Remove() {
	g, err := lagg.New(lagg.Config{Mode: lagg.RoundRobin})
	if err != nil {
		panic(err)
	}
	var queues []*fifo.FIFO
	for range 2 {
		q, err := fifo.New(fifo.Config{Drops: new(qdisc.List)}) // without one they would be lost
		if err != nil {
			panic(err)
		}
		if _, err := g.Add(lagg.PortConfig{Port: q}); err != nil {
			panic(err)
		}
		queues = append(queues, q)
	}
	for range 6 {
		g.Send(&qdisc.Packet{Len: 1500}, 0)
	}
	fmt.Println(queues[0].Len(), queues[1].Len())

	back := g.Remove(g.Member(1), 0) // the first port has index 1
	for p := range back.Drain() {
		g.Send(p, 0)
	}
	fmt.Println(queues[0].Len(), queues[1].Len())
	// Output:
	// 3 3
	// 0 6
}

// A backup link, used until the primary has been up again for 5 s.
func ExampleGroup_Advance() {
	const second = 1_000_000_000
	g, err := lagg.New(lagg.Config{Mode: lagg.Failover, UpDelay: 5 * second})
	if err != nil {
		panic(err)
	}
	fiber, _ := g.Add(lagg.PortConfig{Port: wire("fiber")}) // the first is the primary
	_, _ = g.Add(lagg.PortConfig{Port: wire("radio")})

	g.SetUp(fiber, false, 10*second)
	fmt.Println(g.Active().Port())
	g.SetUp(fiber, true, 20*second)
	fmt.Println(g.Active().Port(), "until", g.NextChange())
	g.Advance(25 * second) // Send does it too
	fmt.Println(g.Active().Port())
	// Output:
	// radio
	// radio until 25s
	// fiber
}

// Many goroutines choose; one changes the ports now and then.
func ExampleShared() {
	s, err := lagg.NewShared(lagg.Config{Mode: lagg.RoundRobin, Stride: 2})
	if err != nil {
		panic(err)
	}
	err = s.Update(func(g *lagg.Group) error {
		for _, name := range []wire{"eth0", "eth1"} {
			if _, err := g.Add(lagg.PortConfig{Port: name}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		panic(err)
	}
	for i := range uint32(4) { // in any number of goroutines
		p := &qdisc.Packet{Len: i}
		if m := s.Select(p); m != nil {
			m.Port().Enqueue(p, 0)
		}
	}
	// Output:
	// eth0 0
	// eth0 1
	// eth1 2
	// eth1 3
}

// The hash by which a program can set Packet.Flow once for a packet.
func ExampleHasher() {
	frame := make([]byte, 14+20+8)  // Ethernet, IPv4, UDP
	frame[12], frame[13] = 0x08, 0  // IPv4
	frame[14], frame[23] = 0x45, 17 // 20 bytes of header, UDP
	h := lagg.Hasher{Layers: lagg.Layer3 | lagg.Layer4, Key: 2166136261}
	one := h.Sum(frame)
	frame[35]++ // another source port
	fmt.Println(one == h.Sum(frame))
	// Output:
	// false
}
