package tc

import (
	"errors"
	"fmt"
)

// command is what stands before the kind:
//
//	[tc] qdisc VERB dev D (root | parent M:N) [handle H:]
//	[tc] class VERB dev D (root | parent M:[N]) classid M:N
type command struct {
	object, verb string // "qdisc" or "class"; "add", "replace", "change" or "del"
	dev          string
	root         bool
	parent       classID // major 0: none given
	handle       uint32  // of a qdisc; 0: none given
	class        classID // of a class
}

// parseCommand reads a command and returns the words after it.
func parseCommand(list []string) (c command, rest []string, err error) {
	if len(list) > 0 && list[0] == "tc" {
		list = list[1:]
	}
	if len(list) < 2 || list[0] != "qdisc" && list[0] != "class" {
		return c, nil, errors.New("a command is: qdisc add dev NAME root KIND, or class add dev NAME parent 1: classid 1:10 KIND; filters are the program's own, in Packet.Class")
	}
	c.object = list[0]
	switch c.verb = list[1]; c.verb {
	case "add", "replace", "change", "del":
	case "delete":
		c.verb = "del"
	default:
		return c, nil, fmt.Errorf("%s %s: use add, replace, change or del", c.object, c.verb)
	}
	w := &words{kind: c.object + " " + c.verb, rest: list[2:]}
	for known := true; known; {
		if known, err = c.read(w); err != nil {
			return c, nil, err
		}
		if c.root && c.parent.major != 0 {
			return c, nil, w.errorf("give either root or parent, not both")
		}
	}
	err = c.complete(w)
	return c, w.rest, err
}

// read takes one word with its value; known tells whether the next one was of
// the command's.
func (c *command) read(w *words) (known bool, err error) {
	rest, class := w.rest, c.object == "class"
	switch word, _ := w.next(); {
	case word == "dev":
		c.dev, err = value(w, word, func(s string) (string, error) { return s, nil })
	case word == "root":
		c.root = true
	case word == "parent" && class:
		c.parent, err = value(w, word, parseParent)
	case word == "parent":
		c.parent, err = value(w, word, parseClassID)
	case word == "classid" && class:
		c.class, err = value(w, word, parseClassID)
	case word == "handle" && !class:
		c.handle, err = value(w, word, parseHandle)
	default:
		w.rest = rest
		return false, nil
	}
	return true, err
}

// complete checks that what is required is there, and fits.
func (c *command) complete(w *words) error {
	switch class := c.object == "class"; {
	case c.dev == "":
		return w.errorf("dev is required; any name will do")
	case !class && !c.root && c.parent.major == 0:
		return w.errorf("root or parent is required")
	case class && c.class.major == 0:
		return w.errorf("classid is required, such as classid 1:10; packets name their class by its number")
	case class && c.root:
		c.parent = classID{major: c.class.major}
	case class && c.parent.major != 0 && c.parent.major != c.class.major:
		return w.errorf("parent %v is not of the discipline of classid %v", c.parent, c.class)
	}
	return nil
}

// cutKind reads the kind that list starts with. A command that deletes need
// not name it, k is nil then, and has no options.
func (c *command) cutKind(list []string) (k *kind, w *words, err error) {
	if c.verb != "del" {
		return cutKind(list)
	}
	if len(list) > 0 {
		if k, w, err = cutKind(list); err != nil {
			return nil, nil, err
		}
		if word, ok := w.next(); ok {
			return nil, nil, fmt.Errorf("%s del: unknown word %q; options are for the other commands", c.object, word)
		}
	}
	return k, w, nil
}
