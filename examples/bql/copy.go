package main

import "github.com/netsched/netsched/qdisc"

const (
	payload    = 1448             // bytes of the file in a frame: TCP with time stamps over IPv4
	ackLen     = minFrame         // bytes; 64 with the check sequence
	perAck     = 2                // frames that an acknowledgement answers
	answerTime = 50 * microsecond // from the end of a frame to its acknowledgement

	tcpWindow = 65535 / payload // frames: the largest window without scaling
)

// copier is the sending end of a file copy: the host's bulk, which the line may
// give up and answers let go on.
type copier struct {
	*host
	to *receiver
}

// sent is the end of a transmission. A frame that the line gave up is sent
// again: it has not used up the window.
func (c *copier) sent(_ *qdisc.Packet, delivered bool) {
	if delivered {
		c.to.receive()
	} else {
		c.next--
	}
}

// acked is the arrival of an answer: so many frames have been received.
func (c *copier) acked(frames int) {
	c.answered = frames
	c.supply()
	c.driver.fill()
}

// receiver answers every second frame with an acknowledgement.
type receiver struct {
	sim     *sim
	station *station
	to      *copier
	frames  int
	queue   qdisc.List
	delays  []qdisc.Time // of acknowledgements, from when there is one to its end
}

func (r *receiver) receive() {
	if r.frames++; r.frames%perAck == 0 {
		r.sim.at(r.sim.now+answerTime, r.answer)
	}
}

func (r *receiver) answer() {
	idle := r.queue.Empty()
	r.queue.Push(&qdisc.Packet{Len: ackLen, Mark: uint32(r.frames), Stamp: r.sim.now})
	if idle {
		r.transmit()
	}
}

// transmit sends the oldest answer. One that the medium gave up is made good by
// the next; the only one is sent again, as after a timeout of the sender.
func (r *receiver) transmit() {
	r.station.transmit(r.queue.Head(), func(delivered bool) {
		p := r.queue.Pop()
		switch {
		case delivered:
			r.delays = append(r.delays, r.sim.now-p.Stamp)
			r.to.acked(int(p.Mark))
		case r.queue.Empty():
			r.queue.Push(p)
		}
		if !r.queue.Empty() {
			r.transmit()
		}
	})
}
