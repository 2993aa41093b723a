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
		"diffserv":                         {Diffserv: cake.Diffserv4},
		"precedence dual-srchost nat wash": {Diffserv: cake.Precedence, Isolation: cake.DualSrcHost, NAT: true, Wash: true},
		"wash nowash no-split-gso ingress": {NoSplit: true, Ingress: true},
		"ack-filter-aggressive":            {AckFilter: cake.FilterAcksAggressive, Header: header},
		"memlimit 4mb fwmark 0xff":         {MemoryLimit: 4 << 20, FwMark: 0xff},
		"overhead -4 mpu 64 atm":           {Framing: framing(-4, 64, cake.ATM)},
		"ethernet":                         {Framing: framing(38, 84, cake.NoATM)},
		"ethernet ether-vlan ether-vlan":   {Framing: framing(46, 84, cake.NoATM)},
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

func TestCakeErrors(t *testing.T) {
	for words, says := range map[string]string{
		"lan metro":     "lan and metro: one round-trip time is enough",
		"ack-filter":    "Header",
		"mpu 257":       "0 to 256 bytes",
		"overhead 257":  "-64 to 256 bytes",
		"bandwidth 8":   "64 bit/s",
		"bandwidth":     "needs a value",
		"diffserv5":     `unknown option "diffserv5"`,
		"fwmark 0xg":    "not a whole number",
		"overhead five": "overhead",
	} {
		_, err := New("cake "+words, Options{})
		assert.ErrorContains(t, err, says, words)
	}
}

// TestCakeChange: a change keeps what it does not name.
func TestCakeChange(t *testing.T) {
	tree, err := Build("qdisc add dev D root handle 1: cake bandwidth 10mbit ethernet besteffort\nqdisc change dev D handle 1: root cake rtt 20ms", Options{})
	require.NoError(t, err)
	assert.Contains(t, tree.Show(), "bandwidth 10Mbit besteffort triple-isolate nonat nowash no-ack-filter split-gso rtt 20ms noatm overhead 38 mpu 84")
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
