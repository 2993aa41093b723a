package tc

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/netsched/netsched/internal/units"
)

// maxRate is the largest rate in bytes a second: 2^64-8 bit/s.
const maxRate = math.MaxUint64 / 8

// parseRate reads a RATE: bytes a second, the rest dropped.
func parseRate(word string) (uint64, error) {
	if strings.HasSuffix(word, "%") {
		return 0, errors.New("a share of the device's speed, and there is no device here; give a rate such as 10mbit")
	}
	v, err := parse(word, units.Rates, "bit, kbit, mbit, gbit or tbit (bps, kbps ... for bytes a second)")
	if err != nil {
		return 0, err
	}
	if v /= 8; v >= maxRate+1 {
		return 0, errors.New("too large; a rate is below 2^64 bit/s")
	}
	return uint64(v), nil
}

// parseTime reads a TIME: microseconds, the rest dropped.
func parseTime(word string) (uint32, error) {
	return parse32(word, units.Times, "s, ms or us", "a time is below 2^32 us, which is 4294 s")
}

// parseSize reads a SIZE: bytes, the rest dropped.
func parseSize(word string) (uint32, error) {
	return parse32(word, units.Sizes, "b, kb, mb or gb (powers of 1024)", "a size is below 2^32 bytes")
}

// parseSizeCell reads a SIZE that a cell size may follow, SIZE/N. The cell
// sized the kernel's rate tables; no table is left, so it is only checked.
func parseSizeCell(word string) (uint32, error) {
	size, cell, ok := strings.Cut(word, "/")
	if ok {
		n, err := parseCount(cell)
		if err != nil {
			return 0, fmt.Errorf("cell size %q: %w", cell, err)
		}
		if bits.OnesCount32(n) != 1 {
			return 0, fmt.Errorf("cell size %q: not a power of two", cell)
		}
	}
	return parseSize(size)
}

// parseCount reads a COUNT: a C integer, decimal, 0x hexadecimal or 0 octal.
func parseCount(word string) (uint32, error) {
	digits, base := word, 10
	if lower := strings.ToLower(word); strings.HasPrefix(lower, "0x") {
		digits, base = word[2:], 16
	} else if len(word) > 1 && word[0] == '0' {
		digits, base = word[1:], 8
	}
	return parseInt(digits, base)
}

// parseDec reads a decimal integer.
func parseDec(word string) (uint32, error) { return parseInt(word, 10) }

func parseInt(digits string, base int) (uint32, error) {
	n, err := strconv.ParseUint(digits, base, 32)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, errors.New("too large; a count is below 2^32")
	case err != nil:
		return 0, errors.New("not a whole number")
	}
	return uint32(n), nil
}

// parse32 reads a number with a unit that must fit 32 bits.
func parse32(word string, table []units.Unit, use, bound string) (uint32, error) {
	v, err := parse(word, table, use)
	if err != nil {
		return 0, err
	}
	if v >= 1<<32 {
		return 0, fmt.Errorf("too large; %s", bound)
	}
	return uint32(v), nil
}

// parse reads a decimal number, which may have a fraction and an exponent, and
// a unit without a space between, in upper or lower case.
func parse(word string, table []units.Unit, use string) (float64, error) {
	number, suffix := units.Split(word)
	v, err := strconv.ParseFloat(number, 64)
	switch {
	case strings.HasPrefix(word, "-"):
		return 0, errors.New("negative")
	case errors.Is(err, strconv.ErrRange):
		return 0, errors.New("too large")
	case err != nil:
		return 0, fmt.Errorf("not a number; use digits and %s", use)
	}
	if factor, ok := units.Factor(suffix, table); ok {
		return v * factor, nil
	}
	return 0, fmt.Errorf("unknown unit %q; use %s", suffix, use)
}
