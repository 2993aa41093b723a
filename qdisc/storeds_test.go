package qdisc_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// storeDS stores a DS field in an IP header.
func storeDS(hdr []byte, ds uint8) bool {
	return qdisc.StoreDS(&qdisc.Packet{Proto: 255, DSField: ds}, hdr)
}

// TestStoreDSNotIP: what ParseEthernet did not take for IP is left alone, even if
// the bytes at its offset look like it: here the second VLAN tag's.
func TestStoreDSNotIP(t *testing.T) {
	frame := make([]byte, 80)
	copy(frame[12:], []byte{0x88, 0xa8, 0, 1, 0x81, 0x00, 0x45, 0x67, 0x08, 0x00, 0x45})
	was := slices.Clone(frame)
	p := qdisc.Packet{DSField: 0xff}
	require.False(t, qdisc.ParseEthernet(&p, frame, nil))
	p.DSField = 0xff
	require.False(t, qdisc.StoreDS(&p, frame))
	require.Equal(t, was, frame)
	require.False(t, qdisc.StoreDS(&qdisc.Packet{Proto: 6, NetOff: 81}, frame), "an offset beyond the bytes")
}

// TestStoreDSIPv4: every field over every field, with a checksum as computed
// from scratch, with and without options.
func TestStoreDSIPv4(t *testing.T) {
	for _, words := range []int{5, 6, 15} {
		for from := range 256 {
			b := ip4(17, words, udp())
			b[1] = uint8(from)
			b = put16(b, 10, checksum4(b))
			for to := range 256 {
				got, want := slices.Clone(b), slices.Clone(b)
				want[1] = uint8(to)
				want = put16(want, 10, checksum4(want))
				require.True(t, storeDS(got, uint8(to)))
				if !bytes.Equal(want, got) {
					t.Fatalf("from %#x to %#x: %x, not %x", from, to, got, want)
				}
			}
		}
	}
}

// TestStoreDSCorner: the checksum is the one from scratch where it is 0x0000,
// which the arithmetic of RFC 1141 confuses with 0xffff (RFC 1624 section 3),
// and everywhere else.
func TestStoreDSCorner(t *testing.T) {
	seen := map[uint16]bool{}
	for id := range 1 << 16 {
		b := put16(ip4(17, 5), 4, uint16(id))
		b = put16(b, 10, checksum4(b))
		for _, ds := range []uint8{0, 1, 3, 0xb8, 0xff, testDS} {
			got := slices.Clone(b)
			require.True(t, storeDS(got, ds))
			sum := binary.BigEndian.Uint16(got[10:])
			require.Equal(t, checksum4(got), sum, "identification %#x, DS field %#x", id, ds)
			seen[sum] = true
		}
	}
	assert.True(t, seen[0])
	assert.False(t, seen[0xffff])
	assert.Len(t, seen, 0xffff)
}

// TestStoreDSOtherChecksums: 0xffff in place of 0 is right for a receiver, and
// what comes of it is also. A wrong checksum stays wrong by as much.
func TestStoreDSOtherChecksums(t *testing.T) {
	b := ip4(17, 5)
	b = put16(b, 4, checksum4(put16(b, 4, 0))) // sums up to 0xffff
	require.Zero(t, checksum4(b))
	b = put16(b, 10, 0xffff)
	require.True(t, storeDS(b, testDS))
	assert.Equal(t, uint16(0xffff), binary.BigEndian.Uint16(b[10:]), "nothing is to be done")
	require.True(t, storeDS(b, 0))
	assert.Equal(t, checksum4(b), binary.BigEndian.Uint16(b[10:]))

	b = ip4(17, 5)
	right := checksum4(b)
	b = put16(b, 10, right-5)
	require.True(t, storeDS(b, testDS^0x40))
	assert.Equal(t, checksum4(b)-5, binary.BigEndian.Uint16(b[10:]))
}

// TestStoreDSIPv6: the field spans two bytes; version and flow label stay.
func TestStoreDSIPv6(t *testing.T) {
	for from := range 256 {
		for to := range 256 {
			b := ip6(17, udp())
			want := slices.Clone(b)
			binary.BigEndian.PutUint32(b, 6<<28|uint32(from)<<20|0xc0ffe)
			binary.BigEndian.PutUint32(want, 6<<28|uint32(to)<<20|0xc0ffe)
			require.True(t, storeDS(b, uint8(to)))
			require.Equal(t, want, b)
		}
	}
}

// TestStoreDSRefuses: what is not a whole IP header is left alone.
func TestStoreDSRefuses(t *testing.T) {
	refused := func(b []byte) {
		t.Helper()
		in := append(slices.Clone(b), make([]byte, 100)...)[:len(b)]
		assert.False(t, storeDS(in, 0x5a))
		assert.Equal(t, b, in)
	}
	refused([]byte{})
	for n := range 20 {
		refused(ip4(17, 5)[:n])
	}
	for n := range 40 {
		refused(ip6(17)[:n])
	}
	for version := range uint8(16) {
		b := ip6(17, data)
		b[0] = version<<4 | 5
		if version != 4 && version != 6 {
			refused(b)
		}
	}
	for words := range uint8(5) {
		b := ip4(17, 5, data)
		b[0] = 4<<4 | words
		refused(b)
	}
	assert.True(t, storeDS(ip4(17, 15)[:20], 0), "options may be cut off")
	assert.False(t, storeDS(nil, 0))
}
