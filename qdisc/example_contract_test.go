package qdisc_test

import (
	"testing"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

// The discipline that the documentation shows keeps the contract.
func TestExampleStack(t *testing.T) {
	qdisctest.TestQdisc(t, func(drops *qdisc.List) qdisc.Qdisc {
		s, err := NewStack(100, drops)
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
}
