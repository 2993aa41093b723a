package qdisc_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// TestParseRate: tc's units are case-blind, "bit" and its multiples are bits,
// "bps" and its multiples are bytes, "i" means powers of 1024; pf.conf adds
// b, Kb, Mb and Gb, which are bits.
func TestParseRate(t *testing.T) {
	for text, want := range map[string]qdisc.Rate{
		"0": 0, "1": 1, "1bit": 1, "64000": 64000,
		"1kbit": 1e3, "1Kbit": 1e3, "1KBIT": 1e3, "1mbit": 1e6, "1gbit": 1e9, "1tbit": 1e12,
		"1kibit": 1 << 10, "1Mibit": 1 << 20, "1GiBit": 1 << 30, "1tibit": 1 << 40,
		"1bps": 8, "1kbps": 8e3, "1mbps": 8e6, "1gbps": 8e9, "1tbps": 8e12,
		"1kibps": 8 << 10, "1mibps": 8 << 20, "1gibps": 8 << 30, "1tibps": 8 << 40,
		"1b": 1, "1Kb": 1e3, "1Mb": 1e6, "1Gb": 1e9, "100Mb": 1e8,
		"1.5mbit": 1_500_000, ".5kbit": 500, "2.kbit": 2000, "0.0001kbit": 0, "1.9999bit": 1,
		"1e3": 1000, "1e3kbit": 1e6, "2E+2mbit": 2e8, "1e-3gbit": 1e6,
		"18446744073709551615": math.MaxUint64, "18446744.073709551615tbit": 0,
		"2305843009213693951bps": math.MaxUint64 - 7,
	} {
		got, err := qdisc.ParseRate(text)
		if want == 0 && text[0] != '0' {
			assert.Error(t, err, text) // rounds up to 1<<64
			continue
		}
		assert.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
}

func TestParseRateErrors(t *testing.T) {
	for text, why := range map[string]string{
		"": "begin with a number", "mbit": "begin with a number", ".": "not a number", "-1": "begin with a number", "1 mbit": "unknown unit",
		"1mbits": "unknown unit", "1e": "unknown unit", "1e+": "unknown unit", "0x10": "unknown unit", "1_000": "unknown unit",
		"10%": "unknown unit", "inf": "begin with a number", "nan": "begin with a number", "1e400": "not a number", "1.2.3": "unknown unit",
		"18446744073709551616": "above", "18446745tbit": "above", "1e20": "above",
	} {
		r, err := qdisc.ParseRate(text)
		assert.ErrorContains(t, err, why, "%q", text)
		assert.Zero(t, r)
	}
}

func TestRateString(t *testing.T) {
	for r, want := range map[qdisc.Rate]string{
		0: "0bit", 1: "1bit", 999: "999bit", 1000: "1Kbit", 2_464_000: "2464Kbit", 10 * qdisc.Mbit: "10Mbit",
		1_234_567: "1234567bit", qdisc.Tbit: "1Tbit", 1000 * qdisc.Tbit: "1000Tbit", math.MaxUint64: "18446744073709551615bit",
	} {
		assert.Equal(t, want, r.String())
	}
}

func TestRateText(t *testing.T) {
	type config struct{ Rate qdisc.Rate }
	out, err := json.Marshal(config{2_464_000})
	require.NoError(t, err)
	assert.JSONEq(t, `{"Rate":"2464Kbit"}`, string(out))
	var c config
	require.NoError(t, json.Unmarshal([]byte(`{"Rate":"1.5mbps"}`), &c))
	assert.Equal(t, 12*qdisc.Mbit, c.Rate)
	assert.Error(t, json.Unmarshal([]byte(`{"Rate":"fast"}`), &c))
	assert.Equal(t, 12*qdisc.Mbit, c.Rate, "an error leaves it alone")
}

// FuzzRate: no text panics, and what is read is printed so that it reads back.
func FuzzRate(f *testing.F) {
	for _, s := range []string{"", "10mbit", "1.5kbps", "1e3", "1e", "18446744073709551615", "9e99tibps", "-1", ".", "1Kb"} {
		f.Add(s, uint64(len(s)))
	}
	f.Fuzz(func(t *testing.T, s string, n uint64) {
		for _, r := range []qdisc.Rate{qdisc.Rate(n), roundTrip(t, s)} {
			again, err := qdisc.ParseRate(r.String())
			require.NoError(t, err)
			require.Equal(t, r, again)
		}
	})
}

// roundTrip reads s and reads back what it prints; 0 if it is no rate.
func roundTrip(t *testing.T, s string) qdisc.Rate {
	r, err := qdisc.ParseRate(s)
	if err != nil {
		require.Zero(t, r)
		return 0
	}
	text, err := r.MarshalText()
	require.NoError(t, err)
	var again qdisc.Rate
	require.NoError(t, again.UnmarshalText(text))
	require.Equal(t, r, again)
	return r
}
