// Altq shows what the queueing lines of a pf.conf do: it builds the disciplines
// that they describe, sends more than they let through, and prints what each queue
// gets beside what the file asks for and, for the file that it brings along, what
// FreeBSD's ALTQ gives.
//
//	go run ./examples/altq
//	go run ./examples/altq -conf /etc/pf.conf
//
// Time is virtual, so every run prints the same, but for what a packet costs the
// processor. Read conf.go for how to use a pf.conf, trial.go for the link and the
// senders.
package main

import (
	"flag"
	"io"

	"github.com/netsched/netsched/examples/internal/chart"
	"github.com/netsched/netsched/examples/internal/program"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/pf"
)

const usage = `Usage: altq [-conf FILE] [-interface NAME] [-speed RATE] [-cpu=false] [-chart FILE]

Builds the disciplines of the altq and queue lines of a pf.conf on a simulated link.
Each queue alone and all together send what they can, in packets of 1500, 576 and 64
bytes, with borrowing off and on. Prints the rate of each queue on the wire and of
a TCP connection's payload, and what all this costs those who do not use it.

  -conf FILE       a pf.conf (default: a queue of 5 % of 10 Mbit/s)
  -interface NAME  which interface of the file, if it has several
  -speed RATE      of the interface, such as 100Mb, if the file names no bandwidth
                   for it or a percentage
  -cpu=false       do not measure what a packet costs this computer's processor
  -chart FILE      where to write the chart, a PNG (default: netsched-altq.png in
                   the folder for temporary files); '' for none

Options of queues that are not here, such as red, are left out, and told.
`

// settings are the options of the command line.
type settings struct {
	conf string // "": the file that is here
	opt  pf.Options
	cpu  bool
}

func newProgram() program.Program {
	var s settings
	return program.Program{
		Name: "altq", Usage: usage,
		Flags: func(f *flag.FlagSet) func() error {
			f.StringVar(&s.conf, "conf", "", "")
			f.StringVar(&s.opt.Interface, "interface", "", "")
			f.TextVar(&s.opt.Speed, "speed", qdisc.Rate(0), "")
			f.BoolVar(&s.cpu, "cpu", true, "")
			return func() error { return nil }
		},
		Simulate: func(stdout, _ io.Writer) ([]chart.Panel, error) { return simulate(s, stdout) },
	}
}

func main() { newProgram().Main() }

func simulate(s settings, stdout io.Writer) ([]chart.Panel, error) {
	c, err := load(s.conf, s.opt)
	if err != nil {
		return nil, err
	}
	o := outcome{conf: c}
	if err := o.measure(); err != nil {
		return nil, err
	}
	if o.cost, err = c.measureCost(s.cpu); err != nil {
		return nil, err
	}
	o.report(stdout)
	return o.panels()
}
