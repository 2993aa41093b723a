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

// conf is a pf.conf and what it says of an interface.
type conf struct {
	own       bool // the one that is embedded, of which ALTQ's figures are known
	file      *pf.File
	opt       pf.Options
	device    string // the interface's name
	scheduler pf.Scheduler
	link      qdisc.Rate
	queues    []pf.QueueInfo // all of them
	names     []string       // of those that can hold packets
	dflt      string
	warnings  []*pf.Error
}

// load reads a pf.conf, or the one that is embedded.
func load(name string, opt pf.Options) (*conf, error) {
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
	opt.Lenient = true
	c := &conf{own: name == "", file: f, opt: opt}
	tree, err := c.tree(false, true)
	if err != nil {
		return nil, fmt.Errorf("-conf: %w", err)
	}
	c.device, c.queues, c.warnings = tree.Interface(), tree.Queues(), tree.Warnings()
	c.link = tree.Root().(*pf.Regulator).Config().Rate
	for i := range f.Interfaces {
		if f.Interfaces[i].Name == c.device {
			c.scheduler = f.Interfaces[i].Scheduler
		}
	}
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

// tree builds the disciplines, where every queue of cbq may borrow or none.
// Without the token bucket they leave the pace to the link.
func (c *conf) tree(borrow, bucket bool) (*pf.Tree, error) {
	for i := range c.file.Queues {
		c.file.Queues[i].Options.Borrow = borrow
	}
	opt := c.opt
	opt.NoRegulator = !bucket
	return c.file.Build(opt)
}
