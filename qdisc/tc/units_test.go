package tc

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/units"
)

// refused is what no kind of number takes.
var refused = []string{
	"", " ", "-", "-1", "-0.5kbit", "+1", ".", "..1", "1..2", "1.2.3", "e5", "1e", "1e400",
	"inf", "nan", "0x", "1 kbit", "1kbit ", " 1", "1kbitx", "1kbit1", "1,5", "one", "1__0", "٣", "1\x00",
}

func TestRates(t *testing.T) {
	for word, bytes := range map[string]uint64{
		"0": 0, "7": 0, "8": 1, "1000": 125, "1004": 125, "10000bit": 1250,
		"10kbit": 1250, "10Kbit": 1250, "10KBIT": 1250, "1mbit": 125e3, "1gbit": 125e6, "1.5tbit": 1875e8,
		"1kibit": 128, "1mibit": 131072, "1gibit": 1 << 27, "1tibit": 1 << 37,
		"1bps": 1, "1kbps": 1000, "1Mbps": 1e6, "1gbps": 1e9, "1tbps": 1e12,
		"1kibps": 1 << 10, "1mibps": 1 << 20, "1gibps": 1 << 30, "1tibps": 1 << 40,
		".5mbit": 62500, "1.mbit": 125000, "1e3": 125, "1E+3kbit": 125000, "2.5e-1kbit": 31,
		"18446744073709540000": 2305843009213692416, // the next float64 below 2^61 - 1
	} {
		got, err := parseRate(word)
		require.NoError(t, err, word)
		assert.Equal(t, bytes, got, word)
	}
	for _, word := range append([]string{
		"10Mb", "10Kb", "10b", "10m", "10mbits", "10bits", "10k", "10%", "%", "18446744073709551616", "2305843009213693952bps", "1e30tbit",
	}, refused...) {
		_, err := parseRate(word)
		assert.Error(t, err, word)
	}
}

func TestTimes(t *testing.T) {
	for word, us := range map[string]uint32{
		"0": 0, "5": 5, "5us": 5, "5usec": 5, "5usecs": 5, "5.9us": 5,
		"5ms": 5000, "5msec": 5000, "5MSECS": 5000, "1.0005ms": 1000,
		"5s": 5e6, "5sec": 5e6, "5secs": 5e6, "4294.967295s": 4294967295, "1e-3s": 1000,
	} {
		got, err := parseTime(word)
		require.NoError(t, err, word)
		assert.Equal(t, us, got, word)
	}
	for _, word := range append([]string{"5ns", "5nsec", "5m", "5min", "5h", "4294967296", "4295s"}, refused...) {
		_, err := parseTime(word)
		assert.Error(t, err, word)
	}
}

func TestSizes(t *testing.T) {
	for word, bytes := range map[string]uint32{
		"0": 0, "3000": 3000, "3000b": 3000, "1k": 1024, "1kb": 1024, "1KB": 1024, "1kbit": 128,
		"1m": 1 << 20, "1mb": 1 << 20, "1mbit": 1 << 17, "1g": 1 << 30, "1gb": 1 << 30, "1gbit": 1 << 27,
		"1.5k": 1536, "0.0001k": 0, "3.9gb": 4187593113, "4294967295": 4294967295,
	} {
		got, err := parseSize(word)
		require.NoError(t, err, word)
		assert.Equal(t, bytes, got, word)
		got, err = parseSizeCell(word + "/8")
		require.NoError(t, err, word)
		assert.Equal(t, bytes, got, word)
	}
	for _, word := range append([]string{"1kib", "1bit", "1t", "1p", "4gb", "4294967296"}, refused...) {
		_, err := parseSize(word)
		assert.Error(t, err, word)
	}
	for _, word := range []string{"1500/", "1500/0", "1500/3", "1500/-8", "1500/8/8", "/8", "1500/8b", "1500/4294967296"} {
		_, err := parseSizeCell(word)
		assert.Error(t, err, word)
	}
}

