package qdisc_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// FuzzParseIP: no bytes panic or are read beyond the end; the facts are the
// same each time, stay within the bytes, and do not depend on what follows the
// headers. ParseIP and StoreDS agree on what an IP header is.
func FuzzParseIP(f *testing.F) {
	for i, c := range slices.Concat(cases4(), cases6()) {
		f.Add(c.b, 0)
		f.Add(append(make([]byte, i), c.b...), i)
		f.Add(ethernet(u16(0x0800), c.b), 14)
		f.Add(ethernet(u16(0x8100, 5, 0x86dd), c.b), 18)
	}
	f.Fuzz(func(t *testing.T, b []byte, off int) {
		got, ok := parse(t, b, off)
		checkFacts(t, b, got, ok)
		if ok {
			require.Equal(t, off, int(got.NetOff))
			checkTail(t, b, int(got.HdrLen), func(b []byte) (facts, bool) { return parse(t, b, off) })
			require.True(t, storeDS(slices.Clone(b[off:]), 1))
		} else if off >= 0 && off <= min(len(b), 65535) {
			require.False(t, storeDS(slices.Clone(b[off:]), 1))
		}

		got, ok = parseFrame(t, b)
		checkFacts(t, b, got, ok)
		if ok {
			checkTail(t, b, int(got.HdrLen), func(b []byte) (facts, bool) { return parseFrame(t, b) })
		}
	})
}

func checkFacts(t *testing.T, b []byte, got facts, ok bool) {
	require.Equal(t, ok, got.Proto != 0)
	require.LessOrEqual(t, got.NetOff, got.HdrLen)
	require.LessOrEqual(t, int(got.HdrLen), len(b))
	if !ok {
		require.Equal(t, got.NetOff, got.HdrLen)
		require.Zero(t, got.DSField)
	}
}

// checkTail changes and cuts off what follows the first n bytes.
func checkTail(t *testing.T, b []byte, n int, parse func([]byte) (facts, bool)) {
	if n == 65535 {
		return // the headers may be longer
	}
	want, _ := parse(b)
	changed := slices.Clone(b)
	for i := n; i < len(b); i++ {
		changed[i] ^= 0xff
	}
	for _, c := range [][]byte{changed, b[:n]} {
		got, ok := parse(c)
		require.True(t, ok)
		require.Equal(t, want, got, "%x and %x", b, c)
	}
}

// FuzzStoreDS: only the DS field and the checksum change, a right checksum
// stays right, and storing the old field brings the old header back.
func FuzzStoreDS(f *testing.F) {
	for i, c := range slices.Concat(cases4(), cases6()) {
		f.Add(c.b, uint8(i*37))
		f.Add(c.b[:len(c.b)/2], uint8(255-i))
	}
	f.Fuzz(func(t *testing.T, hdr []byte, ds uint8) {
		size := 0 // of an IPv4 header that is there
		if len(hdr) >= 20 && hdr[0]>>4 == 4 && hdr[0]&15 >= 5 && len(hdr) >= 4*int(hdr[0]&15) {
			size = 4 * int(hdr[0]&15)
			hdr = put16(hdr, 10, checksum4(hdr))
		}
		var p qdisc.Packet
		isIP := qdisc.ParseIP(&p, hdr, 0, nil)
		old := p.DSField

		got := slices.Clone(hdr)
		require.Equal(t, isIP, storeDS(got, ds))
		if !isIP {
			require.Equal(t, hdr, got)
			return
		}
		require.True(t, qdisc.ParseIP(&p, got, 0, nil))
		require.Equal(t, ds, p.DSField)
		want := slices.Clone(hdr)
		if hdr[0]>>4 == 6 {
			want[0], want[1] = want[0]&0xf0|ds>>4, ds<<4|want[1]&15
		} else {
			want[1] = ds
			copy(want[10:], got[10:12])
		}
		require.Equal(t, want, got)
		if size > 0 {
			require.Equal(t, put16(got, 10, checksum4(got)), got, "the checksum of %x", got)
			require.True(t, storeDS(got, old))
			require.True(t, bytes.Equal(hdr, got))
		}
	})
}
