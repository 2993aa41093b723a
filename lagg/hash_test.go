package lagg_test

import (
	"hash/fnv"
	"math/rand/v2"
	"testing"

	"github.com/netsched/netsched/lagg"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const basis = 2166136261 // the usual start of FNV-1

// fnv1 is another implementation.
func fnv1(bytes ...[]byte) uint32 {
	h := fnv.New32()
	for _, b := range bytes {
		h.Write(b)
	}
	return h.Sum32()
}

// tag puts a VLAN tag into a frame.
func tag(frame []byte, tag uint16) []byte {
	f := append([]byte{}, frame[:12]...)
	f = append(f, 0x81, 0, byte(tag>>8), byte(tag))
	return append(f, frame[12:]...)
}

func TestLayersHash(t *testing.T) {
	four, six := frame4(), frame6()
	cases := []struct {
		name   string
		layers lagg.Layers
		frame  []byte
		want   uint32
	}{
		{"all of IPv4", 0, four, fnv1(four[6:12], four[:6], four[26:34], four[34:38])},
		{"layer 2", lagg.Layer2, four, fnv1(four[6:12], four[:6])},
		{"layer 3", lagg.Layer3, four, fnv1(four[26:34])},
		{"layer 4", lagg.Layer4, four, fnv1(four[34:38])},
		{"layers 2 and 4", lagg.Layer2 | lagg.Layer4, four, fnv1(four[6:12], four[:6], four[34:38])},
		{"none", lagg.NoLayers, four, basis},
		{"all of IPv6", lagg.AllLayers, six, fnv1(six[6:12], six[:6], six[22:54], []byte{0, 0x0a, 0xbc, 0xde})},
		{"flow label", lagg.Layer4, six, fnv1([]byte{0, 0x0a, 0xbc, 0xde})},
		{"no Ethernet header", 0, four[:13], basis},
		{"Ethernet header only", 0, four[:14], fnv1(four[6:12], four[:6])},
		{"cut in the IPv4 header", 0, four[:33], fnv1(four[6:12], four[:6])},
		{"cut in the ports", 0, four[:37], fnv1(four[6:12], four[:6], four[26:34])},
		{"cut in the IPv6 header", 0, six[:53], fnv1(six[6:12], six[:6])},
		{"tagged", 0, tag(four, 0x6123), fnv1(four[6:12], four[:6], []byte{0x61, 0x23}, four[26:38])},
		{"tag cut", 0, tag(four, 5)[:17], fnv1(four[6:12], four[:6])},
	}
	for _, c := range cases {
		h := lagg.Hasher{Key: basis, Layers: c.layers}
		assert.Equal(t, c.want, h.Sum(c.frame), c.name)
	}
}

func with(frame []byte, at int, b ...byte) []byte {
	f := append([]byte{}, frame...)
	copy(f[at:], b)
	return f
}

func TestOptionsProtocolsFragments(t *testing.T) {
	h := lagg.Hasher{Key: basis, Layers: lagg.Layer4}
	asLagg := lagg.Hasher{Key: basis, Layers: lagg.Layer4, AsLagg: true}
	four := frame4()
	both := func(f []byte) [2]uint32 { return [2]uint32{h.Sum(f), asLagg.Sum(f)} }
	ports := fnv1(four[34:38])
	for _, proto := range []byte{6, 17, 132} {
		assert.Equal(t, [2]uint32{ports, ports}, both(with(four, 23, proto)))
	}
	assert.Equal(t, [2]uint32{basis, basis}, both(with(four, 23, 1)), "ICMP")
	options := with(four, 14, 0x47)
	assert.Equal(t, [2]uint32{fnv1(four[42:46]), fnv1(four[42:46])}, both(options), "8 bytes of options")
	assert.Equal(t, [2]uint32{basis, basis}, both(with(four, 14, 0x44)), "a header of 16 bytes is none")
	assert.Equal(t, [2]uint32{basis, basis}, both(with(four, 14, 0x4f)), "options beyond the end")
	assert.Equal(t, [2]uint32{basis, ports}, both(with(four, 20, 0x20, 0)), "the first fragment")
	assert.Equal(t, [2]uint32{basis, ports}, both(with(four, 20, 0, 1)), "a later fragment")
	assert.Equal(t, [2]uint32{ports, ports}, both(with(four, 20, 0x40, 0)), "don't fragment")
}

// TestTag: stripped by the hardware or not, the hash is the same; lagg(4) has
// three different ones.
func TestTag(t *testing.T) {
	h := lagg.Hasher{Key: basis}
	for _, frame := range [][]byte{frame4(), frame6()} {
		assert.Equal(t, h.Sum(tag(frame, 0x2064)), h.SumTagged(frame, 0x2064))
		assert.NotEqual(t, h.Sum(frame), h.SumTagged(frame, 0x2064))
	}
	four := frame4()
	tagged := tag(four, 0x2064)
	asLagg := lagg.Hasher{Key: basis, AsLagg: true}
	assert.Equal(t, fnv1(four[6:12], four[:6], []byte{0x64, 0x20}, four[26:38]), asLagg.SumTagged(four, 0x2064))
	assert.Equal(t, fnv1(four[6:12], four[:6], tagged[28:30]), asLagg.Sum(tagged), "14 bytes too far on")
	assert.Equal(t, fnv1(four[6:12], four[:6]), asLagg.Sum(tagged[:31]))
}

func TestBondPolicies(t *testing.T) {
	four, six := frame4(), frame6()
	layer2 := func(f []byte) uint32 { return uint32(f[5]^f[11]) ^ uint32(f[12])<<8 ^ uint32(f[13]) }
	fold := func(h uint32) uint32 {
		h ^= h >> 16
		return h ^ h>>8
	}
	sum := func(p lagg.Policy, f []byte) uint32 {
		h := lagg.Hasher{Policy: p}
		return h.Sum(f)
	}
	assert.EqualValues(t, 1^2^0x0800, sum(lagg.BondLayer2, four))
	assert.Equal(t, fold(layer2(four)^0x0a000001^0x0a000002), sum(lagg.BondLayer23, four))
	assert.Equal(t, fold(0x03e80050^0x0a000001^0x0a000002)>>1, sum(lagg.BondLayer34, four))
	assert.Equal(t, fold(layer2(six)^1^2), sum(lagg.BondLayer23, six))
	assert.Equal(t, fold(0x03e80050^1^2)>>1, sum(lagg.BondLayer34, six))

	assert.Equal(t, fold(3)>>1, sum(lagg.BondLayer34, with(four, 20, 0x20, 0)), "a fragment has no ports")
	assert.Equal(t, fold(3)>>1, sum(lagg.BondLayer34, with(six, 20, 44)), "nor has this one")
	arp := with(four, 12, 8, 6)
	for _, p := range []lagg.Policy{lagg.BondLayer2, lagg.BondLayer23, lagg.BondLayer34} {
		assert.Equal(t, layer2(arp), sum(p, arp), "not IP")
		assert.Equal(t, layer2(four), sum(p, four[:30]), "cut")
		assert.Zero(t, sum(p, four[:13]))
	}
	assert.Equal(t, sum(lagg.BondLayer34, four), sum(lagg.BondLayer34, tag(four, 7)))
}

// sTag puts a service tag of 802.1ad into a frame.
func sTag(frame []byte, vlan uint16) []byte { return with(tag(frame, vlan), 12, 0x88, 0xa8) }

// TestTagsStrippedOrNot: the hash of every policy is the same; bonding's ignore
// tags.
func TestTagsStrippedOrNot(t *testing.T) {
	for _, frame := range [][]byte{frame4(), frame6(), with(frame4(), 12, 8, 6), frame4()[:30]} {
		for _, policy := range []lagg.Policy{lagg.LayersHash, lagg.BondLayer2, lagg.BondLayer23, lagg.BondLayer34} {
			h := lagg.Hasher{Key: basis, Policy: policy}
			one, two, three := tag(frame, 0x1111), tag(tag(frame, 0x1111), 0x2222), tag(tag(tag(frame, 3), 0x1111), 0x2222)
			assert.Equal(t, h.Sum(one), h.SumTagged(frame, 0x1111), "policy %d", policy)
			assert.Equal(t, h.Sum(two), h.SumTagged(one, 0x2222), "policy %d", policy)
			assert.Equal(t, h.Sum(three), h.SumTagged(tag(tag(frame, 3), 0x1111), 0x2222), "policy %d", policy)
			assert.Equal(t, h.Sum(one), h.Sum(sTag(frame, 0x1111)), "policy %d", policy)
			assert.Equal(t, h.Sum(two), h.Sum(sTag(one, 0x2222)), "policy %d", policy)
			assert.Equal(t, h.Sum(two), h.SumTagged(sTag(frame, 0x1111), 0x2222), "policy %d", policy)
			if policy != lagg.LayersHash {
				assert.Equal(t, h.Sum(frame), h.Sum(two), "policy %d", policy)
			}
		}
	}
	four := frame4()
	h := lagg.Hasher{Key: basis}
	two := sTag(tag(four, 0x1234), 0x5678)
	assert.Equal(t, fnv1(four[6:12], four[:6], []byte{0x56, 0x78, 0x12, 0x34}, four[26:38]), h.Sum(two))
	assert.Equal(t, fnv1(four[6:12], four[:6], []byte{0x56, 0x78}), h.Sum(two[:21]), "the second is cut")
	assert.Equal(t, fnv1(four[6:12], four[:6], []byte{9, 9, 0x56, 0x78}), h.Sum(tag(two, 0x0909)), "the third is not read")
	asLagg := lagg.Hasher{Key: basis, AsLagg: true}
	assert.Equal(t, fnv1(four[6:12], four[:6]), asLagg.Sum(two), "lagg(4) knows no service tags")
}

// TestHashSpreads one address pair's connections over ports.
func TestHashSpreads(t *testing.T) {
	for _, p := range []lagg.Policy{lagg.LayersHash, lagg.BondLayer34} {
		h := lagg.Hasher{Policy: p, Key: 99}
		f := frame4()
		var n [4]int
		for port := range 4000 {
			f[34], f[35] = byte((20000+2*port)>>8), byte(20000+2*port)
			n[h.Sum(f)%4]++
		}
		for _, got := range n {
			assert.InEpsilon(t, 1000, got, 0.1)
		}
	}
}

// FuzzHash: no frame is too strange, and each policy depends on its headers
// alone.
func FuzzHash(f *testing.F) {
	f.Add(frame4(), uint8(0), uint8(28))
	f.Add(frame6(), uint8(0), uint8(12))
	f.Add(tag(frame4(), 7), uint8(0), uint8(28))
	f.Add(tag(frame6(), 7), uint8(3), uint8(16))
	f.Add(frame4()[:20], uint8(2), uint8(28))
	f.Add(sTag(tag(frame6(), 7), 8), uint8(1), uint8(28))
	f.Fuzz(func(t *testing.T, frame []byte, policy, layers uint8) {
		h := lagg.Hasher{Policy: lagg.Policy(policy % 4), Layers: lagg.Layers(layers & 28), Key: basis, AsLagg: policy >= 128}
		sum, tagged := h.Sum(frame), h.SumTagged(frame, 1)
		if !h.AsLagg && len(frame) >= 14 {
			require.Equal(t, tagged, h.Sum(tag(frame, 1)))
		}
		const headers = 14 + 18 + 60 + 4
		if len(frame) > headers {
			cut := append([]byte{}, frame[:headers]...)
			require.Equal(t, sum, h.Sum(cut))
			require.Equal(t, tagged, h.SumTagged(cut, 1))
		}
	})
}

// TestKeyMatters: two keys give two mappings.
func TestKeyMatters(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	f, same := frame4(), 0
	a, b := lagg.Hasher{Key: 1}, lagg.Hasher{Key: 2}
	for range 1000 {
		f[29] = byte(r.Uint32())
		f[33] = byte(r.Uint32())
		if a.Sum(f)%8 == b.Sum(f)%8 {
			same++
		}
	}
	assert.Less(t, same, 300)
}
