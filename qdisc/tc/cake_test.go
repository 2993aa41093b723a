package tc

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/cake"
	"github.com/netsched/netsched/qdisc"
)

func header(*qdisc.Packet) []byte { return nil }

// TestCakeWords: what each word means.
func TestCakeWords(t *testing.T) {
	framing := func(overhead, mpu int, link cake.Link) cake.Framing {
		return cake.Framing{Overhead: &overhead, MPU: mpu, Link: link}
	}
	for words, want := range map[string]cake.Config{
		"":                                 {},
		"bandwidth 20mbit":                 {Bandwidth: 20 * qdisc.Mbit},
		"bandwidth 1001bit":                {Bandwidth: 1000}, // whole bytes a second
		"autorate-ingress bandwidth 1mbit": {Bandwidth: qdisc.Mbit},
		"bandwidth 1mbit autorate-ingress": {Bandwidth: qdisc.Mbit, Autorate: true},
		"bandwidth 1mbit unlimited":        {},
		"rtt 20ms":                         {RTT: 20 * time.Millisecond},
		"rtt 0":                            {RTT: time.Microsecond},
		"satellite":                        {RTT: time.Second},
		"rtt 5ms lan":                      {RTT: time.Millisecond},
		"lan rtt 5ms":                      {RTT: 5 * time.Millisecond},
		"bandwidth 0":                      {}, // which is unlimited
		"memlimit 4mb memlimit 0":          {}, // derived
		"ingress egress wash nonat nowash": {},
		"no-split-gso split-gso nat nonat": {},
		"ack-filter no-ack-filter":         {},
		"diffserv":                         {Diffserv: cake.Diffserv4},
		"precedence dual-srchost nat wash": {Diffserv: cake.Precedence, Isolation: cake.DualSrcHost, NAT: true, Wash: true},
		"wash nowash no-split-gso ingress": {NoSplit: true, Ingress: true},
		"ack-filter-aggressive":            {AckFilter: cake.FilterAcksAggressive, Header: header},
		"memlimit 4mb fwmark 0xff":         {MemoryLimit: 4 << 20, FwMark: 0xff},
		"overhead -4 mpu 64 atm":           {Framing: framing(-4, 64, cake.ATM)},
		"ethernet":                         {Framing: framing(38, 84, cake.NoATM)},
		"ethernet ether-vlan ether-vlan":   {Framing: framing(46, 84, cake.NoATM)},
		"mpu 100 ethernet":                 {Framing: framing(38, 84, cake.NoATM)},
		"ethernet mpu 100 mpu 0":           {Framing: framing(38, 0, cake.NoATM)}, // as if not given
		"atm ethernet via-ethernet":        {Framing: framing(38, 84, cake.ATM)},
		"atm docsis":                       {Framing: framing(18, 64, cake.NoATM)},
		"overhead 5 pppoa-llc":             {Framing: framing(19, 0, cake.ATM)},
		"pppoa-llc overhead 5":             {Framing: framing(5, 0, cake.ATM)},
		"ethernet raw ether-vlan":          {Framing: framing(4, 84, cake.NoATM)},
		"pppoe-ptm ether-vlan":             {Framing: framing(34, 0, cake.PTM)},
		"ether-vlan conservative":          {Framing: framing(48, 0, cake.ATM)},
		"docsis raw":                       {Framing: cake.Framing{MPU: 64}},
	} {
		q, err := New("cake "+words, Options{Header: header})
		require.NoError(t, err, words)
		want.Header = header
		ref, err := cake.New(want)
		require.NoError(t, err, words)
		assert.Equal(t, ref.Config().String(), q.(*cake.Cake).Config().String(), words)
		assert.Equal(t, ref.Config().Target, q.(*cake.Cake).Config().Target, words)
	}
}

