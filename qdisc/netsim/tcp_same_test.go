package netsim

import (
	"fmt"
	"hash/fnv"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/netsched/netsched/qdisc"
)

// TestTCPSameEverywhere: one seed, one run, on every platform. The sum of the
// event log was taken on amd64; whoever changes what happens when takes it anew.
func TestTCPSameEverywhere(t *testing.T) {
	d := newDumbbellOf(t, 7, LinkConfig{Name: "line", Rate: 20 * qdisc.Mbit, Delay: 10 * msec, Loss: 0.001, Jitter: msec}, LinkConfig{Delay: 10 * msec})
	sum := fnv.New64a()
	n := 0
	d.OnEvent(func(e Event) {
		fmt.Fprintln(sum, int64(e.At), uint8(e.Kind), e.Flow, e.Seq, e.Len, e.DSField)
		n++
	})
	way := marker(d, 200)
	for i := range 8 {
		c := d.connect(t, TCPConfig{
			Name: "tcp", Forward: way, Congestion: Congestion(i % 2), ECN: i&2 != 0, Pacing: i&4 != 0, HyStart: i == 4, GSO: i,
		})
		c.Start(seconds(float64(i) / 10))
	}
	d.Run(seconds(10))
	assert.Greater(t, n, 50_000)
	assert.Equal(t, uint64(0xc7fd9d713dbc7c69), sum.Sum64())
}
