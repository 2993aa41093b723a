package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/netsched/netsched/qdisc"
)

func TestReport(t *testing.T) {
	ms := time.Millisecond
	row := func(name string, offered, dropped int64, p50, p99, top time.Duration) flowResult {
		return flowResult{name, offered, dropped, uint64(offered - dropped), p50, p99, top}
	}
	results := []result{
		{name: "pfifo limit 1000", about: "one queue for all", voice: "in one queue", set: 10 * qdisc.Mbit, rate: 9.9987e6, missing: 3, flows: []flowResult{
			row("voice", 250, 83, 956*ms, 969*ms, 970*ms), row("web", 200, 200, 0, 0, 0), row("bulk", 15241, 10196, 970*ms, 970*ms, 970*ms)}},
		{name: "prio bands 3", voice: "in a band before it", set: 10 * qdisc.Mbit, rate: 9.5e6, idle: 2, flows: []flowResult{
			row("voice", 250, 0, 180*time.Microsecond, ms, 2*ms), row("web", 200, 0, 5*ms, 10*ms, 10*ms), row("bulk", 0, 0, 0, 0, 0)}},
	}
	var b strings.Builder
	report(&b, results)
	want := `Each datagram counts as its payload and 28 bytes of IPv4 and UDP headers.
Delays are from sender to receiver; p50 and p99 are rounded up by 3 % at most.

tbf rate 10Mbit over pfifo limit 1000: one queue for all
measured rate 9.999 Mbit/s, 99.99 % of the rate set
3 datagrams were lost between the two sockets.
    flow   offered      lost      p50      p99      max
   voice       250    33.2 %   956 ms   969 ms   970 ms
     web       200   100.0 %        -        -        -
    bulk     15241    66.9 %   970 ms   970 ms   970 ms

tbf rate 10Mbit over prio bands 3
measured rate 9.500 Mbit/s, 95.00 % of the rate set
The queue ran empty 2 times, so the line was not always busy.
    flow   offered    lost       p50       p99       max
   voice       250   0.0 %   0.18 ms    1.0 ms    2.0 ms
     web       200   0.0 %    5.0 ms   10.0 ms   10.0 ms
    bulk         0   0.0 %         -         -         -

On the same line at the same rate,
in one queue, 33 % of the voice packets are lost and 99 % of the others take at most 969 ms;
in a band before it, no voice packet is lost and 99 % take at most 1.0 ms.
`
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	results = results[:1]
	results[0].flows[voice].arrived = 0
	if got := summary(results); got != "Beside a bulk flow of 3 times the line's rate, no voice packet arrives." {
		t.Errorf("summary of one run: %q", got)
	}
}

// A file that is no terminal gets whole lines, and so does any other writer.
func TestProgressLines(t *testing.T) {
	f, err := os.Create(t.TempDir() + "/progress")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p := newProgress(f)
	p.show("%d packets", 1)
	p.show("%d packets", 2)
	p.done()
	got, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != "1 packets\n2 packets\n" {
		t.Errorf("got %q", got)
	}
	var b strings.Builder
	terminal := &progress{w: &b, terminal: true}
	terminal.show("%d packets", 1)
	terminal.show("%d packets", 2)
	terminal.done()
	if want := "\r1 packets\x1b[K\r2 packets\x1b[K\n"; b.String() != want {
		t.Errorf("on a terminal: got %q, want %q", b.String(), want)
	}
}
