package qdisc_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

func TestNewHashKey(t *testing.T) {
	key := func(seed uint64) *qdisc.HashKey { return qdisc.NewHashKey(rand.NewPCG(seed, 0)) }
	assert.Equal(t, key(1), key(1))
	assert.NotEqual(t, key(1), key(2))
	assert.NotEqual(t, qdisc.NewHashKey(nil), qdisc.NewHashKey(nil))
}

// TestHashAddresses: the hashes of addresses are those of packets; the table
// of TestParseIP compares most.
func TestHashAddresses(t *testing.T) {
	port := func(a netip.Addr, n uint16) netip.AddrPort { return netip.AddrPortFrom(a, n) }
	mapped := netip.AddrFrom16(src4.As16())
	require.True(t, mapped.Is4In6())
	k := testKey
	assert.Equal(t, k.Host(src4), k.Host(mapped))
	assert.Equal(t, k.Host(src6), k.Host(src6.WithZone("eth0")))
	assert.Equal(t, k.Flow(6, port(src4, 1), port(dst4, 2)), k.Flow(6, port(mapped, 1), port(dst4, 2)))

	flow := k.Flow(6, port(src4, 1), port(dst4, 2))
	for _, other := range []uint32{
		k.Flow(17, port(src4, 1), port(dst4, 2)), k.Flow(6, port(src4, 2), port(dst4, 2)), k.Flow(6, port(src4, 1), port(dst4, 1)),
		k.Flow(6, port(src4, 2), port(dst4, 1)), k.Flow(6, port(dst4, 2), port(src4, 1)), k.Flow(6, port(dst4, 1), port(src4, 2)),
	} {
		assert.NotEqual(t, flow, other)
	}

	assert.NotEqual(t, k.Host(addr6(1, 2)), k.Host(addr6(2, 1)))
	assert.NotEqual(t, k.Flow(0, port(src4, 0), port(dst4, 0)), k.Flow(0, port(dst4, 0), port(src4, 0)))

	var none netip.Addr
	assert.Zero(t, k.Host(none))
	assert.Zero(t, k.Flow(6, port(none, 1), port(dst4, 2)))
	assert.Zero(t, k.Flow(6, port(src4, 1), port(none, 2)))
	k = nil
	assert.Zero(t, k.Host(src4))
	assert.Zero(t, k.Flow(6, port(src4, 1), port(dst4, 2)))
}

// patterns are flows such as a sender could choose, packet i of each.
var patterns = []struct {
	name string
	flow func(k *qdisc.HashKey, i uint32) uint32
}{
	{"IPv4 hosts one after the other", func(k *qdisc.HashKey, i uint32) uint32 { return k.Host(addr4(0x0a000000 + i)) }},
	{"IPv4 networks one after the other", func(k *qdisc.HashKey, i uint32) uint32 { return k.Host(addr4(i<<12 + 1)) }},
	{"IPv6 hosts one after the other", func(k *qdisc.HashKey, i uint32) uint32 { return k.Host(addr6(0x20010db8<<32, uint64(i))) }},
	{"IPv6 networks one after the other", func(k *qdisc.HashKey, i uint32) uint32 { return k.Host(addr6(0x2001<<48|uint64(i)<<16, 1)) }},
	{"IPv6 hosts in both halves", func(k *qdisc.HashKey, i uint32) uint32 { return k.Host(addr6(uint64(i), uint64(i))) }},
	{"source ports", func(k *qdisc.HashKey, i uint32) uint32 {
		return flowOfPorts(k, src4, dst4, uint16(i), uint16(443+i>>16))
	}},
	{"destination ports", func(k *qdisc.HashKey, i uint32) uint32 {
		return flowOfPorts(k, src6, dst6, uint16(443+i>>16), uint16(i))
	}},
	{"both ports", func(k *qdisc.HashKey, i uint32) uint32 { return flowOfPorts(k, src4, dst4, uint16(i), uint16(i^i>>16)) }},
	{"sources", func(k *qdisc.HashKey, i uint32) uint32 { return flowOfPorts(k, addr4(0x0a000000+i), dst4, 1000, 80) }},
	{"destinations", func(k *qdisc.HashKey, i uint32) uint32 { return flowOfPorts(k, src6, addr6(0, uint64(i)), 1000, 80) }},
	{"both addresses the same", func(k *qdisc.HashKey, i uint32) uint32 { return flowOfPorts(k, addr4(i), addr4(i), 1, 1) }},
	{"pairs of hosts", func(k *qdisc.HashKey, i uint32) uint32 { return flowOfPorts(k, addr4(i&0x3ff), addr4(i>>10), 53, 53) }},
}

func addr4(a uint32) netip.Addr {
	return netip.AddrFrom4([4]byte(binary.BigEndian.AppendUint32(nil, a)))
}

func addr6(hi, lo uint64) netip.Addr {
	return netip.AddrFrom16([16]byte(binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, hi), lo)))
}

func flowOfPorts(k *qdisc.HashKey, src, dst netip.Addr, s, d uint16) uint32 {
	return k.Flow(17, netip.AddrPortFrom(src, s), netip.AddrPortFrom(dst, d))
}

