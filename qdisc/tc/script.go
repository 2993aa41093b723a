package tc

import (
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/netsched/netsched/qdisc"
)

// Build builds the tree that a list of tc commands describes, a line each:
//
//	tc qdisc add dev eth0 root handle 1: tbf rate 10mbit burst 5kb latency 50ms
//	tc qdisc add dev eth0 parent 1:1 handle 10: hfsc default 20
//	tc class add dev eth0 parent 10: classid 10:20 hfsc ls rate 8mbit
//	tc qdisc add dev eth0 parent 10:20 fq_codel
//
// The word tc may be left out and the device may have any name. Empty lines and
// comments, from a word that starts with # to the end of the line, are passed
// over; a backslash at its end continues a line. Nothing else is as in a shell:
// there are no variables, quotes or redirections, and the first line that is
// refused ends it. See [Tree.Run] for the commands. As in the kernel, limit and latency of a tbf are those of its default queue: a
// child that takes its place has limits of its own.
func Build(script string, opt Options) (*Tree, error) {
	opt, err := opt.resolve()
	if err != nil {
		return nil, err
	}
	t := &Tree{opt: opt}
	for number, list := range commands(script) {
		if err := t.run(list, 0); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	if len(t.nodes) == 0 {
		return nil, errors.New("no discipline; add one with: qdisc add dev NAME root KIND")
	}
	return t, nil
}

// commands ranges over the commands of a script, each as its words, with the
// number of the line on which it starts.
func commands(script string) iter.Seq2[int, []string] {
	return func(yield func(int, []string) bool) {
		var list []string
		first := 1
		for i, line := range strings.Split(script+"\n", "\n") {
			words, more := cutLine(line)
			list = append(list, words...)
			if more {
				continue
			}
			if len(list) > 0 && !yield(first, list) {
				return
			}
			list, first = nil, i+2
		}
	}
}

// cutLine cuts a line into words, without its comment; more tells that the next
// line continues it.
func cutLine(line string) (list []string, more bool) {
	for _, word := range strings.Fields(line) {
		if word[0] == '#' {
			return list, false
		}
		if word, more = strings.CutSuffix(word, `\`); word != "" {
			list = append(list, word)
		}
	}
	return list, more
}

// Run applies one command to the tree. Packets may be waiting: those of what is
// changed stay, those of what is replaced or deleted go to the drop list.
//
//   - add fails where a discipline or class was added before.
//   - change changes the one that is there.
//   - qdisc replace changes it if kind and handle are the same, and else puts a
//     new one in its place. class replace changes the class if it is there, and
//     else adds it.
//   - qdisc del puts the discipline in its place that the class started with; at
//     the root it leaves none. class del fails for a class with others below it.
//
// Class commands are for kinds whose classes are not fixed: cbq and hfsc.
// When Run returns an error it has changed nothing.
func (t *Tree) Run(line string, now qdisc.Time) error {
	return t.run(strings.Fields(line), now)
}

func (t *Tree) run(list []string, now qdisc.Time) error {
	c, rest, err := parseCommand(list)
	if err != nil {
		return err
	}
	if t.dev != "" && c.dev != t.dev {
		return fmt.Errorf("dev %q: this tree is that of device %q", c.dev, t.dev)
	}
	if c.object == "class" {
		err = t.runClass(c, rest, now)
	} else {
		err = t.runQdisc(c, rest, now)
	}
	if err == nil {
		t.dev = c.dev
	}
	return err
}