// TestCakePresets has every word for a line and for a round-trip time.
func TestCakePresets(t *testing.T) {
	for word, shown := range map[string]string{
		"raw":             "raw overhead 0",
		"conservative":    "atm overhead 48",
		"ipoa-vcmux":      "atm overhead 8",
		"ipoa-llcsnap":    "atm overhead 16",
		"bridged-vcmux":   "atm overhead 24",
		"bridged-llcsnap": "atm overhead 32",
		"pppoa-vcmux":     "atm overhead 10",
		"pppoa-llc":       "atm overhead 14",
		"pppoe-vcmux":     "atm overhead 32",
		"pppoe-llcsnap":   "atm overhead 40",
		"pppoe-ptm":       "ptm overhead 30",
		"bridged-ptm":     "ptm overhead 22",
		"ethernet":        "noatm overhead 38 mpu 84",
		"ether-vlan":      "noatm overhead 4",
		"docsis":          "noatm overhead 18 mpu 64",
		"via-ethernet":    "raw overhead 0",
		"noatm":           "raw overhead 0",
		"atm":             "raw atm overhead 0",
		"ptm":             "raw ptm overhead 0",
	} {
		q, err := New("cake "+word, Options{})
		require.NoError(t, err, word)
		assert.Equal(t, "cake bandwidth unlimited diffserv3 triple-isolate nonat nowash no-ack-filter split-gso rtt 100ms "+shown, Show(q), word)
	}
	for word, us := range map[string][2]int{
		"datacentre": {100, 5}, "lan": {1000, 50}, "metro": {10e3, 500}, "regional": {30e3, 1500}, "internet": {100e3, 5000},
		"oceanic": {300e3, 15e3}, "satellite": {1e6, 50e3}, "interplanetary": {1000e6, 50e6},
	} {
		q, err := New("cake rtt 1s "+word, Options{})
		require.NoError(t, err, word)
		c := q.(*cake.Cake)
		assert.Equal(t, us, [2]int{int(c.Config().RTT.Microseconds()), int(c.Stats().Tins[0].Target.Microseconds())}, word)
	}
}

// TestCakeShowsAll: the order in which tc prints, and reads it back.
func TestCakeShowsAll(t *testing.T) {
	const all = "cake bandwidth 20Mbit autorate-ingress precedence srchost nat wash ingress ack-filter-aggressive no-split-gso rtt 1.5s ptm overhead -7 mpu 64 memlimit 5Mb fwmark 0xff00"
	q, err := New(all, Options{Header: header})
	require.NoError(t, err)
	assert.Equal(t, all, Show(q))
}

func TestCakeErrors(t *testing.T) {
	for words, says := range map[string]string{
		"lan metro":                 "cake: lan and metro: one round-trip time is enough",
		"lan lan":                   "cake: lan and lan: one round-trip time is enough",
		"ack-filter":                "cake: ack-filter reads TCP headers; give Options a Header that returns them",
		"ack-filter-aggressive":     "cake: ack-filter-aggressive reads TCP headers",
		"mpu 257":                   `cake: mpu "257": give 0 to 256 bytes`,
		"mpu 257 mpu 1":             `mpu "257"`,
		"mpu -1":                    `cake: mpu "-1": give 0 to 256 bytes`,
		"mpu":                       "cake: mpu needs a value",
		"overhead 257":              `cake: overhead "257": give -64 to 256 bytes`,
		"overhead -65":              `overhead "-65"`,
		"overhead five":             `cake: overhead "five": give -64 to 256 bytes`,
		"overhead 0x10":             `overhead "0x10"`,
		"overhead 256 ether-vlan":   "cake: Overhead = 260: -64 to 256 bytes",
		"bandwidth 8":               "64 bit/s",
		"bandwidth 1001tbit":        "1000 Tbit/s",
		"bandwidth 5%":              "a share of the device's speed",
		"bandwidth":                 "cake: bandwidth needs a value",
		"bandwidth unlimited":       `bandwidth "unlimited": not a number`,
		"diffserv5":                 `cake: unknown option "diffserv5"; use bandwidth,`,
		"triple":                    `unknown option "triple"`, // no prefixes
		"fwmark 0xg":                "not a whole number",
		"rtt 5ns":                   "use s, ms or us",
		"rtt 4295s":                 "below 2^32 us",
		"memlimit 4gb":              "below 2^32 bytes",
		"besteffort unlimited lan5": `unknown option "lan5"`,
	} {
		_, err := New("cake "+words, Options{})
		assert.ErrorContains(t, err, says, words)
	}
}

