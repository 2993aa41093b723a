package lagg_test

import (
	"fmt"
	"time"

	"github.com/netsched/netsched/lagg"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/netsim"
	"github.com/netsched/netsched/qdisc/txq"
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

// Two simulated links, each with its discipline: the port is the link, which
// looks for packets when it has received one.
func ExamplePortFunc_link() {
	s := netsim.New(1)
	g, err := lagg.New(lagg.Config{Mode: lagg.RoundRobin})
	if err != nil {
		panic(err)
	}
	meter := netsim.NewMeter(s)
	for range 2 {
		link, err := netsim.NewLink(s, netsim.LinkConfig{Rate: 12 * qdisc.Mbit, To: meter})
		if err != nil {
			panic(err)
		}
		port := func(p *qdisc.Packet, _ qdisc.Time) qdisc.Verdict {
			link.Receive(qdisc.Value[*netsim.Packet](p))
			return qdisc.Queued // a drop is in link.Stats
		}
		if _, err := g.Add(lagg.PortConfig{Port: lagg.PortFunc(port)}); err != nil {
			panic(err)
		}
	}
	for range 20 {
		p := s.Alloc()
		p.Len = 1500 // 1 ms on a link
		g.Send(&p.Packet, s.Now())
	}
	s.Run(qdisc.Time(10 * time.Millisecond))
	fmt.Println(meter.Packets, "in 10 ms")
	// Output:
	// 20 in 10 ms
}

// Two transmit queues: the port is the queue, whose Send wakes its consumer.
func ExamplePortFunc_queue() {
	g, err := lagg.New(lagg.Config{Mode: lagg.RoundRobin})
	if err != nil {
		panic(err)
	}
	var queues []*txq.Queue
	for range 2 {
		root, err := fifo.New(fifo.Config{})
		if err != nil {
			panic(err)
		}
		q, err := txq.New(txq.Config{Qdisc: root})
		if err != nil {
			panic(err)
		}
		defer q.Close()
		one := make([]*qdisc.Packet, 1)
		port := func(p *qdisc.Packet, _ qdisc.Time) qdisc.Verdict {
			one[0] = p
			if q.Send(one) != nil { // it is closed: the packet went to its Free
				return qdisc.Dropped
			}
			return qdisc.Queued
		}
		if _, err := g.Add(lagg.PortConfig{Port: lagg.PortFunc(port)}); err != nil {
			panic(err)
		}
		queues = append(queues, q)
	}
	for i := range uint32(4) {
		g.Send(&qdisc.Packet{Len: i}, 0)
	}
	batch := make([]*qdisc.Packet, 32)
	for i, q := range queues { // in a goroutine for each device: q.Run
		n, err := q.Recv(batch)
		for _, p := range batch[:n] {
			fmt.Println("queue", i, "packet", p.Len, err)
		}
	}
	// Output:
	// queue 0 packet 0 <nil>
	// queue 0 packet 2 <nil>
	// queue 1 packet 1 <nil>
	// queue 1 packet 3 <nil>
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
