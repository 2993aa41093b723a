package qdisctest_test

import (
	"testing"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

func TestChaos(t *testing.T) {
	all := qdisctest.AllFaults
	looks := all
	looks.Looks = true
	for _, c := range []struct {
		name   string
		faults qdisctest.Faults
		kind   qdisctest.Kind
	}{
		{"None", qdisctest.Faults{}, qdisctest.Parking},
		{"NoneLooking", qdisctest.Faults{Looks: true}, qdisctest.Looking},
		{"All", all, qdisctest.Parking},
		{"AllLooking", looks, qdisctest.Looking},
	} {
		t.Run(c.name, func(t *testing.T) {
			qdisctest.TestQdisc(t, func(drops *qdisc.List) qdisc.Qdisc {
				return qdisctest.NewChaos(7, c.faults, drops)
			}, qdisctest.Peeks(c.kind))
		})
	}
}
