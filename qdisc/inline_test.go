package qdisc_test

import (
	"testing"

	"github.com/netsched/netsched/internal/qtest"
)

// TestInlining: the verbs that every packet passes cost no call.
func TestInlining(t *testing.T) {
	qtest.Inlined(t,
		"(*List).Push", "(*List).Pop", "(*List).Empty", "(*List).Head",
		"(*Base).Clock", "(*Base).Arrive", "(*Base).Accept", "(*Base).Release", "(*Base).Sent",
		"(*Base).Len", "(*Base).Backlog", "(*Base).Park", "(*Base).Unpark", "(*Base).ReadyAt",
		"(*Child).Held", "Time.Add", "Time.Sub",
	)
}
