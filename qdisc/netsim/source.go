package netsim

import (
	"math/rand/v2"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// SourceConfig describes a Source.
type SourceConfig struct {
	Name string // for the event log

	Via Receiver // the first hop. Required
	To  Receiver // the end of the way, Packet.To; nil: where the last link leads

	// Pattern says when packets leave, and may say how long each is. Required.
	Pattern Pattern
	// Packet is what each packet looks like: length, flow, DS field, class ...
	// Len is up to qdisc.MaxLen; 0 counts as 1500.
	Packet qdisc.Packet
	// Size returns the length of each packet that the pattern leaves open, held
	// within 1 to qdisc.MaxLen; nil: that of Packet.
	Size func(r *rand.Rand) uint32

	// Start is when the pattern begins, Stop when the source falls silent; 0:
	// at once and never. Count ends it after so many packets; 0: never.
	Start, Stop qdisc.Time
	Count       uint64
}

// Pattern is a rhythm of packets. CBR, Poisson, OnOff, Bursts and Web are
// patterns; each source gets a Pacer of its own.
type Pattern interface {
	// Pacer returns the rhythm at its beginning, or notes what is wrong.
	Pacer(errs *qdisc.ConfigErrors) Pacer
}

// Pacer is a pattern at work in one source.
type Pacer interface {
	// Next returns how long after the last packet the next one follows, and
	// its length in bytes, 0 for the source's own choice. It is told the length
	// of the last one, 0 if there was none. A negative gap ends the source.
	// It must let time pass: a source that never waits stops the world.
	Next(r *rand.Rand, last uint32) (gap time.Duration, length uint32)
}

// Source emits packets in a rhythm that nothing in the network changes.
type Source struct {
	sim   *Sim
	cfg   SourceConfig
	pacer Pacer
	timer *Timer

	length uint32 // of the next packet, 0: own choice
	due    qdisc.Time
	seq    uint64
	bytes  uint64
}

// defaultLen is the length of packets of no given length, in bytes.
const defaultLen = 1500

// NewSource returns a source that starts by itself. Its errors are
// *qdisc.ConfigErrors.
func NewSource(s *Sim, cfg SourceConfig) (*Source, error) {
	var errs qdisc.ConfigErrors
	if cfg.Via == nil {
		errs.Add("Via", nil, "a source needs a first hop")
	}
	if cfg.Packet.Len == 0 {
		cfg.Packet.Len = defaultLen
	}
	if cfg.Packet.Len > qdisc.MaxLen {
		errs.Add("Packet.Len", cfg.Packet.Len, "up to 2^30 bytes")
	}
	if cfg.Packet.Linked() {
		errs.Add("Packet", "linked", "a template stands in no list")
	}
	if cfg.Stop == 0 {
		cfg.Stop = qdisc.Never
	}
	src := &Source{sim: s, cfg: cfg, due: max(cfg.Start, s.now)}
	if cfg.Pattern == nil {
		errs.Add("Pattern", nil, "say when packets leave: CBR, Poisson, OnOff, Bursts, Web or a pattern of your own")
	} else {
		src.pacer = cfg.Pattern.Pacer(&errs)
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	src.timer = s.NewTimer(src.emit)
	src.plan(0)
	return src, nil
}

// plan asks for the next packet and tells whether it is due at once.
func (src *Source) plan(last uint32) bool {
	gap, length := src.pacer.Next(src.sim.rng, last)
	src.length = length
	src.due = src.due.Add(max(gap, 0))
	if gap < 0 || src.due >= src.cfg.Stop || src.cfg.Count != 0 && src.seq >= src.cfg.Count {
		return false
	}
	if src.due <= src.sim.now && src.seq != 0 {
		return src.sim.now < qdisc.MaxTime // where time ends, so does the source
	}
	src.timer.Set(src.due)
	return false
}

// emit sends the packets that are due now.
func (src *Source) emit() {
	for more := true; more; {
		p := src.sim.Alloc()
		p.Packet = src.cfg.Packet
		p.Payload = p
		switch {
		case src.length != 0:
			p.Len = min(src.length, qdisc.MaxLen)
		case src.cfg.Size != nil:
			p.Len = min(max(1, src.cfg.Size(src.sim.rng)), qdisc.MaxLen)
		}
		p.To, p.Sent, p.Seq = src.cfg.To, src.sim.now, src.seq
		n := p.Len
		src.seq++
		src.bytes += uint64(n)
		src.sim.Note(Emitted, src.cfg.Name, p)
		src.cfg.Via.Receive(p)
		more = src.plan(n)
	}
}

// Stop silences the source.
func (src *Source) Stop() {
	src.cfg.Stop = 0
	src.timer.Stop()
}

// Sent returns how many packets and bytes were emitted.
func (src *Source) Sent() (packets, bytes uint64) { return src.seq, src.bytes }
