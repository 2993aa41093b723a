package trace

import (
	"fmt"
	"strings"

	"github.com/netsched/netsched/qdisc"
)

// AQM is a run of a queue manager, of the first format.
type AQM struct {
	*text
	Header  AQMHeader
	created AQMOutcome
	ops     []aqmOp
	stats   []stat
}

// AQMHeader is the configuration of a run.
type AQMHeader struct {
	Discipline string
	Options    []Option
	Device     Device
	Truesize   uint32 // memory charge of a packet beyond its length, bytes
	NetOff     uint16 // link-layer header inside the packet length, bytes
	Random     Random
	Start      qdisc.Time
	Hold       uint64 // dql only, jiffies
}

// Option is one setting of a discipline.
type Option struct{ Key, Value string }

// Device is what disciplines ask of the device they serve.
type Device struct {
	Queues     int // hardware queues
	MTU        int // bytes, without the link header
	HardHeader int // bytes
	TxQueueLen int // packets
}

// PacketSize returns the largest packet, link header included, in bytes: the
// "device MTU" of the disciplines' defaults.
func (d Device) PacketSize() int { return d.MTU + d.HardHeader }

var defaultDevice = Device{Queues: 1, MTU: 1500, HardHeader: 14, TxQueueLen: 1000}

// aqmOp is one operation and its outcome.
type aqmOp struct {
	line    int
	verb    byte // E D P X Z
	at      qdisc.Time
	arrival Arrival
	set     []Option
	want    AQMOutcome
}

// AQMOutcome is what one operation did.
type AQMOutcome struct {
	verb    byte // decides which fields count; c: creation
	Verdict int  // of E; 0 or an error of X
	Limit   int64
	ID      ID // of the packet that D or P gave; zero: none
	DS      uint8
	CE      bool
	Len     int
	Backlog int64
	Events  []Event
	Wake    qdisc.Time // for which a wake-up was asked; 0: none was
}

func (o *AQMOutcome) equal(p *AQMOutcome) bool {
	return o.Verdict == p.Verdict && o.Limit == p.Limit && o.ID == p.ID && o.DS == p.DS && o.CE == p.CE &&
		o.Len == p.Len && o.Backlog == p.Backlog && o.Wake == p.Wake && sameEvents(o.Events, p.Events)
}

// String writes the outcome as a result line.
func (o *AQMOutcome) String() string {
	var b strings.Builder
	switch {
	case o.verb == 'c':
		fmt.Fprintf(&b, "= 0 limit %d", o.Limit)
	case o.verb != 'D' && o.verb != 'P':
		fmt.Fprintf(&b, "= %d %d %d", o.Verdict, o.Len, o.Backlog)
	case o.ID == ID{}:
		fmt.Fprintf(&b, "= - - %d %d", o.Len, o.Backlog)
	default:
		fmt.Fprintf(&b, "= %v %02x %d %d", o.ID, o.DS, o.Len, o.Backlog)
	}
	if o.CE {
		b.WriteString(" ce")
	}
	for _, e := range o.Events {
		b.WriteString(" " + e.String())
	}
	if o.Wake != 0 {
		fmt.Fprintf(&b, " w%d", int64(o.Wake))
	}
	return b.String()
}

// Kind names the discipline.
func (a *AQM) Kind() string { return "aqm " + a.Header.Discipline }

// Operations returns the number of operations.
func (a *AQM) Operations() int { return len(a.ops) }

// parseQueue reads an AQM or a DQL run after its first line.
func parseQueue(s *scanner) Run {
	h := AQMHeader{Device: defaultDevice, Truesize: 256, NetOff: 14, Start: 1e9, Hold: 1000}
	for began := false; !began; {
		if !s.next() {
			s.fail("the line begin is missing")
			return nil
		}
		began = h.parse(s)
		s.end()
	}
	if h.Discipline == "dql" {
		return parseDQL(s, h)
	}
	a := &AQM{text: s.text, Header: h}
	if s.next() {
		a.created = parseCreated(s)
	}
	for s.next() {
		if s.accept("end") {
			s.end()
			for s.next() {
				a.stats = append(a.stats, parseStat(s))
			}
			return a
		}
		op := parseAQMOp(s)
		if !s.next() {
			break
		}
		op.want = parseAQMOutcome(s, op.verb)
		s.end()
		a.ops = append(a.ops, op)
	}
	s.fail("the line end is missing")
	return nil
}

// parse reads one header line and tells whether it was the last.
func (h *AQMHeader) parse(s *scanner) (last bool) {
	switch key := s.word("header line"); key {
	case "qdisc":
		h.Discipline = s.word("discipline")
	case "opt":
		h.Options = append(h.Options, Option{s.word("option"), s.word("value")})
	case "truesize":
		h.Truesize = s.u32(key)
	case "netoff":
		h.NetOff = s.u16(key)
	case "mtu":
		h.Device.MTU = s.count(key)
	case "hardhdr":
		h.Device.HardHeader = s.count(key)
	case "txqlen":
		h.Device.TxQueueLen = s.count(key)
	case "rand":
		h.Random = parseRandom(s)
	case "start":
		h.Start = s.time()
	case "hold":
		h.Hold = s.u64(key)
	case "begin":
		return true
	default:
		s.fail("unknown header line %q", key)
	}
	return false
}
