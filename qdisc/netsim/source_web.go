package netsim

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// Web sends what a reader of web pages is sent, without the answers of a
// transport protocol: pages begin at random times (exponential gaps), each has
// a geometric number of objects, each object a size from a Pareto distribution
// cut off at Max, and all leave in full packets at the access rate, one after
// the other. A page that begins while another is being sent waits for it. For
// the feedback of TCP start TCP transfers of such sizes instead.
//
// The mean load is Objects * (mean object size) / Every. With Shape above 1 and
// Max far above Min the mean size is close to Min * Shape / (Shape - 1): 12 kB
// by default, though half of the objects are below 5.7 kB.
type Web struct {
	Rate    qdisc.Rate    // access rate. Required
	Every   time.Duration // mean gap between the starts of pages; 0: 5 s
	Objects float64       // mean number of objects in a page, 1 or more; 0: 10
	Min     float64       // smallest object, bytes; 0: 3200
	Max     float64       // largest object, bytes; 0: 10 MB
	Shape   float64       // of the Pareto distribution; 0: 1.2
	MTU     uint32        // packet length, bytes; 0: 1500
	Header  uint32        // bytes of a packet that are not the object's; 0: 40
}

// Pacer implements Pattern.
func (w Web) Pacer(errs *qdisc.ConfigErrors) Pacer {
	w.Every = orDefault(w.Every, 5*time.Second)
	w.Objects = orDefault(w.Objects, 10)
	w.Min = orDefault(w.Min, 3200)
	w.Max = orDefault(w.Max, 10e6)
	w.Shape = orDefault(w.Shape, 1.2)
	w.MTU = orDefault(w.MTU, defaultLen)
	w.Header = orDefault(w.Header, 40)
	checkRate("Pattern.Rate", w.Rate, errs)
	checkSpan("Pattern.Every", w.Every, errs)
	if !(w.Objects >= 1 && w.Objects <= 1e6) {
		errs.Add("Pattern.Objects", w.Objects, "a page has 1 to 1e6 objects on the average")
	}
	if !(w.Min >= 1 && w.Min <= w.Max && w.Max <= 1e12) {
		errs.Add("Pattern.Min", w.Min, "1 byte or more, at most Max, which is up to 1e12")
	}
	if !(w.Shape >= 0.1 && w.Shape <= 100) {
		errs.Add("Pattern.Shape", w.Shape, "0.1 to 100")
	}
	if w.MTU <= w.Header || w.MTU > qdisc.MaxLen {
		errs.Add("Pattern.MTU", w.MTU, "more than Header, at most 2^30 bytes")
	}
	return &web{Web: w, pace: pace{rate: w.Rate}}
}

func orDefault[T comparable](v, d T) T {
	var zero T
	if v == zero {
		return d
	}
	return v
}

type web struct {
	Web
	pace    pace
	page    time.Duration // from the last packet to the start of the next page
	objects int64         // of this page, after the present one
	object  int64         // bytes of the present one to send
	started bool
}

// Next implements Pacer.
func (w *web) Next(r *rand.Rand, last uint32) (time.Duration, uint32) {
	gap := w.pace.take(uint64(last))
	if w.object == 0 && w.objects == 0 {
		if !w.started {
			w.started = true
			w.page = exponential(r, float64(w.Every))
		}
		gap = max(gap, w.page)
		w.page += exponential(r, float64(w.Every))
		w.objects = w.count(r)
	}
	w.page -= gap
	if w.object == 0 {
		w.objects--
		w.object = w.size(r)
	}
	n := min(w.object, int64(w.MTU-w.Header))
	w.object -= n
	return gap, uint32(n) + w.Header
}

// count draws the objects of a page: geometric from 1 on.
func (w *web) count(r *rand.Rand) int64 {
	if w.Objects <= 1 {
		return 1
	}
	return 1 + int64(math.Log(1-r.Float64())/math.Log(1-1/w.Objects))
}

// size draws an object's bytes.
func (w *web) size(r *rand.Rand) int64 {
	return int64(math.Round(min(w.Max, w.Min*math.Pow(1-r.Float64(), -1/w.Shape))))
}
