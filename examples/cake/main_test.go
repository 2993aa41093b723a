package main

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/netsched/netsched/cake"
	"github.com/netsched/netsched/examples/internal/program/programtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/netsim"
)

// TestPromises: what the closing words of the report say.
func TestPromises(t *testing.T) {
	var homes []*home
	for _, d := range disciplines {
		h, err := simulate(d)
		if err != nil {
			t.Fatal(err)
		}
		homes = append(homes, h)
	}
	fifo, fq, cake := homes[0], homes[1], homes[2]
	if d := fifo.call.Delay.Quantile(0.5); d < 500*time.Millisecond {
		t.Errorf("FIFO: the call takes only %v", d)
	}
	for _, h := range []*home{fq, cake} {
		for name, m := range map[string]*netsim.Meter{"call": h.call, "game": h.game} {
			// Three packets of 4 ms before it are the most that there should be.
			if d := m.Delay.Quantile(0.99); d > oneWay+12*time.Millisecond {
				t.Errorf("%s: 99 %% of the %s take up to %v", h.name, name, d)
			}
		}
		if lost(h.call, h.calls) != "0.0 %" || lost(h.game, h.games) != "0.0 %" {
			t.Errorf("%s: the call loses %s, the game %s", h.name, lost(h.call, h.calls), lost(h.game, h.games))
		}
	}
	if share := goodput(fq.upload) / goodput(append(fq.backup, fq.upload)...); math.Abs(share-0.2) > 0.04 {
		t.Errorf("FQ-CoDel: the upload gets %.2f of the line, 1 of 5 flows", share)
	}
	if up, back := goodput(cake.upload), goodput(cake.backup...); up < 4*back || back < 3.0/16 {
		t.Errorf("CAKE: the upload gets %.2f Mbit/s, the backup %.2f", up, back)
	}
}

// TestShares: with all three tins full, each gets its share of the rate.
func TestShares(t *testing.T) {
	const rate = 16 * qdisc.Mbit
	s := netsim.New(1)
	q, err := cake.New(cake.Config{Bandwidth: rate, Rand: rand.NewPCG(1, 1)})
	if err != nil {
		t.Fatal(err)
	}
	link, err := netsim.NewLink(s, netsim.LinkConfig{Rate: qdisc.Gbit, Qdisc: q})
	if err != nil {
		t.Fatal(err)
	}
	shares := map[uint8]float64{bulkDS: 1, 0: 11, voiceDS: 4} // sixteenths
	meters := map[uint8]*netsim.Meter{}
	for ds := range shares {
		meters[ds] = netsim.NewMeter(s)
		_, err := netsim.NewSource(s, netsim.SourceConfig{
			Via: link, To: meters[ds], Pattern: netsim.CBR{Rate: rate},
			Packet: qdisc.Packet{Flow: uint32(ds) * 0x9e3779b1, DSField: ds, Len: 1000, Proto: 17},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	s.Run(qdisc.Time(30 * time.Second))
	for ds, sixteenths := range shares {
		got := float64(meters[ds].Bytes) * 8 / 30
		if want := sixteenths / 16 * float64(rate); math.Abs(got/want-1) > 0.1 {
			t.Errorf("DS field %#02x gets %.2f Mbit/s, its share is %.2f", ds, got/1e6, want/1e6)
		}
	}
}

func TestProgram(t *testing.T) {
	programtest.Test(t, homeLine, nil, []string{" FIFO of 1000 ", " FQ-CoDel ", " CAKE ", "bandwidth 3Mbit diffserv3 triple-isolate", "\n  pk_delay "})
}
