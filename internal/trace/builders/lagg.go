package builders

import (
	"fmt"

	"github.com/netsched/netsched/internal/trace"
	"github.com/netsched/netsched/lagg"
	"github.com/netsched/netsched/qdisc"
)

func init() {
	for protocol, mode := range map[string]lagg.Mode{
		"roundrobin": lagg.RoundRobin, "loadbalance": lagg.LoadBalance,
		"failover": lagg.Failover, "broadcast": lagg.Broadcast,
	} {
		trace.RegisterLagg(protocol, func(h *trace.LaggHeader) (trace.Group, error) {
			return buildLagg(mode, h)
		})
	}
	trace.RegisterHash(hashHeaders)
}

func buildLagg(mode lagg.Mode, h *trace.LaggHeader) (trace.Group, error) {
	t := &laggTarget{members: map[string]*lagg.Member{}}
	cfg := lagg.Config{
		Mode: mode, DeadPorts: lagg.NextActive, Counter: lagg.Sequence, ReceiveAll: h.ReceiveOnAll,
		Copy: func(p *qdisc.Packet) *qdisc.Packet { return &qdisc.Packet{Len: p.Len} },
	}
	if h.Bucket {
		cfg.Counter = lagg.Bucket
	}
	if h.UseFlowID {
		if h.FlowIDShift > 31 {
			return nil, trace.Missing("a shift of %d bits", h.FlowIDShift)
		}
		cfg.FlowShift = uint8(h.FlowIDShift)
	}
	return t, t.group.Change(cfg, 0)
}

// laggTarget translates the words of a run into calls.
type laggTarget struct {
	group   lagg.Group
	members map[string]*lagg.Member
	sent    []string // the ports of one transmission, in order
}

// laggPort notes its name where packets go out.
type laggPort struct {
	name string
	t    *laggTarget
}

func (p laggPort) Enqueue(*qdisc.Packet, qdisc.Time) qdisc.Verdict {
	p.t.sent = append(p.t.sent, p.name)
	return qdisc.Queued
}

func (t *laggTarget) Join(port string, index uint32) {
	m, err := t.group.Add(lagg.PortConfig{Port: laggPort{port, t}, Index: index})
	if err != nil {
		panic(fmt.Sprint("a run beyond what the reference allows: ", err))
	}
	t.members[port] = m
}

func (t *laggTarget) Leave(port string)               { t.group.Remove(t.members[port], 0) }
func (t *laggTarget) SetLink(port string, up bool)    { t.group.SetUp(t.members[port], up, 0) }
func (t *laggTarget) SetEnabled(port string, on bool) { t.group.SetEnabled(t.members[port], on) }
func (t *laggTarget) SetSequence(n uint32)            { t.group.SetSequence(n) }
func (t *laggTarget) Receive(port string) bool        { return t.group.Accepts(t.members[port]) }

func (t *laggTarget) SetStride(packets uint32) {
	cfg := t.group.Config()
	cfg.Stride = packets
	if err := t.group.Change(cfg, 0); err != nil {
		panic(err)
	}
}

func (t *laggTarget) Ports() (names []string) {
	for m := range t.group.Members() {
		names = append(names, m.Port().(laggPort).name)
	}
	return names
}

func (t *laggTarget) Primary() string {
	if m := t.group.Primary(); m != nil {
		return m.Port().(laggPort).name
	}
	return ""
}

func (t *laggTarget) Transmit(hash uint32) ([]string, string) {
	t.sent = nil
	before := t.group.ReadStats()
	t.group.Send(&qdisc.Packet{Flow: hash}, 0)
	switch after := t.group.ReadStats(); {
	case after.NoPorts > before.NoPorts:
		return nil, "ENXIO"
	case after.NoneUsable > before.NoneUsable && t.group.Config().Mode == lagg.Broadcast:
		return nil, "ENOENT"
	case after.NoneUsable > before.NoneUsable:
		return nil, "ENETDOWN"
	}
	return t.sent, ""
}

func hashHeaders(key uint32, layers int, frame []byte) uint32 {
	h := lagg.Hasher{Layers: lagg.Layers(layers), Key: key, AsLagg: true}
	if layers == 0 {
		h.Layers = lagg.NoLayers
	}
	return h.Sum(frame)
}
