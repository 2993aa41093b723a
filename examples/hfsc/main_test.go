package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/examples/internal/program/programtest"
	"github.com/netsched/netsched/hfsc"
)

func measured(t *testing.T) outcome {
	t.Helper()
	o, err := measure()
	require.NoError(t, err)
	return o
}

// TestDelays: no packet of a leaf with a real-time curve takes longer than Check
// promises; without the curves each does.
func TestDelays(t *testing.T) {
	o := measured(t)
	require.True(t, o.check.Admissible)
	assert.Empty(t, o.check.Notes)
	for i := range leaves {
		l := &leaves[i]
		require.Equal(t, l.class, o.check.Leaves[i].Class)
		promise, ok := o.promised(i, l.bytes())
		assert.Equal(t, !l.bulk(), ok, l.name)
		if l.bulk() {
			continue
		}
		got := &o.bursts.leaves[i]
		sent, _ := got.source.Sent()
		assert.Equal(t, sent, got.meter.Packets, "%s: packets lost", l.name)
		assert.GreaterOrEqual(t, sent, uint64(l.burst)*uint64(time.Duration(burstTime)/l.every-1), l.name)
		assert.LessOrEqual(t, got.meter.Delay.Max(), promise, l.name)
		assert.Greater(t, o.shared.slowest(i), promise, "%s by sharing alone", l.name)
	}
}

// TestCurves: of each burst drawn, every packet is sent before the curve reaches
// its end.
func TestCurves(t *testing.T) {
	o := measured(t)
	for i := range 2 {
		l, sent := &leaves[i], o.bursts.leaves[i].sent.points
		require.GreaterOrEqual(t, len(sent), 3*l.burst, l.name)
		curve := o.curve(i)
		for j, p := range sent {
			at := curve[j/l.burst*(l.burst+1)+j%l.burst+1] // each burst begins with 0 bytes
			require.Equal(t, at.Y, p.Y, l.name)
			assert.LessOrEqual(t, p.X, at.X, "%s: %v bytes", l.name, p.Y)
		}
	}
}

// TestShares: the busy classes have their shares, in every stage.
func TestShares(t *testing.T) {
	want := []struct{ a, b float64 }{{6e6, 4e6}, {6e6, 4e6}, {0, 10e6}, {0, 5e6}}
	stages := measured(t).flood.stages
	require.Len(t, stages, len(want))
	for k := range stages {
		s := &stages[k]
		for i := range leaves {
			assert.InDelta(t, s.want[i], s.got[i], 0.02*s.want[i], "%s: %s", s.name, leaves[i].name)
		}
		assert.InDelta(t, want[k].a, s.company(companyA), 0.02*want[k].a, "%s: A", s.name)
		assert.InDelta(t, want[k].b, s.company(companyB), 0.02*want[k].b, "%s: B", s.name)
	}
}

// TestBroken: the closing words tell of promises that are not kept.
func TestBroken(t *testing.T) {
	o := measured(t)
	n, closest := o.late()
	assert.Zero(t, n)
	assert.Less(t, closest, 1.0)
	o.bursts = o.shared
	n, closest = o.late()
	assert.Equal(t, 4, n)
	assert.Greater(t, closest, 1.0)

	assert.Less(t, o.apart(), 0.02)
	o.flood.stages[0].got[0] *= 0.9
	assert.InDelta(t, 0.1, o.apart(), 0.02)
}

// TestRefused: what is wrong with a tree is said.
func TestRefused(t *testing.T) {
	specs := tree(true)
	specs[2].Parent = 99
	_, err := simulateBursts(specs)
	assert.Error(t, err)
	specs[2].ClassConfig = hfsc.ClassConfig{}
	_, err = scheduler(specs)
	assert.Error(t, err)
}

func TestPanels(t *testing.T) {
	o := measured(t)
	panels := o.panels()
	require.Len(t, panels, 4)
	for _, p := range panels {
		for _, l := range p.Lines {
			assert.NotEmpty(t, l.Points, "%s: %s", p.Title, l.Name)
		}
	}
	var total float64
	for _, l := range panels[3].Lines {
		total += l.Points[len(l.Points)-1].Y
	}
	// 15 s of the whole link and 5 s of half of it.
	assert.InDelta(t, 175, total, 1)
}

func TestProgram(t *testing.T) {
	programtest.Test(t, companies, nil, []string{" A voice ", " B interactive ", "2.24 (2.24)", "\nEvery promise is kept: ", " Held to 5.00, B gets\n5.00"})
}
