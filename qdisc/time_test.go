package qdisc_test

import (
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/netsched/netsched/qdisc"
)

// oddTimes are instants at the ends of the range and within it.
var oddTimes = []qdisc.Time{
	math.MinInt64, -1, 0, 1, 1e9, math.MaxInt64 / 2, qdisc.MaxTime - 1, qdisc.MaxTime, qdisc.Blocked, qdisc.Never,
}

// TestTimeAdd compares with exact arithmetic, held within 0..MaxTime.
func TestTimeAdd(t *testing.T) {
	for _, at := range oddTimes {
		for _, o := range oddTimes {
			d := time.Duration(o)
			want := new(big.Int).Add(big.NewInt(int64(at)), big.NewInt(int64(d)))
			switch {
			case at > qdisc.MaxTime:
				want.SetInt64(int64(at))
			case want.Sign() < 0:
				want.SetInt64(0)
			case want.Cmp(big.NewInt(int64(qdisc.MaxTime))) > 0:
				want.SetInt64(int64(qdisc.MaxTime))
			}
			assert.Equal(t, want.Int64(), int64(at.Add(d)), "%d + %d", int64(at), int64(d))
		}
	}
}

func TestTimeSub(t *testing.T) {
	for _, at := range oddTimes {
		for _, from := range oddTimes {
			want := new(big.Int).Sub(big.NewInt(int64(at)), big.NewInt(int64(from)))
			switch {
			case want.Cmp(big.NewInt(math.MaxInt64)) > 0:
				want.SetInt64(math.MaxInt64)
			case want.Cmp(big.NewInt(math.MinInt64)) < 0:
				want.SetInt64(math.MinInt64)
			}
			assert.Equal(t, want.Int64(), int64(at.Sub(from)), "%d - %d", int64(at), int64(from))
		}
	}
}

func TestTimeString(t *testing.T) {
	assert.Equal(t, "1.5s", qdisc.Time(1.5e9).String())
	assert.Equal(t, "blocked", qdisc.Blocked.String())
	assert.Equal(t, "never", qdisc.Never.String())
	assert.Less(t, qdisc.MaxTime, qdisc.Blocked)
	assert.Less(t, qdisc.Blocked, qdisc.Never)
}
