package tc

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// tcTesting are the cases of the kernel's tc-testing suite that concern the
// words of these kinds: commands before, the command, whether it is taken, and
// how often Show then matches.
var tcTesting = []struct {
	id, before, command string
	ok                  bool
	shows               string
	n                   int
}{
	{"a519", "", "add dev D handle 1: root bfifo", true, "qdisc bfifo 1: root.*limit [0-9]+b", 1},
	{"585c", "", "add dev D handle 1: root pfifo", true, "qdisc pfifo 1: root.*limit [0-9]+p", 1},
	{"a86e", "", "add dev D root handle ffff: bfifo", true, "qdisc bfifo ffff: root.*limit [0-9]+b", 1},
	{"9ac8", "", "add dev D handle 1: root bfifo limit 3000b", true, "qdisc bfifo 1: root.*limit 3000b", 1},
	{"f4e6", "", "add dev D handle 1: root pfifo limit 3000", true, "qdisc pfifo 1: root.*limit 3000p", 1},
	{"b1b1", "", "add dev D root handle 10000: bfifo", false, "qdisc bfifo", 0},
	{"8d5e", "", "add dev D handle 1: root bfifo foorbar", false, "qdisc bfifo 1: root", 0},
	{"7787", "", "add dev D handle 1: root pfifo foorbar", false, "qdisc pfifo 1: root", 0},
	{"c4b6", "add dev D handle 1: root bfifo", "replace dev D handle 1: root bfifo limit 3000b", true, "qdisc bfifo 1: root.*limit 3000b", 1},
	{"3df6", "add dev D handle 1: root pfifo", "replace dev D handle 1: root pfifo limit 30", true, "qdisc pfifo 1: root.*limit 30p", 1},
	{"7a67", "", "add dev D handle 1: root bfifo limit foo-bar", false, "qdisc bfifo", 0},
	{"1298", "add dev D handle 1: root bfifo", "add dev D handle 1: root bfifo", false, "qdisc bfifo 1: root", 1},
	{"972b", "", "add dev D root handle 123^ bfifo limit 100b", false, "qdisc bfifo", 0},

	{"ddd9", "", "add dev D handle 1: root prio", true, "qdisc prio 1: root", 1},
	{"aa71", "", "add dev D root handle ffff: prio", true, "qdisc prio ffff: root", 1},
	{"db37", "", "add dev D root handle 10000: prio", false, "qdisc prio", 0},
	{"39d8", "", "add dev D handle 1: root prio foorbar", false, "qdisc prio", 0},
	{"5769", "", "add dev D handle 1: root prio bands 4 priomap 1 1 2 2 3 3 0 0 1 2 3 0 0 0 0 0", true, "qdisc prio 1: root.*bands 4 priomap.*1 1 2 2 3 3 0 0 1 2 3 0 0 0 0 0", 1},
	{"fe0f", "", "add dev D handle 1: root prio bands 4 priomap 1 1 2 2 3 3 0 0 1 2 3 0 0 0 0 0 1 1", false, "qdisc prio", 0},
	{"1f91", "", "add dev D handle 1: root prio bands 4 priomap 1 1 2 2 7 5 0 0 1 2 3 0 0 0 0 0", false, "qdisc prio", 0},
	{"d248", "", "add dev D handle 1: root prio bands 1 priomap 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", false, "qdisc prio", 0},
	{"1d0e", "", "add dev D handle 1: root prio bands 1024 priomap 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16", false, "qdisc prio", 0},
	{"1971", "add dev D handle 1: root prio", "replace dev D handle 1: root prio bands 8 priomap 1 1 2 2 3 3 4 4 5 5 6 6 7 7 0 0", true, "qdisc prio 1: root.*bands 8 priomap.*1 1 2 2 3 3 4 4 5 5 6 6 7 7 0 0", 1},
	{"d88a", "add dev D handle 1: root prio", "add dev D handle 1: root prio", false, "qdisc prio 1: root", 1},
	{"6c0a", "", "add dev D root handle 123^ prio", false, "qdisc prio", 0},

	{"6430", "", "add dev D handle 1: root tbf limit 1000 burst 1500 rate 10000", true, "qdisc tbf 1: root rate 10Kbit burst 1500b limit 1000b$", 1},
	{"0518", "", "add dev D handle 1: root tbf limit 1000 burst 1500 rate 20000 mtu 2048", true, "qdisc tbf 1: root rate 20Kbit burst 1500b limit 1000b$", 1},
	{"320a", "", "add dev D handle 1: root tbf limit 1000 burst 1500 rate 20000 mtu 1510 peakrate 30000", true, "qdisc tbf 1: root rate 20Kbit burst 1500b peakrate 30Kbit minburst.*limit 1000b$", 1},
	{"239b", "", "add dev D handle 1: root tbf burst 1500 rate 20000 latency 100ms", true, "qdisc tbf 1: root rate 20Kbit burst 1500b lat 100ms$", 1},
	{"c975", "", "add dev D handle 1: root tbf limit 1000 burst 1500 rate 20000 overhead 300", true, "qdisc tbf 1: root rate 20Kbit burst 1800b limit 1000b overhead 300$", 1},
	{"948c", "", "add dev D handle 1: root tbf limit 1000 burst 1500 rate 20000 linklayer atm", true, "qdisc tbf 1: root rate 20Kbit burst 1696b limit 1000b linklayer atm$", 1},
	{"3549", "", "replace dev D handle 1: root tbf limit 1000 burst 1500 rate 20000 linklayer ethernet", true, "qdisc tbf 1: root rate 20Kbit burst 1500b limit 1000b$", 1},
	{"f948", "add dev D handle 1: root tbf burst 1500 rate 20000 latency 10ms", "change dev D handle 1: root tbf burst 1500 rate 20000 latency 200ms", true, "qdisc tbf 1: root rate 20Kbit burst 1500b lat 200ms$", 1},
}

func TestTCTesting(t *testing.T) {
	for _, compat := range []qdisc.Compat{qdisc.Exact, qdisc.Linux} {
		for _, c := range tcTesting {
			opt, err := Options{Compat: compat}.resolve()
			require.NoError(t, err)
			tree := &Tree{opt: opt}
			if c.before != "" {
				require.NoError(t, tree.Run("tc qdisc "+c.before, 0), c.id)
			}
			err = tree.Run("qdisc "+c.command, 0)
			assert.Equal(t, c.ok, err == nil, "%s: %v", c.id, err)
			shown := strings.TrimSuffix(tree.Show(), "\n")
			assert.Len(t, regexp.MustCompile(c.shows).FindAllString(shown, -1), c.n, "%s: %s", c.id, shown)
		}
	}
}

// TestTCTestingClasses: cases 2410 and 2348 count the classes.
func TestTCTestingClasses(t *testing.T) {
	for words, n := range map[string]int{"prio": 3, "tbf limit 1000 burst 1500 rate 10000": 1} {
		q, err := New(words, Options{})
		require.NoError(t, err)
		classes := 0
		for range q.(qdisc.Parent).Children() {
			classes++
		}
		assert.Equal(t, n, classes)
	}
}
