package tc

import (
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/netsched/netsched/internal/units"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/tbf"
)

var tbfWords = wordsOf[tbf.Config, *tbf.TBF]{
	blank: func(opt *Options) tbf.Config {
		return tbf.Config{Split: opt.Split, Compat: opt.Compat, Drops: opt.Drops, Sojourn: opt.Sojourn}
	},
	parse: parseTBF, create: tbf.New, print: printTBF,
}

var tbfOptions = []option{
	{word: "rate", name: "rate"},
	{word: "burst", name: "burst", prefix: true},
	{word: "buffer", name: "burst"},
	{word: "maxburst", name: "burst"},
	{word: "limit", name: "limit", prefix: true},
	{word: "latency", name: "latency", prefix: true},
	{word: "peakrate", name: "peakrate", prefix: true},
	{word: "mtu", name: "mtu"},
	{word: "minburst", name: "mtu"},
	{word: "mpu", name: "mpu"},
	{word: "overhead", name: "overhead", prefix: true},
	{word: "linklayer", name: "linklayer", prefix: true},
}

var linklayers = []option{
	{word: "ethernet", name: "ethernet", prefix: true},
	{word: "atm", name: "atm", prefix: true},
	{word: "adsl", name: "atm", prefix: true},
}

// tbfReader are the options as given: rates in bytes/s, sizes in bytes, the
// latency in us.
type tbfReader struct {
	rate, peakrate            uint64
	burst, mtu, mpu, overhead uint32
	limit, latency            uint32
	atm                       bool
	given                     []string
}

func (o *tbfReader) has(option string) bool { return slices.Contains(o.given, option) }

// parseTBF reads all that the words say: of the present cfg only what they
// cannot say stays.
func parseTBF(w *words, _ *Options, cfg *tbf.Config) error {
	var o tbfReader
	for word, ok := w.next(); ok; word, ok = w.next() {
		name, err := w.match("option", word, tbfOptions)
		if err != nil {
			return err
		}
		if o.has(name) {
			return w.errorf("%s is given twice", name)
		}
		o.given = append(o.given, name)
		if err := o.read(w, name); err != nil {
			return err
		}
	}
	if err := o.complete(w); err != nil {
		return err
	}
	limit, err := o.limitBytes(w)
	if err != nil {
		return err
	}
	cfg.Rate, cfg.PeakRate = qdisc.Rate(o.rate*8), qdisc.Rate(o.peakrate*8)
	cfg.Burst, cfg.MPU, cfg.Overhead, cfg.ATM = o.burst, o.mpu, o.overhead, o.atm
	cfg.MTU = 0
	if o.peakrate != 0 {
		cfg.MTU = o.mtu
	}
	cfg.LimitBytes = &limit
	if cfg.Child != nil { // the limit is of the default child
		cfg.LimitBytes = nil
	}
	return nil
}

// read takes the value of one option.
func (o *tbfReader) read(w *words, name string) (err error) {
	switch name {
	case "rate":
		o.rate, err = value(w, name, parseRate)
	case "peakrate":
		o.peakrate, err = value(w, name, parseRate)
	case "burst":
		o.burst, err = value(w, name, parseSizeCell)
	case "mtu":
		o.mtu, err = value(w, name, parseSizeCell)
	case "limit":
		o.limit, err = value(w, name, parseSize)
	case "latency":
		o.latency, err = value(w, name, parseTime)
	case "mpu":
		o.mpu, err = value(w, name, parseSize)
	case "overhead":
		o.overhead, err = value(w, name, parseDec)
		if err == nil && o.overhead > math.MaxUint16 {
			err = w.errorf("overhead %d: too large; it is 0 to 65535 bytes a packet", o.overhead)
		}
	case "linklayer":
		var word, layer string
		word, err = value(w, name, func(s string) (string, error) { return s, nil })
		if err == nil {
			layer, err = w.match("linklayer", word, linklayers)
		}
		o.atm = layer == "atm"
	}
	return err
}

// complete checks that what is required is there.
func (o *tbfReader) complete(w *words) error {
	switch {
	case o.rate == 0:
		return w.errorf("rate is required, and is at least 8bit, one byte a second")
	case o.burst == 0:
		return w.errorf("burst is required, and holds at least one packet")
	case o.has("limit") && o.has("latency"):
		return w.errorf("give either limit or latency, not both")
	case !o.has("limit") && !o.has("latency"):
		return w.errorf("either limit or latency is required")
	case o.has("peakrate") && o.peakrate == 0:
		return w.errorf("peakrate is at least 8bit, one byte a second")
	case o.has("peakrate") && o.mtu == 0:
		return w.errorf("peakrate needs mtu, the size of its bucket, at least one packet")
	}
	return nil
}

// limitBytes returns the limit of the queue. With a latency it is what is sent
// in that time after the burst is used up; by the slower bucket, if there are
// two.
func (o *tbfReader) limitBytes(w *words) (int64, error) {
	if !o.has("latency") {
		return int64(o.limit), nil
	}
	limit := sentIn(o.latency, o.rate, o.burst)
	if o.peakrate != 0 {
		limit = min(limit, sentIn(o.latency, o.peakrate, o.mtu))
	}
	if limit > math.MaxUint32 {
		return 0, w.errorf("latency %s at this rate is a limit of 2^32 bytes or more; give less", units.FormatTime(uint64(o.latency)))
	}
	return int64(limit), nil
}

// sentIn is rate*latency + burst, in bytes.
func sentIn(latency uint32, rate uint64, burst uint32) uint64 {
	hi, lo := bits.Mul64(uint64(latency), rate)
	if hi >= 1e6 {
		return math.MaxUint64
	}
	sent, _ := bits.Div64(hi, lo, 1e6)
	sum, carry := bits.Add64(sent, uint64(burst), 0)
	return sum | -carry
}

// printTBF prints the bursts as the kernel keeps them, with what the link layer
// adds, and the limit as a latency if it covers the burst. Neither is shown
// when a child of the caller's own took the default queue's place.
func printTBF(cfg tbf.Config) string {
	burst, mtu := cfg.Wire(cfg.Burst), cfg.Wire(cfg.MTU)
	out := []string{"rate", units.FormatRate(uint64(cfg.Rate) / 8), "burst", units.FormatSize(burst)}
	if cfg.PeakRate != 0 {
		out = append(out, "peakrate", units.FormatRate(uint64(cfg.PeakRate)/8), "minburst", units.FormatSize(mtu))
	}
	if cfg.LimitBytes != nil {
		latency := sendTime(*cfg.LimitBytes-int64(burst), cfg.Rate)
		if cfg.PeakRate != 0 {
			latency = max(latency, sendTime(*cfg.LimitBytes-int64(mtu), cfg.PeakRate))
		}
		if latency >= 0 {
			out = append(out, "lat", units.FormatTime(uint64(latency)))
		} else {
			out = append(out, "limit", units.FormatSize(uint64(*cfg.LimitBytes)))
		}
	}
	if cfg.Overhead != 0 {
		out = append(out, "overhead", strconv.Itoa(int(cfg.Overhead)))
	}
	if cfg.ATM {
		out = append(out, "linklayer atm")
	}
	return strings.Join(out, " ")
}

// sendTime is the time to send some bytes, in us and at most 2^53.
func sendTime(bytes int64, rate qdisc.Rate) float64 {
	return min(float64(bytes)*8e6/float64(rate), 1<<53)
}
