// Command speed compares the cost of every discipline with what the reference
// C was measured at, on the reference's own workloads.
//
// Machines differ, so the yardstick is our own pfifo: a discipline may cost
// its reference figure times max(1, our pfifo / the reference's pfifo). All
// are timed in turn, slice by slice, and the best slice of each counts.
//
//	go run ./conformance/speed [-gate] [-rounds 30]
package main

import (
	"flag"
	"fmt"
	"os"
	"time"
)

// A row is one workload: what the reference cost and what we may.
type row struct {
	name  string
	ref   float64 // ns a pair, reference C
	gate  float64 // how far above the scaled reference is too slow
	fifo  string  // the row to scale by
	setup func() func(pairs int)
}

const slice = 50_000 // pairs

func main() {
	rounds := flag.Int("rounds", 30, "slices of each workload; the best counts")
	gate := flag.Bool("gate", false, "exit 1 if a discipline is above its gate")
	flag.Parse()
	if flag.NArg() > 0 || *rounds < 1 {
		fmt.Fprintln(os.Stderr, "speed: takes -rounds N (at least 1) and -gate, nothing else")
		os.Exit(2)
	}

	best := make([]float64, len(rows))
	runs := make([]func(int), len(rows))
	byName := map[string]int{}
	for i, r := range rows {
		runs[i] = r.setup()
		byName[r.name] = i
	}
	for range *rounds {
		for i, run := range runs {
			start := time.Now()
			run(slice)
			ns := float64(time.Since(start)) / slice
			if best[i] == 0 || ns < best[i] {
				best[i] = ns
			}
		}
	}

	slow := 0
	fmt.Printf("ns per packet (one Enqueue and one Dequeue), best of %d slices of %d;\n", *rounds, slice)
	fmt.Println("scaled = ours / reference, over the same for pfifo: the machines' difference taken out")
	fmt.Printf("%-34s %8s %10s %7s %7s %6s\n", "workload", "ours", "reference", "ratio", "scaled", "gate")
	for i, r := range rows {
		base := byName[r.fifo]
		ratio := best[i] / r.ref
		scaled := ratio / max(1, best[base]/rows[base].ref)
		mark := ""
		if scaled > r.gate {
			mark = "  above the gate"
			slow++
		}
		fmt.Printf("%-34s %8.1f %10.1f %7.2f %7.2f %6.1f%s\n", r.name, best[i], r.ref, ratio, scaled, r.gate, mark)
	}
	if slow > 0 && *gate {
		os.Exit(1)
	}
}
