package lagg_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/lagg"
	"github.com/netsched/netsched/qdisc"
)

// program reads a byte string as operations; when it has run out all is 0.
type program []byte

func (p *program) below(n int) int { return int((*qtest.Program)(p).Byte()) % n }

func (p *program) of(list ...uint32) uint32 { return list[p.below(len(list))] }

func (p *program) config(cfg lagg.Config) lagg.Config {
	cfg.DeadPorts = lagg.DeadPorts(p.below(3))
	cfg.Counter = lagg.Counter(p.below(3))
	cfg.Stride = p.of(0, 1, 2, 3, 4, 5, 2, 3, math.MaxUint32)
	if cfg.StrideBytes = cfg.Counter == lagg.Runs && p.below(3) == 0; cfg.StrideBytes {
		cfg.Stride *= 700
	}
	cfg.FlowShift = uint8(p.below(4))
	cfg.Consistent = cfg.DeadPorts != lagg.Rebuild && p.below(3) == 0
	cfg.Reselect = lagg.Reselect(p.below(3))
	cfg.ReceiveAll = p.below(4) == 0
	cfg.UpDelay, cfg.DownDelay = delays[p.below(len(delays))], delays[p.below(len(delays))]
	return cfg
}

// FuzzGroup drives a group beside the model and beside a shared one, through
// joins, leaves, link changes and changes of configuration in mid-run, and
// compares all that can be seen after every step.
func FuzzGroup(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		f.Add(qtest.RandomProgram(r, 400))
	}
	f.Fuzz(func(t *testing.T, in []byte) { drive(t, in[:min(len(in), 3000)]) })
}

// TestAgainstModel drives random programs.
func TestAgainstModel(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	programs := 1000
	if testing.Short() {
		programs = 200
	}
	var sent, returned, shared uint64
	for range programs {
		d := drive(t, qtest.RandomProgram(r, 500))
		s := d.g.ReadStats()
		sent, returned, shared = sent+s.Packets, returned+s.Returned, shared+d.compared
	}
	require.Greater(t, sent, uint64(programs*20))
	require.Greater(t, returned, uint64(programs))
	require.Greater(t, shared, uint64(programs*10))
}

// holder is a port that holds its packets until it is removed.
type holder struct{ list qdisc.List }

func (h *holder) Enqueue(p *qdisc.Packet, _ qdisc.Time) qdisc.Verdict {
	h.list.Push(p)
	return qdisc.Verdict(p.Priority)
}

func (h *holder) Return(qdisc.Time) (all qdisc.List) {
	all.Append(&h.list)
	return all
}

// driver runs one program on a group, a shared group and the model.
type driver struct {
	t        *testing.T
	p        program
	g        *lagg.Group
	s        *lagg.Shared // nil: not with this configuration
	m        *model
	member   map[uint32]*lagg.Member
	twin     map[uint32]*lagg.Member // of s
	drops    *qdisc.List
	held     int // packets in ports
	compared uint64
}

func drive(t *testing.T, in []byte) *driver {
	d := &driver{t: t, p: in, drops: new(qdisc.List), member: map[uint32]*lagg.Member{}, twin: map[uint32]*lagg.Member{}}
	cfg := lagg.Config{
		Mode: lagg.Mode(d.p.below(6)), Drops: d.drops, Slots: lagg.MinSlots,
		Copy: func(p *qdisc.Packet) *qdisc.Packet {
			if p.Flow%5 == 4 {
				return nil
			}
			return &qdisc.Packet{Len: p.Len, Priority: p.Priority}
		},
	}
	cfg = d.p.config(cfg)
	d.g = mustNew(t, cfg)
	d.m = &model{cfg: cfg}
	d.s, _ = lagg.NewShared(cfg)
	for len(d.p) > 0 {
		d.step()
		d.check()
	}
	return d
}

// both does something to the group and to the shared one.
func (d *driver) both(f func(g *lagg.Group, member map[uint32]*lagg.Member)) {
	f(d.g, d.member)
	if d.s != nil {
		require.NoError(d.t, d.s.Update(func(g *lagg.Group) error {
			f(g, d.twin)
			return nil
		}))
	}
}

