package bql_test

import (
	"testing"

	"github.com/netsched/netsched/internal/qtest"
)

func TestInlining(t *testing.T) {
	qtest.Inlined(t, "(*Limiter).Queued", "(*Limiter).QueuedAt", "(*Limiter).Available", "(*Limiter).Inflight", "(*Limiter).Limit", "above")
}
