package cake

import (
	"math"

	"github.com/netsched/netsched/qdisc"
)

// maxSearched is how many packets of a queue are looked at for an acknowledgement
// that is superfluous. A queue of acknowledgements has few, as long as the filter
// is at work; one of other packets may have any number. Linux looks at all.
const maxSearched = 1024

// filter drops an acknowledgement that p, the newest in queue i of t, makes
// superfluous, and returns its length, 0 if there is none.
//
//go:noinline
func (c *Cake) filter(t *tin, i uint16, p *qdisc.Packet, now qdisc.Time) uint32 {
	q := &t.queue[i]
	if q.list.Head() == p {
		return 0
	}
	most := maxSearched
	if c.linux {
		most = math.MaxInt
	}
	ack := superfluous(&q.list, p, c.cfg.Header, c.ackFilter == FilterAcksAggressive, most)
	if ack == nil {
		return 0
	}
	remove(&q.list, ack)
	c.leave(t, q, ack)
	t.ackDrops++
	if c.longest.left > 0 && !c.linux { // which only looks up, once the new one counts
		c.shorter(t, i)
	}
	c.lose(t, ack, now)
	c.Drop(ack, qdisc.AckFilter)
	return ack.Len
}

// superfluous returns an acknowledgement in a queue that its last packet, p,
// makes superfluous, nil if there is none. It is the older one of two such; or
// the only one if aggressive, and if it is directly before p. It looks at that
// many packets at most.
func superfluous(queue *qdisc.List, p *qdisc.Packet, header func(*qdisc.Packet) []byte, aggressive bool, most int) *qdisc.Packet {
	newest, ok := parse(p, header)
	if !ok || newest.flags()&(flagSYN|flagACK) != flagACK {
		return nil
	}
	var found, before *qdisc.Packet // before: the last one seen
	var ecn uint16                  // of found
	for o := range queue.All() {
		if o == p {
			break
		}
		if most--; most < 0 {
			return nil
		}
		before = o
		old, ok := parse(o, header)
		if !ok || !old.sameFlow(&newest) {
			continue
		}
		if found != nil && old.flags()&flagECN != ecn {
			found = nil // what it says about congestion must reach the sender
		}
		if !old.plain(&newest) {
			continue
		}
		if more := old.compareSACK(&newest); more > 0 || more == 0 && old.ack() == newest.ack() {
			continue // duplicates tell the sender of losses
		}
		if found != nil {
			return found
		}
		found, ecn = o, old.flags()&flagECN
	}
	if aggressive && found != nil && found == before && ecn == newest.flags()&flagECN {
		return found
	}
	return nil
}

// remove takes p out of the middle of a list.
func remove(list *qdisc.List, p *qdisc.Packet) {
	var rest qdisc.List
	for o := list.Pop(); o != nil; o = list.Pop() {
		if o == p {
			break
		}
		rest.Push(o)
	}
	rest.Append(list)
	*list = rest
}
