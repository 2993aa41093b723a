package main

import (
	"encoding/binary"
	"sync"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// udpHeaders is what a datagram costs on the wire beside its payload: an IPv4
// header of 20 bytes and a UDP header of 8.
const udpHeaders = 28

// A datagram is this program's own kind of packet: qdisc.Packet embedded, the
// bytes to send, and whatever else the program wants to know later.
type datagram struct {
	qdisc.Packet
	data []byte
	sent time.Duration // when it was given to the queue
	flow int           // index in flows
}

// newDatagram makes a packet whose Payload leads back to the datagram. That is
// done once: a recycled packet keeps it.
func newDatagram() *datagram {
	d := new(datagram)
	d.Payload = d
	return d
}

// A pool keeps the datagrams that are not in use on a qdisc.List, so that a
// running program allocates none. It makes as many as are ever in use at once,
// which the limits of the disciplines bound. Senders, the transmitter and the
// queue's drops share it, hence the lock, taken once a batch.
type pool struct {
	mu   sync.Mutex
	free qdisc.List
}

// take fills dst with datagrams.
func (p *pool) take(dst []*datagram) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range dst {
		if f := p.free.Pop(); f != nil {
			dst[i] = qdisc.Value[*datagram](f)
		} else {
			dst[i] = newDatagram()
		}
	}
}

// put takes back all packets of l.
func (p *pool) put(l *qdisc.List) {
	p.mu.Lock()
	p.free.Append(l)
	p.mu.Unlock()
}

// The payload of a generated datagram starts with a header that tells its flow
// and when it was sent. The rest is padding.
const headerLen = 1 + 8

type header struct {
	flow int
	sent time.Duration
}

func (h header) write(b []byte) {
	b[0] = byte(h.flow)
	binary.BigEndian.PutUint64(b[1:], uint64(h.sent))
}

// readHeader returns false for a datagram that no flow of ours has sent.
func readHeader(b []byte) (header, bool) {
	if len(b) < headerLen || int(b[0]) >= len(flows) {
		return header{}, false
	}
	return header{int(b[0]), time.Duration(binary.BigEndian.Uint64(b[1:]))}, true
}

// clock is the one clock of the process: monotonic, from the program's start.
func clock() time.Duration { return time.Since(started) }

var started = time.Now()
