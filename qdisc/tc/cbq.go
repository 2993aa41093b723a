package tc

import (
	"errors"
	"math/bits"

	"github.com/netsched/netsched/cbq"
	"github.com/netsched/netsched/internal/units"
	"github.com/netsched/netsched/qdisc"
)

// cbqWords have none for the class of packets that name none: it is for the
// program to set Config.Default, and stays as it is.
var cbqWords = wordsOf[cbq.Config, *cbq.CBQ]{
	blank:  func(opt *Options) cbq.Config { return cbq.Config{Drops: opt.Drops, Sojourn: opt.Sojourn} },
	parse:  parseCBQ,
	create: cbq.New,
	print:  func(cfg cbq.Config) string { return printLink(cfg.Bandwidth) },
}

var cbqOptions = []option{
	{word: "bandwidth", name: "bandwidth", prefix: true},
	{word: "rate", name: "bandwidth", prefix: true},
	{word: "avpkt", name: "avpkt", prefix: true},
	{word: "allot", name: "allot", prefix: true},
	{word: "cell", name: "cell", prefix: true},
	{word: "mpu", name: "mpu", prefix: true},
	{word: "ewma", name: "ewma", prefix: true},
}

// parseCBQ reads the options into cfg, which keeps what is not named. Of an
// option given twice the last counts.
func parseCBQ(w *words, opt *Options, cfg *cbq.Config) error {
	for word, ok := w.next(); ok; word, ok = w.next() {
		name, err := w.match("option", word, cbqOptions)
		if err != nil {
			return err
		}
		switch name {
		case "bandwidth":
			cfg.Bandwidth, err = w.rate(name)
		case "avpkt":
			cfg.AvgPacket, err = value(w, name, parseSize)
		case "ewma":
			cfg.EWMA, err = w.ewma()
		default:
			err = w.rateTable(name)
		}
		if err != nil {
			return err
		}
	}
	switch {
	case cfg.Bandwidth == 0:
		return w.errorf("bandwidth is required, that of the link, and is at least 8bit, one byte a second")
	case cfg.AvgPacket == 0:
		return w.errorf("avpkt is required, the average length of a packet")
	}
	cfg.Limit = &opt.TxQueueLen
	return nil
}

// rate reads a rate, in whole bytes a second.
func (w *words) rate(name string) (qdisc.Rate, error) {
	bytes, err := value(w, name, parseRate)
	return qdisc.Rate(8 * bytes), err
}

func (w *words) ewma() (*int, error) {
	n, err := w.count("ewma")
	return &n, err
}

// rateTable reads what only shaped the kernel's tables of rates. None is left,
// so it is only checked.
func (w *words) rateTable(name string) error {
	parse := parseSize
	if name == "cell" {
		parse = parseCell
	}
	_, err := value(w, name, parse)
	return err
}

func parseCell(word string) (uint32, error) {
	n, err := parseSize(word)
	if err == nil && bits.OnesCount32(n) != 1 {
		err = errors.New("not a power of two")
	}
	return n, err
}

// printLink prints the class that stands for the link, as tc does for the
// discipline as well.
func printLink(bandwidth qdisc.Rate) string {
	return "rate " + units.FormatRate(uint64(bandwidth)/8) + " (bounded,isolated) prio no-transmit"
}
