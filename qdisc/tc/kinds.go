package tc

import (
	"fmt"
	"strings"

	"github.com/netsched/netsched/qdisc"
)

// kind is what this package knows of one kind of discipline.
type kind struct {
	name string
	// build makes a discipline from the option words.
	build func(w *words, opt *Options) (qdisc.Qdisc, error)
	// change applies option words to a discipline of the kind, as "tc qdisc
	// change" does.
	change func(q qdisc.Qdisc, w *words, opt *Options, now qdisc.Time) error
	// show prints the options; ok tells whether q is of the kind.
	show func(q qdisc.Qdisc) (options string, ok bool)
	// count reads the counters that only this kind has; nil: none.
	count func(q qdisc.Qdisc) counters
	// rootOnly says that it cannot be another's child.
	rootOnly bool
}

// counters is what a kind counts beyond the rest: tc prints it as a last line
// or two, and in JSON as further members.
type counters interface{ String() string }

// kinds lists every kind, in alphabetical order.
var kinds = []kind{
	{"bfifo", bfifo.build, bfifo.change, bfifo.show, nil, false},
	{"cake", buildCake, changeCake, showCake, countCake, false},
	{"codel", buildCoDel, changeCoDel, showCoDel, countCoDel, false},
	{"fq_codel", buildFQ, changeFQ, showFQ, countFQ, false},
	{"mq", buildMQ, changeMQ, showMQ, nil, true},
	{"multiq", buildMultiq, changeMultiq, showMultiq, nil, false},
	{"pfifo", pfifo.build, pfifo.change, pfifo.show, nil, false},
	{"pfifo_fast", buildFast, changeFast, showFast, nil, false},
	{"pfifo_head_drop", headDrop.build, headDrop.change, headDrop.show, nil, false},
	{"prio", buildPrio, changePrio, showPrio, nil, false},
	{"tbf", buildTBF, changeTBF, showTBF, nil, false},
}

// cutKind reads the kind that list starts with; the rest are its options.
func cutKind(list []string) (*kind, *words, error) {
	if len(list) == 0 {
		return nil, nil, fmt.Errorf("the kind is missing; use %s", kindNames())
	}
	for i := range kinds {
		if k := &kinds[i]; k.name == list[0] {
			return k, &words{kind: k.name, rest: list[1:]}, nil
		}
	}
	return nil, nil, fmt.Errorf("unknown kind %q; use %s", list[0], kindNames())
}

func kindNames() string {
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return strings.Join(names, ", ")
}

// Show prints the kind and options of q as tc does, such as "tbf rate 10Mbit
// burst 5Kb lat 50ms". It is for reading: tc rounds, and has no words for some
// of what a Config can say. A kind that tc does not have is shown by its Go
// type.
func Show(q qdisc.Qdisc) string {
	k, options := describe(q)
	return strings.TrimSuffix(k.name+" "+options, " ")
}

func describe(q qdisc.Qdisc) (k *kind, options string) {
	for i := range kinds {
		if options, ok := kinds[i].show(q); ok {
			return &kinds[i], options
		}
	}
	return &kind{name: fmt.Sprintf("%T", q)}, ""
}