// TestCakeChange: a change keeps what it does not name. Lines add up within one
// command only.
func TestCakeChange(t *testing.T) {
	const shaped = "bandwidth 10mbit ethernet besteffort wash fwmark 1 memlimit 1mb rtt 20ms"
	for _, c := range []struct{ before, change, shows string }{
		{shaped, "", "bandwidth 10Mbit besteffort triple-isolate nonat wash no-ack-filter split-gso rtt 20ms noatm overhead 38 mpu 84 memlimit 1Mb fwmark 0x1"},
		{shaped, "unlimited nowash fwmark 0 memlimit 0 lan", "unlimited besteffort triple-isolate nonat nowash no-ack-filter split-gso rtt 1ms noatm overhead 38 mpu 84\n"},
		{"autorate-ingress", "rtt 5ms", "unlimited autorate-ingress"},
		{"autorate-ingress", "bandwidth 1mbit", "bandwidth 1Mbit diffserv3"},
		{"autorate-ingress", "unlimited", "unlimited diffserv3"},
		{"ethernet", "ethernet", "noatm overhead 38 mpu 84"},
		{"ethernet", "ethernet ether-vlan", "noatm overhead 42 mpu 84"},
		{"overhead 40", "ether-vlan", "noatm overhead 4\n"},
		{"pppoe-vcmux", "docsis", "noatm overhead 18 mpu 64"},
		{"pppoe-vcmux", "ethernet", "atm overhead 38 mpu 84"},
		{"conservative", "ptm", "ptm overhead 48"},
		{"conservative", "raw", "raw overhead 0\n"},
		{"overhead 4 mpu 64", "mpu 0", "noatm overhead 4 mpu 64"},
		{"overhead 4 mpu 64", "docsis mpu 0", "noatm overhead 18 mpu 64"},
		{"overhead 4 mpu 100", "docsis mpu 0", "noatm overhead 18 mpu 100"},
	} {
		for _, verb := range []string{"change", "replace"} {
			for _, compat := range []qdisc.Compat{qdisc.Exact, qdisc.Linux} {
				tree := build(t, "qdisc add dev D root handle 1: cake "+c.before, Options{Compat: compat, MTU: 9014})
				root := tree.Root()
				require.NoError(t, tree.Run("qdisc "+verb+" dev D handle 1: root cake "+c.change, 1))
				assert.Contains(t, tree.Show(), c.shows, "%s, then %s", c.before, c.change)
				assert.Same(t, root, tree.Root())
				assert.Equal(t, 9014, root.(*cake.Cake).Config().MTU)
			}
		}
	}
}

// TestCakeChangeRefused: all or nothing, with packets waiting.
func TestCakeChangeRefused(t *testing.T) {
	tree := build(t, "qdisc add dev D root cake bandwidth 1mbit ethernet", Options{})
	shown := tree.Show()
	for range 3 {
		tree.Root().Enqueue(&qdisc.Packet{Len: 1000, Proto: 17}, 0)
	}
	for _, bad := range []string{"besteffort mpu 257", "rtt 5ms ack-filter", "raw lan lan", "bandwidth 8", "unlimited overhead"} {
		require.Error(t, tree.Run("qdisc change dev D root cake "+bad, 1), bad)
		assert.Equal(t, shown, tree.Show())
	}
	require.NoError(t, tree.Run("qdisc change dev D root cake unlimited besteffort", 1))
	for range 3 {
		require.NotNil(t, tree.Root().Dequeue(1))
	}
}

// TestSplit: a cake and a tbf cut super-packets with Options.Split.
func TestSplit(t *testing.T) {
	split := func(p *qdisc.Packet, segs *qdisc.List) {
		for range p.Segs {
			segs.Push(&qdisc.Packet{Len: 1000, Proto: 6})
		}
	}
	for words, n := range map[string]int{
		"cake": 3, "cake no-split-gso": 1, "tbf rate 1gbit burst 2kb limit 1mb": 3,
	} {
		q, err := New(words, Options{Split: split})
		require.NoError(t, err)
		q.Enqueue(&qdisc.Packet{Len: 3000, Segs: 3, SegSize: 960, HdrLen: 40, Proto: 6}, 0)
		assert.Equal(t, n, q.Len(), words)
	}
}

// TestCakeCounters: the kind's own lines, and members.
func TestCakeCounters(t *testing.T) {
	q, err := New("cake bandwidth 8mbit", Options{})
	require.NoError(t, err)
	q.Enqueue(&qdisc.Packet{Len: 1000, Proto: 17}, 0)
	require.NotNil(t, q.Dequeue(0))
	assert.Contains(t, ShowStats(q), " capacity estimate: 8Mbit\n")
	assert.Contains(t, ShowStats(q), "Best Effort")
	out, err := JSON(q)
	require.NoError(t, err)
	assert.Contains(t, string(out), `"capacity_estimate":1000000`)
	assert.Contains(t, string(out), `"sent_packets":1`)
}
