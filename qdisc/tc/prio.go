package tc

import (
	"fmt"
	"strings"

	"github.com/netsched/netsched/qdisc/prio"
)

var prioWords = wordsOf[prio.Config, *prio.Prio]{
	blank:  func(opt *Options) prio.Config { return prio.Config{Drops: opt.Drops, Sojourn: opt.Sojourn} },
	parse:  parsePrio,
	create: prio.New,
	print: func(cfg prio.Config) string {
		return fmt.Sprintf("bands %d priomap %s", cfg.Bands, strings.Trim(fmt.Sprint(*cfg.Priomap), "[]"))
	},
}

// parsePrio reads "[bands N] [priomap B0 B1 ...]". All words after priomap are
// bands; priorities without one have the default, after a change as well.
func parsePrio(w *words, opt *Options, cfg *prio.Config) error {
	bands, priomap := prio.DefaultBands, new(prio.DefaultPriomap())
	for word, ok := w.next(); ok; word, ok = w.next() {
		switch word {
		case "bands":
			n, err := value(w, "bands", parseDec)
			if err != nil {
				return err
			}
			if n == 0 { // prio.New would take it for the default
				return w.errorf("bands 0: a prio has %d to %d bands", prio.MinBands, prio.MaxBands)
			}
			bands = int(min(n, 1<<16)) // prio.New has the last word
		case "priomap":
			if err := parsePriomap(w, bands, priomap); err != nil {
				return err
			}
		case "multiqueue":
			return w.errorf("multiqueue is not an option of prio any more; multiq serves several hardware queues")
		default:
			return w.errorf("unknown option %q; use bands, priomap", word)
		}
	}
	for priority, band := range priomap {
		if bands >= prio.MinBands && int(band) >= bands {
			return w.errorf("bands %d needs priomap for all priorities: by default priority %d has band %d", bands, priority, band)
		}
	}
	cfg.Bands, cfg.Priomap, cfg.Limit = bands, priomap, &opt.TxQueueLen
	return nil
}

func parsePriomap(w *words, bands int, priomap *[16]uint8) error {
	i := 0
	for word, ok := w.next(); ok; word, ok = w.next() {
		n, err := parseDec(word)
		switch {
		case word == "bands":
			return w.errorf("bands must come before priomap")
		case err != nil:
			return w.errorf("priomap %q: %w; give the band of each priority", word, err)
		case i == len(priomap):
			return w.errorf("priomap: %q is one band too many; there are 16 priorities", word)
		case int64(n) >= int64(bands):
			return w.errorf("priomap: there is no band %d; with bands %d they are 0 to %d", n, bands, bands-1)
		}
		priomap[i] = uint8(min(n, 255)) // such a number of bands is refused later
		i++
	}
	if i == 0 {
		return w.errorf("priomap needs the band of each priority")
	}
	return nil
}
