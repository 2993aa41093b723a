package tc

import (
	"errors"
	"fmt"
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
// those that start with # are passed over. See [Tree.Run] for the commands. As
// in the kernel, limit and latency of a tbf are those of its default queue: a
// child that takes its place has limits of its own.
func Build(script string, opt Options) (*Tree, error) {
	opt, err := opt.resolve()
	if err != nil {
		return nil, err
	}
	t := &Tree{opt: opt}
	for i, line := range strings.Split(script, "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		if err := t.Run(line, 0); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	if len(t.nodes) == 0 {
		return nil, errors.New("no discipline; add one with: qdisc add dev NAME root KIND")
	}
	return t, nil
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
	c, rest, err := parseCommand(strings.Fields(line))
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