func (d *driver) step() {
	op, index := d.p.below(26), d.p.of(1, 2, 3, 4, 5, 6, 7, math.MaxUint32)
	port := d.m.find(index)
	switch {
	case op < 12:
		d.packet(op)
	case op < 14 && port == nil:
		d.add(index)
	case op == 20:
		d.change()
	case op == 25:
		d.leap()
	case port == nil:
	case op < 14:
		d.remove(index)
	case op < 18:
		up, now := op < 16, d.m.now+qdisc.Time(d.p.below(12))-2
		d.m.setUp(port, up, now)
		d.both(func(g *lagg.Group, member map[uint32]*lagg.Member) { g.SetUp(member[index], up, now) })
	case op < 20:
		port.disabled = op == 18
		d.m.changed()
		d.both(func(g *lagg.Group, member map[uint32]*lagg.Member) { g.SetEnabled(member[index], op != 18) })
	case op == 21:
		weight := d.p.of(0, 1, 2, 3, 4, lagg.MaxWeight)
		d.m.resized(func() { port.weight = max(weight, 1) })
		d.both(func(g *lagg.Group, member map[uint32]*lagg.Member) {
			require.NoError(d.t, g.SetWeight(member[index], weight))
		})
	case op == 22:
		d.m.setPrimary(port)
		d.both(func(g *lagg.Group, member map[uint32]*lagg.Member) { g.SetPrimary(member[index]) })
	case op == 24:
		port.speed = speeds[d.p.below(4)]
		d.m.changed()
		d.both(func(g *lagg.Group, member map[uint32]*lagg.Member) { g.SetSpeed(member[index], port.speed) })
	case op == 23:
		n := -uint32(d.p.below(7))
		d.m.seq = n
		d.both(func(g *lagg.Group, member map[uint32]*lagg.Member) { g.SetSequence(n) })
	}
}

// leap sets the clock, far ahead or back; not to the end of time, where a wait is
// over that has just begun.
func (d *driver) leap() {
	now := []qdisc.Time{-1 << 63, -1, 0, d.m.now + 1<<20, d.m.now - 1, 1 << 62}[d.p.below(6)]
	d.m.advance(now)
	d.both(func(g *lagg.Group, _ map[uint32]*lagg.Member) {
		require.Equal(d.t, d.m.now, g.Advance(now))
	})
}

// speeds are unknown, equal, different and as large as can be.
var speeds = []qdisc.Rate{0, 1, 2, math.MaxUint64}

func (d *driver) add(index uint32) {
	cfg := lagg.PortConfig{
		Index: index, Weight: d.p.of(0, 1, 2, 3, lagg.MaxWeight), Speed: speeds[d.p.below(4)],
		Down: d.p.below(4) == 0, Disabled: d.p.below(6) == 0,
	}
	d.m.add(&modelPort{
		index: index, weight: max(1, cfg.Weight), speed: cfg.Speed,
		link: !cfg.Down, up: !cfg.Down, disabled: cfg.Disabled,
	})
	d.both(func(g *lagg.Group, member map[uint32]*lagg.Member) {
		cfg.Port = new(holder)
		member[index] = add(d.t, g, cfg)
	})
}

// remove sends again what the port gives back.
func (d *driver) remove(index uint32) {
	now := d.m.now + qdisc.Time(d.p.below(4))
	d.m.advance(now)
	d.m.remove(d.m.find(index))
	var back qdisc.List
	d.both(func(g *lagg.Group, member map[uint32]*lagg.Member) {
		list := g.Remove(member[index], now)
		require.True(d.t, g != d.g || back.Empty())
		back.Append(&list)
	})
	for p := range back.Drain() {
		d.held--
		if d.m.cfg.Mode != lagg.Broadcast { // it would breed
			d.send(p)
		}
	}
}

func (d *driver) change() {
	cfg := d.p.config(d.m.cfg)
	if d.p.below(4) == 0 {
		cfg.Mode = lagg.Mode(d.p.below(6))
	}
	m := d.m
	m.change(cfg)
	require.NoError(d.t, d.g.Change(cfg, m.now))
	if d.s != nil {
		if d.s.Update(func(g *lagg.Group) error { return g.Change(cfg, m.now) }) != nil {
			d.s = nil
		}
	}
}

// packet sends a packet, or selects for it.
func (d *driver) packet(op int) {
	size := d.p.of(0, 1, 64, 100, 300, 500, 700, 900, 1100, 1300, 1400, 1500, 1500, 9000, qdisc.MaxLen, math.MaxUint32)
	p := &qdisc.Packet{Len: size, Flow: uint32(d.p.below(256)) * 77773, Priority: uint32(op % 3)}
	if op < 6 {
		d.send(p)
		return
	}
	before := d.g.ReadStats()
	d.expect(p, d.g.Select(p))
	require.Equal(d.t, before, d.g.ReadStats(), "Select counts nothing")
}

