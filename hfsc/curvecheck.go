package hfsc

import (
	"fmt"
	"math"
	"math/bits"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// MaxD is the longest first piece of a curve. Linux's is 2^32-1 microseconds.
const MaxD = 1 << 55 * time.Nanosecond

const linuxMaxD = math.MaxUint32 * time.Microsecond

// checkCurves gathers what is wrong with a class's curves.
func (h *HFSC) checkCurves(cfg *ClassConfig, leaf bool, errs *qdisc.ConfigErrors) {
	rt := h.checkCurve("RealTime", cfg.RealTime, errs)
	ls := h.checkCurve("LinkShare", cfg.LinkShare, errs)
	ul := h.checkCurve("UpperLimit", cfg.UpperLimit, errs)
	switch {
	case !rt && !ls:
		errs.Add("LinkShare", cfg.LinkShare, "a class needs a RealTime or a LinkShare curve")
	case !leaf && !ls:
		errs.Add("LinkShare", cfg.LinkShare, "a class with children needs it")
	case ul && !ls:
		errs.Add("UpperLimit", cfg.UpperLimit, "it bounds link sharing, and there is no LinkShare curve")
	}
	if !h.scale.exact {
		return
	}
	// A slope of 0 at the end: packets that nothing would ever send.
	const stall = "its M2 must be above 0: what waits would wait for ever"
	switch {
	case ls && cfg.LinkShare.M2 == 0:
		errs.Add("LinkShare", cfg.LinkShare, stall)
	case rt && !ls && cfg.RealTime.M2 == 0:
		errs.Add("RealTime", cfg.RealTime, stall+" (with a LinkShare curve it may be 0)")
	}
	if ul && cfg.UpperLimit.M2 == 0 {
		errs.Add("UpperLimit", cfg.UpperLimit, stall)
	}
}

// checkCurve checks one curve and tells whether it is given.
func (h *HFSC) checkCurve(field string, c Curve, errs *qdisc.ConfigErrors) bool {
	longest := time.Duration(MaxD)
	if !h.scale.exact {
		longest = linuxMaxD
		if max(c.M1, c.M2)/8 > linuxMaxRate {
			errs.Add(field, c, "Linux's largest rate is 2^32-1 bytes/s, 34.36 Gbit/s")
		}
		c.M1, c.M2 = c.M1/8, c.M2/8
	}
	switch {
	case c.D < 0 || c.D > longest:
		errs.Add(field, c, fmt.Sprintf("D is 0 to %v", longest))
	case h.scale.exact && c.D == 0 && c.M1 != 0 && c.M2 == 0:
		errs.Add(field, c, "with D = 0 it is a line of slope M2, and that is 0")
	case h.scale.exact:
		if hi, _ := bits.Mul64(uint64(c.M1), uint64(c.D)); hi >= nsPerByte>>4 { // >= 2^60 bytes
			errs.Add(field, c, "its first piece comes to more than 2^60 bytes")
		}
	}
	return !c.IsZero()
}
