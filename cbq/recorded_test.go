package cbq_test

import (
	"bufio"
	"compress/gzip"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/cbq"
	"github.com/netsched/netsched/codel"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// recorded returns the lines of the recorded runs of a folder, by name. A copy
// of the module alone does not have them.
func recorded(t *testing.T, pattern string) map[string][]string {
	t.Helper()
	names, err := filepath.Glob("../conformance/testdata/" + pattern)
	require.NoError(t, err)
	if len(names) == 0 {
		t.Skip("the recorded runs are in module conformance, which is not here")
	}
	runs := map[string][]string{}
	for _, name := range names {
		f, err := os.Open(name)
		require.NoError(t, err)
		z, err := gzip.NewReader(f)
		require.NoError(t, err)
		var lines []string
		for sc := bufio.NewScanner(z); sc.Scan(); {
			lines = append(lines, sc.Text())
		}
		require.NoError(t, f.Close())
		runs[strings.TrimSuffix(filepath.Base(name), ".trace.gz")] = lines
	}
	return runs
}

func number(t *testing.T, word string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(word, 10, 64)
	require.NoError(t, err)
	return n
}

// comparison is a recorded run beside the scheduler, which is offered the same
// packets at the same times. It is asked for them whenever the link is free, as
// the reference was: its own departures make the link busy, and it is woken at
// its own times. Or, if the run has no link, it is asked when the reference was.
type comparison struct {
	q     *cbq.CBQ
	link  qdisc.Rate // 0: asked when the reference was
	free  qdisc.Time // when the link is
	frac  uint64     // of a nanosecond, times link
	of    map[string]*qdisc.Packet
	sent  map[uint32]*sums
	start qdisc.Time // of the window
	end   qdisc.Time // of the run
}

// sums are a class's bytes: of the whole run, by the reference and here, of this
// window, and the most that a window differed by.
type sums struct{ theirs, ours, theirWindow, ourWindow, worst int64 }

const window = s

func newComparison() *comparison {
	return &comparison{of: map[string]*qdisc.Packet{}, sent: map[uint32]*sums{}}
}

func (c *comparison) class(id uint32) *sums {
	if c.sent[id] == nil {
		c.sent[id] = new(sums)
	}
	return c.sent[id]
}

// enqueue offers a packet. Unknown classes are the default's.
func (c *comparison) enqueue(id string, class, size uint32, now qdisc.Time) {
	c.advance(now - 1)
	if _, ok := c.q.Class(class); !ok {
		class = c.q.Config().Default
	}
	p := packet(class, size)
	c.of[id] = p
	c.q.Enqueue(p, now)
}

// dequeue counts what the reference gave, a packet or none.
func (c *comparison) dequeue(id string, now qdisc.Time) {
	c.advance(now)
	if c.link == 0 {
		c.count(c.q.Dequeue(now))
	}
	if p := c.of[id]; p != nil {
		s := c.class(p.Class)
		s.theirs += int64(p.Len)
		s.theirWindow += int64(p.Len)
	}
}

func (c *comparison) count(p *qdisc.Packet) {
	if p != nil {
		s := c.class(p.Class)
		s.ours += int64(p.Len)
		s.ourWindow += int64(p.Len)
	}
}

// advance runs the link until now.
func (c *comparison) advance(now qdisc.Time) {
	for c.link > 0 && c.free <= now && c.q.Len() > 0 {
		at := max(c.free, c.q.Latest(), c.q.ReadyAt(max(c.free, c.q.Latest())))
		if at > now {
			break
		}
		c.turn(at)
		p := c.q.Dequeue(at)
		if p == nil {
			continue
		}
		c.count(p)
		ns := uint64(p.Len)*8e9 + c.frac
		c.free, c.frac = at+qdisc.Time(ns/uint64(c.link)), ns%uint64(c.link)
	}
	c.turn(now)
	c.end = max(c.end, now)
}

// turn ends the windows that are over.
func (c *comparison) turn(now qdisc.Time) {
	for now >= c.start+window {
		c.start += window
		for _, s := range c.sent {
			s.worst = max(s.worst, s.theirWindow-s.ourWindow, s.ourWindow-s.theirWindow)
			s.theirWindow, s.ourWindow = 0, 0
		}
	}
}

// altq replays a run of the BSD scheduler.
func (c *comparison) altq(t *testing.T, lines []string, byLink bool) {
	link, mtu := qdisc.Rate(0), uint32(1500)
	class := map[string]uint32{}
	options := map[string]string{}
	parent := map[string]string{}
	for _, line := range lines {
		w := strings.Fields(line)
		switch w[0] {
		case "mtu":
			mtu = uint32(number(t, w[1]))
		case "queue":
			options[w[1]] = line
		case "class":
			values := map[string]string{}
			for _, p := range w[4:] {
				key, value, _ := strings.Cut(p, "=")
				values[key] = value
			}
			id := uint32(number(t, w[1]))
			rate := qdisc.Rate(number(t, values["bps"]))
			if w[3] == "parent=-" {
				link = rate
				c.q = newCBQ(t, cbq.Config{Bandwidth: link, AvgPacket: mtu})
				class[w[2]] = 0
				if byLink {
					c.link = link
				}
				continue
			}
			priority := int(number(t, values["prio"]))
			limit := int(number(t, values["qlimit"]))
			opts := options[w[2]]
			cfg := cbq.PFClass{
				Parent: class[strings.TrimPrefix(w[3], "parent=")], Bandwidth: rate, Priority: &priority, Borrow: strings.Contains(opts, "borrow"),
			}.Config(link, mtu)
			leaf, err := fifo.New(fifo.Config{Limit: &limit, HeadDrop: true})
			require.NoError(t, err)
			cfg.Child = leaf
			if strings.Contains(opts, "codel") {
				cfg.Child, err = codel.New(codel.Config{Limit: &limit})
				require.NoError(t, err)
			}
			if _, ok := values["default"]; ok {
				all := c.q.Config()
				all.Default = id
				require.NoError(t, c.q.Change(all, 0))
			}
			class[w[2]], parent[w[2]] = id, w[3]
			add(t, c.q, id, cfg)
		case "E":
			c.enqueue(w[2], class[w[4]], uint32(number(t, w[3])), qdisc.Time(number(t, w[1])))
		case "D":
			c.dequeue(w[3], qdisc.Time(number(t, w[1])))
		}
	}
}

// asked are the runs whose packets were asked for by a driver that is no link.
var asked = []string{
	"cbq-08-manual-greedy-driver", "cbq-11-deep-chain-random", "cbq-18-codel-leaf", "cbq-19-qlimit-edges", "cbq-26-random-driver",
	"cbq-poll",
}

// A class gets within each second what the reference gave it, to 10 of the run's
// longest packets, but where the reference is known to be wrong. Then most is how
// much more or less it is, in bytes.
type defect struct {
	most int64
	why  string
}

const (
	forgotten = "its round robin forgets debt where packets exceed the quantum"
	offtime   = "its waits are those of packets as long as the MTU: shorter ones get less than the rate"
	ticks     = "its timers wake at clock ticks, two at the least"
	throttled = "a class that waits keeps those below from borrowing"
	pardoned  = "a class whose minidle is a tick pays for no more than the last packet that it sent"
	starved   = "a class of lower priority starves, though within its rate, while others borrow"
)

var altqDefects = map[string]defect{
	"cbq-03-seed-borrow":             {130_000, forgotten},
	"cbq-05-seed-onebyte":            {6_000, offtime},
	"cbq-07-manual-poisson":          {23_000, offtime},
	"cbq-10-deep-chain":              {30_000, throttled},
	"cbq-11-deep-chain-random":       {88_000, throttled},
	"cbq-13-eight-priorities-bursts": {60_000, starved},
	"cbq-15-flat-64-poisson":         {28_000, offtime},
	"cbq-17-one-percent-of-1Gb":      {22_000, ticks},
	"cbq-20-broken-borrow-chain":     {30_000, throttled},
	"cbq-26-random-driver":           {52_000, offtime},
}

// TestAgainstALTQ compares with the BSD scheduler.
func TestAgainstALTQ(t *testing.T) {
	for name, lines := range recorded(t, "bsd/cbq-*.trace.gz") {
		t.Run(name, func(t *testing.T) {
			if strings.Contains(name, "red") {
				t.Skip("its leaves are RED, which this module does not have")
			}
			c := newComparison()
			c.altq(t, lines, !slices.Contains(asked, name))
			c.judge(t, altqDefects[name])
		})
	}
}

// judge prints what each class got, and checks it.
func (c *comparison) judge(t *testing.T, d defect) {
	longest, worst := uint32(0), int64(0)
	for _, p := range c.of {
		longest = max(longest, p.Len)
	}
	c.turn(c.end + window) // what is left, or all of a short run
	delete(c.sent, 0)      // Linux has a queue for packets without a class
	for _, id := range slices.Sorted(maps.Keys(c.sent)) {
		s := c.sent[id]
		worst = max(worst, s.worst)
		t.Logf("class %d: %d bytes, the reference %d (%+.2f%%); at most %d apart within a second",
			id, s.ours, s.theirs, 100*float64(s.ours-s.theirs)/float64(max(s.theirs, 1)), s.worst)
	}
	if d.why == "" {
		assert.LessOrEqual(t, worst, 10*int64(longest))
		return
	}
	t.Logf("the reference differs: %s", d.why)
	assert.LessOrEqual(t, worst, d.most, d.why)
	assert.Greater(t, worst, 10*int64(longest), "no defect shows")
}
