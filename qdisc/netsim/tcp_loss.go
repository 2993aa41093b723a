package netsim

import (
	"time"

	"github.com/netsched/netsched/qdisc"
)

// detect marks as lost what is known to be lost by now, and tells whether that was
// anything. A segment sent once is lost when threshold blocks, or more than
// threshold-1 full segments, beyond it have been received (RFC 6675, section 4,
// IsLost). A segment sent again is lost when one sent later by more than reorder
// has been received (RFC 8985, section 6.2, step 5).
func (b *scoreboard) detect(threshold int, reorder time.Duration) bool {
	return b.judge(b.bound(threshold), 0, b.newest.Add(-reorder))
}

// giveUp marks as lost everything that was overtaken: sent before a segment that
// has arrived.
func (b *scoreboard) giveUp() bool { return b.judge(b.newestEnd, b.newest, b.newest) }

// judge marks as lost the segments sent once that begin before bound or were sent
// before once, and those sent again before again.
func (b *scoreboard) judge(bound uint64, once, again qdisc.Time) (found bool) {
	for ; b.judged < b.segs.tail; b.judged++ {
		s := b.segs.at(b.judged)
		if s.seq >= bound && s.sent >= once {
			break
		}
		if s.state == inNetwork && !s.again {
			b.lose(s)
			b.lost.push(b.judged)
			found = true
		}
	}
	for ; b.repeated.len() > 0; b.repeated.pop() {
		r := *b.repeated.at(b.repeated.head)
		if r.number < b.segs.head {
			continue
		}
		s := b.segs.at(r.number)
		if s.state != inNetwork || s.sent != r.sent {
			continue
		}
		if r.sent >= again {
			break
		}
		b.lose(s)
		b.lostTwo.push(r.number)
		found = true
	}
	return found
}

// bound returns the sequence number before which all that is not received is
// lost: the start of the block with which the threshold is reached.
func (b *scoreboard) bound(threshold int) uint64 {
	var bytes uint64
	for i := len(b.received.list) - 1; i >= 0; i-- {
		block := b.received.list[i]
		bytes += block.Len()
		if len(b.received.list)-i >= threshold || bytes > uint64(threshold-1)*b.mss {
			return block.Start
		}
	}
	return 0
}

func (b *scoreboard) lose(s *sentSegment) {
	s.state = isLost
	b.pipe -= int64(s.bytes)
}

// loseAll marks everything that is not received as lost, after a timeout.
func (b *scoreboard) loseAll() {
	b.lost.clear()
	b.lostTwo.clear()
	b.repeated.clear()
	for i := b.segs.head; i < b.segs.tail; i++ {
		s := b.segs.at(i)
		if s.state == isSacked {
			continue
		}
		if s.state == inNetwork {
			b.lose(s)
		}
		b.lost.push(i)
	}
	b.judged = b.segs.tail
}

// findAll takes back that segments not sent again yet are lost.
func (b *scoreboard) findAll() {
	for _, queue := range [...]*tcpRing[uint64]{&b.lost, &b.lostTwo} {
		for ; queue.len() > 0; queue.pop() {
			number := *queue.at(queue.head)
			if number < b.segs.head {
				continue
			}
			if s := b.segs.at(number); s.state == isLost {
				s.state = inNetwork
				b.pipe += int64(s.bytes)
			}
		}
	}
	b.judged = b.segs.head
}

// nextLost returns the number of the segment to send again next.
func (b *scoreboard) nextLost() (number uint64, ok bool) {
	for _, queue := range [...]*tcpRing[uint64]{&b.lostTwo, &b.lost} {
		for ; queue.len() > 0; queue.pop() {
			number = *queue.at(queue.head)
			if number >= b.segs.head && b.segs.at(number).state == isLost {
				return number, true
			}
		}
	}
	return 0, false
}
