package udp

import (
	"net"
	"net/netip"

	"github.com/netsched/netsched/qdisc"
)

// Config describes a Device.
type Config struct {
	// Bytes returns the payload of a packet's datagram. It must stay unchanged
	// until Write has returned.
	Bytes func(*qdisc.Packet) []byte
	// Addr returns where to send a packet. nil: the socket is connected.
	Addr func(*qdisc.Packet) netip.AddrPort
	// Done is told of packets that are no longer in flight, and the sum of
	// their Len in bytes: once for each packet that Write took. It is called
	// by a goroutine of the device's, never by two at once. nil: there are no
	// completions, and no goroutine.
	Done func(packets int, bytes int64)
	// Completion says when a packet is no longer in flight. It matters only
	// with Done.
	Completion Completion
}

// Completion is a way to know that the system is done with a datagram. The
// package comment compares them.
type Completion uint8

const (
	// Auto is the best that the system and the network device offer. It may
	// change once, after the first packets.
	Auto Completion = iota
	// Timestamps takes the transmit timestamp of each datagram (Linux).
	Timestamps
	// OutQueue looks at how full the socket's send buffer is (Linux).
	OutQueue
	// WriteReturn takes a datagram as done when the system has accepted it.
	WriteReturn
)

// String names the method.
func (c Completion) String() string {
	switch c {
	case Auto:
		return "auto"
	case Timestamps:
		return "timestamps"
	case OutQueue:
		return "out-queue"
	case WriteReturn:
		return "write-return"
	}
	return "unknown method"
}

// check gathers what is wrong with cfg for conn.
func (cfg *Config) check(conn *net.UDPConn) error {
	var errs qdisc.ConfigErrors
	if conn == nil {
		errs.Add("conn", nil, "a device needs a socket")
	}
	if cfg.Bytes == nil {
		errs.Add("Bytes", nil, "must return a packet's payload")
	}
	if conn != nil && (conn.RemoteAddr() == nil) != (cfg.Addr != nil) {
		if cfg.Addr != nil {
			errs.Add("Addr", "set", "the socket is connected: leave it nil")
		} else {
			errs.Add("Addr", nil, "the socket is not connected: must return a packet's destination")
		}
	}
	switch {
	case cfg.Completion > WriteReturn:
		errs.Add("Completion", uint8(cfg.Completion), "Auto (0) to WriteReturn (3)")
	case cfg.Done != nil && !onLinux && (cfg.Completion == Timestamps || cfg.Completion == OutQueue):
		errs.Add("Completion", cfg.Completion, "exists on Linux only")
	}
	return errs.Err()
}
