package cake

import (
	"math/rand/v2"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// The defaults, Linux's.
const (
	DefaultRTT = 100 * time.Millisecond
	DefaultMTU = 1514 // bytes: an Ethernet frame of 1500 and a header of 14
)

// The round-trip times that tc has words for. Target is a 20th.
const (
	Datacentre     = 100 * time.Microsecond
	LAN            = time.Millisecond
	Metro          = 10 * time.Millisecond
	Regional       = 30 * time.Millisecond
	Internet       = DefaultRTT
	Oceanic        = 300 * time.Millisecond
	Satellite      = time.Second
	Interplanetary = 1000 * time.Second
)

// The bounds of the numbers.
const (
	MinBandwidth = 64 * qdisc.BitPerSecond
	MaxBandwidth = 1000 * qdisc.Tbit
	MaxTime      = (1<<32 - 1) * time.Microsecond // what 32 bits of microseconds hold
	MinOverhead  = -64                            // bytes
	MaxOverhead  = 256
	MaxMPU       = 256
	MaxMTU       = 1 << 20
)

// Config describes a Cake. The zero value is Linux's default: unlimited,
// diffserv3, triple-isolate, segments split if there is a Split.
type Config struct {
	// Bandwidth is the rate of the shaper, framing included, from MinBandwidth
	// to MaxBandwidth. 0: unlimited.
	Bandwidth qdisc.Rate
	// Autorate has Bandwidth follow the rate of arrivals, for a link whose
	// rate varies and that is shaped at its far end ("autorate-ingress").
	// Config then shows the present rate.
	Autorate bool
	// Ingress shapes what arrives, not what leaves: packets that are dropped
	// count against Bandwidth, for they have passed the bottleneck already. They
	// take a third of it at most, and a flood of them is forgotten after a few RTT.
	Ingress bool

	// Framing is what the line adds to each packet.
	Framing

	Diffserv  Diffserv
	Isolation Isolation
	// FwMark is a mask of bits of Packet.Mark. If those, shifted down to the
	// lowest bit of the mask, are the number of a tin, from 1 in the order of
	// Stats, the packet goes there whatever its DSCP.
	FwMark uint32
	// Classify gives the tin of a packet, from 1 in the order of Stats. Others
	// go by their DSCP. FwMark comes before it. nil: none.
	Classify func(*qdisc.Packet) uint32
	// Wash clears the DSCP, after the packet was sorted by it and accepted.
	Wash bool
	// NAT says that the caller hashes addresses as they are behind the
	// address translation. It is shown by String and changes nothing.
	NAT bool

	// RTT is the round-trip time that the queues are managed for, CoDel's
	// interval, above 0, at most MaxTime. 0: DefaultRTT.
	RTT time.Duration
	// Target is the sojourn time that is acceptable as a standing queue, above
	// 0, at most MaxTime. 0: RTT / 20, 1 us at least; it follows RTT.
	Target time.Duration
	// MemoryLimit bounds the sum of the charges (Packet.Truesize, or Len where
	// that is 0) of the packets held, in bytes. 0: four times what Bandwidth
	// sends in RTT, 4 MiB at least, 10240 MTU at most.
	MemoryLimit int64
	// MTU is the longest packet in bytes, link header included, up to MaxMTU.
	// 0: DefaultMTU.
	MTU int

	// AckFilter drops TCP acknowledgements that later ones make superfluous,
	// as far as they are among the first 1024 packets of their queue. It needs
	// Header.
	AckFilter AckFilter
	// Header returns a packet from its IP header on, with the whole TCP
	// header, nil if it has none. The bytes are only read, and must stay until
	// Enqueue returns, whichever other packets it asks for.
	Header func(*qdisc.Packet) []byte
	// Split cuts a super-packet (Packet.Segs above 1) into packets of the
	// caller's, which it appends to segs, and then owns p again. If it appends
	// none p stays whole, and is charged by the segment. nil: all stay whole.
	// Segments go to the queue of p, and each that does not fit is refused by
	// itself. Len of a super-packet counts the headers of all segments.
	Split func(p *qdisc.Packet, segs *qdisc.List)
	// NoSplit keeps super-packets whole in spite of Split ("no-split-gso").
	NoSplit bool

	// Compat selects the arithmetic. It cannot be changed later.
	Compat qdisc.Compat
	// Rand is where chance comes from: the rounding of small quanta, and
	// drops of flows that respond to nothing. nil: seeded at random (Change:
	// the present one).
	Rand rand.Source

	Drops   *qdisc.List      // takes dropped packets; nil: the garbage collector (Change: the present list)
	Sojourn *qdisc.Histogram // records the time each packet waited; nil: not kept
}

// clone returns cfg with pointers of its own.
func (cfg Config) clone() Config {
	if cfg.Overhead != nil {
		cfg.Overhead = new(*cfg.Overhead)
	}
	return cfg
}

// target returns Target, or what it is by default.
func (cfg *Config) target() time.Duration {
	if cfg.Target != 0 {
		return cfg.Target
	}
	return max(cfg.kept(cfg.RTT/20), time.Microsecond)
}

// kept returns the part of a time that is kept: Linux counts microseconds.
func (cfg *Config) kept(d time.Duration) time.Duration {
	if cfg.Compat == qdisc.Linux {
		return d.Truncate(time.Microsecond)
	}
	return d
}

// check fills in the defaults of cfg, with pointers of its own.
func (cfg *Config) check() error {
	var errs qdisc.ConfigErrors
	*cfg = cfg.clone()
	cfg.checkTimes(&errs)
	least := MinBandwidth
	if cfg.Autorate && cfg.Compat == qdisc.Linux { // which may have got below
		least = 8
	}
	if b := cfg.Bandwidth; b != 0 && (b < least || b > MaxBandwidth) {
		errs.Add("Bandwidth", b, "64 bit/s to 1000 Tbit/s; 0 is unlimited")
	}
	if int(cfg.Diffserv) >= len(diffservWords) {
		errs.Add("Diffserv", cfg.Diffserv, "one of the Diffserv constants")
	}
	if int(cfg.Isolation) >= len(isolationWords) {
		errs.Add("Isolation", cfg.Isolation, "one of the Isolation constants")
	}
	if int(cfg.AckFilter) >= len(ackFilterWords) {
		errs.Add("AckFilter", cfg.AckFilter, "one of the AckFilter constants")
	} else if cfg.AckFilter != NoAckFilter && cfg.Header == nil {
		errs.Add("Header", nil, "AckFilter reads TCP headers")
	}
	cfg.Framing.check(&errs)
	if cfg.MemoryLimit < 0 {
		errs.Add("MemoryLimit", cfg.MemoryLimit, "bytes, above 0; 0 derives it")
	}
	if cfg.MTU == 0 {
		cfg.MTU = DefaultMTU
	}
	if cfg.MTU < 0 || cfg.MTU > MaxMTU {
		errs.Add("MTU", cfg.MTU, "a packet of 1 to 1048576 bytes")
	}
	if cfg.Compat > qdisc.Linux {
		errs.Add("Compat", cfg.Compat, "Exact or Linux")
	}
	return errs.Err()
}

func (cfg *Config) checkTimes(errs *qdisc.ConfigErrors) {
	const times = "a time above 0, at most 71 minutes"
	if cfg.RTT == 0 {
		cfg.RTT = DefaultRTT
	}
	if cfg.RTT < 0 || cfg.RTT > MaxTime {
		errs.Add("RTT", cfg.RTT, times)
	}
	if cfg.Target < 0 || cfg.Target > MaxTime {
		errs.Add("Target", cfg.Target, times)
	}
	if cfg.Compat == qdisc.Linux { // 0 would mean another thing
		cfg.RTT = max(cfg.kept(cfg.RTT), time.Microsecond)
		if cfg.Target != 0 {
			cfg.Target = max(cfg.kept(cfg.Target), time.Microsecond)
		}
	}
}
