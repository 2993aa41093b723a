package prio_test

import (
	"fmt"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/prio"
)

// Three bands, chosen by DSCP: voice first, bulk last.
func Example() {
	q, err := prio.New(prio.Config{
		Classify: func(p *qdisc.Packet) uint32 {
			switch p.DSField >> 2 {
			case 46: // EF
				return 1
			case 8: // CS1
				return 3
			}
			return 2
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range []*qdisc.Packet{
		{Len: 1500, DSField: 8 << 2, Payload: "backup"},
		{Len: 1500, Payload: "web page"},
		{Len: 200, DSField: 46 << 2, Payload: "voice"},
		{Len: 1500, Payload: "web image"},
	} {
		q.Enqueue(p, 0)
	}
	for p := q.Dequeue(0); p != nil; p = q.Dequeue(0) {
		fmt.Println(qdisc.Value[string](p))
	}
	// Output:
	// voice
	// web page
	// web image
	// backup
}
