package pf_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/pf"
)

// manual is written as the example of pf.conf(5) is.
const manual = `ext_if = "dc0"
altq on $ext_if cbq bandwidth 5Mb queue { std, http, mail, ssh }
queue std bandwidth 10% cbq(default)
queue http bandwidth 60% priority 2 cbq(borrow red) \
      { employees, developers }
queue  developers bandwidth 75% cbq(borrow)
queue  employees bandwidth 15%
queue mail bandwidth 10% priority 0 cbq(borrow ecn)
queue ssh bandwidth 20% cbq(borrow) { ssh_interactive, ssh_bulk }
queue  ssh_interactive bandwidth 50% priority 7
queue  ssh_bulk bandwidth 50% priority 0

block return out on $ext_if inet all queue std
pass out on $ext_if inet proto tcp from $developerhosts to any port 80 \
      keep state queue developers
pass out on $ext_if inet proto tcp from any to any port 22 \
      queue(ssh_bulk, ssh_interactive)
`

// TestPublished: files in the style of the manual, the FAQ of pf, books, guides
// and pfSense build, with the rates that they ask for.
func TestPublished(t *testing.T) {
	for name, c := range map[string]struct {
		text, tree string
		warnings   []string
	}{
		"manual": {manual, `std 500Kb, http 3Mb, developers 2250Kb, employees 450Kb, mail 500Kb, ssh 1Mb, ssh_interactive 500Kb, ssh_bulk 500Kb`, []string{
			"line 4, column 48: queue http: option red is not here and left out",
			"line 8, column 48: queue mail: option ecn is not here and left out",
		}},
		"priorities for a home": {`altq on fxp0 priq bandwidth 610Kb queue { std_out, ssh_im_out, dns_out, \
        tcp_ack_out }
queue std_out     priq(default)
queue ssh_im_out  priority 4 priq(red)
queue dns_out     priority 5
queue tcp_ack_out priority 6
pass out on fxp0 inet proto tcp from (fxp0) to any keep state queue(std_out, tcp_ack_out)
`, `std_out 0b, ssh_im_out 0b, dns_out 0b, tcp_ack_out 0b`, []string{"line 4, column 35: queue ssh_im_out: option red is not here and left out"}},
		"a company's inside, a share of the interface": {`altq on dc0 cbq bandwidth 100% queue { net_int, www_int }
queue net_int    bandwidth 1.0Mb { std_int, it_int, boss_int }
queue  std_int   bandwidth 250Kb cbq(default borrow)
queue  it_int    bandwidth 500Kb cbq(borrow)
queue  boss_int  bandwidth 250Kb priority 3 cbq(borrow)
queue www_int    bandwidth 99Mb cbq(red borrow)
`, `net_int 1Mb, std_int 250Kb, it_int 500Kb, boss_int 250Kb, www_int 99Mb`, []string{"line 6, column 37: queue www_int: option red is not here and left out"}},
		"a guide to hfsc": {` altq on em0 bandwidth 2000Kb hfsc queue { ack, ssh, bulk, web, spamd }
   queue ack        bandwidth 30% priority 8 qlimit 500 hfsc (realtime   20%)
   queue ssh        bandwidth 20% priority 6 qlimit 500 hfsc (realtime   20%) {ssh_login, ssh_bulk}
    queue ssh_login bandwidth 50% priority 6 qlimit 500 hfsc
    queue ssh_bulk  bandwidth 50% priority 5 qlimit 500 hfsc
   queue bulk       bandwidth 20% priority 5 qlimit 500 hfsc (realtime   20% default, ecn)
   queue web        bandwidth  5% priority 4 qlimit 500 hfsc (realtime  (10%, 10000, 5%))
   queue spamd      bandwidth  1% priority 1 qlimit 500 hfsc (upperlimit 1Kb)
`, `ack 600Kb, ssh 400Kb, ssh_login 200Kb, ssh_bulk 200Kb, bulk 400Kb, web 100Kb, spamd 20Kb`, []string{"line 6, column 87: queue bulk: option ecn is not here and left out"}},
		"curves on two interfaces": {`altq on { dc0 ep0 } bandwidth 10Mbit hfsc queue { developers employees }
queue developers bandwidth 75% hfsc(default upperlimit 90%)
queue employees bandwidth 15% hfsc(linkshare 25% upperlimit (5Mb 2000 2M))
`, `developers 7500Kb, employees 2500Kb`, nil},
		"pfSense": {`altq on  em0 hfsc bandwidth 5Mb queue {  qACK,  qDefault,  qLink  }
 queue qACK on em0 bandwidth 18.5%  hfsc (  ecn  , linkshare 18.5%  )
 queue qDefault on em0 bandwidth 10% qlimit 500 hfsc (  default  )
 queue qLink on em0 bandwidth 20% hfsc (  codel, upperlimit (2Mb, 100, 1Mb))
`, `qACK 925Kb, qDefault 500Kb, qLink 1Mb`, []string{"line 2, column 45: queue qACK: option ecn is not here and left out"}},
		"more than there is": {`altq on em0 bandwidth 10Mb cbq queue { a b }
queue a bandwidth 6Mb cbq(default) { c d }
queue b bandwidth 50%
queue c bandwidth 60%
queue d bandwidth 3Mb`, `a 6Mb, b 5Mb, c 3600Kb, d 3Mb`, []string{
			"line 1, column 1: interface em0: the bandwidths below it, 11Mb together, are more than its 10Mb",
			"line 2, column 1: queue a: the bandwidths below it, 6600Kb together, are more than its 6Mb",
		}},
		"rounded shares are not more": {`altq on em0 bandwidth 1001b cbq queue { a b }
queue a bandwidth 50% cbq(default)
queue b bandwidth 50%`, `a 501b, b 501b`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := pf.Parse(c.text)
			require.NoError(t, err)
			tree, err := f.Build(pf.Options{Interface: f.Interfaces[0].Name, Speed: 100 * qdisc.Mbit, Lenient: true})
			require.NoError(t, err)
			var queues, warnings []string
			for _, q := range tree.Queues() {
				queues = append(queues, q.Name+" "+pf.Bandwidth{Rate: q.Rate}.String())
			}
			for _, w := range tree.Warnings() {
				warnings = append(warnings, w.Error())
			}
			assert.Equal(t, c.tree, strings.Join(queues, ", "))
			assert.Equal(t, c.warnings, warnings)
		})
	}
}

// TestManyQueues: the time to read and build a file grows with its length, not
// with the square of it.
func TestManyQueues(t *testing.T) {
	const n = 20_000
	var names, lines strings.Builder
	for i := range n {
		fmt.Fprintf(&names, " q%d", i)
		fmt.Fprintf(&lines, "queue q%d bandwidth 1Kb hfsc(linkshare (2Kb %d 1Kb))\n", i, i+1)
	}
	tree := build(t, "altq on e bandwidth 1Gb hfsc queue { d"+names.String()+" }\nqueue d bandwidth 1Mb hfsc(default)\n"+lines.String(), pf.Options{})
	assert.Len(t, tree.Queues(), n+1)
}
