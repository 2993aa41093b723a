package netsim

import (
	"math"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// Constants of CUBIC (RFC 9438, sections 4.1, 4.3 and 4.6).
const (
	cubicC     = 0.4 // segments/s^3
	cubicBeta  = 0.7
	cubicAlpha = 3 * (1 - cubicBeta) / (1 + cubicBeta) // segments a round trip in the Reno-friendly region
)

// cubic is the congestion control of RFC 9438, in segments and seconds.
//
//	W_cubic(t) = C (t-K)^3 + W_max,  K = cbrt((W_max - cwnd_epoch) / C)
type cubic struct {
	cubicState
	before cubicState // the last reduction
}

type cubicState struct {
	wMax  float64 // window at the last reduction; 0: none to return to
	prior float64 // window before it, without fast convergence
	k     float64
	wEst  float64 // window that Reno would have

	epoch qdisc.Time // when this stage of congestion avoidance began
	begun bool
}

// begin starts a stage of congestion avoidance. After a timeout, or when slow
// start ended without a loss, the window has nothing to return to and K is 0
// (sections 4.8 and 4.10).
func (c *cubic) begin(cwnd float64, now qdisc.Time) {
	c.begun, c.epoch, c.wEst, c.k = true, now, cwnd, 0
	if c.wMax <= cwnd {
		c.wMax = cwnd
	} else {
		c.k = math.Cbrt((c.wMax - cwnd) / cubicC)
	}
}

// at returns W_cubic(t). The conversions keep the compiler from fusing a
// product with a sum, which rounds differently.
func (c *cubic) at(t float64) float64 {
	x := t - c.k
	return float64(cubicC*x*x*x) + c.wMax
}

func (c *cubic) grow(w *window, acked float64, now qdisc.Time, srtt time.Duration) {
	cwnd, segments := w.cwnd/w.mss, acked/w.mss
	if !c.begun {
		c.begin(cwnd, now)
	}
	t := now.Sub(c.epoch)
	alpha := cubicAlpha
	if c.wEst >= c.prior { // section 4.3: from there on it is Reno
		alpha = 1
	}
	c.wEst += alpha * segments / cwnd
	if c.at(t.Seconds()) < c.wEst {
		cwnd = max(cwnd, c.wEst)
	} else { // sections 4.2, 4.4 and 4.5
		target := min(max(c.at((t+srtt).Seconds()), cwnd), float64(1.5*cwnd))
		cwnd += segments * (target - cwnd) / cwnd
	}
	w.cwnd = float64(cwnd * w.mss)
}

// reduce includes fast convergence (section 4.7): a window that has not
// come back to where it was leaves room for others.
func (c *cubic) reduce(w *window) float64 {
	c.before = c.cubicState
	cwnd := w.cwnd / w.mss
	c.prior = cwnd
	if cwnd < c.wMax {
		c.wMax = float64(cwnd*(1+cubicBeta)) / 2
	} else {
		c.wMax = cwnd
	}
	c.begun = false
	return max(w.cwnd*cubicBeta, 2*w.mss)
}

func (c *cubic) timeout() { c.wMax = 0 }

func (c *cubic) pause(d time.Duration) {
	if c.begun {
		c.epoch = c.epoch.Add(d)
	}
}

func (c *cubic) undo() { c.cubicState = c.before }