func TestCounts(t *testing.T) {
	for word, n := range map[string]uint32{
		"0": 0, "1000": 1000, "0x10": 16, "0XfF": 255, "010": 8, "00": 0, "4294967295": 4294967295, "0xffffffff": 4294967295,
	} {
		got, err := parseCount(word)
		require.NoError(t, err, word)
		assert.Equal(t, n, got, word)
	}
	for _, word := range append([]string{"1.5", "1e3", "10p", "08", "0b1", "0o7", "1_000", "0x_1", "4294967296", "0x100000000"}, refused...) {
		_, err := parseCount(word)
		assert.Error(t, err, word)
	}
	n, err := parseDec("010")
	require.NoError(t, err)
	assert.EqualValues(t, 10, n)
	_, err = parseDec("0x10")
	assert.Error(t, err)
}

func TestFormatRate(t *testing.T) {
	for bytes, text := range map[uint64]string{
		0: "0bit", 1: "8bit", 125: "1Kbit", 126: "1008bit", 1250: "10Kbit", 2500: "20Kbit", 308000: "2464Kbit",
		125e6: "1Gbit", 125e9: "1Tbit", 125e12: "1000Tbit", 154320: "1234Kbit", 154321: "1234Kbit",
		124999: "999992bit", 187500: "1500Kbit", maxRate: "18446744Tbit",
	} {
		assert.Equal(t, text, units.FormatRate(bytes), bytes)
	}
}

func TestFormatTime(t *testing.T) {
	for us, text := range map[uint64]string{
		0: "0us", 999: "999us", 1000: "1ms", 2000: "2ms", 1234: "1.23ms", 100000: "100ms", 999999: "1e+03ms",
		1e6: "1s", 1024000: "1.02s", 4294967295: "4.29e+03s",
	} {
		assert.Equal(t, text, units.FormatTime(us), us)
	}
}

func TestFormatSize(t *testing.T) {
	for bytes, text := range map[uint64]string{
		0: "0b", 1: "1b", 1008: "1008b", 1023: "1023b", 1024: "1Kb", 1039: "1Kb", 1040: "1040b",
		1500: "1500b", 1600: "1600b", 2032: "2032b", 2033: "2Kb", 2048: "2Kb", 2063: "2Kb", 2064: "2064b",
		100000: "100000b", 1 << 20: "1Mb", 1<<20 + 1023: "1Mb", 1<<20 + 1024: "1025Kb", 1<<21 - 1023: "2Mb",
		32 << 20: "32Mb", 1 << 30: "1Gb", 1<<30 + 1023: "1Gb", 1<<32 - 1: "4Gb", 1<<31 + 2048: "2097154Kb",
	} {
		assert.Equal(t, text, units.FormatSize(bytes), bytes)
	}
}

// FuzzUnits: nothing panics, and what was read is printed and read back to
// what tc's digits allow.
func FuzzUnits(f *testing.F) {
	for _, word := range append([]string{"10mbit", "1.5tbit", "100ms", "5kb", "1500/8", "0x10", "4294967295", "1e3us"}, refused...) {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, word string) {
		if v, err := parseRate(word); err == nil {
			text := units.FormatRate(v)
			back, err := parseRate(text)
			require.NoError(t, err)
			// Floating point may make the largest rates grow by a bit.
			require.InEpsilon(t, float64(v)+1, float64(back)+1, .001, text)
			require.Equal(t, text, units.FormatRate(back))
		}
		if v, err := parseTime(word); err == nil {
			back, err := parseTime(units.FormatTime(uint64(v)))
			require.NoError(t, err)
			require.InEpsilon(t, float64(v)+1, float64(back)+1, .005)
		}
		if v, err := parseSizeCell(word); err == nil {
			text := units.FormatSize(uint64(v))
			if back, err := parseSize(text); err == nil {
				require.InDelta(t, v, back, 1023)
				require.Equal(t, text, units.FormatSize(uint64(back)))
			} else {
				require.Equal(t, "4Gb", text) // rounded up to 2^32
			}
		}
		parseCount(word)
		parseDec(word)
		parseHandle(word)
		parseClassID(word)
	})
}
