package builders

import (
	"math"
	"time"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/internal/trace"
	"github.com/netsched/netsched/qdisc"
)

func init() {
	trace.RegisterLimiter(buildLimiter)
}

func buildLimiter(h *trace.AQMHeader) (trace.Limiter, error) {
	if len(h.Options) > 0 {
		return nil, trace.Missing("option %s", h.Options[0].Key)
	}
	if h.Hold > math.MaxUint32 {
		return nil, trace.Missing("a hold time of %d ticks", h.Hold)
	}
	cfg := bql.Config{Compat: qdisc.Linux, HoldTime: jiffies(h.Hold)}
	l, err := bql.New(cfg)
	if err != nil {
		return nil, err
	}
	t := &limiterTarget{l, cfg}
	t.Reset(uint64(h.Start)) // of a limiter it is in jiffies
	return t, nil
}

// jiffies returns a hold time of n ticks. None at all is what a nanosecond
// comes to: 0 would ask for the default.
func jiffies(n uint64) time.Duration { return max(time.Duration(n)*time.Millisecond, 1) }

// instant returns when the tick counter shows n.
func instant(n uint64) qdisc.Time { return qdisc.Time(min(n, uint64(qdisc.MaxTime)/1e6)) * 1e6 }

// limiterTarget translates the words of a run into calls.
type limiterTarget struct {
	*bql.Limiter
	cfg bql.Config
}

func (t *limiterTarget) Queued(n uint32) { t.Limiter.Queued(n) }

func (t *limiterTarget) Completed(n uint32, tick uint64) {
	t.Limiter.Completed(uint64(n), instant(tick))
}

func (t *limiterTarget) Reset(tick uint64) { t.Limiter.Reset(instant(tick)) }

func (t *limiterTarget) SetLimits(least, most, hold *uint32) {
	if least != nil {
		t.cfg.LimitMin = int64(*least)
	}
	if most != nil {
		t.cfg.LimitMax = new(int64(*most))
	}
	if hold != nil {
		t.cfg.HoldTime = jiffies(uint64(*hold))
	}
	if err := t.Change(t.cfg, 0); err != nil {
		panic(err) // a run beyond what the reference allows
	}
}

func (t *limiterTarget) State() trace.LimiterState {
	s := t.Limiter.State()
	return trace.LimiterState{
		Limit: int64(s.Limit), Available: s.Available,
		Queued: int64(s.NumQueued), Completed: int64(s.NumCompleted), AdjustedLimit: int64(s.AdjLimit),
		LastObject: int64(s.LastObjCnt), PrevOverLimit: int64(s.PrevOvlimit), PrevQueued: int64(s.PrevNumQueued),
		PrevLastObject: int64(s.PrevLastObj), LowestSlack: int64(s.LowestSlack), SlackStart: s.SlackStart,
	}
}
