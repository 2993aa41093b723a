package qdisctest_test

import "github.com/netsched/netsched/qdisc"

// program is a source of small numbers that ends.
type program struct {
	data []byte
	at   int
}

func (p *program) done() bool { return p.at >= len(p.data) }

func (p *program) byte() byte {
	if p.done() {
		return 0
	}
	p.at++
	return p.data[p.at-1]
}

// below returns a number below n, which is at most 65536.
func (p *program) below(n int) int {
	v := int(p.byte())
	if n > 256 {
		v = v<<8 | int(p.byte())
	}
	return v % n
}

func (p *program) odds(n int) bool { return p.below(n) == 0 }

// span returns a length of time of any magnitude up to 4 s.
func (p *program) span() qdisc.Time { return qdisc.Time(p.below(65536)) << p.below(17) }
