package netsim

import (
	"time"

	"github.com/netsched/netsched/qdisc"
)

// sentState is where a segment is believed to be.
type sentState uint8

const (
	inNetwork sentState = iota
	isLost              // to be sent again
	isSacked            // received beyond a gap
)

// sentSegment is a segment that is not acknowledged cumulatively.
type sentSegment struct {
	seq   uint64
	sent  qdisc.Time // last
	bytes uint32
	state sentState
	again bool // sent more than once
}

func (s *sentSegment) end() uint64 { return s.seq + uint64(s.bytes) }

// resent is a retransmission: the number of its segment and when it was sent.
type resent struct {
	number uint64
	sent   qdisc.Time
}

// scoreboard is what a sender knows of its segments (RFC 6675). Each
// acknowledgement costs a time in proportion to what it changes, whatever the
// window: segments are numbered in a ring, the received ones are also kept as
// blocks, and every segment is judged lost by two pointers that only move on.
type scoreboard struct {
	segs     tcpRing[sentSegment]
	received spans // beyond the first unacknowledged byte
	pipe     int64 // bytes in the network
	mss      uint64

	judged   uint64          // segments before this number are judged
	lost     tcpRing[uint64] // numbers of lost segments, in order of sequence
	lostTwo  tcpRing[uint64] // those whose retransmission was lost too
	repeated tcpRing[resent] // retransmissions in order of sending

	// Of all segments known to have arrived, the one that was sent last.
	newest    qdisc.Time // when it was sent
	newestEnd uint64     // its end: segments sent at the same time differ by that
}

// delivery is what one acknowledgement brings.
type delivery struct {
	acked     uint64 // bytes acknowledged cumulatively
	delivered int64  // bytes that have left the network for the receiver, by SACK too
}

// send adds a new segment.
func (b *scoreboard) send(seq uint64, bytes uint32, now qdisc.Time) {
	b.segs.push(sentSegment{seq: seq, sent: now, bytes: bytes})
	b.pipe += int64(bytes)
}

// resend marks a segment as sent again. One that is not known to be lost is
// counted in the network once.
func (b *scoreboard) resend(number uint64, now qdisc.Time) {
	s := b.segs.at(number)
	if s.state == isLost {
		b.pipe += int64(s.bytes)
	}
	s.state, s.again, s.sent = inNetwork, true, now
	b.repeated.push(resent{number, now})
}

// arrived notes that a segment has reached the receiver. One sent again tells
// nothing about others if it was the original that did: the echo is older, or the
// retransmission cannot have been so fast (RFC 8985, section 6.2, step 2).
func (b *scoreboard) arrived(s *sentSegment, d *delivery, now qdisc.Time, minRTT time.Duration, echo qdisc.Time) {
	if s.state == inNetwork {
		b.pipe -= int64(s.bytes)
	}
	d.delivered += int64(s.bytes)
	if s.again && (echo < s.sent || now.Sub(s.sent) < minRTT) {
		return
	}
	if s.sent > b.newest || s.sent == b.newest && s.end() > b.newestEnd {
		b.newest, b.newestEnd = s.sent, s.end()
	}
}

// ack takes a cumulative acknowledgement.
func (b *scoreboard) ack(una uint64, d *delivery, now qdisc.Time, minRTT time.Duration, echo qdisc.Time) {
	for b.segs.len() > 0 {
		s := b.segs.at(b.segs.head)
		if s.end() > una {
			break
		}
		if s.state != isSacked {
			b.arrived(s, d, now, minRTT, echo)
		}
		d.acked += uint64(s.bytes)
		b.segs.pop()
	}
	b.judged = max(b.judged, b.segs.head)
	b.received.removeBelow(una)
}

// sack takes a block of bytes received. While there is a gap before it echoes stand
// still, and say nothing.
func (b *scoreboard) sack(block Block, d *delivery, now qdisc.Time, minRTT time.Duration) {
	if b.segs.len() == 0 {
		return
	}
	block.Start = max(block.Start, b.segs.at(b.segs.head).seq)
	for rest := block; rest.Start < rest.End; {
		gap := b.received.gap(rest)
		for i := b.find(gap.Start); i < b.segs.tail; i++ {
			s := b.segs.at(i)
			if s.end() > gap.End {
				break
			}
			b.arrived(s, d, now, minRTT, now)
			s.state = isSacked
		}
		rest.Start = gap.End
	}
	if block.Start < block.End {
		b.received.add(block)
	}
}

// find returns the number of the first segment that does not begin before seq.
// Nearly all segments are full, so it is rarely far from where it looks first.
func (b *scoreboard) find(seq uint64) uint64 {
	lo, hi := b.segs.head, b.segs.tail
	if guess := lo + (seq-b.segs.at(lo).seq)/b.mss; guess < hi {
		if b.segs.at(guess).seq == seq {
			return guess
		}
		lo = guess // no segment is longer
	}
	for lo < hi {
		mid := (lo + hi) / 2
		if b.segs.at(mid).seq < seq {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
