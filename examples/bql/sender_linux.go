package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/prio"
	"github.com/netsched/netsched/qdisc/txq"
	"github.com/netsched/netsched/qdisc/txq/udp"
)

// headers are those of Ethernet, IPv4 and UDP: what a frame has beside the
// payload of a datagram, in bytes.
const headers = 14 + 20 + 8

// bulkPackets is how many there are, more than any send buffer here holds: the
// scheduler always has some.
const bulkPackets = 4096

// probeGap is the time between probes.
const probeGap = 5 * time.Millisecond

// endMark is the payload of the last datagram of a run.
var endMark = []byte{0}

// sender has a scheduler before a socket, always with bulk in it. The system
// tells the device when a datagram leaves, the device tells the queue, and the
// queue its limiter. That is all there is to limiting a socket.
type sender struct {
	queue *txq.Queue
	dev   *udp.Completer
	bulk  []byte
	ended chan error // Run's
}

func newSender(conn *net.UDPConn, limit *bql.Config) (*sender, error) {
	q, err := prio.New(prio.Config{Limit: new(bulkPackets)})
	if err != nil {
		return nil, err
	}
	s := &sender{bulk: make([]byte, frameLen-headers), ended: make(chan error, 1)}
	if s.queue, err = txq.New(txq.Config{Qdisc: q, Limit: limit, Free: s.again}); err != nil {
		return nil, err
	}
	s.dev, err = udp.NewCompleter(conn, udp.Config{
		Bytes:      func(p *qdisc.Packet) []byte { return *qdisc.Value[*[]byte](p) },
		Completion: udp.Timestamps,
	})
	if err != nil {
		s.queue.Close()
		return nil, err
	}
	go func() { s.ended <- s.queue.Run(s.dev) }()
	return s, nil
}

// fill gives the scheduler the bulk.
func (s *sender) fill() {
	ps := make([]*qdisc.Packet, bulkPackets)
	for i := range ps {
		ps[i] = &qdisc.Packet{Payload: &s.bulk, Len: frameLen, Class: bulkClass}
	}
	s.queue.Send(ps)
}

// again sends bulk packets that have left once more.
func (s *sender) again(done *qdisc.List) {
	var ps []*qdisc.Packet
	for p := range done.Drain() {
		if p.Class == bulkClass && p.Reason == qdisc.NotDropped {
			ps = append(ps, p)
		}
	}
	if len(ps) > 0 {
		s.queue.Send(ps)
	}
}

// probes sends small packets that tell when they were sent. The timers of the
// Go runtime would not do: they tend to fire when the runtime wakes up anyway,
// as when a datagram has left, and that is the best moment for a probe.
func (s *sender) probes(start time.Time, sending time.Duration) {
	clock := txq.SystemClock()
	timer := clock.NewTimer()
	defer timer.Stop()
	first := clock.Now()
	for next := first; next < first+qdisc.Time(sending); next += qdisc.Time(probeGap) {
		for clock.Now() < next {
			timer.Wait(next)
		}
		data := make([]byte, smallLen-headers)
		binary.BigEndian.PutUint64(data, uint64(time.Since(start)))
		s.queue.Send([]*qdisc.Packet{{Payload: &data, Len: smallLen, Class: smallClass}})
	}
}

// stop forgets what waits in the scheduler. What is in flight goes on.
func (s *sender) stop() error {
	s.queue.Close()
	err := <-s.ended
	s.dev.Close()
	if !errors.Is(err, txq.ErrClosed) {
		return err
	}
	if st := s.dev.Stats(); st.Lost > 0 {
		return fmt.Errorf("the system refused %d datagrams: %w", st.Lost, st.LastLost)
	}
	return nil
}

// arrival is a datagram received.
type arrival struct {
	at    time.Duration
	bytes int // of its frame
	probe bool
	delay time.Duration // of a probe
}

// receive reads until the end mark.
func receive(conn *net.UDPConn, start time.Time) (all []arrival, err error) {
	buf := make([]byte, frameLen)
	for {
		n, err := conn.Read(buf)
		if err != nil {
			return nil, err
		}
		a := arrival{at: time.Since(start), bytes: n + headers}
		switch n {
		case len(endMark):
			return all, nil
		case smallLen - headers:
			a.probe = true
			a.delay = a.at - time.Duration(binary.BigEndian.Uint64(buf))
		}
		all = append(all, a)
	}
}
