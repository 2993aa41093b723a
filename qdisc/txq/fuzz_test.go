package txq

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/tbf"
)

// FuzzQueue drives a shaped queue with a byte program beside a plain list of
// what it must hold, and checks that every packet comes back once, in order,
// and that no interval sees more than the curve, the burst and Catchup allow.
func FuzzQueue(f *testing.F) {
	f.Add([]byte{10, 0, 0, 40, 80, 81, 120, 121, 160, 200, 240, 7})
	f.Add([]byte{255, 3, 31, 32, 33, 30, 100, 99, 31, 250, 251, 64, 65, 66})
	f.Add([]byte{0, 200, 31, 31, 31, 31, 240, 63, 63, 63, 63, 63, 127, 0, 31, 33})
	f.Fuzz(func(t *testing.T, program []byte) {
		if len(program) < 2 {
			return
		}
		const size, limit = 1500, 100
		catchup := time.Duration(program[1]) * 20 * time.Microsecond
		clock := &virtual{t: t, late: time.Duration(program[0]) * 10 * time.Microsecond}
		root, err := tbf.New(tbf.Config{Rate: 100 * qdisc.Mbit, Burst: size, LimitBytes: new(int64(limit * size))})
		require.NoError(t, err)
		dropped := 0
		free := packets(400, size)
		q := newQueue(t, Config{Qdisc: root, Clock: clock, Catchup: &catchup, Free: func(ps *qdisc.List) {
			for p := range ps.Drain() {
				require.NotEqual(t, qdisc.NotDropped, p.Reason)
				free = append(free, p)
				dropped++
			}
		}})
		var held []*qdisc.Packet // in order
		d := departures{rate: 100e6 / 8 / 1e9}
		send := func(n int) {
			n = min(n, len(free))
			batch := append([]*qdisc.Packet(nil), free[:n]...)
			free = free[n:]
			fit := min(n, limit-len(held))
			held = append(held, batch[:fit]...)
			before := dropped
			require.NoError(t, q.Send(batch))
			require.Equal(t, before+n-fit, dropped)
		}
		for i, b := range program[2:] {
			arg := int(b & 31)
			switch b >> 5 {
			case 0, 1:
				send(arg)
			case 2: // time passes
				clock.now = clock.now.Add(time.Duration(arg) * 100 * time.Microsecond)
			case 3: // an arrival in the middle of the next wait, or late in it
				clock.meanwhile = func(until qdisc.Time) {
					clock.meanwhile = nil
					clock.now = max(clock.now, until.Add(time.Duration(arg-16)*50*time.Microsecond))
					send(arg & 3)
				}
			case 4: // thrown away on the owner's command
				if arg == 0 {
					before := dropped
					require.NoError(t, q.Do(func(root qdisc.Qdisc, now qdisc.Time) { root.Reset(now) }))
					require.Equal(t, before+len(held), dropped)
					held = held[:0]
					d = departures{rate: d.rate, sent: d.sent, low: 1e18} // and a new bucket
					d.low = d.sent - d.rate*float64(clock.now)
				}
			default:
				if len(held) == 0 {
					continue
				}
				dst := make([]*qdisc.Packet, 1+arg)
				n, err := q.Recv(dst)
				require.NoError(t, err)
				require.Equal(t, held[:n], dst[:n], "operation %d", i)
				held = held[n:]
				for _, p := range dst[:n] {
					require.False(t, p.Linked())
					d.add(size, clock.now)
				}
				free = append(free, dst[:n]...)
			}
			require.Equal(t, len(held), q.Len())
			require.Equal(t, 400, len(held)+len(free))
			require.LessOrEqual(t, d.worst, size+d.rate*float64(catchup)+1)
		}
		before := dropped
		require.NoError(t, q.Close())
		require.Equal(t, before+len(held), dropped)
		require.Equal(t, 400, len(free))
	})
}
