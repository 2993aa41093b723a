package tc

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// command is "[tc] qdisc VERB dev D (root | parent M:N) [handle H:]", what
// stands before the kind.
type command struct {
	verb, dev string
	root      bool
	parent    classID
	handle    uint32 // 0: none given
}

// classID is a class number as tc writes it, both parts in hexadecimal: the
// handle of the discipline and the number of the class in it.
type classID struct{ major, minor uint32 }

const maxHandle = 0xffff

// parseCommand reads a command and returns the words after it.
func parseCommand(list []string) (c command, rest []string, err error) {
	if len(list) > 0 && list[0] == "tc" {
		list = list[1:]
	}
	if len(list) < 2 || list[0] != "qdisc" {
		return c, nil, errors.New("a command is: qdisc add dev NAME root KIND; classes and filters are the program's own, in Packet.Class")
	}
	switch c.verb = list[1]; c.verb {
	case "add", "replace", "change":
	default:
		return c, nil, fmt.Errorf("qdisc %s: use add, replace or change", c.verb)
	}
	w := &words{kind: "qdisc " + c.verb, rest: list[2:]}
	for len(w.rest) > 0 {
		switch w.rest[0] {
		case "dev", "handle", "parent":
			err = c.read(w)
		case "root":
			c.root = true
			w.next()
		default:
			return c, w.rest, c.complete(w)
		}
		if err != nil {
			return c, nil, err
		}
		if c.root && c.parent != (classID{}) {
			return c, nil, w.errorf("give either root or parent, not both")
		}
	}
	return c, nil, c.complete(w)
}

// read takes one word and its value.
func (c *command) read(w *words) (err error) {
	switch word, _ := w.next(); word {
	case "dev":
		c.dev, err = value(w, word, func(s string) (string, error) { return s, nil })
	case "handle":
		c.handle, err = value(w, word, parseHandle)
	case "parent":
		c.parent, err = value(w, word, parseClassID)
	}
	return err
}

func (c *command) complete(w *words) error {
	switch {
	case c.dev == "":
		return w.errorf("dev is required; any name will do")
	case !c.root && c.parent == classID{}:
		return w.errorf("root or parent is required")
	}
	return nil
}

// parseHandle reads "H:" or "H", H in hexadecimal; "none" is 0.
func parseHandle(word string) (uint32, error) {
	if word == "none" {
		return 0, nil
	}
	return parseHex(strings.TrimSuffix(word, ":"), "a handle is 1: to ffff:, in hexadecimal")
}

// parseClassID reads "M:N".
func parseClassID(word string) (id classID, err error) {
	const use = "a class is that of a handle and a number, such as 1:2, in hexadecimal"
	major, minor, ok := strings.Cut(word, ":")
	if !ok {
		return id, errors.New(use)
	}
	if id.major, err = parseHex(major, use); err != nil {
		return id, err
	}
	if id.minor, err = parseHex(minor, use); err != nil {
		return id, err
	}
	if id.major == 0 || id.minor == 0 {
		return id, errors.New(use)
	}
	return id, nil
}

func parseHex(digits, use string) (uint32, error) {
	n, err := strconv.ParseUint(digits, 16, 16)
	if err != nil {
		return 0, errors.New(use)
	}
	return uint32(n), nil
}
