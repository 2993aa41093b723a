package tc

import (
	"slices"

	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/qdisc"
)

// curveWords are those of a curve in the order in which they may come, for
// either way to describe one: by the slopes or by a packet's delay. The last
// of each ends it.
var curveWords = []option{
	{word: "m1", name: "m1", prefix: true},
	{word: "d", name: "d"},
	{word: "m2", name: "m2", prefix: true},
	{word: "umax", name: "umax", prefix: true},
	{word: "dmax", name: "dmax", prefix: true},
	{word: "rate", name: "rate", prefix: true},
}

// curve reads "[m1 RATE] [d TIME] m2 RATE" or "[umax SIZE] [dmax TIME] rate
// RATE".
func (w *words) curve(name string) (c hfsc.Curve, err error) {
	var m1, m2 uint64 // bytes/s
	var d, umax uint32
	last := -1
	for last%3 != 2 {
		word, ok := w.next()
		if !ok {
			return c, w.errorf("%s needs m2 or rate at its end", name)
		}
		part, err := w.match("part of "+name, word, curveWords)
		if err != nil {
			return c, err
		}
		at := partOf(part)
		if last >= 0 && (at/3 != last/3 || at <= last) {
			return c, w.errorf("%s: %s after %s; a curve is [m1 RATE] [d TIME] m2 RATE, or [umax SIZE] [dmax TIME] rate RATE", name, part, curveWords[last].word)
		}
		last = at
		switch part {
		case "m1":
			m1, err = value(w, part, parseRate)
		case "m2", "rate":
			m2, err = value(w, part, parseRate)
		case "d", "dmax":
			d, err = value(w, part, parseTime)
		case "umax":
			umax, err = value(w, part, parseSize)
		}
		if err != nil {
			return c, err
		}
	}
	c = hfsc.Curve{M1: qdisc.Rate(8 * m1), D: microseconds(d), M2: qdisc.Rate(8 * m2)}
	if curveWords[last].name == "rate" {
		if umax != 0 && d == 0 {
			return c, w.errorf("%s: umax needs dmax, the time within which so much is sent", name)
		}
		c = hfsc.DelayCurve(umax, c.D, c.M2)
	}
	if c.IsZero() {
		return c, w.errorf("%s: both slopes are 0; a rate is at least 8bit, one byte a second", name)
	}
	return c, nil
}

// partOf returns where a part of a curve stands in curveWords.
func partOf(part string) int {
	return slices.IndexFunc(curveWords, func(o option) bool { return o.name == part })
}
