package builders

import (
	"fmt"

	"github.com/netsched/netsched/internal/trace"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// leafConfig is that of a leaf queue of the second format.
func leafConfig(l trace.LeafLimit) fifo.Config {
	if l.Bytes {
		return fifo.Config{LimitBytes: &l.N}
	}
	return fifo.Config{Limit: new(int(l.N))}
}

// setLeafLimits returns a SetLimit for a parent whose leaves are FIFOs.
func setLeafLimits(q qdisc.Parent) func(qdisc.Time, uint32, trace.LeafLimit) error {
	return func(now qdisc.Time, class uint32, l trace.LeafLimit) error {
		for c, child := range q.Children() {
			leaf, ok := child.(*fifo.FIFO)
			if c != class || !ok {
				continue
			}
			err := leaf.Change(leafConfig(l), now)
			q.Sync(class, now)
			return err
		}
		return fmt.Errorf("class %d is no leaf", class)
	}
}
