package qdisctest

import (
	"fmt"
	"strings"

	"github.com/netsched/netsched/qdisc"
)

// trail keeps the latest calls for the message of a failure.
type trail struct {
	steps [24]step
	n     int
}

type step struct {
	what   string
	packet uint32 // serial number; 0: none
	length uint32
	now    qdisc.Time
	result string
}

func (t *trail) add(what string, now qdisc.Time) *step {
	s := &t.steps[t.n%len(t.steps)]
	t.n++
	*s = step{what: what, now: now}
	return s
}

func (s *step) on(e *entry) {
	if e != nil {
		s.packet, s.length = e.serial, e.length
	}
}

func (t *trail) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nat call %d; the latest:", t.n)
	for i := max(0, t.n-len(t.steps)); i < t.n; i++ {
		s := &t.steps[i%len(t.steps)]
		fmt.Fprintf(&b, "\n  %-9s at %v", s.what, int64(s.now))
		if s.packet != 0 {
			fmt.Fprintf(&b, " packet %d (%d bytes)", s.packet, s.length)
		}
		if s.result != "" {
			fmt.Fprintf(&b, ": %s", s.result)
		}
	}
	return b.String()
}
