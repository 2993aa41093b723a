// Package units reads numbers with a unit behind them, as tc and pf.conf write
// rates, times and sizes, and prints them as tc does.
package units

import "strings"

// Unit is a suffix, in lower case, and its factor.
type Unit struct {
	Suffix string
	Factor float64
}

// Rates are tc's units of rates, in bit/s; "bps" is bytes a second.
var Rates = []Unit{
	{"", 1},
	{"bit", 1}, {"kbit", 1e3}, {"mbit", 1e6}, {"gbit", 1e9}, {"tbit", 1e12},
	{"kibit", 1 << 10}, {"mibit", 1 << 20}, {"gibit", 1 << 30}, {"tibit", 1 << 40},
	{"bps", 8}, {"kbps", 8e3}, {"mbps", 8e6}, {"gbps", 8e9}, {"tbps", 8e12},
	{"kibps", 8 << 10}, {"mibps", 8 << 20}, {"gibps", 8 << 30}, {"tibps", 8 << 40},
}

// Times are in microseconds.
var Times = []Unit{
	{"", 1},
	{"us", 1}, {"usec", 1}, {"usecs", 1},
	{"ms", 1e3}, {"msec", 1e3}, {"msecs", 1e3},
	{"s", 1e6}, {"sec", 1e6}, {"secs", 1e6},
}

// Sizes are in bytes, with powers of 1024 throughout.
var Sizes = []Unit{
	{"", 1}, {"b", 1},
	{"k", 1 << 10}, {"kb", 1 << 10}, {"kbit", 1 << 7},
	{"m", 1 << 20}, {"mb", 1 << 20}, {"mbit", 1 << 17},
	{"g", 1 << 30}, {"gb", 1 << 30}, {"gbit", 1 << 27},
}

// Factor finds a suffix in a table, whatever the case of its ASCII letters.
func Factor(suffix string, table []Unit) (factor float64, ok bool) {
	for _, u := range table {
		// EqualFold alone takes the Kelvin sign for a k.
		if len(suffix) == len(u.Suffix) && strings.EqualFold(suffix, u.Suffix) {
			return u.Factor, true
		}
	}
	return 0, false
}

// Split cuts word after its leading decimal number. An exponent belongs to the
// number only if digits follow.
func Split(word string) (number, suffix string) {
	i := digits(word, 0)
	if i < len(word) && word[i] == '.' {
		i = digits(word, i+1)
	}
	if i > 0 && i < len(word) && word[i]|0x20 == 'e' {
		j := i + 1
		if j < len(word) && (word[j] == '+' || word[j] == '-') {
			j++
		}
		if end := digits(word, j); end > j {
			i = end
		}
	}
	return word[:i], word[i:]
}

// digits returns the index after the digits that start at i.
func digits(word string, i int) int {
	for i < len(word) && '0' <= word[i] && word[i] <= '9' {
		i++
	}
	return i
}
