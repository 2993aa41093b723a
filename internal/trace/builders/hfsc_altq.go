package builders

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/internal/trace"
	"github.com/netsched/netsched/qdisc/fifo"
)

func init() {
	trace.RegisterALTQ("hfsc", trace.ALTQKind{Build: buildALTQHFSC, Rates: &trace.RateLevel{Defects: defects}})
}

// buildALTQHFSC makes the scheduler with the least catching up: there an upper
// limit that lags loses its credit at once.
func buildALTQHFSC(h *trace.ALTQHeader, env *trace.Env) (*trace.ALTQTarget, error) {
	q, err := hfsc.New(hfsc.Config{CatchUp: 1, Default: h.Default(), Drops: altqDrops(h, env)})
	if err != nil {
		return nil, err
	}
	q.Reset(trace.ALTQEpoch)
	for i, c := range h.Classes {
		if i+1 == altqRoot {
			continue
		}
		cfg, err := altqHFSCClass(h, c)
		if err != nil {
			return nil, err
		}
		if err := q.AddClass(uint32(i+1), cfg, trace.ALTQEpoch); err != nil {
			return nil, err
		}
	}
	root, err := altqRegulator(h, q, env)
	return &trace.ALTQTarget{Qdisc: root, Rates: trace.RateSetup{Packets: altqHFSCPackets(h)}}, err
}

// altqHFSCPackets is how many of the longest packets a class may get more or
// less than the reference within a second: one a level, as the two schedulers
// have one ancestor. Three things differ by design. A class that becomes backlogged again
// starts at a virtual time of its own there, which is what the packet a level is
// for. An upper limit that lags loses its credit at once there, and here what
// two frames need stays: two packets for each limit, and one a level at
// either end of the second. CoDel there numbers its drops by ticks of another
// clock: three packets.
func altqHFSCPackets(h *trace.ALTQHeader) int {
	depth, limits, codel := 0, 0, 0
	level := make([]int, len(h.Classes)+1)
	for i, c := range h.Classes {
		if i+1 == altqRoot {
			continue
		}
		level[i+1] = level[c.Parent] + 1
		depth = max(depth, level[i+1])
		if ul := c.Params["ul"]; ul != "0/0/0" {
			limits++
		}
		if altqQueue(h, c).Has("codel") {
			codel = 3
		}
	}
	if limits > 0 {
		depth *= 2
	}
	return depth + 2*limits + codel
}

// altqHFSCClass turns the words of a class into its configuration.
func altqHFSCClass(h *trace.ALTQHeader, c trace.ALTQClass) (cfg hfsc.ClassConfig, err error) {
	cfg.Parent = altqParent(c)
	for key, curve := range map[string]*hfsc.Curve{"rt": &cfg.RealTime, "ls": &cfg.LinkShare, "ul": &cfg.UpperLimit} {
		if *curve, err = altqCurve(c.Params[key]); err != nil {
			return cfg, fmt.Errorf("%s: %w", key, err)
		}
	}
	if !c.Inner {
		cfg.Child, err = altqRatesLeaf(h, c, fifo.Config{})
	}
	return cfg, err
}

// altqCurve reads m1/d/m2 in bits/s and milliseconds.
func altqCurve(text string) (c hfsc.Curve, err error) {
	n := strings.Split(text, "/")
	if len(n) != 3 {
		return c, fmt.Errorf("%q: want m1/d/m2", text)
	}
	if c.M1, err = altqRate(n[0]); err != nil {
		return c, err
	}
	if c.M2, err = altqRate(n[2]); err != nil {
		return c, err
	}
	ms, err := strconv.ParseUint(n[1], 10, 32)
	c.D = time.Duration(ms) * time.Millisecond
	return c, err
}
