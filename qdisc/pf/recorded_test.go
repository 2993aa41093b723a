package pf_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/internal/trace"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/pf"
	"github.com/netsched/netsched/qdisc/priq"
)

var unknown = regexp.MustCompile(`option (red|ecn) is not here|scheduler fairq is not here`)

// TestRecordedConfigurations: of every recorded run of ALTQ, the tree has the
// queues, rates, priorities, limits and curves that pfctl made of the same
// lines. A copy of the module alone does not have the runs.
func TestRecordedConfigurations(t *testing.T) {
	const folder = "../../conformance/testdata/bsd"
	names, err := filepath.Glob(folder + "/*q-*.trace.gz")
	require.NoError(t, err)
	more, err := filepath.Glob(folder + "/hfsc-*.trace.gz")
	require.NoError(t, err)
	if names = append(names, more...); len(names) == 0 {
		t.Skip("the recorded runs are in module conformance, which is not here")
	}
	built := 0
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			run, err := trace.ReadFile(os.DirFS(folder), filepath.Base(name))
			require.NoError(t, err)
			h := &run.(*trace.ALTQ).Header
			var text strings.Builder
			fmt.Fprintf(&text, "altq on if0 %s\n", h.Interface)
			for _, q := range h.Queues {
				fmt.Fprintf(&text, "queue %s %s\n", q.Name, q.Text)
			}
			tree, err := pf.Build(text.String(), pf.Options{MTU: h.MTU})
			if err != nil && unknown.MatchString(err.Error()) {
				t.Skip(err)
			}
			require.NoError(t, err, text.String())
			compareClasses(t, h, tree)
			built++
		})
	}
	assert.Greater(t, built, 40)
}

func compareClasses(t *testing.T, h *trace.ALTQHeader, tree *pf.Tree) {
	number := func(text string) int64 {
		n, err := strconv.ParseInt(text, 10, 64)
		require.NoError(t, err)
		return n
	}
	seen := 0
	for _, c := range h.Classes {
		class := tree.Class(c.Name)
		if class == 0 {
			assert.Equal(t, "root_if0", c.Name)
			continue
		}
		seen++
		info := tree.Queues()[class-1]
		assert.Equal(t, c.Default, info.Default, c.Name)
		if parent := tree.Name(info.Parent); parent != "" {
			assert.Equal(t, h.Classes[c.Parent-1].Name, parent, c.Name)
		}
		if f, ok := tree.Queue(c.Name).(*fifo.FIFO); ok {
			assert.EqualValues(t, number(c.Params["qlimit"]), *f.Config().Limit, c.Name)
		}
		if bps := c.Params["bps"]; bps == "0" {
			assert.Equal(t, 50*qdisc.Kbit, info.Rate, "pfctl cuts its 0.5 percent to 0")
		} else if bps != "" {
			assert.InDelta(t, float64(number(bps)), float64(info.Rate), 1, c.Name)
		}
		switch q := tree.Scheduler().(type) {
		case *priq.PRIQ:
			cfg, _ := q.Class(class)
			assert.EqualValues(t, number(c.Params["prio"]), cfg.Priority, c.Name)
		case *hfsc.HFSC:
			cfg, _ := q.Class(class)
			for key, got := range map[string]hfsc.Curve{"rt": cfg.RealTime, "ls": cfg.LinkShare, "ul": cfg.UpperLimit} {
				w := strings.Split(c.Params[key], "/")
				require.Len(t, w, 3)
				want := hfsc.Curve{M1: qdisc.Rate(number(w[0])), D: time.Duration(number(w[1])) * time.Millisecond, M2: qdisc.Rate(number(w[2]))}
				if want.D == 0 {
					want.M1 = 0
				}
				assert.Equal(t, want, got, "%s %s", c.Name, key)
			}
		}
	}
	assert.Len(t, tree.Queues(), seen)
}
