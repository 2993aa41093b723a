package tc

import (
	"fmt"
	"strings"

	"github.com/netsched/netsched/qdisc"
)

// kind is what this package knows of one kind of discipline.
type kind struct {
	name string
	grammar
	// count reads the counters that only this kind has; nil: none.
	count func(q qdisc.Qdisc) counters
	// classes reads and prints the words of classes; nil: no command adds any.
	classes classGrammar
	// rootOnly says that it cannot be another's child.
	rootOnly bool
}

// counters is what a kind counts beyond the rest: tc prints it as a last line
// or two, and in JSON as further members.
type counters interface{ String() string }

// kinds lists every kind, in alphabetical order.
var kinds = []kind{
	{name: "bfifo", grammar: bfifo.words()},
	{name: "cake", grammar: cakeWords, count: countCake},
	{name: "cbq", grammar: cbqWords, classes: cbqClassWords},
	{name: "codel", grammar: codelWords, count: countCoDel},
	{name: "fq_codel", grammar: fqWords, count: countFQ},
	{name: "hfsc", grammar: hfscWords, classes: hfscClassWords},
	{name: "mq", grammar: mqWords, rootOnly: true},
	{name: "multiq", grammar: multiqWords},
	{name: "pfifo", grammar: pfifo.words()},
	{name: "pfifo_fast", grammar: fastWords},
	{name: "pfifo_head_drop", grammar: headDrop.words()},
	{name: "prio", grammar: prioWords},
	{name: "tbf", grammar: tbfWords},
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
