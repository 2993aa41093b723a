package fifo_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

func newFIFO(t require.TestingT, cfg fifo.Config) *fifo.FIFO {
	q, err := fifo.New(cfg)
	require.NoError(t, err)
	return q
}

// forms are all forms of a FIFO, small enough to be full at times.
var forms = []struct {
	name string
	cfg  fifo.Config
}{
	{"pfifo", fifo.Config{Limit: new(20)}},
	{"bfifo", fifo.Config{LimitBytes: new(int64(9000))}},
	{"both", fifo.Config{Limit: new(8), LimitBytes: new(int64(9000))}},
	{"headdrop", fifo.Config{Limit: new(20), HeadDrop: true}},
	{"headdrop-bytes", fifo.Config{LimitBytes: new(int64(9000)), HeadDrop: true}},
	{"headdrop-both", fifo.Config{Limit: new(8), LimitBytes: new(int64(9000)), HeadDrop: true}},
	{"default", fifo.Config{}},
}

func TestContract(t *testing.T) {
	for _, form := range forms {
		t.Run(form.name, func(t *testing.T) {
			qdisctest.TestQdisc(t, func(drops *qdisc.List) qdisc.Qdisc {
				cfg := form.cfg
				cfg.Drops = drops
				return newFIFO(t, cfg)
			}, qdisctest.Peeks(qdisctest.Looking), qdisctest.Cut(func(q qdisc.Qdisc, now qdisc.Time) error {
				cfg := q.(*fifo.FIFO).Config()
				cfg.Limit, cfg.LimitBytes = new(3), new(int64(2000))
				return q.(*fifo.FIFO).Change(cfg, now)
			}))
		})
	}
}
