package txq

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/tbf"
)

// virtual is a clock for tests with one goroutine: waiting moves it, by late
// too far. meanwhile, if set, runs in each wait.
type virtual struct {
	t         *testing.T
	now       qdisc.Time
	late      time.Duration
	waits     int
	rung      bool
	meanwhile func(until qdisc.Time)
}

func (v *virtual) Now() qdisc.Time { return v.now }
func (v *virtual) NewTimer() Timer { return v }
func (v *virtual) Wake()           { v.rung = true }
func (v *virtual) Stop()           { v.rung = true }

func (v *virtual) Wait(until qdisc.Time) {
	v.waits++
	if v.meanwhile != nil {
		v.meanwhile(until)
	}
	if v.rung {
		v.rung = false
		return
	}
	if until >= qdisc.Blocked {
		v.t.Fatal("waiting for ever with one goroutine")
	}
	v.now = max(v.now, until.Add(v.late))
}

// returned is where tests get packets back. Free may run in several
// goroutines at once.
type returned struct {
	mu sync.Mutex
	qdisc.List
	reasons [qdisc.NumReasons]int
}

func (r *returned) free(ps *qdisc.List) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for p := ps.Pop(); p != nil; p = ps.Pop() {
		r.reasons[p.Reason]++
		r.Push(p)
	}
}

func packets(n int, size uint32) []*qdisc.Packet {
	slab := make([]qdisc.Packet, n)
	ps := make([]*qdisc.Packet, n)
	for i := range slab {
		ps[i] = &slab[i]
		ps[i].Len, ps[i].Mark = size, uint32(i)
	}
	return ps
}

// newTBF returns a token bucket of one packet of 1500 bytes.
func newTBF(t testing.TB, rate qdisc.Rate) *tbf.TBF {
	b, err := tbf.New(tbf.Config{Rate: rate, Burst: 1500, LimitBytes: new(int64(1 << 40))})
	require.NoError(t, err)
	return b
}

func newQueue(t testing.TB, cfg Config) *Queue {
	q, err := New(cfg)
	require.NoError(t, err)
	return q
}
