package pf

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/netsched/netsched/internal/units"
	"github.com/netsched/netsched/qdisc"
)

// bandwidthUnits are those of pf.conf, in bit/s.
var bandwidthUnits = []units.Unit{
	{Suffix: "", Factor: 1}, {Suffix: "b", Factor: 1}, {Suffix: "bit", Factor: 1},
	{Suffix: "k", Factor: 1e3}, {Suffix: "kb", Factor: 1e3}, {Suffix: "kbit", Factor: 1e3},
	{Suffix: "m", Factor: 1e6}, {Suffix: "mb", Factor: 1e6}, {Suffix: "mbit", Factor: 1e6},
	{Suffix: "g", Factor: 1e9}, {Suffix: "gb", Factor: 1e9}, {Suffix: "gbit", Factor: 1e9},
}

const (
	bandwidthUse = "a bandwidth such as 10Mb (b, Kb, Mb, Gb) or 5%"
	// maxRate is the largest rate in bit/s: that of the disciplines, which are
	// asked, is below.
	maxRate = 1 << 62
)

// parseBandwidth reads a rate or a percentage. Parts of a bit/s are rounded.
func parseBandwidth(word string) (b Bandwidth, err error) {
	number := word[:len(word)-len(strings.TrimLeft(word, "0123456789."))]
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsInf(v, 0) { // the latter comes with the former
		return b, errors.New("want " + bandwidthUse)
	}
	if suffix := word[len(number):]; suffix == "%" {
		if b.Percent = v; v > 100 {
			return b, errors.New("want a percentage of at most 100")
		}
	} else {
		factor, ok := units.Factor(suffix, bandwidthUnits)
		if !ok {
			return b, errors.New("want " + bandwidthUse)
		}
		if v = math.Round(v * factor); v > maxRate {
			return b, errors.New("want a bandwidth of at most 2^62 bit/s")
		}
		b.Rate = qdisc.Rate(v)
	}
	return b, nil
}

// parseCount reads a whole number from 0 to most.
func parseCount(word string, most uint64) (uint64, bool) {
	n, err := strconv.ParseUint(word, 10, 64)
	return n, err == nil && n <= most
}

// isName tells whether text can stand for a queue or an interface, quoted or
// not.
func isName(text string) bool {
	return text != "" && len(text) <= maxName && text[0] != '$' && wordEnd(text) == len(text) && !strings.Contains(text, `\`) &&
		strings.IndexFunc(text, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\uFFFD' }) < 0
}

// maxName is the length of pf's longest queue name, in bytes.
const maxName = 63
