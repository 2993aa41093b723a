package trace_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/trace"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// filtering is a FIFO that refuses some packets, and may lie about when to ask.
type filtering struct {
	*fifo.FIFO
	refuse func(*qdisc.Packet) bool
	stuck  bool
}

func (q *filtering) Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	if q.refuse != nil && q.refuse(p) {
		q.Arrive(p, now)
		return q.Refuse(p, qdisc.Closed)
	}
	return q.FIFO.Enqueue(p, now)
}

func (q *filtering) Dequeue(now qdisc.Time) *qdisc.Packet {
	if q.stuck {
		return nil
	}
	return q.FIFO.Dequeue(now)
}

// rates replays a run named name.trace.gz of two queues, a and b of 12 kbit/s: a
// packet of 1500 bytes takes a second.
func rates(t *testing.T, level trace.RateLevel, setup trace.RateSetup, q filtering, ops ...string) trace.Result {
	t.Helper()
	text := `scenario x
family toy
mtu 1500
altq on if0 bandwidth 12Kb toy queue { a b }
run
class 1 a parent=- leaf qlimit=50
class 2 b parent=- leaf qlimit=50 default
` + strings.Join(ops, "\n") + "\nend enq=0\n"
	run, err := trace.Read("some/name.trace.gz", strings.NewReader(text))
	require.NoError(t, err)
	var r trace.Registry
	r.ALTQ("toy", trace.ALTQKind{
		Build: func(_ *trace.ALTQHeader, env *trace.Env) (*trace.ALTQTarget, error) {
			f, err := fifo.New(fifo.Config{Drops: env.Drops})
			q.FIFO = f
			return &trace.ALTQTarget{Qdisc: &q, Rates: setup}, err
		},
		Rates: &level,
	})
	return r.Replay(run)
}

// steady is a run of 40 packets to a and b in turn, four a second.
func steady() (ops []string) {
	queue := []string{"a", "-"} // - is the default
	for i := range 40 {
		at := int64(i) * 250e6
		ops = append(ops, fmt.Sprintf("E %d %d 100 %s = ok", at, i+1, queue[i%2]), fmt.Sprintf("D %d = %d", at, i+1))
	}
	return ops
}

// noB refuses what is for b.
var noB = filtering{refuse: func(p *qdisc.Packet) bool { return p.Class != 1 }}

func TestRates(t *testing.T) {
	t.Run("the same", func(t *testing.T) {
		res := rates(t, trace.RateLevel{}, trace.RateSetup{}, filtering{}, steady()...)
		require.Equal(t, trace.Passed, res.Status, "%v", res)
		require.Len(t, res.Rates.Classes, 2)
		for i, name := range []string{"a", "b"} {
			c := res.Rates.Classes[i]
			assert.Equal(t, name, c.Name)
			assert.EqualValues(t, 2000, c.Ours)
			assert.EqualValues(t, 2000, c.Reference)
			assert.Zero(t, c.Apart+c.Ahead+c.Behind)
		}
		assert.Equal(t, "80 operations, 2 classes at most 0 bytes apart within a second, tolerance 0", res.String())
	})
	t.Run("too few", func(t *testing.T) {
		res := rates(t, trace.RateLevel{}, trace.RateSetup{Packets: 1}, noB, steady()...)
		require.Equal(t, trace.Failed, res.Status)
		assert.Equal(t, "class b within a second at most 100 apart", res.Diff.Recorded)
		assert.Contains(t, res.Diff.Replayed, "class b: 0 bytes, the reference 2000 (-100.00 %); within a second at most 200 apart, in all at most 0 ahead and 2000 behind")
		assert.Equal(t, "E 1000000000 5 100 a", res.Diff.Operation, "the first second is over")
		assert.NotNil(t, res.Rates)
	})
	t.Run("too few in all", func(t *testing.T) {
		res := rates(t, trace.RateLevel{}, trace.RateSetup{Packets: 2}, noB, steady()...)
		require.Equal(t, trace.Failed, res.Status)
		assert.Equal(t, "class b in all at most 400 apart", res.Diff.Recorded)
	})
	t.Run("within the tolerance", func(t *testing.T) {
		res := rates(t, trace.RateLevel{}, trace.RateSetup{Packets: 2}, noB, steady()[:16]...)
		assert.Equal(t, trace.Passed, res.Status, "%v", res)
		assert.EqualValues(t, 200, res.Rates.Tolerance)
		assert.EqualValues(t, 200, res.Rates.Classes[1].Apart)
		assert.EqualValues(t, 400, res.Rates.Classes[1].Behind)
	})
}

