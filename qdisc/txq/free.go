package txq

import "github.com/netsched/netsched/qdisc"

// bag carries packets from under the lock to Config.Free. Bags are used again
// and again: a list passed to a callback would be allocated each time.
type bag struct {
	qdisc.List
	next *bag
}

// bag returns an empty one.
func (q *Queue) bag() *bag {
	b := q.spare
	if b == nil {
		return new(bag)
	}
	q.spare, b.next = b.next, nil
	return b
}

// dropped takes what the discipline has dropped, nil if nothing.
func (q *Queue) dropped() *bag {
	if q.drops.Empty() {
		return nil
	}
	b := q.bag()
	b.Append(q.drops)
	return b
}

// handBack gives the packets in b, which may be nil, to their owner. The lock
// must not be held.
func (q *Queue) handBack(b *bag) {
	if b == nil {
		return
	}
	q.giveBack(&b.List)
	q.mu.Lock()
	b.next, q.spare = q.spare, b
	q.mu.Unlock()
}

// handBackBefore is handBack for a consumer that has just taken ps. Should
// Free panic, the next consumer gets them.
func (q *Queue) handBackBefore(ps []*qdisc.Packet, b *bag, r *runner) {
	defer func() {
		if b != nil {
			q.untake(ps, r)
		}
	}()
	q.handBack(b)
	b = nil
}

// giveBack leaves ps empty.
func (q *Queue) giveBack(ps *qdisc.List) {
	if q.free != nil && !ps.Empty() {
		q.free(ps)
	}
	for !ps.Empty() {
		ps.Pop() // what nobody wants is at least no longer linked
	}
}
