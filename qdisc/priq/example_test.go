package priq_test

import (
	"fmt"

	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/priq"
)

// Two classes of pf.conf's,
//
//	queue bulk priority 1  priq(default codel)
//	queue ssh  priority 10 priq
//
// of which the second goes first.
func Example() {
	const bulk, ssh = 1, 2
	managed, err := codel.New(codel.Config{Limit: new(priq.DefaultLimit)})
	if err != nil {
		fmt.Println(err)
		return
	}
	q, err := priq.New(priq.Config{Default: bulk})
	if err == nil {
		err = q.AddClass(bulk, priq.ClassConfig{Priority: 1, Child: managed}, 0)
	}
	if err == nil {
		err = q.AddClass(ssh, priq.ClassConfig{Priority: 10}, 0)
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range []*qdisc.Packet{
		{Len: 1500, Payload: "backup"},
		{Len: 100, Class: ssh, Payload: "keystroke"},
		{Len: 1500, Payload: "more backup"},
	} {
		q.Enqueue(p, 0)
	}
	for p := q.Dequeue(0); p != nil; p = q.Dequeue(0) {
		fmt.Println(qdisc.Value[string](p))
	}
	// Output:
	// keystroke
	// backup
	// more backup
}
