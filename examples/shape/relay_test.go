package main

import (
	"bytes"
	"net"
	"net/netip"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// syncBuffer is a buffer that one goroutine writes and another reads.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// TestRelay puts a relay of 1 Mbit/s before a service: what arrives is whole,
// comes at that rate, and short datagrams overtake long ones.
func TestRelay(t *testing.T) {
	needSockets(t)
	service, err := listenLoopback()
	if err != nil {
		t.Fatal(err)
	}
	defer service.Close()

	const long, short = 60, 10
	var stdout, stderr syncBuffer
	code := make(chan int, 1)
	go func() {
		code <- run([]string{"-listen", "127.0.0.1:0", "-forward", service.LocalAddr().String(),
			"-rate", "1mbit", "-time", "2s"}, &stdout, &stderr)
	}()
	client, err := net.Dial("udp4", relayAddress(t, &stderr, code))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for i := range long + short {
		b := make([]byte, 1200)
		if i >= long {
			b = b[:100]
		}
		b[0] = byte(i)
		if _, err := client.Write(b); err != nil {
			t.Fatal(err)
		}
	}

	var order []int
	var begin time.Time
	var bits float64 // after the first datagram
	buf := make([]byte, maxDatagram)
	service.SetReadDeadline(time.Now().Add(5 * time.Second))
	for len(order) < long+short {
		n, err := service.Read(buf)
		if err != nil {
			t.Fatalf("after %d datagrams: %v\n%s", len(order), err, stderr.String())
		}
		order = append(order, int(buf[0]))
		if want := map[bool]int{true: 1200, false: 100}[buf[0] < long]; n != want {
			t.Errorf("datagram %d has %d bytes, want %d", buf[0], n, want)
		}
		if begin.IsZero() {
			begin = time.Now()
		} else {
			bits += float64(n+udpHeaders) * 8
		}
	}
	took := time.Since(begin).Seconds()
	if most := 1e6*took + 8*minBurst + 1e6*0.010; bits > most {
		t.Errorf("%.0f bits in %.3f s is more than the rate and the burst allow, %.0f", bits, took, most)
	}
	behind := 0 // long datagrams after the last short one
	for i := len(order) - 1; order[i] < long; i-- {
		behind++
	}
	if behind < long/3 {
		t.Errorf("short datagrams did not overtake: %d long ones came after them", behind)
	}

	if c := <-code; c != 0 {
		t.Errorf("exit code %d\n%s", c, stderr.String())
	}
	for _, want := range []string{"received 70 datagrams, sent 70\n", "lost in the queue 0,"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("totals %q do not say %q", stdout.String(), want)
		}
	}
	if !strings.Contains(stderr.String(), "queued") {
		t.Errorf("no status line: %q", stderr.String())
	}
}

// relayAddress waits until the relay says where it listens.
func relayAddress(t *testing.T, stderr *syncBuffer, code chan int) string {
	t.Helper()
	listening := regexp.MustCompile(`relaying (\S+) to `)
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); {
		if m := listening.FindStringSubmatch(stderr.String()); m != nil {
			return m[1]
		}
		select {
		case c := <-code:
			t.Fatalf("exit code %d: %s", c, stderr.String())
		case <-time.After(5 * time.Millisecond):
		}
	}
	t.Fatal("the relay does not start")
	return ""
}

// A port that is taken is an error of the run, not of the command line.
func TestRelayPortTaken(t *testing.T) {
	needSockets(t)
	taken, err := listenLoopback()
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	var stdout, stderr strings.Builder
	code := run([]string{"-listen", taken.LocalAddr().String(), "-forward", ":9"}, &stdout, &stderr)
	if code != 1 || !strings.Contains(stderr.String(), "in use") {
		t.Errorf("exit code %d, stderr %q", code, stderr.String())
	}
}

func TestClassify(t *testing.T) {
	c := newClassifier(netip.MustParseAddr("192.0.2.1"))
	from := netip.MustParseAddrPort("198.51.100.7:4000")
	for _, x := range []struct {
		bytes int
		class uint32
	}{{0, 1}, {256, 1}, {257, 2}, {999, 2}, {1000, 3}, {65507, 3}} {
		d := newDatagram()
		d.data = make([]byte, x.bytes)
		c.classify(d, from)
		if d.Class != x.class || d.Len != uint32(x.bytes+28) {
			t.Errorf("%d bytes: class %d, length %d; want class %d, length %d", x.bytes, d.Class, d.Len, x.class, x.bytes+28)
		}
	}

	one, port, host := newDatagram(), newDatagram(), newDatagram()
	c.classify(one, from)
	c.classify(port, netip.AddrPortFrom(from.Addr(), 4001))
	c.classify(host, netip.MustParseAddrPort("198.51.100.8:4000"))
	if one.Flow == port.Flow || one.Flow == host.Flow {
		t.Errorf("different sources share the flow %d", one.Flow)
	}
	if one.SrcHost != port.SrcHost || one.SrcHost == host.SrcHost {
		t.Errorf("source hosts: %d %d %d", one.SrcHost, port.SrcHost, host.SrcHost)
	}

	six := newClassifier(netip.MustParseAddr("2001:db8::1"))
	six.classify(one, from)
	if one.Len != 48 {
		t.Errorf("length over IPv6 is %d, want 48", one.Len)
	}
	if n := testing.AllocsPerRun(1000, func() { c.classify(one, from) }); n != 0 {
		t.Errorf("%v allocations to classify, want 0", n)
	}
}
