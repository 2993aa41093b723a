package tc

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/qdisc"
)

func TestHFSCWords(t *testing.T) {
	for words, shown := range map[string]string{
		"hfsc":              "hfsc",
		"hfsc default 11":   "hfsc default 11",
		"hfsc def 0xA0":     "hfsc default a0",
		"hfsc default ffff": "hfsc default ffff",
		"hfsc default 0":    "hfsc",
	} {
		q, err := New(words, Options{TxQueueLen: 7, Compat: qdisc.Linux})
		require.NoError(t, err, words)
		assert.Equal(t, shown, Show(q), words)
		cfg := q.(*hfsc.HFSC).Config()
		assert.Equal(t, 7, *cfg.Limit)
		assert.Equal(t, qdisc.Linux, cfg.Compat)
	}
	for words, want := range map[string]string{
		"hfsc default":             "hfsc: default needs a value",
		"hfsc default 10000":       `hfsc: default "10000": a class number is 1 to ffff, in hexadecimal`,
		"hfsc default 1:10":        "a class number is",
		"hfsc default x":           "a class number is",
		"hfsc default 1 default 1": "hfsc: default is given twice",
		"hfsc limit 3":             `hfsc: unknown option "limit"; use default`,
	} {
		_, err := New(words, Options{})
		assert.ErrorContains(t, err, want, words)
	}
}

// TestHFSCCurves: what the words of a curve mean.
func TestHFSCCurves(t *testing.T) {
	for words, want := range map[string]hfsc.Curve{
		"m2 8mbit":                     hfsc.Line(8 * qdisc.Mbit),
		"rate 8mbit":                   hfsc.Line(8 * qdisc.Mbit),
		"m1 2mbit d 10ms m2 1mbit":     {M1: 2 * qdisc.Mbit, D: 10 * time.Millisecond, M2: qdisc.Mbit},
		"d 10ms m2 1mbit":              {D: 10 * time.Millisecond, M2: qdisc.Mbit},
		"m1 2mbit m2 1mbit":            {M1: 2 * qdisc.Mbit, M2: qdisc.Mbit},
		"m1 2mbit d 10 m2 0":           {M1: 2 * qdisc.Mbit, D: 10 * time.Microsecond},
		"umax 1540 dmax 5ms rate 10k":  {}, // a rate has another unit
		"umax 1500 dmax 10ms r 1mbit":  {M1: 1200 * qdisc.Kbit, D: 10 * time.Millisecond, M2: qdisc.Mbit},
		"u 1500 dm 30ms ra 1mbit":      {D: 18 * time.Millisecond, M2: qdisc.Mbit}, // it is sent in 12
		"dmax 30ms rate 1mbit":         {D: 30 * time.Millisecond, M2: qdisc.Mbit},
		"umax 0 rate 1mbit":            hfsc.Line(qdisc.Mbit),
		"rate 1000":                    hfsc.Line(1000),
		"rate 1007":                    hfsc.Line(1000), // whole bytes a second
		"rate 100gbit":                 hfsc.Line(100 * qdisc.Gbit),
		"umax 1540b dmax 5ms rate 10k": {},
	} {
		tree := build(t, "qdisc add dev D root handle 1: hfsc", Options{})
		err := tree.Run("class add dev D parent 1: classid 1:1 hfsc rt "+words+" ls rate 5mbit", 0)
		if want.IsZero() {
			assert.Error(t, err, words)
			continue
		}
		require.NoError(t, err, words)
		cfg, ok := tree.Root().(*hfsc.HFSC).Class(1)
		require.True(t, ok)
		assert.Equal(t, hfsc.ClassConfig{RealTime: want, LinkShare: hfsc.Line(5 * qdisc.Mbit), Child: cfg.Child}, cfg, words)
	}
}

func TestHFSCClassRefused(t *testing.T) {
	for words, want := range map[string]string{
		"":                                  "hfsc: give at least one curve: rt, ls or sc",
		"ul rate 1mbit":                     "hfsc: ul bounds link sharing; give ls or sc with it",
		"rt rate 1mbit ul m2 8":             "ul bounds link sharing",
		"rate 1mbit":                        `hfsc: unknown curve "rate"; use rt, ls, sc, ul`,
		"sc":                                "hfsc: sc needs m2 or rate at its end",
		"sc m1 1mbit d 5ms":                 "sc needs m2 or rate at its end",
		"ls umax 1500":                      "ls needs m2 or rate at its end",
		"sc 1mbit":                          `hfsc: unknown part of sc "1mbit"; use m1, d, m2, umax, dmax, rate`,
		"sc m 1mbit":                        "may mean m1 or m2",
		"sc m2":                             "hfsc: m2 needs a value",
		"sc m2 1mbit d 5ms":                 `hfsc: unknown curve "d"`,
		"sc d 5ms m1 1mbit":                 "hfsc: sc: m1 after d; a curve is [m1 RATE] [d TIME] m2 RATE, or [umax SIZE] [dmax TIME] rate RATE",
		"sc d 5ms d 5ms":                    "sc: d after d",
		"sc m1 1mbit rate 1mbit":            "sc: rate after m1",
		"sc umax 1500 m2 1mbit":             "sc: m2 after umax",
		"sc dmax 5ms umax 1500":             "sc: umax after dmax",
		"sc umax 1500 rate 1mbit":           "hfsc: sc: umax needs dmax, the time within which so much is sent",
		"sc umax 1500 dmax 0 rate 1mbit":    "umax needs dmax",
		"sc rate 0":                         "hfsc: sc: both slopes are 0",
		"sc rate 7":                         "both slopes are 0",
		"sc m1 0 d 5ms m2 0":                "both slopes are 0",
		"sc rate 10%":                       "share of the device's speed",
		"sc rate 1mbyte":                    "unknown unit",
		"sc m1 1mbit d 5ns m2 1mbit":        `d "5ns"`,
		"sc m1 1mbit d 5ms m2 0":            "hfsc: LinkShare",
		"rt m1 1mbit d 0 m2 0 ls rate 1000": "hfsc: RealTime",
	} {
		tree := build(t, "qdisc add dev D root handle 1: hfsc", Options{})
		assert.ErrorContains(t, tree.Run("class add dev D parent 1: classid 1:1 hfsc "+words, 0), want, words)
		assert.Equal(t, "class hfsc 1: root\n", tree.ShowClasses(), words)
	}
	tree := build(t, "qdisc add dev D root handle 1: hfsc", Options{Compat: qdisc.Linux})
	err := tree.Run("class add dev D parent 1: classid 1:1 hfsc ls rate 40gbit", 0)
	var ce *qdisc.ConfigError
	require.ErrorAs(t, err, &ce)
	assert.Equal(t, "LinkShare", ce.Field)
}
