package main

import (
	"time"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/netsim"
)

// A packet's headers, in bytes: pf counts packets from the IP header on.
const (
	ethernet = 14
	ipTCP    = 52 // with the timestamp option
)

// oneWay is how long a packet takes to the other end, once it is sent.
const oneWay = 500 * time.Microsecond

// resize changes the length of what passes.
type resize struct {
	by   int32
	next netsim.Receiver // nil: the packet's own
}

// Receive passes p on.
func (r resize) Receive(p *netsim.Packet) {
	p.Len += uint32(r.by)
	if r.next == nil {
		p.To.Receive(p)
		return
	}
	r.next.Receive(p)
}

// path is a link to TCP receivers and the way back.
type path struct {
	sim           *netsim.Sim
	forward, back netsim.Receiver
}

func newPath(rate qdisc.Rate, q qdisc.Qdisc) (*path, error) {
	p := &path{sim: netsim.New(1)}
	link, err := netsim.NewLink(p.sim, netsim.LinkConfig{Rate: rate, Delay: oneWay, Qdisc: q, To: resize{by: ethernet}})
	if err != nil {
		return nil, err
	}
	p.forward = resize{-ethernet, link}
	p.back, err = netsim.NewLink(p.sim, netsim.LinkConfig{Delay: oneWay})
	return p, err
}

// connection is a TCP connection and what its receiver's application got.
type connection struct{ bytes uint64 }

// connect starts a connection that sends packets of a size to a class.
func (p *path) connect(class, size uint32) (*connection, error) {
	c := new(connection)
	tcp, err := netsim.NewTCP(p.sim, netsim.TCPConfig{
		Forward: p.forward, Reverse: p.back, MSS: int(size) - ipTCP,
		Packet:    qdisc.Packet{Class: class, Flow: class + 1},
		OnDeliver: func(_ qdisc.Time, bytes uint64) { c.bytes += bytes },
	})
	if err != nil {
		return nil, err
	}
	tcp.Start(0)
	return c, nil
}

// rates runs the connections for two times and returns their rates in the
// second, in bit/s.
func (p *path) rates(list []*connection, settle, counted time.Duration) (rates []float64) {
	p.sim.Run(qdisc.Time(settle))
	for _, c := range list {
		c.bytes = 0
	}
	p.sim.Run(qdisc.Time(settle + counted))
	for _, c := range list {
		rates = append(rates, float64(c.bytes)*8/counted.Seconds())
	}
	return rates
}

// connect measures what TCP carries through each queue.
func (t *trial) connect(c *conf) error {
	tree, err := c.tree(t.borrow, false)
	if err != nil {
		return err
	}
	p, err := newPath(c.link, tree.Root())
	if err != nil {
		return err
	}
	var list []*connection
	for _, name := range t.senders {
		one, err := p.connect(tree.Class(name), t.size)
		if err != nil {
			return err
		}
		list = append(list, one)
	}
	for i, rate := range p.rates(list, c.lasts(settle, t.size), c.lasts(tcpTime, t.size)) {
		t.results[i].payload = rate
	}
	return nil
}
