package qdisc_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// baseless is a discipline without a Base.
type baseless struct{ *fifo.FIFO }

func (baseless) Common() *qdisc.Base { return nil }

func TestAttachErrors(t *testing.T) {
	var drops, other qdisc.List
	var root, inner qdisc.Base
	require.NoError(t, root.Attend(&drops, nil))
	mid := newFIFO(t, fifo.Config{})
	var midChild qdisc.Child
	require.NoError(t, midChild.Attach(&root, mid))

	attached := mid
	full := newFIFO(t, fifo.Config{})
	full.Enqueue(&qdisc.Packet{Len: 1}, 0)
	loop := newFIFO(t, fifo.Config{}) // as if it were a parent: its own child
	var below qdisc.Child
	sub := newFIFO(t, fifo.Config{})
	require.NoError(t, below.Attach(loop.Common(), sub))
	for _, c := range []struct {
		name   string
		parent *qdisc.Base
		child  qdisc.Qdisc
		why    string
	}{
		{"nil", &root, nil, "a class needs a discipline"},
		{"no Base", &root, baseless{newFIFO(t, fifo.Config{})}, "a class needs a discipline"},
		{"attached", &root, attached, "it has a parent already"},
		{"itself", loop.Common(), loop, "cannot be its own descendant"},
		{"its ancestor", sub.Common(), loop, "cannot be its own descendant"},
		{"not empty", &root, full, "attach it empty"},
		{"other list", &root, newFIFO(t, fifo.Config{Drops: &other}), "another drop list"},
		{"list below none", &inner, newFIFO(t, fifo.Config{Drops: &other}), "another drop list"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var child qdisc.Child
			err := child.Attach(c.parent, c.child)
			var ce *qdisc.ConfigError
			require.ErrorAs(t, err, &ce)
			assert.Equal(t, "Child", ce.Field)
			assert.Contains(t, ce.Why, c.why)
			assert.Equal(t, qdisc.Child{}, child, "nothing changed")
		})
	}

	var child qdisc.Child
	assert.NoError(t, child.Attach(&root, newFIFO(t, fifo.Config{Drops: &drops})), "the root's own list is right")
}

// TestChildTree: fill and losses of a child show at once in every discipline
// above it, what was lost goes to the root's list, and a child that is let go
// can be attached elsewhere.
func TestChildTree(t *testing.T) {
	var drops qdisc.List
	var root qdisc.Base
	require.NoError(t, root.Attend(&drops, nil))
	leaf := newFIFO(t, fifo.Config{Limit: new(2)})
	leaf.Enqueue(&qdisc.Packet{Len: 7}, 0) // history from before it was a child
	leaf.Dequeue(0)
	mid := newFIFO(t, fifo.Config{}) // as if it were a parent
	var midChild, child qdisc.Child
	require.NoError(t, midChild.Attach(&root, mid))
	require.NoError(t, child.Attach(mid.Common(), leaf))
	assert.Same(t, &drops, leaf.DropList())

	for range 3 {
		child.Enqueue(&qdisc.Packet{Len: 100}, 0)
	}
	leaf.Dequeue(0) // a call past the parents counts too
	for _, b := range []*qdisc.Base{&root, mid.Common()} {
		assert.Equal(t, 1, b.Len())
		assert.EqualValues(t, 100, b.Backlog())
		s := b.ReadStats()
		assert.Equal(t, qdisc.Stats{Received: 3, Queued: 2, Refused: 1, Dequeued: 1, SentBytes: 100}, s)
	}
	assert.Equal(t, 1, child.Held())
	assert.Equal(t, 1, child.Stats().Len)
	assert.EqualValues(t, 100, child.Stats().Backlog)
	assert.EqualValues(t, 4, child.Stats().Received)
	assert.Equal(t, 1, drops.Len())

	assert.Error(t, leaf.Attend(new(qdisc.List), nil), "below a parent there is no other list")
	assert.NoError(t, leaf.Attend(&drops, nil))
	assert.NoError(t, leaf.Attend(nil, nil))

	child.Detach(5)
	child.Detach(5)
	assert.Equal(t, qdisc.Child{}, child)
	assert.Equal(t, 2, drops.Len())
	assert.Zero(t, root.Len())
	assert.EqualValues(t, 1, root.ReadStats().Purged)
	leaf.Enqueue(&qdisc.Packet{Len: 9}, 9)
	assert.Zero(t, root.Len(), "what is let go does not count any more")
	leaf.Reset(9)
	require.NoError(t, child.Attach(&root, leaf))
}

func TestConfigErrors(t *testing.T) {
	var errs qdisc.ConfigErrors
	assert.NoError(t, errs.Err())

	errs.Add("Rate", 0, "a rate is above 0")
	errs.Add("Priomap[3]", 9, "a band is 0 to 2")
	errs.Add("Burst", -1, "a burst is above 0")
	err := fmt.Errorf("class 1:2: %w", errs.Err())
	assert.EqualError(t, err, "class 1:2: Rate = 0: a rate is above 0\nPriomap[3] = 9: a band is 0 to 2\nBurst = -1: a burst is above 0")

	var first *qdisc.ConfigError
	require.True(t, errors.As(err, &first))
	assert.Equal(t, qdisc.ConfigError{Field: "Rate", Value: 0, Why: "a rate is above 0"}, *first)
}
