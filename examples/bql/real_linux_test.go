package main

import (
	"os"
	"testing"
	"time"
)

// mustHaveNetns makes a failure of what is a skip otherwise.
const mustHaveNetns = "NETSCHED_NETNS"

// TestReal: a limiter keeps a small packet's delay at a fifth or less of what a
// send buffer makes of it, at the same throughput. A busy machine can only make
// the limiter look worse, so it has three tries.
func TestReal(t *testing.T) {
	if testing.Short() {
		t.Skip("takes real time")
	}
	p, err := newPath()
	switch {
	case err == nil:
	case os.Getenv(mustHaveNetns) != "":
		t.Fatal(err)
	default:
		t.Skip(err)
	}
	defer p.close()
	measure := func(set realSetting) measurement {
		m, err := p.measure(set, time.Second)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%+v", m)
		return m
	}
	deep, usual, automatic, single := realSettings[0], realSettings[1], realSettings[2], realSettings[3]
	free := []measurement{measure(deep), measure(usual)}
	for _, set := range []realSetting{automatic, single} {
		for try := 1; ; try++ {
			held := measure(set)
			if held.inflight > held.limit+frameLen {
				t.Errorf("%s: %d bytes in flight, limit %d", set.name, held.inflight, held.limit)
			}
			if better(held, free[0]) && better(held, free[1]) {
				break
			}
			if try == 3 {
				t.Errorf("%s: p50 %v at %.2f Mbit/s; without a limiter %v at %.2f and %v at %.2f",
					set.name, held.p50, held.mbit, free[0].p50, free[0].mbit, free[1].p50, free[1].mbit)
				break
			}
		}
	}
}

func better(held, free measurement) bool {
	return 5*held.p50 <= free.p50 && held.mbit >= .97*free.mbit
}

// TestSummarize: throughput counts what arrived after the first datagram and
// before the sender stopped, delays are those of all probes.
func TestSummarize(t *testing.T) {
	ms := time.Millisecond
	var m measurement
	err := m.summarize([]arrival{
		{at: 10 * ms, bytes: 1514},
		{at: 11 * ms, bytes: 60, probe: true, delay: 3 * ms},
		{at: 12 * ms, bytes: 1514},
		{at: 13 * ms, bytes: 60, probe: true, delay: 1 * ms},
		{at: 14 * ms, bytes: 1000},
		{at: 20 * ms, bytes: 60, probe: true, delay: 9 * ms},
	}, 15*ms)
	if err != nil {
		t.Fatal(err)
	}
	if want := (1514 + 60 + 60 + 1000) * 8 / 4e3; m.mbit != want {
		t.Errorf("%v Mbit/s, want %v", m.mbit, want)
	}
	if m.p50 != 3*ms || m.p99 != 9*ms || m.most != 9*ms {
		t.Errorf("delays %v, %v, %v", m.p50, m.p99, m.most)
	}
	if err := m.summarize([]arrival{{at: 10 * ms, bytes: 1514}}, 15*ms); err == nil {
		t.Error("a summary without probes")
	}
}
