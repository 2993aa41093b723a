package main

import (
	"time"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/pf"
)

// cost is what the disciplines cost those who only use the default queue.
type cost struct {
	bystanders []bystander
	plain      time.Duration // that a packet takes the processor in a FIFO; 0: not measured
	tree       time.Duration // and in the disciplines of the file
}

// bystander is a TCP connection that knows of no queue.
type bystander struct {
	name    string
	payload float64 // bit/s
}

func (c *conf) measureCost(cpu bool) (*cost, error) {
	got := new(cost)
	for _, with := range []struct {
		name   string
		tree   bool
		others bool
	}{
		{"without ALTQ, through a FIFO", false, false},
		{"with it, the other queues idle", true, false},
		{"with it, the other queues full", true, true},
	} {
		payload, err := c.bystand(with.tree, with.others)
		if err != nil {
			return nil, err
		}
		got.bystanders = append(got.bystanders, bystander{with.name, payload})
	}
	if !cpu {
		return got, nil
	}
	plain, tree, err := c.disciplines()
	if err != nil {
		return nil, err
	}
	// The faster of several runs, by turns: a computer has other things to do.
	for range 10 {
		got.plain = least(got.plain, perPacket(plain, 0, c.link))
		got.tree = least(got.tree, perPacket(tree.Root(), tree.Class(c.dflt), c.link))
	}
	return got, nil
}

func least(a, b time.Duration) time.Duration {
	if a == 0 {
		return b
	}
	return min(a, b)
}

// disciplines returns those that are compared: a FIFO as the kernel has one
// without ALTQ, and the file's with all that ALTQ puts in front.
func (c *conf) disciplines() (qdisc.Qdisc, *pf.Tree, error) {
	plain, err := fifo.New(fifo.Config{Limit: new(50)})
	if err != nil {
		return nil, nil, err
	}
	tree, err := c.tree(false, true)
	return plain, tree, err
}

// bystand measures a connection through the default queue, or without any.
func (c *conf) bystand(with, others bool) (float64, error) {
	plain, tree, err := c.disciplines()
	if err != nil {
		return 0, err
	}
	if with {
		plain = tree.Root()
	}
	p, err := newPath(c.link, plain)
	if err != nil {
		return 0, err
	}
	var list []*connection
	for _, name := range append([]string{c.dflt}, c.names...) {
		if len(list) > 0 && (!others || name == c.dflt) {
			continue
		}
		one, err := p.connect(tree.Class(name), sizes[0])
		if err != nil {
			return 0, err
		}
		list = append(list, one)
	}
	return p.rates(list, c.lasts(settle, sizes[0]), c.lasts(tcpTime, sizes[0]))[0], nil
}

// perPacket measures how long it takes to put a packet into a discipline and to
// take it out, while 30 wait.
func perPacket(q qdisc.Qdisc, class uint32, link qdisc.Rate) time.Duration {
	const packets, waiting = 200_000, 30
	now := q.Common().Latest()
	step := qdisc.Time(uint64(sizes[0]) * 8e9 / uint64(link))
	list := make([]qdisc.Packet, waiting)
	for i := range list {
		list[i].Len, list[i].Class = sizes[0], class
		q.Enqueue(&list[i], now)
	}
	began := time.Now()
	for range packets {
		p := q.Dequeue(now)
		for p == nil {
			if q.Len() == 0 { // a CoDel, or a small limit, has dropped them
				q.Enqueue(&qdisc.Packet{Len: sizes[0], Class: class}, now)
			}
			now = q.ReadyAt(now)
			p = q.Dequeue(now)
		}
		now += step
		q.Enqueue(p, now)
	}
	took := time.Since(began)
	q.Reset(now)
	return took / packets
}
