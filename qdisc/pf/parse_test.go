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

// seed is the configuration of the measurement of January 2007.
const seed = `altq on ue0 bandwidth 10Mb cbq queue { dflt }
queue dflt bandwidth 100% cbq(default) { small }
queue small bandwidth 5% cbq
`

// TestPrint: what is read is printed in one form, which is read and printed the
// same.
func TestPrint(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"seed": {seed, seed},
		"every word": {
			"altq on em0 cbq tbrsize 6000 qlimit 10 bandwidth 1.5Mb queue a\nqueue a on em0 cbq ( borrow,codel default ) qlimit 9 priority 3 bandwidth 33.25%\n",
			"altq on em0 bandwidth 1500Kb qlimit 10 tbrsize 6000 cbq queue { a }\nqueue a on em0 bandwidth 33.25% priority 3 qlimit 9 cbq(default borrow codel)\n",
		},
		"units": {
			"altq on em0 bandwidth 2000000000 cbq queue { a b, c d, e }\nqueue a bandwidth 999bit\nqueue b bandwidth 1500B cbq(default)\nqueue c bandwidth 2.5KB\nqueue d bandwidth .5gb\nqueue e bandwidth 0.0500%",
			"altq on em0 bandwidth 2Gb cbq queue { a b c d e }\nqueue a bandwidth 999b\nqueue b bandwidth 1500b cbq(default)\nqueue c bandwidth 2500b\nqueue d bandwidth 500Mb\nqueue e bandwidth 0.05%\n",
		},
		"curves": {
			"altq on em0 bandwidth 2Mb hfsc queue { voip data x }\n" +
				"queue voip bandwidth 10% hfsc(realtime (400Kb, 10, 100Kb) upperlimit 50%)\n" +
				"queue data bandwidth 80% hfsc(default linkshare (0b 20 80%))\n" +
				"queue x bandwidth 10% priority 7 hfsc(linkshare(5% 0 1%))\n",
			"altq on em0 bandwidth 2Mb hfsc queue { voip data x }\n" +
				"queue voip bandwidth 10% hfsc(realtime (400Kb 10 100Kb) upperlimit 50%)\n" +
				"queue data bandwidth 80% hfsc(default linkshare (0b 20 80%))\n" +
				"queue x bandwidth 10% priority 7 hfsc(linkshare 1%)\n",
		},
		"priq": {
			"altq on em0 priq bandwidth 100Kb queue { q_pri, q_def }\nqueue q_pri priority 7\nqueue q_def priority 1 priq(default)\n",
			"altq on em0 bandwidth 100Kb priq queue { q_pri q_def }\nqueue q_pri priority 7\nqueue q_def priority 1 priq(default)\n",
		},
		"macros, comments, quotes, continued lines": {
			`# what follows is "not" closed: ' {
if = "em0"   # an interface
ifs="{" $if 'em1' "}"
bw = 10Mb
names = "a, \
b"
altq on $ifs bandwidth \
  $bw cbq queue { $names }
queue "a" \
  bandwidth 50% cbq(default)
queue b bandwidth 50%\

`,
			"altq on em0 bandwidth 10Mb cbq queue { a b }\naltq on em1 bandwidth 10Mb cbq queue { a b }\n" +
				"queue a bandwidth 50% cbq(default)\nqueue b bandwidth 50%\n",
		},
		"several interfaces": {
			`a = em0
both = "{ $a, em1 }"
altq on $both bandwidth 10Mb cbq queue {
	std	# of both
	own
}
queue std bandwidth 50% cbq(default)
queue own on em1 bandwidth 1Mb
queue own on $a bandwidth 2Mb cbq(borrow) { sub }
queue sub bandwidth 100%
`,
			"altq on em0 bandwidth 10Mb cbq queue { std own }\naltq on em1 bandwidth 10Mb cbq queue { std own }\n" +
				"queue std bandwidth 50% cbq(default)\nqueue own on em1 bandwidth 1Mb\nqueue own on em0 bandwidth 2Mb cbq(borrow) { sub }\nqueue sub bandwidth 100%\n",
		},
		"other lines": {
			`ext = "em0"
table <bad> { 10.0.0.0/8, !10.1.1.1 }
set limit { states 20000
  frags 100 }
scrub in all
nat on $ext from any to any -> ($ext)
altq on $ext bandwidth 10Mb priq queue { a }
queue a priq(default)
block in quick on $ext from <bad> to any
pass out on $ext proto tcp from any to any port { 80, 443 } \
  flags S/SA keep state queue (a, a)
anchor "x/*" {
	queue nonsense
	pass in all
}
match in all scrub (no-df)
`,
			"altq on em0 bandwidth 10Mb priq queue { a }\nqueue a priq(default)\n",
		},
		"nothing": {"", ""},
		"a backslash continues a comment": {
			"altq on em0 bandwidth 1M priq queue a\n# queue b \\\n  priority 5 \\\r\n  bandwidth 5% \\\n\nqueue a priq(default) # the end \\",
			"altq on em0 bandwidth 1Mb priq queue { a }\nqueue a priq(default)\n",
		},
		"options that are not here": {
			"altq on em0 bandwidth 1Mbit cbq queue { a, b }\nqueue a bandwidth 10k cbq(rio, borrow red default ecn)\nqueue b bandwidth 5Kbit cbq(flowvalve cleardscp)",
			"altq on em0 bandwidth 1Mb cbq queue { a b }\nqueue a bandwidth 10Kb cbq(default borrow rio red ecn)\nqueue b bandwidth 5Kb cbq(flowvalve cleardscp)\n",
		},
		"windows": {"altq on em0 bandwidth 1Mb \\\r\npriq queue a\r\nqueue a priq(default)\r\n", "altq on em0 bandwidth 1Mb priq queue { a }\nqueue a priq(default)\n"},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := pf.Parse(c.text)
			require.NoError(t, err)
			require.Equal(t, c.want, pf.Print(f))
			again, err := pf.Parse(c.want)
			require.NoError(t, err)
			assert.Equal(t, c.want, pf.Print(again))
		})
	}
}

