package trace

import (
	"encoding/hex"
	"strings"
)

// replay drives a link aggregation, or the header hash alone.
func (l *Lagg) replay(r *Registry) (res Result) {
	p := newReplayer(l.Kind(), l.text, 1)
	defer p.finish(&res)
	if len(l.ops) > 0 {
		p.first = l.ops[0].line
	}
	if l.Header.HashesHeaders {
		p.hashes(l.ops, r.hash)
		return
	}
	g, err := r.lagg[l.Header.Protocol](&l.Header)
	if err != nil {
		p.check("the configuration is accepted", err)
		return
	}
	sent := map[string]int64{}
	for i := range l.ops {
		if p.result != nil {
			return
		}
		op := &l.ops[i]
		p.op = op.line
		got := LaggOutcome{verb: op.verb}
		switch op.verb {
		case "A":
			g.Join(op.port, op.number)
			got.Ports = strings.Join(g.Ports(), " ")
		case "R":
			g.Leave(op.port)
			got.Ports, got.Primary = strings.Join(g.Ports(), " "), g.Primary()
		case "N", "U":
			g.SetLink(op.port, op.verb == "U")
		case "O", "I":
			g.SetEnabled(op.port, op.verb == "I")
		case "S":
			g.SetStride(op.number)
		case "SEQ":
			g.SetSequence(op.number)
		case "T":
			ports, why := g.Transmit(op.number)
			got.Ports, got.Why = strings.Join(ports, " "), why
			for _, port := range ports {
				sent[port]++
			}
		case "X":
			if got.Why = "drop"; g.Receive(op.port) {
				got.Why = "accept"
			}
		}
		if got != op.want {
			p.diverge(op.want.String(), got.String())
		}
		p.done++
	}
	for _, c := range l.counts {
		p.compare(c, "count ", sent[c.name], true)
	}
	return
}

func (r *replayer) hashes(ops []laggOp, hash HeaderHash) {
	for i := range ops {
		op := &ops[i]
		r.op = op.line
		frame, err := hex.DecodeString(op.frame)
		r.check("a frame in hex", err)
		if got := hash(op.number, op.layers, frame); r.result == nil && got != op.want.Hash {
			r.diverge(op.want.String(), uitoa(got))
		}
		if r.result != nil {
			return
		}
		r.done++
	}
}
