package cake_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/cake"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/qdisctest"
)

func TestContract(t *testing.T) {
	for name, cfg := range map[string]cake.Config{
		"default":    {MemoryLimit: 40_000},
		"shaped":     {Bandwidth: 10 * qdisc.Mbit, MemoryLimit: 30_000, RTT: 20 * time.Millisecond},
		"ingress":    {Bandwidth: 2 * qdisc.Mbit, Ingress: true, MemoryLimit: 50_000, RTT: time.Millisecond, Framing: cake.Conservative(), Diffserv: cake.Diffserv8, Wash: true},
		"besteffort": {Diffserv: cake.BestEffort, Isolation: cake.Flowblind, MemoryLimit: 20_000, RTT: 100 * time.Microsecond},
		"autorate":   {Bandwidth: qdisc.Mbit, Autorate: true, Ingress: true, Diffserv: cake.Precedence, Isolation: cake.DualSrcHost, MemoryLimit: 60_000},
		"slow":       {Bandwidth: cake.MinBandwidth, Diffserv: cake.Diffserv4, Isolation: cake.DualDstHost, FwMark: 3},
	} {
		for _, compat := range compats {
			t.Run(fmt.Sprint(name, "/", compat), func(t *testing.T) {
				cfg := cfg
				cfg.Compat = compat
				qdisctest.TestQdisc(t, func(drops *qdisc.List) qdisc.Qdisc {
					cfg := cfg
					cfg.Drops, cfg.Rand = drops, rand.NewPCG(1, 2)
					return mustNew(t, cfg)
				}, qdisctest.Peeks(qdisctest.Parking), qdisctest.Cut(cutTins))
			})
		}
	}
}

// cutTins changes the memory limit, the tins, the hashing and the rate.
func cutTins(q qdisc.Qdisc, now qdisc.Time) error {
	c := q.(*cake.Cake)
	cfg := c.Config()
	cfg.MemoryLimit = 10_000
	cfg.Diffserv = (cfg.Diffserv + 1) % 5
	cfg.Isolation = (cfg.Isolation + 3) % 8
	if cfg.Bandwidth != 0 {
		cfg.Bandwidth = 3 * qdisc.Mbit
	}
	return c.Change(cfg, now)
}

// TestUsable: the zero Config is.
func TestUsable(t *testing.T) {
	q, err := cake.New(cake.Config{})
	require.NoError(t, err)
	require.Equal(t, qdisc.Queued, q.Enqueue(packet(100, 1), 0))
	require.NotNil(t, q.Dequeue(0))
}
