package main

import (
	"math"

	"github.com/netsched/netsched/internal/workload"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/multiq"
)

// queues is the classful workload over n hardware queues, all of them filled,
// or the even ones while the odd ones are stopped.
func queues(n int, halfStopped bool) func() func(int) {
	return func() func(int) {
		q, err := multiq.New(multiq.Config{Bands: n, Limit: new(math.MaxInt32), Drops: new(qdisc.List)})
		must(q, err)
		var w workload.Classful
		for i := range n {
			if halfStopped && i%2 == 1 {
				q.Stop(i)
			} else {
				w.Classes = append(w.Classes, uint32(i+1))
			}
		}
		w.Setup(q)
		return w.Run
	}
}
