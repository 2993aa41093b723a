package lagg_test

import (
	"encoding/hex"
	"testing"

	"github.com/netsched/netsched/lagg"
	"github.com/netsched/netsched/qdisc"
	"github.com/stretchr/testify/require"
)

func mustNew(t testing.TB, cfg lagg.Config) *lagg.Group {
	t.Helper()
	g, err := lagg.New(cfg)
	require.NoError(t, err)
	return g
}

func mustShare(t testing.TB, cfg lagg.Config, ports int) *lagg.Shared {
	t.Helper()
	s, err := lagg.NewShared(cfg)
	require.NoError(t, err)
	require.NoError(t, s.Update(func(g *lagg.Group) error {
		addPorts(t, g, ports)
		return nil
	}))
	return s
}

// sunk is a port that lets packets go.
func sunk(*qdisc.Packet, qdisc.Time) qdisc.Verdict { return qdisc.Queued }

// addPorts adds ports of index 1 to n.
func addPorts(t testing.TB, g *lagg.Group, n int) (ports []*lagg.Member) {
	t.Helper()
	for i := range n {
		ports = append(ports, add(t, g, lagg.PortConfig{Index: uint32(i + 1)}))
	}
	return ports
}

// add adds a port that lets packets go, if cfg has no other.
func add(t testing.TB, g *lagg.Group, cfg lagg.PortConfig) *lagg.Member {
	t.Helper()
	if cfg.Port == nil {
		cfg.Port = lagg.PortFunc(sunk)
	}
	m, err := g.Add(cfg)
	require.NoError(t, err)
	return m
}

// packets returns n packets of 1500 bytes and flows far apart.
func packets(n int) []qdisc.Packet {
	ps := make([]qdisc.Packet, n)
	for i := range ps {
		ps[i] = qdisc.Packet{Len: 1500, Flow: uint32(i) * 2654435761}
	}
	return ps
}

// picks returns the indexes of the ports of the next n packets of 1500 bytes,
// 0 for none.
func picks(g selector, n int) (list []int) {
	p := qdisc.Packet{Len: 1500}
	for range n {
		list = append(list, index(g.Select(&p)))
	}
	return list
}

func index(m *lagg.Member) int {
	if m == nil {
		return 0
	}
	return int(m.Index())
}

func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

// frame4 is from 10.0.0.1:1000 to 10.0.0.2:80, TCP.
func frame4() []byte {
	return unhex("0200000000020200000000010800" + "450000280000000040060000" + "0a0000010a000002" + "03e80050" + "000000000000000050020000")
}

// frame6 is from fd00::1 to fd00::2, flow label 0xabcde, UDP.
func frame6() []byte {
	return unhex("02000000000202000000000186dd" + "600abcde00081140" + "fd000000000000000000000000000001" + "fd000000000000000000000000000002" + "03e80050" + "00080000")
}
