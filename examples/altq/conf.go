package main

import (
	_ "embed"
	"fmt"
	"os"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/pf"
)

//go:embed pf.conf
var embedded string

// conf is a pf.conf and what it says of its interface.
type conf struct {
	own    bool // the one that is embedded, of which ALTQ's figures are known
	file   *pf.File
	link   qdisc.Rate
	queues []pf.QueueInfo // all of them
	names  []string       // of those that can hold packets
	dflt   string
}

// load reads a pf.conf, or the one that is embedded.
func load(name string) (*conf, error) {
	text := embedded
	if name != "" {
		bytes, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("-conf: %w", err)
		}
		text = string(bytes)
	}
	f, err := pf.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("-conf: %w", err)
	}
	c := &conf{own: name == "", file: f}
	tree, err := c.tree(false, false)
	if err != nil {
		return nil, fmt.Errorf("-conf: %w", err)
	}
	c.queues = tree.Queues()
	c.link = f.Interfaces[0].Bandwidth.Rate
	for _, q := range c.queues {
		if tree.Queue(q.Name) != nil {
			c.names = append(c.names, q.Name)
		}
		if q.Default {
			c.dflt = q.Name
		}
	}
	return c, nil
}

// scheduler is that of the interface.
func (c *conf) scheduler() pf.Scheduler { return c.file.Interfaces[0].Scheduler }

// tree builds the disciplines, where every queue of cbq may borrow or none.
// Without the token bucket they leave the pace to the link.
func (c *conf) tree(borrow, bucket bool) (*pf.Tree, error) {
	for i := range c.file.Queues {
		c.file.Queues[i].Options.Borrow = borrow
	}
	return c.file.Build(pf.Options{NoRegulator: !bucket})
}
