// Package qdisctest tests whether a packet scheduler or queue manager keeps
// the contract of package qdisc. It serves the disciplines of this module and
// anybody's own:
//
//	func TestContract(t *testing.T) {
//		qdisctest.TestQdisc(t, func(drops *qdisc.List) qdisc.Qdisc {
//			q, err := mine.New(mine.Config{Limit: 20, Drops: drops})
//			if err != nil {
//				t.Fatal(err)
//			}
//			return q
//		})
//	}
//
// [TestQdisc] runs everything over one discipline or tree. [TestParent] puts
// children under a parent that refuse, drop, hold back and block on purpose
// ([Chaos]). A small limit, so that it is reached, finds the most.
//
// For a discipline's own fuzz target: [Ledger] is a shadow account that knows
// where every packet must be and checks each call against it, and [Check]
// walks a tree and checks what must hold at every node.
//
// All is deterministic: the same seed makes the same calls.
package qdisctest
