package trace

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestHeader: the bytes of a described packet, from its network header on.
func TestHeader(t *testing.T) {
	cases := []struct{ name, line, want string }{
		{
			"UDP over IPv4", "1 114 7 0a000001 b8",
			"45b80064 00000000 4011 65cf 0a000001 0a000002" + "0000000000000000",
		},
		{
			"TCP with options over IPv4", "1 114 7 0a000001 00 tcp=80,443,d0,7 tsopt=1,2 sack=3-4 xopt=253",
			"45000064 00000000 4006 6692 0a000001 0a000002" +
				"0050 01bb 00000000 00000007 c0d0 0000 00000000" +
				"0101080a 00000001 00000002" + "0101050a 00000003 00000004" + "fd040000",
		},
		{
			"super-packet over IPv6", "1 5000 7 0a000001 02 ip6 gso=1000",
			"60200000 1352 0640" + strings.Repeat("0", 24) + "0a000001" + strings.Repeat("0", 24) + "0a000002" +
				"0000 0000 00000000 00000000 5010 0000 00000000",
		},
		{"no IP", "1 60 7 0a000001 00 arp", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := strings.SplitN(c.line, " ", 6)
			line := strings.Join([]string{f[0], f[1], f[2], "167772161", "167772162", f[4], "0"}, " ")
			if len(f) > 5 {
				line += " " + f[5]
			}
			s := &scanner{text: &text{"line", []string{line}}}
			require.True(t, s.next())
			a := parseArrival(s)
			require.NoError(t, s.err)
			assert.Equal(t, strings.ReplaceAll(c.want, " ", ""), hex.EncodeToString(a.header(a.Len, 14)))
		})
	}
}

func TestRandom(t *testing.T) {
	s := Random{Seed: 1}.Source()
	assert.Equal(t, uint64(0x910a2dec89025cc1), s.Uint64()) // SplitMix64's published first output for seed 1
	assert.Equal(t, uint64(5), Random{Constant: true, Seed: 5}.Source().Uint64())
	x := NewXorshift(0)
	assert.Equal(t, uint64(723471715)<<32, x.Uint64()) // Marsaglia's xorshift32 from 2463534242
}
