package builders

import (
	"fmt"
	"math"
	"time"

	"github.com/netsched/netsched/cbq"
	"github.com/netsched/netsched/internal/trace"
	"github.com/netsched/netsched/qdisc"
)

func init() {
	trace.RegisterClassful("cbq", trace.ClassfulKind{Build: buildCBQ, Rates: &trace.RateLevel{Defects: defects}})
}

// cbqPackets is how many of the longest packets a class may get more or less
// than the reference within a second. Both references keep to a rate in bursts.
// That of a slow class of ALTQ after an idle time is five packets (maxburst and
// one more), and so may fall on the other side of either end of the second.
const cbqPackets = 2 * 5

func buildCBQ(h *trace.ClassfulHeader, env *trace.Env) (*trace.ClassfulTarget, error) {
	cfg := cbq.Config{Limit: &h.Device.TxQueueLen, Drops: env.Drops}
	for _, p := range h.Params {
		n, err := p.Int()
		if err != nil {
			return nil, err
		}
		switch p.Key {
		case "bandwidth":
			cfg.Bandwidth, err = byteRate(n)
		case "avpkt":
			cfg.AvgPacket, err = trace.Fit[uint32](n)
		case "ewma":
			cfg.EWMA = new(int(n))
		case "maxidle": // of the root, which never waits
		default:
			err = trace.Missing("option %s", p.Key)
		}
		if err != nil {
			return nil, err
		}
	}
	q, err := cbq.New(cfg)
	if err != nil {
		return nil, err
	}
	q.Reset(h.Start)
	return &trace.ClassfulTarget{
		Qdisc: q,
		Rates: trace.RateSetup{Link: cfg.Bandwidth, Packets: cbqPackets},
		Add: func(now qdisc.Time, def *trace.ClassDef) error {
			cfg := cbq.ClassConfig{Parent: def.Parent}
			if err := cbqParams(&cfg, q.Config(), def.Params); err != nil {
				return err
			}
			return q.AddClass(def.Class, cfg, now)
		},
		// What is not named stays.
		Change: func(now qdisc.Time, class uint32, params trace.Params) error {
			cfg, ok := q.Class(class)
			if !ok {
				return fmt.Errorf("there is no class %d", class)
			}
			if err := cbqParams(&cfg, q.Config(), params); err != nil {
				return err
			}
			return q.ChangeClass(class, cfg, now)
		},
		Delete:   func(now qdisc.Time, class uint32) error { return q.RemoveClass(class, now) },
		SetLimit: setLeafLimits(q),
	}, nil
}

// cbqParams sets what the parameters name.
func cbqParams(cfg *cbq.ClassConfig, all cbq.Config, params trace.Params) error {
	c := cfg.TC()
	c.Allot = 1
	idle := cbqIdle{maxIdle: -1, offTime: -1, minIdle: -1}
	for _, p := range params {
		n, err := int64(0), error(nil)
		if len(p.Values) > 0 {
			n, err = p.Int()
		}
		switch p.Key {
		case "rate":
			c.Rate, err = byteRate(n)
		case "weight":
			c.Weight, err = trace.Fit[uint64](n)
		case "allot":
			c.Allot, err = trace.Fit[uint32](n)
		case "prio":
			c.Prio, err = trace.Fit[int](n)
		case "avpkt":
			c.AvgPacket, err = trace.Fit[uint32](n)
		case "ewma":
			c.EWMA = new(int(n))
		case "maxidle":
			idle.maxIdle = n
		case "offtime":
			idle.offTime = n
		case "minidle":
			idle.minIdle = n
		case "bounded":
			c.Bounded = true
		case "isolated":
			c.Isolated = true
		default:
			err = trace.Missing("option %s", p.Key)
		}
		if err != nil {
			return err
		}
	}
	idle.set(&c, all)
	*cfg = c.Config()
	return nil
}

// cbqTick is the unit of the idle times, in nanoseconds.
const cbqTick = 64

// cbqIdle are idle times as they are handed to the kernel, in ticks, maxIdle
// and minIdle times 2^ewma; -1: not named.
type cbqIdle struct{ maxIdle, offTime, minIdle int64 }

// set finds the bursts that they came from, by tc's formulas backwards.
func (i cbqIdle) set(c *cbq.TCClass, all cbq.Config) {
	ewma, avpkt := *all.EWMA, float64(all.AvgPacket)
	if c.EWMA != nil {
		ewma = *c.EWMA
	}
	if c.AvgPacket != 0 {
		avpkt = float64(c.AvgPacket)
	}
	scale := math.Pow(2, float64(ewma))
	g := -math.Log(1 - 1/scale)
	// How much longer a packet takes at the class's rate than on the link.
	more := avpkt * 8e9 * (1/float64(c.Rate) - 1/float64(all.Bandwidth))
	if more > 0 && i.maxIdle >= 0 {
		c.MaxBurst = int(math.Round(math.Log1p(float64(i.maxIdle)*cbqTick/scale/more) / g))
	}
	if wait := float64(i.offTime) * cbqTick; more > 0 && wait > more {
		c.MinBurst = 1 + int(math.Round(math.Log1p((wait/more-1)/scale)/g))
	}
	if i.minIdle >= 0 { // 0 would be no bound
		c.MinIdle = time.Duration(float64(max(i.minIdle, 1)) * cbqTick / scale)
	}
}
