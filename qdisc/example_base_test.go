package qdisc_test

import (
	"fmt"

	"github.com/netsched/netsched/qdisc"
)

// Stack is a discipline of one's own: last in, first out.
type Stack struct {
	qdisc.Base
	slots []qdisc.List // of one packet each
	limit int          // packets
}

func NewStack(limit int, drops *qdisc.List) (*Stack, error) {
	s := &Stack{slots: make([]qdisc.List, 0, limit), limit: limit}
	return s, s.Attend(drops, nil)
}

func (s *Stack) Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	now = s.Arrive(p, now)
	switch {
	case p.Len > qdisc.MaxLen:
		return s.Refuse(p, qdisc.TooLong)
	case len(s.slots) == s.limit:
		return s.Refuse(p, qdisc.Overlimit)
	}
	s.Accept(p, now)
	s.slots = append(s.slots, qdisc.List{})
	s.slots[len(s.slots)-1].Push(p)
	return qdisc.Queued
}

func (s *Stack) Dequeue(now qdisc.Time) *qdisc.Packet {
	s.Clock(now)
	n := len(s.slots)
	if n == 0 {
		return nil
	}
	p := s.slots[n-1].Pop()
	s.slots = s.slots[:n-1]
	s.Release(p)
	s.Sent(p)
	return p
}

func (s *Stack) Peek(qdisc.Time) *qdisc.Packet {
	if n := len(s.slots); n > 0 {
		return s.slots[n-1].Head()
	}
	return nil
}

func (s *Stack) Reset(now qdisc.Time) {
	s.Rewind(now)
	for i := range s.slots {
		s.PurgeList(&s.slots[i])
	}
	s.slots = s.slots[:0]
}

// A discipline of one's own embeds Base.
func ExampleBase() {
	drops := new(qdisc.List)
	s, err := NewStack(2, drops)
	if err != nil {
		panic(err)
	}
	for n := range uint32(3) {
		fmt.Println(s.Enqueue(&qdisc.Packet{Len: 100 + n}, 0))
	}
	for p := s.Dequeue(0); p != nil; p = s.Dequeue(0) {
		fmt.Println(p.Len, "bytes")
	}
	for p := range drops.Drain() {
		fmt.Println(p.Len, "bytes dropped:", p.Reason)
	}
	// Output:
	// queued
	// queued
	// dropped
	// 101 bytes
	// 100 bytes
	// 102 bytes dropped: overlimit
}
