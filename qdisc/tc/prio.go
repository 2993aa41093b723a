package tc

import (
	"fmt"
	"strings"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/prio"
)

// parsePrio reads "[bands N] [priomap B0 B1 ...]". All words after priomap are
// bands; priorities without one keep the default.
func parsePrio(w *words) (bands int, priomap *[16]uint8, err error) {
	bands, priomap = prio.DefaultBands, new(prio.DefaultPriomap())
	for word, ok := w.next(); ok; word, ok = w.next() {
		switch word {
		case "bands":
			n, err := value(w, "bands", parseDec)
			if err != nil {
				return 0, nil, err
			}
			if n == 0 { // prio.New would take it for the default
				return 0, nil, w.errorf("bands 0: a prio has %d to %d bands", prio.MinBands, prio.MaxBands)
			}
			bands = int(min(n, 1<<16)) // prio.New has the last word
		case "priomap":
			if err := parsePriomap(w, bands, priomap); err != nil {
				return 0, nil, err
			}
		case "multiqueue":
			return 0, nil, w.errorf("multiqueue is not an option of prio any more; multiq serves several hardware queues")
		default:
			return 0, nil, w.errorf("unknown option %q; use bands, priomap", word)
		}
	}
	for priority, band := range priomap {
		if bands >= prio.MinBands && int(band) >= bands {
			return 0, nil, w.errorf("bands %d needs priomap for all priorities: by default priority %d has band %d", bands, priority, band)
		}
	}
	return bands, priomap, nil
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

func buildPrio(w *words, opt *Options) (qdisc.Qdisc, error) {
	bands, priomap, err := parsePrio(w)
	if err != nil {
		return nil, err
	}
	q, err := prio.New(prio.Config{Bands: bands, Priomap: priomap, Limit: &opt.TxQueueLen, Drops: opt.Drops, Sojourn: opt.Sojourn})
	if err != nil {
		return nil, w.errorf("%w", err)
	}
	return q, nil
}

func changePrio(q qdisc.Qdisc, w *words, opt *Options, now qdisc.Time) error {
	p := q.(*prio.Prio)
	cfg := p.Config()
	cfg.Limit = &opt.TxQueueLen
	var err error
	if cfg.Bands, cfg.Priomap, err = parsePrio(w); err != nil {
		return err
	}
	if err := p.Change(cfg, now); err != nil {
		return w.errorf("%w", err)
	}
	return nil
}

func showPrio(q qdisc.Qdisc) (options string, ok bool) {
	p, ok := q.(*prio.Prio)
	if !ok {
		return "", false
	}
	cfg := p.Config()
	return fmt.Sprintf("bands %d priomap %s", cfg.Bands, strings.Trim(fmt.Sprint(*cfg.Priomap), "[]")), true
}