func TestRatesDefect(t *testing.T) {
	cases := []struct {
		leads map[string]trace.Lead
		want  trace.Status
	}{
		{map[string]trace.Lead{"b": {Behind: 2000}}, trace.Passed},
		{map[string]trace.Lead{"b": {Behind: 4000}}, trace.Passed},
		{map[string]trace.Lead{"b": {Behind: 4002}}, trace.Failed}, // does not show enough
		{map[string]trace.Lead{"b": {Behind: 1999}}, trace.Failed},
		{map[string]trace.Lead{"b": {Ahead: 2000}}, trace.Failed},
		{map[string]trace.Lead{"b": {Behind: 2000, Ahead: 300}}, trace.Failed},
		{map[string]trace.Lead{"a": {Behind: 2000}}, trace.Failed},
		{nil, trace.Failed}, // of another class
	}
	for _, tc := range cases {
		level := trace.RateLevel{Defects: map[string]trace.Defect{"name": {Fact: "it gives b too much", Leads: tc.leads}}}
		res := rates(t, level, trace.RateSetup{Packets: 1}, noB, steady()...)
		assert.Equal(t, tc.want, res.Status, "%v: %v", tc.leads, res)
		assert.Contains(t, res.Rates.Summary(), "it gives b too much")
	}
}

// TestRatesLink: the reference left the link idle before the last packet.
func TestRatesLink(t *testing.T) {
	var late []string
	for i := range 4 {
		late = append(late, fmt.Sprintf("E 0 %d 1500 a = ok", i+1))
	}
	late = append(late, "D 0 = 1", "D 1000000000 = 2", "D 2000000000 = 3", "D 9500000000 = 4")
	link := trace.RateSetup{Link: 12 * qdisc.Kbit, Packets: 1}

	res := rates(t, trace.RateLevel{}, link, filtering{}, late...)
	require.Equal(t, trace.Passed, res.Status, "%v", res)
	assert.EqualValues(t, 1500, res.Rates.Classes[0].Apart, "the link asks at 3 s")
	assert.EqualValues(t, 1500, res.Rates.Classes[0].Ahead)
	assert.EqualValues(t, 6000, res.Rates.Classes[0].Ours)

	res = rates(t, trace.RateLevel{}, trace.RateSetup{Packets: 1}, filtering{}, late...)
	require.Equal(t, trace.Passed, res.Status, "%v", res)
	assert.Zero(t, res.Rates.Classes[0].Apart, "asked when the reference was")

	faster := append(late[:4:4], "D 0 = 1", "D 1000000 = 2", "P 2000000 = 3", "D 2000000 = 3", "D 3000000 = 4")
	res = rates(t, trace.RateLevel{}, link, filtering{}, faster...)
	require.Equal(t, trace.Passed, res.Status, "%v", res)
	assert.Zero(t, res.Rates.Classes[0].Apart, "no link of this rate drained it")

	res = rates(t, trace.RateLevel{}, link, filtering{stuck: true}, late...)
	require.Equal(t, trace.Failed, res.Status)
	assert.Contains(t, res.Diff.Recorded, "a wake-up later")
}

// TestRatesClassful: classes come and go, and only packets of those that are
// there are counted.
func TestRatesClassful(t *testing.T) {
	const head = "qdtrace 1\nqdisc toy\nclass 1 parent 0\nbegin\n"
	cases := []struct {
		ops    string
		status trace.Status
		bytes  map[string]int64
		says   string
	}{
		{"E 0 1 100 1 = ok\nE 0 2 200 2 = nocls\nD 5 = 1\nD 6 = 2\n", trace.Passed, map[string]int64{"1": 100}, ""},
		{"A 0 2 parent 0 = ok\nE 1 1 70 2 = ok\nD 5 = 1\nX 6 2 = ok\nE 6 2 70 2 = nocls\nD 7 = 2\n", trace.Passed, map[string]int64{"2": 70}, ""},
		{"X 0 9 = ok\n", trace.Failed, nil, `recorded "ok", replayed "err 22"`},
		{"X 0 9 = err 22\nE 1 1 100 1 = ok\nR 2 = ok\nD 3 = - 0 -\n", trace.Passed, nil, ""},
		{"C 0 1 rate 5 = ok\n", trace.Skipped, nil, "operation C"},
		{"T 0 = - 0 -\n", trace.Skipped, nil, "hardware queues"},
	}
	for _, tc := range cases {
		run, err := trace.Read("x", strings.NewReader(head+tc.ops+"end 9\n"))
		require.NoError(t, err, tc.ops)
		var r trace.Registry
		r.Classful("toy", trace.ClassfulKind{
			Build: func(_ *trace.ClassfulHeader, env *trace.Env) (*trace.ClassfulTarget, error) {
				q, err := fifo.New(fifo.Config{Drops: env.Drops})
				return &trace.ClassfulTarget{
					Qdisc: q,
					Add:   func(qdisc.Time, *trace.ClassDef) error { return nil },
					Delete: func(_ qdisc.Time, class uint32) error {
						if class > 2 {
							return fmt.Errorf("there is no class %d", class)
						}
						return nil
					},
				}, err
			},
			Rates: new(trace.RateLevel),
		})
		res := r.Replay(run)
		assert.Equal(t, tc.status, res.Status, "%s%v", tc.ops, res)
		assert.Contains(t, res.String(), tc.says)
		if tc.status == trace.Passed {
			got := map[string]int64{}
			for _, c := range res.Rates.Classes {
				assert.Equal(t, c.Reference, c.Ours, tc.ops)
				got[c.Name] = c.Ours
			}
			if tc.bytes == nil {
				tc.bytes = map[string]int64{}
			}
			assert.Equal(t, tc.bytes, got, tc.ops)
		}
	}
}
