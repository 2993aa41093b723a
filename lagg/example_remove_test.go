package lagg_test

import (
	"fmt"
	"sync"

	"github.com/netsched/netsched/lagg"
	"github.com/netsched/netsched/qdisc"
)

// lane is a queue that many goroutines put packets into. When it has been taken
// out it passes what still comes to another.
type lane struct {
	group *lagg.Shared

	mu     sync.Mutex
	list   qdisc.List
	closed bool
}

func (l *lane) Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return send(l.group, p, now)
	}
	defer l.mu.Unlock()
	l.list.Push(p)
	return qdisc.Queued
}

func (l *lane) Return(qdisc.Time) (all qdisc.List) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	all.Append(&l.list)
	return all
}

// send is what a goroutine does with a packet.
func send(s *lagg.Shared, p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	if m := s.Select(p); m != nil {
		return m.Port().Enqueue(p, now)
	}
	return qdisc.Dropped
}

// A port is taken out while goroutines send, and no packet stays behind in it.
func ExampleShared_Remove() {
	s, err := lagg.NewShared(lagg.Config{Mode: lagg.RoundRobin})
	if err != nil {
		panic(err)
	}
	lanes := []*lane{{group: s}, {group: s}}
	var first *lagg.Member
	err = s.Update(func(g *lagg.Group) (err error) {
		if first, err = g.Add(lagg.PortConfig{Port: lanes[0]}); err != nil {
			return err
		}
		_, err = g.Add(lagg.PortConfig{Port: lanes[1]})
		return err
	})
	if err != nil {
		panic(err)
	}
	for range 6 {
		send(s, new(qdisc.Packet), 0)
	}
	late := s.Select(nil) // a goroutine has chosen, and has not sent yet

	back := s.Remove(first, 0)
	fmt.Println(back.Len(), "to be sent again")
	for p := range back.Drain() {
		send(s, p, 0)
	}
	late.Port().Enqueue(new(qdisc.Packet), 0)
	fmt.Println(late == first, lanes[0].list.Len(), lanes[1].list.Len())
	// Output:
	// 3 to be sent again
	// true 0 7
}
