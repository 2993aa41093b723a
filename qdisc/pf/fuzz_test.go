package pf_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/pf"
)

// FuzzParse: no text makes Parse or Build panic; an error has a place within the
// text; and what is read is printed in a form that means and prints the same.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		seed, curves, priorities,
		"a = em0\nb = \"{ $a, em1 }\"\naltq on $b bandwidth 1.5Gb cbq queue { x }\nqueue x on em0 cbq(default)\nqueue x on em1 \\\n cbq(default,borrow)",
		"altq on em0 priq queue a\nqueue a priority 15 priq(default codel)\npass in from { a b }\nset x\n# y",
		"altq on x bandwidth 9m cbq queue { a b }\nqueue a bandwidth 90% cbq(default red)\n# queue \\\nb\nqueue b bandwidth 8M cbq(ecn borrow)",
		"altq on 'x' hfsc qlimit 3 tbrsize 9 bandwidth 9% queue { \"a\" b }\nqueue b bandwidth .5% hfsc(linkshare (1b,2,3Kb))\nqueue a bandwidth 2% hfsc(default)",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file, err := pf.Parse(text)
		if err != nil {
			var e *pf.Error
			require.ErrorAs(t, err, &e)
			require.NotZero(t, e.Line)
			require.NotZero(t, e.Column)
			require.NotEmpty(t, e.Text)
			return
		}
		printed := pf.Print(file)
		again, err := pf.Parse(printed)
		require.NoError(t, err, printed)
		require.Equal(t, printed, pf.Print(again))
		if diff := cmp.Diff(file, again, cmpopts.IgnoreTypes(pf.Pos{}), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%s\n%s", printed, diff)
		}
		for i := range file.Interfaces {
			opt := pf.Options{Interface: file.Interfaces[i].Name, Speed: qdisc.Gbit, Lenient: true}
			tree, err := file.Build(opt)
			same, errSame := again.Build(opt)
			require.Equal(t, err == nil, errSame == nil)
			if err == nil {
				require.Equal(t, tree.Queues(), same.Queues())
				tree.Root().Enqueue(&qdisc.Packet{Len: 100}, 0)
				require.Equal(t, 1, tree.Root().Len())
				require.NotNil(t, tree.Root().Dequeue(0))
			}
		}
	})
}
