package qdisc

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Rate is a bit rate in bit/s, from 1 bit/s to above 1 Tbit/s. 0 means "not
// given". Its text form uses the units of tc and pf.conf.
type Rate uint64

// Rates in multiples of a thousand.
const (
	BitPerSecond Rate = 1
	Kbit              = 1000 * BitPerSecond
	Mbit              = 1000 * Kbit
	Gbit              = 1000 * Mbit
	Tbit              = 1000 * Gbit
)

// rateUnits lists every suffix, lower case, with its factor in bit/s: tc's
// words (bit, bps and their multiples, "bps" being BYTES a second) and those
// of pf.conf (b, Kb, Mb, Gb, bits a second).
var rateUnits = map[string]float64{
	"": 1, "bit": 1, "kbit": 1e3, "mbit": 1e6, "gbit": 1e9, "tbit": 1e12,
	"kibit": 1 << 10, "mibit": 1 << 20, "gibit": 1 << 30, "tibit": 1 << 40,
	"bps": 8, "kbps": 8e3, "mbps": 8e6, "gbps": 8e9, "tbps": 8e12,
	"kibps": 8 << 10, "mibps": 8 << 20, "gibps": 8 << 30, "tibps": 8 << 40,
	"b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9,
}

// ParseRate reads a rate as tc and pf.conf write it: a number, which may have
// a fraction or an exponent, and a unit without a space between, upper or
// lower case. No unit, "bit" and "b" mean bit/s; "bps" is bytes/s. Fractions
// of a bit/s are dropped. (Package tc, which reads what tc reads, refuses the
// units of pf.conf: "10Mb".)
func ParseRate(s string) (Rate, error) {
	num, unit := splitNumber(s)
	if num == "" {
		return 0, fmt.Errorf("rate %q: must begin with a number, and cannot be negative", s)
	}
	factor, ok := rateUnits[strings.ToLower(unit)]
	if !ok {
		return 0, fmt.Errorf("rate %q: unknown unit %q; use bit, kbit, mbit, gbit, tbit (or bps, kbps ... for bytes/s)", s, unit)
	}
	if n, err := strconv.ParseUint(num, 10, 64); err == nil && n <= math.MaxUint64/uint64(factor) {
		return Rate(n * uint64(factor)), nil
	}
	f, err := strconv.ParseFloat(num, 64)
	if err != nil || math.IsNaN(f) || f < 0 {
		return 0, fmt.Errorf("rate %q: not a number of bits per second, such as 10mbit", s)
	}
	if f *= factor; f >= 1<<64 {
		return 0, fmt.Errorf("rate %q: above %d bit/s", s, uint64(math.MaxUint64))
	}
	return Rate(f), nil
}

// splitNumber cuts s after its leading decimal number. An exponent belongs to
// the number only if digits follow.
func splitNumber(s string) (num, unit string) {
	i := 0
	digits := func() {
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
	}
	digits()
	if i < len(s) && s[i] == '.' {
		i++
		digits()
	}
	if i < len(s) && i > 0 && s[i]|0x20 == 'e' {
		mark := i
		if i++; i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		first := i
		if digits(); i == first {
			i = mark
		}
	}
	return s[:i], s[i:]
}

// String prints the rate without loss, in the largest unit that divides it:
// "2464Kbit", "10Mbit", "1234567bit". ParseRate reads it back.
func (r Rate) String() string {
	units := [...]string{"bit", "Kbit", "Mbit", "Gbit", "Tbit"}
	i := 0
	for r >= 1000 && r%1000 == 0 && i < len(units)-1 {
		r /= 1000
		i++
	}
	return strconv.FormatUint(uint64(r), 10) + units[i]
}

// MarshalText writes the rate as String does.
func (r Rate) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads the rate as ParseRate does.
func (r *Rate) UnmarshalText(text []byte) error {
	v, err := ParseRate(string(text))
	if err == nil {
		*r = v
	}
	return err
}
