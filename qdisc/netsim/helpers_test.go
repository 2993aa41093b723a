package netsim_test

import (
	"encoding/binary"
	"hash/fnv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/netsim"
)

// must passes on what a constructor returns.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// receiver calls a function at each packet, then frees it.
type receiver struct {
	sim *netsim.Sim
	f   func(p *netsim.Packet)
}

func (r receiver) Receive(p *netsim.Packet) {
	r.f(p)
	r.sim.Free(p)
}

// send gives r a packet of a length and number.
func send(s *netsim.Sim, r netsim.Receiver, length uint32, seq uint64) {
	p := s.Alloc()
	p.Len, p.Seq, p.Sent = length, seq, s.Now()
	r.Receive(p)
}

// digest hashes a world's event log.
func digest(s *netsim.Sim) func() (sum uint64, events int) {
	h := fnv.New64a()
	n := 0
	s.OnEvent(func(e netsim.Event) {
		var b []byte
		for _, v := range []uint64{
			uint64(e.At), uint64(e.Kind), uint64(e.Reason), uint64(e.DSField), uint64(e.Len), uint64(e.Flow), e.Seq,
		} {
			b = binary.LittleEndian.AppendUint64(b, v)
		}
		h.Write(append(b, e.Where...))
		n++
	})
	return func() (uint64, int) { return h.Sum64(), n }
}

// checkLink checks the identities of an idle link's counters.
func checkLink(t testing.TB, name string, st netsim.LinkStats) {
	t.Helper()
	require.Equal(t, st.Received, st.Transmitted+st.Dropped+st.GivenUp, "%s: %+v", name, st)
	require.Equal(t, st.Transmitted, st.Delivered+st.Lost, "%s: %+v", name, st)
}

// packet is a template.
func packet(flow, length uint32) qdisc.Packet { return qdisc.Packet{Flow: flow, Len: length} }
