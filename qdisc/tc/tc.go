// Package tc reads the option words of Linux's tc command and builds
// disciplines from them, and prints disciplines as tc does.
//
//	q, err := tc.New("tbf rate 10mbit burst 5kb latency 50ms", tc.Options{})
//
// Units are tc's: rates in bit/s unless they end in "bps", with powers of
// 1000; sizes in bytes, with powers of 1024; times in microseconds. tc keeps
// rates in whole bytes a second and so does this package. What tc refuses is
// refused here, by a sentence that names the word and what would be right; so
// is a rate in percent, as there is no device to take a share of.
//
// The kinds: bfifo, cake, cbq, codel, fq_codel, hfsc, mq, multiq, pfifo,
// pfifo_fast, pfifo_head_drop, prio, tbf.
//
// [Build] reads whole scripts, with class commands, and makes a [Tree]. A class
// 1:10 is number 0x10 in the discipline 1:, which sends a packet there whose
// Packet.Class is 0x10, or its Config.Classify says so. In a tree of several
// disciplines with classes all read the same Packet.Class unless given a
// Classify of their own, by [Tree.Find] and the discipline's Change; commands
// leave it as it is.
package tc

import (
	"fmt"
	"math"
	"strings"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/multiq"
)

// DefaultMTU is the device MTU of Ethernet with its link header, in bytes.
const DefaultMTU = 1514

// Options is what tc takes from the device, and what its words cannot say. The
// zero value is an Ethernet device.
type Options struct {
	TxQueueLen int // default limit in packets; 0: 1000
	MTU        int // longest packet with its link header, in bytes; 0: DefaultMTU
	TxQueues   int // hardware queues, to 65536; 0: 1. mq and multiq need several

	// Header returns a packet's bytes from its IP header on: see cake.Config. The
	// ACK filter of cake needs it.
	Header func(*qdisc.Packet) []byte
	// Split cuts a super-packet into segments, for cake (split-gso) and for tbf:
	// see cake.Config and tbf.Config. nil: none is cut.
	Split func(p *qdisc.Packet, segs *qdisc.List)

	Compat  qdisc.Compat     // whose arithmetic to follow, where a kind has both
	Drops   *qdisc.List      // takes the dropped packets of the discipline or tree; nil: none
	Sojourn *qdisc.Histogram // records the waiting time of each packet sent; nil: none
}

// New builds a discipline from one line: the kind and its options.
func New(words string, opt Options) (qdisc.Qdisc, error) {
	opt, err := opt.resolve()
	if err != nil {
		return nil, err
	}
	list := strings.Fields(words)
	k, w, err := cutKind(list)
	if err != nil {
		return nil, err
	}
	return k.build(w, &opt)
}

// resolve fills in the defaults.
func (o Options) resolve() (Options, error) {
	var errs qdisc.ConfigErrors
	if o.TxQueueLen < 0 {
		errs.Add("TxQueueLen", o.TxQueueLen, "a queue length is 1 packet or more; 0 means 1000")
	}
	if o.MTU < 0 || o.MTU > qdisc.MaxLen {
		errs.Add("MTU", o.MTU, fmt.Sprintf("a packet has 1 to %d bytes; 0 means %d", qdisc.MaxLen, DefaultMTU))
	}
	if o.TxQueues < 0 || o.TxQueues > multiq.MaxBands {
		errs.Add("TxQueues", o.TxQueues, fmt.Sprintf("a device has 1 to %d hardware queues; 0 means 1", multiq.MaxBands))
	}
	if o.TxQueues == 0 {
		o.TxQueues = 1
	}
	if o.TxQueueLen == 0 {
		o.TxQueueLen = fifo.DefaultLimit
	}
	if o.MTU == 0 {
		o.MTU = DefaultMTU
	}
	if o.MTU > 0 && int64(o.TxQueueLen) > math.MaxInt64/int64(o.MTU) {
		errs.Add("TxQueueLen", o.TxQueueLen, "times the MTU, the default limit in bytes, it must stay below 2^63")
	}
	return o, errs.Err()
}
