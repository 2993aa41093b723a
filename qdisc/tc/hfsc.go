package tc

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/netsched/netsched/hfsc"
)

var hfscWords = wordsOf[hfsc.Config, *hfsc.HFSC]{
	blank: func(opt *Options) hfsc.Config {
		return hfsc.Config{Compat: opt.Compat, Drops: opt.Drops, Sojourn: opt.Sojourn}
	},
	parse:  parseHFSC,
	create: hfsc.New,
	print: func(cfg hfsc.Config) string {
		if cfg.Default == 0 {
			return ""
		}
		return fmt.Sprintf("default %x", cfg.Default)
	},
}

var hfscOptions = []option{{word: "default", name: "default", prefix: true}}

// parseHFSC reads "[default N]", N the number of a class. The default stays as
// it is when it is not named; 0 takes it away.
func parseHFSC(w *words, opt *Options, cfg *hfsc.Config) error {
	given := false
	for word, ok := w.next(); ok; word, ok = w.next() {
		name, err := w.match("option", word, hfscOptions)
		if err != nil {
			return err
		}
		if given {
			return w.errorf("default is given twice")
		}
		given = true
		if cfg.Default, err = value(w, name, parseMinor); err != nil {
			return err
		}
	}
	cfg.Limit = &opt.TxQueueLen
	return nil
}

// parseMinor reads the number of a class in its discipline, with or without
// the 0x that tc takes too.
func parseMinor(word string) (uint32, error) {
	digits := strings.TrimPrefix(strings.ToLower(word), "0x")
	n, err := strconv.ParseUint(digits, 16, 16)
	if err != nil {
		return 0, errors.New("a class number is 1 to ffff, in hexadecimal; 0: none")
	}
	return uint32(n), nil
}
