package lagg_test

import (
	"math"
	"testing"
	"time"

	"github.com/netsched/netsched/lagg"
	"github.com/netsched/netsched/qdisc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDelays: a link is believed when it has kept its state for long enough.
func TestDelays(t *testing.T) {
	g := mustNew(t, lagg.Config{Mode: lagg.RoundRobin, UpDelay: 100, DownDelay: 10})
	ports := addPorts(t, g, 2)
	assert.Equal(t, qdisc.Never, g.NextChange())

	g.SetUp(ports[0], false, 1000)
	assert.False(t, ports[0].LinkUp())
	assert.True(t, ports[0].Usable())
	assert.EqualValues(t, 1010, g.NextChange())
	g.Advance(1009)
	assert.Equal(t, 2, g.Usable())
	g.Advance(1010)
	assert.Equal(t, []int{2, 2, 2}, picks(g, 3))
	assert.Equal(t, qdisc.Never, g.NextChange())

	g.SetUp(ports[0], true, 2000)
	g.SetUp(ports[0], false, 2050) // a flap: it was never believed up
	assert.Equal(t, qdisc.Never, g.NextChange())
	g.SetUp(ports[0], true, 2060)
	g.SetUp(ports[0], true, 2100) // no news
	assert.EqualValues(t, 2160, g.NextChange())
	g.Send(&qdisc.Packet{}, 2159)
	assert.False(t, ports[0].Usable())
	g.Send(&qdisc.Packet{}, 2160)
	assert.True(t, ports[0].Usable())
}

// TestUpDelayIsNoneWithoutAnotherPort, as in bonding: the port that has waited
// longest is used at once.
func TestUpDelayIsNoneWithoutAnotherPort(t *testing.T) {
	g := mustNew(t, lagg.Config{UpDelay: 100})
	ports := addPorts(t, g, 3)
	g.SetUp(ports[2], false, 0)
	g.SetUp(ports[1], false, 0)
	g.SetUp(ports[2], true, 10)
	g.SetUp(ports[1], true, 20)
	assert.Equal(t, 1, g.Usable())
	g.SetUp(ports[0], false, 30)
	assert.True(t, ports[2].Usable())
	assert.False(t, ports[1].Usable())
	assert.EqualValues(t, 120, g.NextChange())
	g.SetEnabled(ports[2], false)
	assert.True(t, ports[1].Usable())
	assert.Equal(t, qdisc.Never, g.NextChange())

	// Removal does the same.
	g.SetUp(ports[0], true, 40)
	g.Remove(ports[1], 41)
	assert.True(t, ports[0].Usable())
	assert.Equal(t, []int{1}, picks(g, 1))
}

// TestDelaysChangeWhileWaiting: what waits does so by the new delay, counted
// from the change of the link.
func TestDelaysChangeWhileWaiting(t *testing.T) {
	g := mustNew(t, lagg.Config{DownDelay: 100, UpDelay: 100})
	ports := addPorts(t, g, 4)
	g.SetUp(ports[3], false, 0)
	g.Advance(100)
	g.SetUp(ports[0], false, 1000)
	g.SetUp(ports[1], false, 1010)
	g.SetUp(ports[3], true, 1020)
	delays := func(up, down time.Duration, now qdisc.Time) {
		cfg := g.Config()
		cfg.UpDelay, cfg.DownDelay = up, down
		require.NoError(t, g.Change(cfg, now))
	}
	delays(500, 300, 1050)
	assert.EqualValues(t, 1300, g.NextChange())
	assert.Equal(t, 3, g.Usable())
	delays(500, 45, 1050)
	assert.False(t, ports[0].Usable(), "45 have passed")
	assert.True(t, ports[1].Usable(), "40 have passed")
	assert.EqualValues(t, 1055, g.NextChange())
	delays(500, 0, 1051)
	assert.False(t, ports[1].Usable())
	assert.EqualValues(t, 1520, g.NextChange())
	delays(0, 0, 1051)
	assert.Equal(t, 2, g.Usable())
	assert.Equal(t, qdisc.Never, g.NextChange())

	g.SetUp(ports[3], false, 2000)
	delays(0, math.MaxInt64, 2000)
	g.SetUp(ports[2], false, 2000)
	assert.Equal(t, qdisc.MaxTime, g.NextChange())
}

// TestDueInTheirOrder: Better lets the primary take over from port 3, but not
// from port 2, so what Advance does late it must do in order.
func TestDueInTheirOrder(t *testing.T) {
	g := mustNew(t, lagg.Config{Reselect: lagg.OnFailure, DownDelay: 10, UpDelay: 10})
	ports := addPorts(t, g, 3)
	g.SetUp(ports[1], false, 0)
	g.Advance(10)
	g.SetUp(ports[1], true, 100)  // up at 110
	g.SetUp(ports[0], false, 101) // down at 111: port 2 is there by then
	g.Advance(1000)
	assert.Equal(t, ports[1], g.Active())
}

// TestClock: a time earlier than the latest counts as the latest, and no time
// is too large.
func TestClock(t *testing.T) {
	g := mustNew(t, lagg.Config{UpDelay: 10, DownDelay: 10})
	ports := addPorts(t, g, 2)
	assert.EqualValues(t, 500, g.Advance(500))
	assert.EqualValues(t, 500, g.Advance(-5))
	g.SetUp(ports[0], false, 20)
	assert.EqualValues(t, 510, g.NextChange())
	g.SetUp(ports[1], false, qdisc.Never)
	assert.Equal(t, qdisc.MaxTime, g.NextChange())
	assert.Equal(t, 1, g.Usable())
	g.Send(new(qdisc.Packet), qdisc.Never)
	assert.Zero(t, g.Usable())
}

// TestUpAndSpeed of the whole group.
func TestUpAndSpeed(t *testing.T) {
	var g lagg.Group
	assert.False(t, g.Up())
	assert.Zero(t, g.Speed())
	a := add(t, &g, lagg.PortConfig{Speed: qdisc.Gbit})
	b := add(t, &g, lagg.PortConfig{Speed: 10 * qdisc.Gbit, Down: true})
	assert.True(t, g.Up())
	assert.Equal(t, qdisc.Gbit, g.Speed(), "the primary's")
	change(t, &g, func(cfg *lagg.Config) { cfg.Mode = lagg.RoundRobin })
	assert.Equal(t, 11*qdisc.Gbit, g.Speed())
	g.SetSpeed(b, 1<<64-1)
	assert.EqualValues(t, uint64(1<<64-1), g.Speed())
	g.SetEnabled(a, false)
	assert.True(t, g.Up(), "enabled or not")
	assert.False(t, a.Enabled())
	g.SetUp(a, false, 0)
	assert.False(t, g.Up())
}
