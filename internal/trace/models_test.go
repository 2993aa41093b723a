package trace_test

import (
	"slices"
	"testing"

	"github.com/netsched/netsched/internal/trace"
	"github.com/netsched/netsched/internal/trace/tracetest"
	"github.com/stretchr/testify/require"
)

// models returns the registered builders and the models of these tests.
func models() *trace.Registry {
	r := trace.Registered()
	r.AQM("toy", trace.AQMKind{Build: buildToy, Wakes: true, Filtered: filtered, ChangeSends: true})
	for _, proto := range []string{"roundrobin", "loadbalance", "failover", "broadcast"} {
		r.Lagg(proto, func(h *trace.LaggHeader) (trace.Group, error) { return &group{h: *h, stride: 1}, nil })
	}
	r.Hash(func(key uint32, layers int, frame []byte) uint32 { return key + uint32(layers+len(frame)) })
	return r
}

// TestSamples replays a recorded run of each format, against what the module
// has or a model.
func TestSamples(t *testing.T) {
	entries, err := trace.Samples.ReadDir("testdata")
	require.NoError(t, err)
	for _, e := range entries {
		t.Run(e.Name(), func(t *testing.T) {
			res := models().Replay(tracetest.Read(t, e.Name()))
			require.Equal(t, trace.Passed, res.Status, "%v", res)
		})
	}
}

// group is lagg's choice of port.
type group struct {
	h       trace.LaggHeader
	ports   []port // by index
	primary string
	seq     uint32
	stride  uint32
	budget  uint32 // bucket arithmetic: packets left for the present port
}

type port struct {
	name           string
	index          uint32
	down, disabled bool
}

func (p *port) active() bool { return !p.down && !p.disabled }

func (g *group) find(name string) int {
	return slices.IndexFunc(g.ports, func(p port) bool { return p.name == name })
}

func (g *group) Join(name string, index uint32) {
	at := 0
	for at < len(g.ports) && g.ports[at].index < index {
		at++
	}
	g.ports = slices.Insert(g.ports, at, port{name: name, index: index})
	if len(g.ports) == 1 {
		g.primary = name
	}
}

func (g *group) Leave(name string) {
	at := g.find(name)
	g.ports = slices.Delete(g.ports, at, at+1)
	switch {
	case len(g.ports) == 0:
		g.primary = ""
	case g.primary == name:
		g.primary = g.ports[0].name
	}
}

func (g *group) SetLink(name string, up bool)    { g.ports[g.find(name)].down = !up }
func (g *group) SetEnabled(name string, on bool) { g.ports[g.find(name)].disabled = !on }
func (g *group) SetStride(n uint32)              { g.stride = n }
func (g *group) SetSequence(n uint32)            { g.seq = n }
func (g *group) Primary() string                 { return g.primary }

func (g *group) Ports() (names []string) {
	for _, p := range g.ports {
		names = append(names, p.name)
	}
	return names
}

// next returns the active port for position i, -1 if there is none: its own,
// the one after it, or the first.
func (g *group) next(i int) int {
	for _, try := range []int{i, i + 1} {
		if try >= 0 && try < len(g.ports) && g.ports[try].active() {
			return try
		}
	}
	return slices.IndexFunc(g.ports, func(p port) bool { return p.active() })
}

func (g *group) Transmit(hash uint32) (out []string, why string) {
	if len(g.ports) == 0 {
		return nil, "ENXIO"
	}
	i := 0
	switch g.h.Protocol {
	case "broadcast":
		for _, p := range g.ports {
			if p.active() {
				out = append(out, p.name)
			}
		}
		if out == nil {
			return nil, "ENOENT"
		}
		return out, ""
	case "failover":
		i = g.find(g.primary)
	case "loadbalance":
		if g.h.UseFlowID {
			hash >>= g.h.FlowIDShift
		}
		i = int(hash % uint32(len(g.ports)))
	case "roundrobin":
		i = int(g.turn() % uint32(len(g.ports)))
	}
	if i = g.next(i); i < 0 {
		return nil, "ENETDOWN"
	}
	return []string{g.ports[i].name}, ""
}

func (g *group) turn() uint32 {
	if !g.h.Bucket {
		g.seq++
		return (g.seq - 1) / max(g.stride, 1)
	}
	if g.budget == 0 {
		g.budget = max(g.stride, 1)
	}
	if g.budget--; g.budget > 0 {
		return g.seq
	}
	g.budget = max(g.stride, 1)
	g.seq++
	return g.seq - 1
}

func (g *group) Receive(name string) bool {
	if g.h.Protocol != "failover" || g.h.ReceiveOnAll || name == g.primary {
		return true
	}
	primary := g.find(g.primary)
	if g.ports[primary].active() {
		return false
	}
	next := g.next(primary)
	return next < 0 || g.ports[next].name == name
}
