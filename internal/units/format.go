package units

import (
	"fmt"
	"strconv"
)

// FormatRate prints bytes a second as tc does: in bit/s and its multiples by
// 1000, the largest unit that divides it, or that leaves 1000 or more. Digits
// below are not shown: 1234567bit is 1234Kbit.
func FormatRate(bytes uint64) string {
	units := [...]string{"bit", "Kbit", "Mbit", "Gbit", "Tbit"}
	v, i := bytes*8, 0
	for v >= 1000 && (v%1000 == 0 || v >= 1e6) && i < len(units)-1 {
		v /= 1000
		i++
	}
	return strconv.FormatUint(v, 10) + units[i]
}

// FormatTime prints microseconds as tc does, to 3 digits from 1 ms on.
func FormatTime(us uint64) string {
	switch {
	case us >= 1e6:
		return fmt.Sprintf("%.3gs", float64(us)/1e6)
	case us >= 1e3:
		return fmt.Sprintf("%.3gms", float64(us)/1e3)
	}
	return strconv.FormatUint(us, 10) + "us"
}

// FormatSigned is FormatTime for what may be past due.
func FormatSigned(us int64) string {
	if us < 0 {
		return "-" + FormatTime(-uint64(us))
	}
	return FormatTime(uint64(us))
}

// FormatSize prints bytes as tc does, or the multiple by 1024 that is almost
// the same: it may be off by 15 bytes in Kb and by 1023 in Mb and Gb.
func FormatSize(bytes uint64) string {
	for _, u := range [...]struct {
		name      string
		size, off uint64
	}{{"Gb", 1 << 30, 1023}, {"Mb", 1 << 20, 1023}, {"Kb", 1 << 10, 15}} {
		if whole := (bytes + u.off) / u.size; bytes >= u.size && bytes+u.off-whole*u.size <= 2*u.off {
			return strconv.FormatUint(whole, 10) + u.name
		}
	}
	return strconv.FormatUint(bytes, 10) + "b"
}
