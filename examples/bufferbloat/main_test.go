package main

import (
	"testing"
	"time"

	"github.com/netsched/netsched/examples/internal/chart"
	"github.com/netsched/netsched/examples/internal/program/programtest"
)

// TestPromises: what the closing words of the report say.
func TestPromises(t *testing.T) {
	var lines []*line
	for _, d := range disciplines() {
		l, err := simulate(d)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
	}
	fifo, codel, fq := lines[0], lines[1], lines[2]
	median := func(l *line) time.Duration { return l.ping.RTT.Quantile(0.5) }
	if median(fifo) < time.Second || fifo.sent == fifo.burst.Packets {
		t.Errorf("FIFO: median %v, %d of %d burst packets lost", median(fifo), fifo.sent-fifo.burst.Packets, fifo.sent)
	}
	if median(codel) > 50*time.Millisecond || codel.ping.RTT.Quantile(0.99) > 150*time.Millisecond {
		t.Errorf("CoDel: median %v, p99 %v", median(codel), codel.ping.RTT.Quantile(0.99))
	}
	// A ping behind at most one bulk packet and two quanta of a burst.
	if fq.ping.RTT.Max() > 45*time.Millisecond || fq.ping.Sent() != fq.ping.Received() || fq.sent != fq.burst.Packets {
		t.Errorf("FQ-CoDel: max %v, %d of %d pings and %d of %d burst packets arrived",
			fq.ping.RTT.Max(), fq.ping.Received(), fq.ping.Sent(), fq.burst.Packets, fq.sent)
	}
	for _, l := range lines {
		if share := float64(l.bulk.Acked) / float64(fifo.bulk.Acked); share < 0.95 {
			t.Errorf("%s: the bulk transfer gets %.2f of what it gets through the FIFO", l.name, share)
		}
	}
}

func TestProgram(t *testing.T) {
	programtest.Test(t, bufferbloat, nil, []string{" FIFO of 1000 ", " CoDel ", " FQ-CoDel "})
	if len(chart.Colors) < len(disciplines()) {
		t.Error("two lines of one color")
	}
}