func TestParse(t *testing.T) {
	f, err := pf.Parse("\n  " + seed)
	require.NoError(t, err)
	d := f.Interfaces[0]
	assert.Equal(t, pf.Pos{Line: 2, Column: 3}, d.Pos)
	assert.Equal(t, "ue0", d.Name)
	assert.Equal(t, pf.CBQ, d.Scheduler)
	assert.Equal(t, pf.Bandwidth{Rate: 10 * qdisc.Mbit}, d.Bandwidth)
	assert.Equal(t, []pf.Ref{{Pos: pf.Pos{Line: 2, Column: 42}, Name: "dflt"}}, d.Queues)
	require.Len(t, f.Queues, 2)
	assert.True(t, f.Queues[0].Options.Default)
	assert.Equal(t, pf.Bandwidth{Percent: 5}, f.Queues[1].Bandwidth)
}

// TestErrors: each error has its place, and says what would be right.
func TestErrors(t *testing.T) {
	const cbq = "altq on em0 bandwidth 10Mb cbq queue { a }\n"
	for _, c := range []struct{ text, want string }{
		{"queu a", `line 1, column 1: "queu": want a line that begins with altq, queue, or another word of pf.conf`},
		{"\n\t\"altq\" on", `line 2, column 2: "altq": want a line that begins with`},
		{"include \"/etc/x\"", "line 1, column 1: include is not followed"},
		{"altq em0", `line 1, column 6: "em0": want on, and an interface`},
		{"altq", "line 1, column 5: the end of the line: want on"},
		{"altq on", "line 1, column 8: the end of the line: want the name of an interface"},
		{"altq on { }", `line 1, column 11: "}": want the name of an interface`},
		{"altq on em0 bandwith 10Mb", `line 1, column 13: "bandwith": want bandwidth, qlimit, tbrsize, cbq, hfsc, priq or queue`},
		{"altq on em0 bandwidth fast", `line 1, column 23: "fast": want a bandwidth such as 10Mb (b, Kb, Mb, Gb) or 5%`},
		{"altq on em0 bandwidth 10MB/s", `"10MB/s": want a bandwidth`},
		{"altq on em0 bandwidth -1Mb", `"-1Mb": want a bandwidth`},
		{"altq on em0 bandwidth 1.2.3Mb", `"1.2.3Mb": want a bandwidth`},
		{"altq on em0 bandwidth 0.4b", `"0.4b": want a bandwidth above 0`},
		{"altq on em0 bandwidth 101%", `line 1, column 23: "101%": want a percentage of at most 100`},
		{"altq on em0 bandwidth 99999999999Gb", `want a bandwidth of at most 2^62 bit/s`},
		{"altq on em0 bandwidth " + strings.Repeat("9", 400), `want a bandwidth such as`},
		{"altq on em0 bandwidth (10Mb)", `line 1, column 23: "(": want a bandwidth`},
		{"altq on em0 bandwidth 1Mb bandwidth 1Mb", "line 1, column 27: bandwidth is given twice"},
		{"altq on em0 qlimit 65536", `line 1, column 20: "65536": want a qlimit from 0 to 65535`},
		{"altq on em0 qlimit -1", `"-1": want a qlimit from 0 to 65535`},
		{"altq on em0 tbrsize 0 cbq queue { a }", "line 1, column 13: tbrsize 0: want 1 to 2^30 bytes"},
		{"altq on em0 fairq queue { a }", "line 1, column 13: scheduler fairq is not here; want cbq, hfsc or priq"},
		{"altq on em0 codel bandwidth 1Mb", "line 1, column 13: scheduler codel is not here"},
		{"altq on em0 cbq hfsc", `line 1, column 17: "hfsc": the scheduler is cbq already`},
		{"altq on em0 cbq(borrow) queue { a }", "line 1, column 16: the options of cbq stand on the queue lines"},
		{"altq on em0 bandwidth 1Mb queue { a }", "line 1, column 27: the scheduler is missing; want cbq, hfsc or priq before queue"},
		{"altq on em0 cbq queue { }", `line 1, column 25: "}": want the name of a queue`},
		{"altq on em0 cbq queue { a", `line 1, column 23: '{' is not closed; want a '}'`},
		{"altq on em0 cbq queue a }", `line 1, column 25: '}' closes nothing`},
		{"set x (}", `line 1, column 8: '}' closes nothing`},
		{"altq on em0 cbq queue { a } b", `line 1, column 29: "b": want the end of the line`},
		{"altq on em0 cbq", "line 1, column 16: the end of the line: want bandwidth, qlimit"},
		{"altq on a\\ cbq", `line 1, column 9: "a\": want the name of an interface`},
		{"altq on \"e m\"", `line 1, column 9: "e m": want the name of an interface, a word of at most 63 bytes`},
		{"pass in 'x", `line 1, column 9: the quoted string does not end; want a second '`},
		{cbq + "queue a bandwidth", "line 2, column 18: the end of the line: want a bandwidth"},
		{cbq + "queue a tbrsize 5", "line 2, column 9: tbrsize is the interface's; want it on the altq line"},
		{cbq + "queue a priority 256", `line 2, column 18: "256": want a priority from 0 to 255`},
		{cbq + "queue a priority 8 cbq(default)", "line 2, column 1: queue a: priority 8; want 0 to 7 for cbq"},
		{cbq + "queue a cbq(default red red)", "line 2, column 25: red is given twice"},
		{cbq + "queue a cbq(hogs 1Mb)", `line 2, column 13: "hogs": want an option of cbq`},
		{cbq + "queue a cbq(realtime 1Mb)", `line 2, column 13: "realtime": want an option of cbq, default, borrow or codel, or )`},
		{cbq + "queue a cbq(default default)", "default is given twice"},
		{cbq + "queue a cbq(default", `line 2, column 12: '(' is not closed`},
		{cbq + "queue a hfsc(default)", "line 2, column 1: queue a: hfsc on an interface of cbq; want cbq"},
		{cbq + "queue a fairq", "line 2, column 9: scheduler fairq is not here"},
		{cbq + "queue a parent b", `line 2, column 9: "parent": want on, bandwidth, priority, qlimit, cbq, hfsc, priq or {`},
		{cbq + "queue a { b } cbq", `line 2, column 15: "cbq": want the end of the line`},
		{cbq + "queue a cbq", "line 1, column 1: interface em0 has no default queue; want one with cbq(default)"},
		{cbq + "queue a { b }\nqueue c", "line 2, column 11: queue b has no line of its own below; want queue b ..."},
		{cbq + "queue b", "line 1, column 40: queue a has no line of its own below"},
		{cbq + "queue a cbq(default)\nqueue b", "line 3, column 1: queue b: no line above names it"},
		{cbq + "queue a cbq(default)\nqueue a on em1", "line 3, column 1: queue a: no line above names it"},
		{cbq + "queue a cbq(default)\nqueue a", "line 3, column 1: queue a is defined already, on line 2"},
		{cbq + "queue a cbq(default)\nqueue b on em0", "line 3, column 1: queue b: no line above names it on interface em0"},
		{cbq + "queue a cbq(default) { a }", "line 2, column 24: queue a is named twice on interface em0"},
		{cbq + "queue a cbq(default) { b b }", "line 2, column 26: queue b is named twice"},
		{cbq + "queue a cbq(default) { b }\nqueue b cbq(default)", "line 3, column 1: queue b: a is the default of interface em0 already"},
		{cbq + cbq + "queue a cbq(default)", "line 2, column 1: interface em0 has an altq line already"},
		{"altq on em0 priq queue { a b }\nqueue a\nqueue b", "line 3, column 1: queue b: priority 1 is that of a; want one of its own (none given: 1)"},
		{"altq on em0 priq queue { a }\nqueue a priority 16", "line 2, column 1: queue a: priority 16; want 0 to 15 for priq"},
		{"altq on em0 priq queue { a }\nqueue a bandwidth 5%", "line 2, column 1: queue a: priq shares no bandwidth; want a priority alone"},
		{"altq on em0 priq queue { a }\nqueue a { b }\nqueue b", "line 2, column 1: queue a: priq has no queues below others"},
		{"altq on em0 hfsc queue { a }\nqueue a hfsc(default) { b }\nqueue b", "line 2, column 1: queue a: the default of hfsc cannot have queues below it"},
		{"altq on em0 hfsc queue { a }\nqueue a hfsc(realtime (1Mb 1Mb))", `line 2, column 28: "1Mb": want a number of milliseconds from 0 to 4294967295`},
		{"altq on em0 hfsc queue { a }\nqueue a hfsc(realtime (1Mb 10 1Mb 5))", `line 2, column 35: "5": want the ) of the curve ( m1 d m2 )`},
		{"altq on em0 hfsc queue { a }\nqueue a hfsc(realtime)", `line 2, column 22: ")": want a bandwidth`},
		{"altq on em0 hfsc queue { a }\nqueue a hfsc(borrow)", `line 2, column 14: "borrow": want an option of hfsc, default, codel, realtime, linkshare or upperlimit, or )`},
		{"altq on $if cbq", "line 1, column 9: macro $if is not defined above"},
		{"a = \"$b\"\nb = em0\naltq on $a cbq", "line 3, column 9: macro $b in macro $a was not defined above it"},
		{"$a = b", `line 1, column 1: "$a": a macro is defined by its name alone`},
		{"a = \"x 'y\"\naltq on $a", `line 2, column 9: "x 'y": want the name of an interface`},
		{"bw = \"10 Mb\"\naltq on em0 bandwidth $bw", `line 2, column 23: "Mb": want bandwidth, qlimit`},
		{"pass é queue\n é altq", `line 2, column 2: "é": want`},
		{"pass \"é\" }", `line 1, column 10: '}' closes nothing`},
	} {
		_, err := pf.Parse(c.text)
		require.Error(t, err, c.text)
		assert.Contains(t, err.Error(), c.want, c.text)
		var e *pf.Error
		require.ErrorAs(t, err, &e)
		assert.NotZero(t, e.Line)
	}
}

