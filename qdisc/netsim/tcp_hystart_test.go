package netsim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
)

// TestTCPHyStart: slow start ends as a long queue builds up, before it overflows,
// and the line is still filled.
func TestTCPHyStart(t *testing.T) {
	rate, rtt := 50*qdisc.Mbit, 40*msec
	for _, paced := range []bool{false, true} {
		var lost [2]uint64
		for i, hystart := range []bool{false, true} {
			d := newDumbbell(t, 1, rate, rtt, 12*bdp(rate, rtt))
			c := d.connect(t, TCPConfig{HyStart: hystart, Pacing: paced, AckEvery: 1})
			c.Start(0)
			d.Run(seconds(2))
			since, now := d.run(c, seconds(12))
			lost[i] = since.Retransmitted
			assert.GreaterOrEqual(t, float64(now.Goodput(since))*fullPacket/1448, 0.95*float64(rate))
			if hystart {
				assert.Less(t, since.Ssthresh, uint64(noThreshold))
			}
		}
		assert.Greater(t, lost[0], uint64(100), "paced %v", paced)
		assert.Zero(t, lost[1], "paced %v", paced)
	}
}

// TestHyStartRounds follows RFC 9406, section 4.2.
func TestHyStartRounds(t *testing.T) {
	w := window{cwnd: 100, ssthresh: noThreshold, mss: 1}
	h := newHystart(false)
	una := uint64(0)
	round := func(rtt time.Duration) (grown float64) {
		una += 10
		for i := range 9 {
			now := una - 1
			if i == 0 {
				now = una
			}
			grown = h.grown(&w, 20, now, una+10, rtt)
		}
		return grown
	}
	assert.EqualValues(t, 8, round(40*msec), "at most eight segments")
	assert.EqualValues(t, 8, round(44*msec), "an eighth more is not yet too much")
	assert.EqualValues(t, 2, round(50*msec), "a quarter of it in conservative slow start")
	assert.EqualValues(t, 8, round(45*msec), "it was a spike")
	for range hystartRounds {
		require.Equal(t, float64(noThreshold), w.ssthresh)
		assert.EqualValues(t, 2, round(60*msec))
	}
	round(60 * msec)
	assert.EqualValues(t, 100, w.ssthresh)
}