// deviation is how many standard deviations the chi-square of the counts is
// from what draws at random give.
func deviation(counts []int) float64 {
	n := 0
	for _, c := range counts {
		n += c
	}
	want, chi := float64(n)/float64(len(counts)), 0.0
	for _, c := range counts {
		chi += (float64(c) - want) * (float64(c) - want) / want
	}
	freedom := float64(len(counts) - 1)
	return (chi - freedom) / math.Sqrt(2*freedom)
}

// skipShort passes over millions of hashes, of which the race detector makes
// half a minute.
func skipShort(t *testing.T) {
	if testing.Short() {
		t.Skip("many hashes")
	}
}

// TestHashBuckets: 2^16 flows spread over 1024 buckets as if drawn at random,
// whether the top or the low bits choose, and two keys place them
// independently of each other.
func TestHashBuckets(t *testing.T) {
	worst := 0.0
	check := func(counts []int, what string, args ...any) {
		d := deviation(counts)
		worst = max(worst, math.Abs(d))
		assert.InDelta(t, 0, d, 5, what, args)
	}
	seeds := uint64(8)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		k, other := qdisc.NewHashKey(rand.NewPCG(seed, 1)), qdisc.NewHashKey(rand.NewPCG(seed, 2))
		for _, p := range patterns {
			var top, low, both [1024]int
			for i := range uint32(1 << 16) {
				h := p.flow(k, i)
				top[uint64(h)*1024>>32]++
				low[h%1024]++
				both[h>>27<<5|p.flow(other, i)>>27]++
			}
			check(top[:], "top bits, %s, key %d", p.name, seed)
			check(low[:], "low bits, %s, key %d", p.name, seed)
			check(both[:], "two keys, %s, key %d", p.name, seed)
		}
	}
	t.Logf("at most %.2f standard deviations", worst)
}

// TestHashChosenBuckets: flows picked because they share a bucket under one
// key, as an attacker with a copy of the program could, are scattered by
// another.
func TestHashChosenBuckets(t *testing.T) {
	skipShort(t)
	known, secret := qdisc.NewHashKey(rand.NewPCG(3, 1)), qdisc.NewHashKey(rand.NewPCG(3, 2))
	for _, p := range patterns {
		var counts [64]int
		for i := range uint32(1 << 20) {
			if p.flow(known, i)>>22 == 77 {
				counts[p.flow(secret, i)>>26]++
			}
		}
		assert.InDelta(t, 0, deviation(counts[:]), 5, p.name)
	}
}

// TestHashCollisions: among 2^20 flows as many share all 32 bits with another
// as among draws at random, 128 pairs.
func TestHashCollisions(t *testing.T) {
	skipShort(t)
	const n = 1 << 20
	want := float64(n) * (n - 1) / 2 / (1 << 32)
	hashes := make([]uint32, n)
	for _, p := range patterns {
		for i := range hashes {
			hashes[i] = p.flow(testKey, uint32(i))
		}
		slices.Sort(hashes)
		pairs := n - len(slices.Compact(hashes))
		assert.InDelta(t, want, pairs, 5*math.Sqrt(want), p.name)
	}
}

// TestHashAvalanche: each bit of the input flips each bit of the hash half of
// the time, over inputs drawn at random under one key and over keys for one
// input.
func TestHashAvalanche(t *testing.T) {
	rounds := 4096
	if testing.Short() {
		rounds = 256
	}
	bound := 5.5 * math.Sqrt(float64(rounds)) / 2
	rng := rand.New(rand.NewPCG(4, 20))
	hashes := map[string]struct {
		size int // bytes
		hash func(k *qdisc.HashKey, in []byte) uint32
	}{
		"IPv4 host": {4, func(k *qdisc.HashKey, in []byte) uint32 { return k.Host(addrOf(in)) }},
		"IPv6 host": {16, func(k *qdisc.HashKey, in []byte) uint32 { return k.Host(addrOf(in)) }},
		"IPv4 flow": {13, flowOfBytes},
		"IPv6 flow": {37, flowOfBytes},
	}
	for name, h := range hashes {
		in := make([]byte, h.size)
		check := func(what string, next func() *qdisc.HashKey) {
			for bit := range 8 * h.size {
				var flips [32]int
				for range rounds {
					k := next()
					diff := h.hash(k, in)
					in[bit/8] ^= 1 << (bit % 8)
					diff ^= h.hash(k, in)
					for i := range flips {
						flips[i] += int(diff >> i & 1)
					}
				}
				for i, n := range flips {
					require.InDelta(t, rounds/2, n, bound, "%s, %s: bit %d flips bit %d", name, what, bit, i)
				}
			}
		}
		check("any key", func() *qdisc.HashKey { return qdisc.NewHashKey(rng) })
		check("any input", func() *qdisc.HashKey {
			for i := range in {
				in[i] = uint8(rng.Uint32())
			}
			return testKey
		})
	}
}

func addrOf(b []byte) netip.Addr {
	a, _ := netip.AddrFromSlice(b)
	return a
}

// flowOfBytes hashes a protocol, two ports and two addresses.
func flowOfBytes(k *qdisc.HashKey, in []byte) uint32 {
	n := (len(in) - 5) / 2
	src := netip.AddrPortFrom(addrOf(in[5:5+n]), binary.BigEndian.Uint16(in[1:]))
	return k.Flow(in[0], src, netip.AddrPortFrom(addrOf(in[5+n:]), binary.BigEndian.Uint16(in[3:])))
}