// TestManyWords: a short text cannot stand for a long one, by macros of macros,
// macros that are used again and again, or queues on every interface of a list.
func TestManyWords(t *testing.T) {
	doubled := "a0 = x\n"
	for i := 1; i < 30; i++ {
		doubled += fmt.Sprintf("a%d = $a%d $a%d\n", i, i-1, i-1)
	}
	const much = "stand for too many words; want at most 200000"
	long := "m = \"" + strings.Repeat("q ", 5000) + "\"\n"
	names, lines := "", ""
	for i := range 1100 {
		names += fmt.Sprintf("n%d ", i)
		lines += fmt.Sprintf("queue n%d\n", i)
	}
	for _, c := range []struct{ text, want string }{
		{doubled, "line 18, column 1: macro a17: the macros of this text " + much},
		{long + "altq on { " + strings.Repeat("$m ", 100), "'{' is not closed"},
		{long + "altq on { " + strings.Repeat("$m ", 100) + "}", "line 2, column 131: macro m: the macros of this text " + much},
		{long + strings.Repeat("b = $m\n", 100), "line 42, column 1: macro b: the macros of this text " + much},
		{"altq on { " + names + "} cbq queue { " + names + "}\n" + lines, "line 1, column 1: 1100 queues on 1100 interfaces are too many"},
	} {
		_, err := pf.Parse(c.text)
		require.ErrorContains(t, err, c.want)
	}
}
