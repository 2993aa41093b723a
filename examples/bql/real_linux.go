package main

import (
	"fmt"
	"net"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/netsched/netsched/bql"
)

const (
	realTime = 2500 * time.Millisecond // of sending
	drain    = 10 * time.Second        // within which what is in flight then must arrive
)

// deepBuffer makes a send buffer of 4 MB: the system doubles it, see socket(7).
const deepBuffer = 2 << 20

// A realSetting is what limits the bytes that a socket holds.
type realSetting struct {
	name   string
	buffer int         // for SO_SNDBUFFORCE; 0: the system's default
	limit  *bql.Config // nil: none
}

var realSettings = []realSetting{
	{"no limiter, SO_SNDBUF 4 MB", deepBuffer, nil},
	{"no limiter, default SO_SNDBUF", 0, nil},
	{"4 MB, automatic limit", deepBuffer, &settings[1].config},
	{"4 MB, limit_max 1400", deepBuffer, &settings[2].config},
}

// measureReal runs all settings on one path.
func measureReal() ([]measurement, error) {
	p, err := newPath()
	if err != nil {
		return nil, err
	}
	defer p.close()
	var runs []measurement
	for _, set := range realSettings {
		m, err := p.measure(set, realTime)
		if err != nil {
			return nil, err
		}
		runs = append(runs, m)
	}
	return runs, nil
}

// measure sends as fast as the path takes it for the given time, with probes
// beside, and waits for all that was sent.
func (p *path) measure(set realSetting, sending time.Duration) (m measurement, err error) {
	to, err := p.listen()
	if err != nil {
		return m, err
	}
	defer to.Close()
	from, err := p.dial(to)
	if err != nil {
		return m, err
	}
	defer from.Close()
	if err := setBuffer(from, set.buffer); err != nil {
		return m, err
	}
	s, err := newSender(from, set.limit)
	if err != nil {
		return m, err
	}

	start := time.Now()
	to.SetReadDeadline(start.Add(sending + drain))
	type received struct {
		all []arrival
		err error
	}
	result := make(chan received, 1)
	go func() {
		all, err := receive(to, start)
		result <- received{all, err}
	}()
	s.fill()
	s.probes(start, sending)
	hw := s.queue.HardwareStats(0)
	end := time.Since(start)
	if err := s.stop(); err != nil {
		return m, err
	}
	if _, err := from.Write(endMark); err != nil {
		return m, err
	}
	r := <-result
	if r.err != nil {
		return m, r.err
	}
	m = measurement{name: set.name, inflight: hw.InFlightBytes, limited: set.limit != nil, limit: hw.Limit}
	return m, m.summarize(r.all, end)
}

// summarize takes the throughput until the sender stopped, and all delays.
func (m *measurement) summarize(all []arrival, end time.Duration) error {
	if !slices.ContainsFunc(all, func(a arrival) bool { return a.probe }) {
		return fmt.Errorf("%s: no probe among the %d datagrams received", m.name, len(all))
	}
	var delays []time.Duration
	bytes, last := 0, all[0].at
	for i, a := range all {
		if a.probe {
			delays = append(delays, a.delay)
		}
		if i > 0 && a.at <= end {
			bytes += a.bytes
			last = a.at
		}
	}
	m.mbit = float64(bytes) * 8 / 1e6 / (last - all[0].at).Seconds()
	slices.Sort(delays)
	n := len(delays)
	m.p50, m.p99, m.most = delays[n/2], delays[n*99/100], delays[n-1]
	return nil
}

// setBuffer sets the size of a socket's send buffer, beyond what wmem_max
// allows.
func setBuffer(conn *net.UDPConn, bytes int) error {
	if bytes == 0 {
		return nil
	}
	raw, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	cerr := raw.Control(func(fd uintptr) {
		err = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_SNDBUFFORCE, bytes)
	})
	if cerr != nil {
		return cerr
	}
	return os.NewSyscallError("setsockopt SO_SNDBUFFORCE", err)
}
