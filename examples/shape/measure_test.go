package main

import (
	"io"
	"testing"
	"time"

	"github.com/netsched/netsched/qdisc"
)

// needSockets skips where UDP sockets on the loopback interface are not to be
// had.
func needSockets(t *testing.T) {
	t.Helper()
	c, err := listenLoopback()
	if err != nil {
		t.Skipf("no UDP socket on the loopback interface: %v", err)
	}
	c.Close()
}

// TestShapedRuns sends real packets in real time. What an idle machine does is
// asserted of runs that the machine did not disturb, the rest of all.
func TestShapedRuns(t *testing.T) {
	needSockets(t)
	one, undisturbed1 := shapedRun(t, 0)
	shared, undisturbed2 := shapedRun(t, 1)
	turns, undisturbed3 := shapedRun(t, 2)
	bands, undisturbed4 := shapedRun(t, 3)
	fifo := one.flows[voice]
	for _, r := range []*result{turns, bands} {
		f := r.flows[voice]
		if f.dropped != 0 {
			t.Errorf("%s lost %d voice packets", r.name, f.dropped)
		}
		if f.arrived == 0 || f.p50*5 > fifo.p50 {
			t.Errorf("voice p50: FIFO %v, %s %v; want at least 5 times less", fifo.p50, r.name, f.p50)
		}
	}
	// What drops do not slow down keeps a lone CoDel's queue near its limit.
	if f := shared.flows[voice]; f.p50*4 < fifo.p50 {
		t.Errorf("voice p50: FIFO %v, %s %v; want about the same", fifo.p50, shared.name, f.p50)
	}
	if !undisturbed1 || !undisturbed2 || !undisturbed3 || !undisturbed4 {
		t.Skipf("rate and p99 not judged: this machine left the transmitter waiting for a processor for %v, %v, %v and %v", one.late, shared.late, turns.late, bands.late)
	}
	for _, r := range []*result{one, shared, turns, bands} {
		if share := r.rate / float64(r.set); share < 0.97 {
			t.Errorf("%s: measured rate is %.2f %% of the rate set", r.name, 100*share)
		}
	}
	for _, r := range []*result{turns, bands} {
		if f := r.flows[voice]; f.p99*5 > fifo.p99 {
			t.Errorf("voice p99: FIFO %v, %s %v; want at least 5 times less", fifo.p99, r.name, f.p99)
		}
	}
}

// shapedRun measures a candidate of the default plan, up to three times if
// the transmitter was later than the line can make up for.
func shapedRun(t *testing.T, candidate int) (r *result, undisturbed bool) {
	t.Helper()
	o := &options{rate: 20 * qdisc.Mbit, time: time.Second}
	for attempt := 0; attempt < 3 && !undisturbed; attempt++ {
		plan, err := o.plan()
		if err != nil {
			t.Fatal(err)
		}
		if r, err = measure(t.Context(), o, plan[candidate], newProgress(io.Discard)); err != nil {
			t.Fatal(err)
		}
		// A burst and a catch-up on top of the rate are allowed.
		if share, most := r.rate/float64(r.set), 1+burstTime.Seconds()+catchup.Seconds(); share > most {
			t.Errorf("%s: measured rate is %.2f %% of the rate set", r.name, 100*share)
		}
		if r.missing != 0 {
			t.Errorf("%s: the sockets lost %d datagrams", r.name, r.missing)
		}
		if bulk := r.flows[len(r.flows)-1]; bulk.loss() < 40 {
			t.Errorf("%s: %.1f %% of the bulk flow lost, want about two thirds", r.name, bulk.loss())
		}
		undisturbed = r.late <= burstTime+catchup
	}
	return r, undisturbed
}

// The receiver must not take what others send to its port for a flow's.
func TestReadHeader(t *testing.T) {
	b := make([]byte, headerLen)
	header{flow: 2, sent: time.Hour}.write(b)
	if h, ok := readHeader(b); !ok || h != (header{2, time.Hour}) {
		t.Errorf("read back %v, %v", h, ok)
	}
	if _, ok := readHeader(b[:headerLen-1]); ok {
		t.Error("a short datagram was taken for a flow's")
	}
	b[0] = byte(len(flows))
	if _, ok := readHeader(b); ok {
		t.Error("an unknown flow was accepted")
	}
}
