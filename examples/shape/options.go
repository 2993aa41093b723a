package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"time"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/tc"
)

// options are the command line.
type options struct {
	qdisc           string
	rate            qdisc.Rate
	time            time.Duration // 0: not given
	listen, forward netip.AddrPort
}

const usage = `Usage: shape [-qdisc 'tc option line'] [-rate 10mbit] [-time 3s]
       shape -listen ADDR:PORT -forward ADDR:PORT [-qdisc ...] [-rate ...] [-time ...]

Without -listen, three flows (voice, web, bulk) share a shaped transmit queue
and a table shows how long each one's packets took. All sockets are on the
loopback interface. Packets are charged payload + 28 bytes (IPv4 and UDP).

With -listen and -forward, it is a one-way UDP relay: datagrams that arrive at
the one address leave for the other at the given rate, through prio or the
discipline given. Datagrams of up to 256 bytes of payload are class 1, of 1000
or more class 3, others class 2; each source address and port is a flow.
Datagrams longer than the line carries in 10 ms (but at least 5000 bytes) are
dropped, and replies are not relayed. An address without a host is on 127.0.0.1.
It ends at Ctrl-C, or after -time.

  -qdisc LINE     the discipline under the shaper, as tc would be given it,
                  such as 'prio bands 3' or 'fq_codel limit 50'; voice, web and
                  bulk are classes 1, 2 and 3, with priorities 6, 0 and 2, and
                  have a flow each; without, pfifo, codel, fq_codel, cake and
                  prio take turns (for a relay, prio)
  -rate RATE      the line's rate, 10mbit by default
  -time DURATION  how long to measure each run (default 3s) or to relay
`

// parse reads the command line. flag.ErrHelp means that help was asked for.
func parse(args []string) (*options, error) {
	o := &options{rate: 10 * qdisc.Mbit}
	var listen, forward string
	f := flag.NewFlagSet("shape", flag.ContinueOnError)
	f.SetOutput(io.Discard) // the caller prints the error, once
	f.StringVar(&o.qdisc, "qdisc", "", "")
	f.TextVar(&o.rate, "rate", o.rate, "")
	f.Func("time", "", func(s string) (err error) {
		if o.time, err = time.ParseDuration(s); err != nil {
			return errors.New("not a duration, such as 5s or 1m30s")
		}
		return nil
	})
	f.StringVar(&listen, "listen", "", "")
	f.StringVar(&forward, "forward", "", "")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	given := make(map[string]bool)
	f.Visit(func(x *flag.Flag) { given[x.Name] = true })

	switch {
	case f.NArg() > 0:
		return nil, fmt.Errorf("unexpected argument %q; put a discipline's words in quotes: -qdisc 'prio bands 3'", f.Arg(0))
	case given["time"] && o.time <= 0:
		return nil, fmt.Errorf("-time %v: must be more than 0, such as 5s", o.time)
	case given["time"] && o.time < minTime && !given["listen"] && !given["forward"]:
		return nil, fmt.Errorf("-time %v: too short to measure; give %v or more", o.time, minTime)
	case given["listen"] && listen == forward:
		return nil, fmt.Errorf("-forward %s: a relay to itself would go round for ever", forward)
	case given["listen"] != given["forward"]:
		return nil, errors.New("-listen and -forward go together: a relay needs both addresses")
	}
	least, most := minRate, maxRate
	if given["listen"] {
		least, most = minRelayRate, maxRelayRate
	}
	if o.rate < least || o.rate > most {
		return nil, fmt.Errorf("-rate %v: must be between %v and %v", o.rate, least, most)
	}
	if given["qdisc"] {
		if _, err := o.discipline(); err != nil {
			return nil, err
		}
	}
	if given["listen"] {
		var err error
		if o.listen, err = address("-listen", listen); err != nil {
			return nil, err
		}
		if o.forward, err = address("-forward", forward); err != nil {
			return nil, err
		}
		if o.forward.Port() == 0 || !o.forward.Addr().IsValid() {
			return nil, fmt.Errorf("-forward %s: needs an address and a port", forward)
		}
	}
	return o, nil
}

// The voice and web flows take 484 kbit/s together, and one UDP socket carries
// about 1 Gbit/s. A relay's line may be slower.
const (
	minRate      = 500 * qdisc.Kbit
	maxRate      = qdisc.Gbit
	minRelayRate = 8 * qdisc.Kbit
	maxRelayRate = 10 * qdisc.Gbit
)

// minTime holds some tens of voice packets, so that a p99 means something.
const minTime = time.Second

func (o *options) relay() bool { return o.listen.IsValid() }

// discipline builds what the -qdisc line says.
func (o *options) discipline() (qdisc.Qdisc, error) {
	if strings.TrimSpace(o.qdisc) == "" {
		return nil, errors.New("-qdisc: an empty line names no discipline")
	}
	q, err := tc.New(o.qdisc, tc.Options{})
	if err != nil {
		return nil, fmt.Errorf("-qdisc %q: %w", o.qdisc, err)
	}
	return q, nil
}

// address reads host:port, where the host is an IP address or localhost.
func address(name, s string) (netip.AddrPort, error) {
	if port, ok := strings.CutPrefix(s, "localhost:"); ok {
		s = "127.0.0.1:" + port
	}
	if strings.HasPrefix(s, ":") {
		s = "127.0.0.1" + s
	}
	a, err := netip.ParseAddrPort(s)
	if err != nil {
		return a, fmt.Errorf("%s %q: not an address and port, such as 127.0.0.1:5000", name, s)
	}
	return a, nil
}