// send sends a packet and says where it must have gone.
func (d *driver) send(p *qdisc.Packet) {
	d.m.advance(d.m.now)
	before := map[uint32]uint64{}
	for m := range d.g.Members() {
		before[m.Index()] = m.ReadStats().Packets
	}
	was, q := d.g.ReadStats(), *p
	v := d.g.Send(p, d.m.now-1)
	s := d.g.ReadStats()
	d.held += int(s.Packets - was.Packets)
	if s.Packets == was.Packets {
		require.Equal(d.t, qdisc.Dropped, v)
		require.Equal(d.t, qdisc.Unclassified, p.Reason)
		require.Equal(d.t, p, d.drops.Pop())
		require.True(d.t, d.drops.Empty())
		require.Equal(d.t, s.NoPorts > was.NoPorts, len(d.m.ports) == 0 || d.m.cfg.Mode == lagg.None)
	}
	usable := d.m.usable()
	if d.m.cfg.Mode == lagg.Broadcast {
		for i, port := range usable {
			copied := q.Flow%5 != 4 || i == len(usable)-1
			require.Equal(d.t, copied, d.member[port.index].ReadStats().Packets == before[port.index]+1)
		}
		return
	}
	var got *lagg.Member
	for m := range d.g.Members() {
		if m.ReadStats().Packets != before[m.Index()] {
			require.Nil(d.t, got)
			require.Equal(d.t, qdisc.Verdict(q.Priority), v)
			got = m
		}
	}
	d.expect(&q, got)
}

// expect compares the port that was chosen for p with the model's and with the
// shared group's.
func (d *driver) expect(p *qdisc.Packet, got *lagg.Member) {
	m := d.m
	var want *modelPort
	exact := true
	switch m.cfg.Mode {
	case lagg.RoundRobin:
		want = m.roundRobin(int64(p.Len))
	case lagg.LoadBalance:
		want, exact = m.balance(p.Flow >> m.cfg.FlowShift)
		exact = exact && !m.cfg.Consistent
	case lagg.Failover:
		want = m.active
	case lagg.Broadcast:
		if list := m.usable(); len(list) > 0 {
			want = list[len(list)-1]
		}
	case lagg.Random:
		if list := m.usable(); len(list) > 0 {
			want, exact = list[0], false
		}
	}
	switch {
	case want == nil:
		require.Nil(d.t, got)
	case exact:
		require.NotNil(d.t, got)
		require.Equal(d.t, want.index, got.Index(), "%+v", m.cfg)
	default:
		require.NotNil(d.t, got)
		require.True(d.t, m.find(got.Index()).usable())
	}
	if d.s != nil {
		twin := d.s.Select(p)
		if m.cfg.Mode == lagg.Random || m.cfg.Mode == lagg.LoadBalance && m.cfg.Consistent {
			require.Equal(d.t, got == nil, twin == nil)
			return
		}
		d.compared++
		require.Equal(d.t, index(got), index(twin), "%+v", m.cfg)
	}
}

// check compares the state and checks the identities.
func (d *driver) check() {
	t, m, g := d.t, d.m, d.g
	require.Equal(t, len(m.ports), g.Len())
	require.Equal(t, len(m.usable()), g.Usable())
	require.Equal(t, m.nextChange(), g.NextChange())
	i := 0
	for member := range g.Members() {
		p := m.ports[i]
		i++
		require.Equal(t, p.index, member.Index())
		require.Equal(t, p.usable(), member.Usable())
		require.Equal(t, m.accepts(p), g.Accepts(member))
		s := member.ReadStats()
		require.Equal(t, s.Packets, s.Queued+s.Congested+s.Dropped)
	}
	require.Equal(t, cmp.Or(m.primary, new(modelPort)).index, uint32(index(g.Primary())))
	require.Equal(t, cmp.Or(m.active, new(modelPort)).index, uint32(index(g.Active())))
	switch {
	case m.cfg.Mode != lagg.RoundRobin || m.cfg.Counter == lagg.Runs:
		require.Zero(t, g.Sequence())
	default:
		require.Equal(t, m.seq, g.Sequence())
	}
	s := g.ReadStats()
	require.Equal(t, s.Received+s.Copied, s.Packets+s.NoPorts+s.NoneUsable)
	require.Equal(t, s.Packets, s.Queued+s.Congested+s.Dropped)
	held := 0
	for _, member := range d.member {
		held += member.Port().(*holder).list.Len()
	}
	require.Equal(t, d.held, held, "every packet is in one place")
}
