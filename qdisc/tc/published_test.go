package tc

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPublished: scripts in the style of the HOWTOs build as they stand.
func TestPublished(t *testing.T) {
	for name, c := range map[string]struct{ script, qdiscs, classes string }{
		"a web server behind cbq": {`# 6 Mbit/s, of which 5 for the web and 3 for mail
tc qdisc add dev eth0 root handle 1:0 cbq bandwidth 100Mbit         \
  avpkt 1000 cell 8
tc class add dev eth0 parent 1:0 classid 1:1 cbq bandwidth 100Mbit  \
  rate 6Mbit weight 0.6Mbit prio 8 allot 1514 cell 8 maxburst 20      \
  avpkt 1000 bounded
tc class add dev eth0 parent 1:1 classid 1:3 cbq bandwidth 100Mbit rate 5Mbit \
  weight 0.5Mbit prio 5 allot 1514 cell 8 maxburst 20 avpkt 1000    # web
tc class add dev eth0 parent 1:1 classid 1:4 cbq bandwidth 100Mbit rate 3Mbit weight 0.3Mbit prio 5 allot 1514 cell 8 maxburst 20 avpkt 1000
tc qdisc add dev eth0 parent 1:3 handle 30: fq_codel
tc qdisc add dev eth0 parent 1:4 handle 40:0 pfifo limit 30`,
			"cbq 1: root rate 100Mbit (bounded,isolated) prio no-transmit|fq_codel 30: parent 1:3 limit 10240p flows 1024 quantum 1514 target 5ms interval 100ms memory_limit 32Mb ecn drop_batch 64|pfifo 40: parent 1:4 limit 30p|",
			"cbq 1: root rate 100Mbit (bounded,isolated) prio no-transmit|cbq 1:1 parent 1: rate 6Mbit (bounded) prio no-transmit|cbq 1:3 parent 1:1 leaf 30: rate 5Mbit prio 5|cbq 1:4 parent 1:1 leaf 40: rate 3Mbit prio 5|"},
		"a line shared by hfsc": {`#!/bin/sh
tc qdisc add dev eth0 root handle 1: hfsc default 30 # the rest
tc class add dev eth0 parent 1: classid 1:1 hfsc sc rate 1000kbit ul rate 1000kbit

tc class add dev eth0 parent 1:1 classid 1:10 hfsc \
	sc umax 1500b dmax 53ms rate 400kbit \
	ul rate 1000kbit
tc class add dev eth0 parent 1:1 classid 1:20 hfsc ls m1 5kbit d 100ms m2 75kbit rt m1 5kbit d 100ms m2 75kbit ul m2 1000kbit
tc class add dev eth0 parent 1:1 classid 1:30 hfsc ls m2 100kbit ul rate 1000kbit
tc qdisc add dev eth0 parent 1:10 handle 10: pfifo limit 25 \`,
			"hfsc 1: root default 30|pfifo 10: parent 1:10 limit 25p|",
			"hfsc 1: root|hfsc 1:1 parent 1: sc m1 0bit d 0us m2 1Mbit ul m1 0bit d 0us m2 1Mbit|hfsc 1:10 parent 1:1 leaf 10: sc m1 0bit d 23ms m2 400Kbit ul m1 0bit d 0us m2 1Mbit|hfsc 1:20 parent 1:1 sc m1 5Kbit d 100ms m2 75Kbit ul m1 0bit d 0us m2 1Mbit|hfsc 1:30 parent 1:1 ls m1 0bit d 0us m2 100Kbit ul m1 0bit d 0us m2 1Mbit|"},
		"bands, one of them shaped": {"tc qdisc add dev eth0 root handle 1: prio\r\n" +
			"tc qdisc add dev eth0 parent 1:1 handle 10: pfifo \\\r\n\tlimit 5\r\n" +
			"tc qdisc add dev eth0 parent 1:2 handle 20: tbf rate 20kbit buffer 1600 limit 3000\r\n",
			"prio 1: root bands 3 priomap 1 2 2 2 1 2 0 0 1 1 1 1 1 1 1 1|pfifo 10: parent 1:1 limit 5p|tbf 20: parent 1:2 rate 20Kbit burst 1600b lat 560ms|",
			"prio 1:1 parent 1: leaf 10:|prio 1:2 parent 1: leaf 20:|prio 1:3 parent 1:|tbf 20:1 parent 20:|"},
	} {
		t.Run(name, func(t *testing.T) {
			tree := build(t, c.script, Options{})
			short := func(shown, object string) string {
				return strings.ReplaceAll(strings.ReplaceAll(shown, object+" ", ""), "\n", "|")
			}
			assert.Equal(t, c.qdiscs, short(tree.Show(), "qdisc"))
			assert.Equal(t, c.classes, short(tree.ShowClasses(), "class"))
		})
	}
}

// TestLineNumbers: an error has the number of the line on which its command
// starts.
func TestLineNumbers(t *testing.T) {
	for script, want := range map[string]string{
		"# \\\nqdisc add dev D root nosuch":              "line 2: unknown kind",
		"\n\n qdisc add \\\n\\\n dev D root nosuch":      "line 3: unknown kind",
		"qdisc add dev D root pfifo # \\\nfoo bar":       "line 2: a command is",
		"qdisc add dev D \\\n # root \\\nroot pfifo":     "line 1: qdisc add: root or parent is required",
		"qdisc add dev D root pfifo \\\nlimit 5 \\\n\nx": "line 4: a command is",
		"\\":                                     "no discipline",
		"qdisc add dev D root pfifo 2>&1":        `pfifo: unknown option "2>&1"`,
		"qdisc add dev D root pfifo\x00":         `unknown kind "pfifo\x00"`,
		"qdisc add dev D root handle 1:00 pfifo": "a handle is",
		"qdisc add dev D root handle :0 pfifo":   "a handle is",
		"class add dev D parent :0 classid 1:1":  "a parent is",
		"class add dev D parent 0:0 classid 1:1": "no discipline has the handle 0",
	} {
		_, err := Build(script, Options{})
		require.ErrorContains(t, err, want, script)
	}
}

// TestManyLines: long scripts take a time that grows with their length, not with
// the square of it.
func TestManyLines(t *testing.T) {
	for kind, words := range map[string][2]string{
		"hfsc": {"", "ls rate 1mbit"},
		"cbq":  {"bandwidth 10gbit avpkt 1000", "rate 1mbit"},
	} {
		t.Run(kind, func(t *testing.T) {
			const n = 20_000
			var b strings.Builder
			fmt.Fprintf(&b, "qdisc add dev D root handle 1: %s %s\n", kind, words[0])
			for i := range n {
				fmt.Fprintf(&b, "class add dev D parent 1: classid 1:%x %s %s\nqdisc add dev D parent 1:%x pfifo\n", i+1, kind, words[1], i+1)
			}
			tree := build(t, b.String(), Options{})
			assert.Equal(t, n+1, strings.Count(tree.Show(), "\n"))
			assert.Equal(t, n+1, strings.Count(tree.ShowClasses(), "\n"))
			require.NoError(t, tree.Run("class del dev D classid 1:2", 0))
			require.NoError(t, tree.Run("qdisc replace dev D parent 1:3 handle 8002: pfifo", 0), "the handle of what was in 1:2")
		})
	}
}

// TestHandlesAgain: the first handle that is free is taken, again after it was
// given up.
func TestHandlesAgain(t *testing.T) {
	tree := build(t, "qdisc add dev D root prio\nqdisc add dev D parent 8001:1 pfifo\nqdisc add dev D parent 8001:2 pfifo", Options{})
	for _, line := range []string{"qdisc del dev D parent 8001:1", "qdisc add dev D parent 8001:3 bfifo"} {
		require.NoError(t, tree.Run(line, 0))
	}
	assert.Contains(t, tree.Show(), "bfifo 8002: parent 8001:3")
}
