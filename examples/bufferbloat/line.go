package main

import (
	"time"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/netsim"
)

const (
	rate     = 10 * qdisc.Mbit
	oneWay   = 20 * time.Millisecond
	duration = qdisc.Time(30 * time.Second)
)

// The flows. A discipline tells them apart by Packet.Flow alone; qdisc.ParseIP
// computes it from real packets.
const (
	bulkFlow = 1 << 28 * (iota + 1)
	pingFlow
	burstFlow
)

// discipline is a queue in front of the link.
type discipline struct {
	name string
	make func() (qdisc.Qdisc, error)
}

func disciplines() []discipline {
	return []discipline{
		{"FIFO of 1000", func() (qdisc.Qdisc, error) { return fifo.New(fifo.Config{}) }},
		{"CoDel", func() (qdisc.Qdisc, error) { return codel.New(codel.Config{}) }},
		{"FQ-CoDel", func() (qdisc.Qdisc, error) { return codel.NewFQ(codel.FQConfig{}) }},
	}
}

// line is the link with its flows, after a run.
type line struct {
	name  string
	bulk  netsim.TCPStats
	ping  *netsim.Ping
	burst *netsim.Meter
	sent  uint64 // packets of bursts
}

// simulate runs the three flows through a link with d in front.
func simulate(d discipline) (*line, error) {
	q, err := d.make()
	if err != nil {
		return nil, err
	}
	s := netsim.New(1)
	forward, err := netsim.NewLink(s, netsim.LinkConfig{Rate: rate, Delay: oneWay, Qdisc: q})
	if err != nil {
		return nil, err
	}
	back, err := netsim.NewLink(s, netsim.LinkConfig{Rate: 10 * rate, Delay: oneWay})
	if err != nil {
		return nil, err
	}
	bulk, err := netsim.NewTCP(s, netsim.TCPConfig{Forward: forward, Reverse: back, Packet: qdisc.Packet{Flow: bulkFlow}})
	if err != nil {
		return nil, err
	}
	bulk.Start(0)
	ping, err := netsim.NewPing(s, netsim.PingConfig{
		Stop:    duration,
		Forward: forward, Reverse: back, Packet: qdisc.Packet{Flow: pingFlow},
		Every: 50 * time.Millisecond, Record: 250 * time.Millisecond,
	})
	if err != nil {
		return nil, err
	}
	burst := netsim.NewMeter(s)
	source, err := netsim.NewSource(s, netsim.SourceConfig{
		Via: forward, To: burst, Packet: qdisc.Packet{Flow: burstFlow, Len: 1000},
		Pattern: netsim.Bursts{Packets: 20, Every: 2 * time.Second}, Start: qdisc.Time(time.Second),
	})
	if err != nil {
		return nil, err
	}
	s.Run(duration)
	stats := bulk.Stats()
	source.Stop() // the last burst arrives
	s.Run(duration + qdisc.Time(3*time.Second))
	l := &line{name: d.name, bulk: stats, ping: ping, burst: burst}
	l.sent, _ = source.Sent()
	return l, nil
}
