package qdisc

import (
	"fmt"
	"math"
	"strconv"

	"github.com/netsched/netsched/internal/units"
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

// pfUnits are the units of pf.conf, bits a second, that tc does not have.
var pfUnits = []units.Unit{{Suffix: "b", Factor: 1}, {Suffix: "kb", Factor: 1e3}, {Suffix: "mb", Factor: 1e6}, {Suffix: "gb", Factor: 1e9}}

// ParseRate reads a rate as tc and pf.conf write it: a number, which may have
// a fraction or an exponent, and a unit without a space between, upper or
// lower case. No unit, "bit" and "b" mean bit/s; "bps" is bytes/s. Fractions
// of a bit/s are dropped. (Package tc, which reads what tc reads, refuses the
// units of pf.conf: "10Mb".)
func ParseRate(s string) (Rate, error) {
	num, unit := units.Split(s)
	if num == "" {
		return 0, fmt.Errorf("rate %q: must begin with a number, and cannot be negative", s)
	}
	factor, ok := units.Factor(unit, units.Rates)
	if !ok {
		factor, ok = units.Factor(unit, pfUnits)
	}
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
