package main

import (
	"context"
	"net"
	"sync"
	"time"

	"github.com/netsched/netsched/qdisc"
)

const (
	defaultTime = 3 * time.Second
	// grace is for datagrams that are still in the receiver's socket.
	grace = 100 * time.Millisecond
)

// warmUp returns how long a line takes to a steady state. A queue of 1000 full
// packets has 10 Mbit: it fills at twice the line's rate, and what was last in
// it when it was full arrives after sending all of that.
func warmUp(rate qdisc.Rate) time.Duration {
	const toSend = 15 * qdisc.Mbit
	d := time.Duration(float64(toSend) / float64(rate) * float64(time.Second))
	return max(d, 500*time.Millisecond)
}

// measure sends the flows through a line with c's discipline to a receiver of
// its own and tells what the receiver saw.
func measure(ctx context.Context, o *options, c candidate, show *progress) (*result, error) {
	m := &meter{from: clock() + warmUp(o.rate)}
	m.to = m.from + defaultTime
	if o.time > 0 {
		m.to = m.from + o.time
	}
	in, err := listenLoopback()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	out, err := net.DialUDP("udp4", nil, in.LocalAddr().(*net.UDPAddr))
	if err != nil {
		return nil, err
	}
	defer out.Close()
	line, err := newLine(o.rate, c.qdisc, out, m.dropped)
	if err != nil {
		return nil, err
	}

	// What goes wrong in a goroutine ends the measurement, as Ctrl-C does.
	running, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var receiver, transmitter, senders sync.WaitGroup
	receiver.Go(func() { receive(in, m) })
	transmitter.Go(func() { stop(line.run()) })
	for i := range flows {
		senders.Go(func() {
			if err := send(running, i, line, m); err != nil {
				stop(err)
			}
		})
	}
	time.AfterFunc(m.from-clock(), func() { line.idle.Store(0) })
	watch(running, c.name, line, m, show)
	idle, late, failure := line.idle.Load(), line.queue.Stats().LateMax, context.Cause(running)

	stop(nil)
	senders.Wait()
	line.queue.Close()
	transmitter.Wait()
	in.SetReadDeadline(time.Now().Add(grace))
	receiver.Wait()
	if failure != nil {
		return nil, failure
	}
	return &result{
		name:    c.name,
		about:   c.about,
		voice:   c.voice,
		set:     o.rate,
		rate:    m.rate(),
		idle:    idle,
		late:    late,
		missing: line.sent.Load() - m.received.Load(),
		flows:   m.results(),
	}, nil
}

// watch shows progress until the measurement is over or ctx ends.
func watch(ctx context.Context, name string, l *line, m *meter, show *progress) {
	defer show.done()
	tick := time.NewTicker(show.every())
	defer tick.Stop()
	end := time.NewTimer(m.to - clock())
	defer end.Stop()
	for begin, before, then := clock(), int64(0), clock(); ; {
		select {
		case <-ctx.Done():
			return
		case <-end.C:
			return
		case <-tick.C:
		}
		now, bytes := clock(), m.wire.Load()
		rate := float64(bytes-before) * 8 / (now - then).Seconds()
		phase := "measuring"
		if now < m.from {
			phase = "warming up"
		}
		show.show("%.20s: %s, %.1f of %.1f s, %.2f Mbit/s, %d packets queued", name, phase,
			(now - begin).Seconds(), (m.to - begin).Seconds(), rate/1e6, l.queue.Len())
		before, then = bytes, now
	}
}
