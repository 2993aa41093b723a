package trace

import (
	"fmt"

	"github.com/netsched/netsched/qdisc"
)

// queueReplay is what the replays of disciplines share: all but those of the
// byte queue limiter and of link aggregation.
type queueReplay struct {
	*replayer
	ledger
	q   qdisc.Qdisc
	now qdisc.Time
}

// empty checks, after the run, that a reset gives back every packet.
func (p *queueReplay) empty() {
	if p.result != nil {
		return
	}
	p.op = len(p.lines)
	p.q.Reset(p.now)
	p.collect()
	p.check("a final reset empties the discipline", p.balance(p.q))
	if p.live != 0 {
		p.diverge("a final reset gives back every packet", fmt.Sprintf("%d are missing", p.live))
	}
}
