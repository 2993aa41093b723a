package qdisc_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// TestParseEthernet: what ParseIP finds, after a frame's header.
func TestParseEthernet(t *testing.T) {
	for _, link := range []struct {
		name string
		tag  []byte
	}{{"untagged", nil}, {"802.1Q", u16(0x8100, 0xe123)}, {"802.1ad", u16(0x88a8, 7)}} {
		for _, c := range cases4() {
			checkFrame(t, link.name+", "+c.name, ethernet(link.tag, u16(0x0800), c.b), len(link.tag)+14)
		}
		for _, c := range cases6() {
			checkFrame(t, link.name+", "+c.name, ethernet(link.tag, u16(0x86dd), c.b), len(link.tag)+14)
		}
	}
}

// checkFrame cuts the frame at all lengths too, but for the longest.
func checkFrame(t *testing.T, name string, frame []byte, off int) {
	whole, ok := parseFrame(t, frame)
	require.True(t, ok, name)
	require.EqualValues(t, off, whole.NetOff, name)
	if len(frame) > 1500 {
		want, _ := parse(t, frame, off)
		require.Equal(t, want, whole, name)
		return
	}
	seen := map[facts]bool{}
	for n := range len(frame) + 1 {
		want, isIP := parse(t, frame[:n], off)
		got, ok := parseFrame(t, frame[:n])
		switch {
		case n < 14:
			require.Equal(t, facts{}, got, "%s cut to %d", name, n)
		case n < off || !isIP:
			require.False(t, ok, "%s cut to %d", name, n)
			require.NotZero(t, got.SrcHost, "the MAC addresses count")
			require.LessOrEqual(t, int(got.HdrLen), n)
			require.Equal(t, n >= off, int(got.NetOff) == off, "%s cut to %d", name, n)
			seen[got] = true
		default:
			require.True(t, ok, "%s cut to %d", name, n)
			require.Equal(t, want, got, "%s cut to %d", name, n)
		}
	}
	// A cut VLAN tag is another EtherType; a cut IP header is of its own.
	require.Len(t, seen, 1+min(1, off-14), name)
}

// TestParseEthernetOther: frames that are not IP have flows by MAC addresses
// and EtherType.
func TestParseEthernetOther(t *testing.T) {
	frame := func(parts ...[]byte) facts {
		got, ok := parseFrame(t, ethernet(parts...))
		require.False(t, ok)
		return got
	}
	arp := frame(u16(0x0806), data)
	assert.NotZero(t, arp.Flow)
	assert.Equal(t, facts{NetOff: 14, HdrLen: 14, Flow: arp.Flow, SrcHost: arp.SrcHost, DstHost: arp.DstHost}, arp)

	tagged := frame(u16(0x8100, 5, 0x0806), data)
	assert.Equal(t, facts{NetOff: 18, HdrLen: 18, Flow: arp.Flow, SrcHost: arp.SrcHost, DstHost: arp.DstHost}, tagged, "the VLAN does not count")

	pppoe := frame(u16(0x8864), data)
	assert.NotEqual(t, arp.Flow, pppoe.Flow)
	assert.Equal(t, arp.SrcHost, pppoe.SrcHost)

	two := frame(u16(0x88a8, 1, 0x8100, 2, 0x0800), ip4(17, 5, udp()))
	assert.EqualValues(t, 18, two.NetOff, "a second tag is not looked into")
	assert.Equal(t, arp.DstHost, two.DstHost)

	llc := frame(u16(30), data)
	assert.Equal(t, llc, frame(u16(1500), data), "a length is no EtherType")
	assert.NotEqual(t, llc.Flow, arp.Flow)

	for _, c := range []facts{
		frame(u16(0x0800), ip6(17, udp(), data)), frame(u16(0x0800), []byte{0x44}, ip4(17, 5, udp())), frame(u16(0x0800), data),
	} {
		assert.Equal(t, frame(u16(0x0800)), c, "IPv4 in name only")
	}
	assert.Equal(t, frame(u16(0x86dd)), frame(u16(0x86dd), ip4(17, 5, udp(), data)), "IPv6 in name only")
	assert.NotEqual(t, frame(u16(0x86dd)).Flow, frame(u16(0x0800)).Flow)

	// Each address alone changes its own host and the flow.
	for i := range 12 {
		b := ethernet(u16(0x0806), data)
		b[i] ^= 1
		got, _ := parseFrame(t, b)
		assert.NotEqual(t, arp.Flow, got.Flow)
		assert.Equal(t, i < 6, arp.DstHost != got.DstHost, "byte %d", i)
		assert.Equal(t, i >= 6, arp.SrcHost != got.SrcHost, "byte %d", i)
	}
	assert.NotEqual(t, arp.SrcHost, testKey.Host(addr6(0, 0x021122334455)), "a MAC address is no IPv6 address")

	b := ethernet(u16(0x0806), data)
	copy(b, srcMAC)
	copy(b[6:], dstMAC)
	back, _ := parseFrame(t, b)
	assert.Equal(t, arp.SrcHost, back.DstHost, "a host has one hash in both roles")
	assert.NotEqual(t, arp.Flow, back.Flow, "a flow has a direction")
}

// TestParseEthernetKeepsShort: fewer bytes than a header hold no facts.
func TestParseEthernetKeepsShort(t *testing.T) {
	p := qdisc.Packet{NetOff: 1, HdrLen: 2, Proto: 3, DSField: 4, Flow: 5, SrcHost: 6, DstHost: 7, Len: 8}
	assert.False(t, qdisc.ParseEthernet(&p, nil, testKey))
	assert.Equal(t, qdisc.Packet{Len: 8}, p)
}
