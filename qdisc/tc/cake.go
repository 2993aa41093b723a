package tc

import (
	"fmt"
	"strconv"
	"time"

	"github.com/netsched/netsched/cake"
	"github.com/netsched/netsched/qdisc"
)

var cakeWords = wordsOf[cake.Config, *cake.Cake]{
	blank: func(opt *Options) cake.Config {
		return cake.Config{
			MTU: min(opt.MTU, cake.MaxMTU), Header: opt.Header, Split: opt.Split,
			Compat: opt.Compat, Drops: opt.Drops, Sojourn: opt.Sojourn,
		}
	},
	parse: parseCake, create: cake.New, print: cake.Config.String,
}

// cakeRTTs are the words for round-trip times. Two of them are an error, as in
// tc.
var cakeRTTs = map[string]time.Duration{
	"datacentre": cake.Datacentre, "lan": cake.LAN, "metro": cake.Metro, "regional": cake.Regional, "internet": cake.Internet,
	"oceanic": cake.Oceanic, "satellite": cake.Satellite, "interplanetary": cake.Interplanetary,
}

// cakeReader reads the options of one command into cfg, which keeps what is not
// named. Of an option given twice the last counts.
type cakeReader struct {
	*words
	cfg      *cake.Config
	preset   string // the word for a round-trip time
	overhead int    // what the words add up to
	mpu      int    // as it was before
}

func parseCake(w *words, _ *Options, cfg *cake.Config) error {
	o := cakeReader{words: w, cfg: cfg, mpu: cfg.MPU}
	for word, ok := w.next(); ok; word, ok = w.next() {
		known, err := o.value(word)
		if err == nil && !known {
			known, err = o.roundTrip(word)
		}
		if err != nil {
			return err
		}
		if !known && !o.flag(word) && !o.framing(word) {
			return w.errorf("unknown option %q; use bandwidth, unlimited, rtt, a tin mode such as diffserv3, an isolation mode such as triple-isolate, "+
				"nat, wash, ingress, ack-filter, split-gso, memlimit, fwmark, overhead, mpu, or a line such as ethernet", word)
		}
	}
	if cfg.AckFilter != cake.NoAckFilter && cfg.Header == nil {
		return w.errorf("%s reads TCP headers; give Options a Header that returns them", cfg.AckFilter)
	}
	return nil
}

// value reads an option that has a value; known tells whether word is one.
func (o *cakeReader) value(word string) (known bool, err error) {
	cfg := o.cfg
	switch word {
	case "bandwidth":
		var bytes uint64
		bytes, err = value(o.words, word, parseRate)
		cfg.Bandwidth, cfg.Autorate = qdisc.Rate(bytes)*8, false
	case "rtt":
		var us uint32
		us, err = value(o.words, word, parseTime)
		// 0 is the default in a Config, but counts as 1 us in tc.
		cfg.RTT, cfg.Target = max(microseconds(us), time.Microsecond), 0
	case "memlimit":
		var bytes uint32
		bytes, err = value(o.words, word, parseSize)
		cfg.MemoryLimit = int64(bytes)
	case "fwmark":
		cfg.FwMark, err = value(o.words, word, parseCount)
	case "overhead":
		o.overhead, err = value(o.words, word, bytesWithin(cake.MinOverhead, cake.MaxOverhead))
		cfg.Overhead = new(o.overhead)
	case "mpu":
		cfg.MPU, err = value(o.words, word, bytesWithin(0, cake.MaxMPU))
		if cfg.MPU == 0 { // which tc takes for not given
			cfg.MPU = o.mpu
		}
	default:
		return false, nil
	}
	return true, err
}

func bytesWithin(least, most int) func(word string) (int, error) {
	return func(word string) (int, error) {
		n, err := strconv.Atoi(word)
		if err != nil || n < least || n > most {
			return 0, fmt.Errorf("give %d to %d bytes", least, most)
		}
		return n, nil
	}
}

// roundTrip takes the word for a round-trip time.
func (o *cakeReader) roundTrip(word string) (known bool, err error) {
	rtt, ok := cakeRTTs[word]
	if !ok {
		return false, nil
	}
	if o.preset != "" {
		return true, o.errorf("%s and %s: one round-trip time is enough", o.preset, word)
	}
	o.preset = word
	o.cfg.RTT, o.cfg.Target = rtt, 0
	return true, nil
}

// flag takes a word without a value.
func (o *cakeReader) flag(word string) bool {
	cfg := o.cfg
	switch word {
	case "unlimited":
		cfg.Bandwidth, cfg.Autorate = 0, false
	case "autorate-ingress":
		cfg.Autorate = true
	case "nat", "nonat":
		cfg.NAT = word == "nat"
	case "wash", "nowash":
		cfg.Wash = word == "wash"
	case "split-gso", "no-split-gso":
		cfg.NoSplit = word == "no-split-gso"
	case "ingress", "egress":
		cfg.Ingress = word == "ingress"
	case "diffserv":
		cfg.Diffserv = cake.Diffserv4
	case "via-ethernet": // which tc ignores too
	default:
		text := []byte(word)
		return cfg.Diffserv.UnmarshalText(text) == nil || cfg.Isolation.UnmarshalText(text) == nil ||
			cfg.AckFilter.UnmarshalText(text) == nil || cfg.Link.UnmarshalText(text) == nil
	}
	return true
}

// framing takes the word for a line. Lines add to the overhead that the command
// has named before, as tags and headers do; raw and conservative set it.
func (o *cakeReader) framing(word string) bool {
	f := &o.cfg.Framing
	if word == "raw" {
		o.overhead, f.Overhead, f.Link = 0, nil, cake.NoATM
		return true
	}
	line, ok := cake.Preset(word)
	if !ok {
		return false
	}
	if word == "conservative" {
		o.overhead = 0
	}
	if word != "ethernet" && word != "ether-vlan" { // which are beneath whatever the link is
		f.Link = line.Link
	}
	if line.MPU != 0 {
		f.MPU = line.MPU
	}
	o.overhead += *line.Overhead
	f.Overhead = new(o.overhead)
	return true
}
