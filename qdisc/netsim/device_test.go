package netsim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/mq"
	"github.com/netsched/netsched/qdisc/multiq"
	"github.com/netsched/netsched/qdisc/netsim"
)

// fourQueues runs a device with four saturated hardware queues, the first a
// tenth as fast as the others, and returns each one's rate in bit/s.
func fourQueues(t *testing.T, q qdisc.Qdisc, limit bool) (rates [4]float64, st netsim.LinkStats) {
	s := netsim.New(1)
	queues := make([]netsim.QueueConfig, 4)
	for i := range queues {
		queues[i] = netsim.QueueConfig{Rate: 10 * qdisc.Mbit, Ring: 8, Completion: 20 * time.Microsecond, Delay: time.Millisecond}
		if limit {
			queues[i].Limiter = must(bql.New(bql.Config{}))
		}
	}
	queues[0].Rate = qdisc.Mbit
	meters := netsim.NewFlowMeters(s)
	d := must(netsim.NewDevice(s, netsim.DeviceConfig{Qdisc: q, Queues: queues, To: meters}))
	for i := range queues {
		p := packet(uint32(i), 1250)
		p.TxQueue = uint16(i)
		must(netsim.NewSource(s, netsim.SourceConfig{Via: d, Pattern: netsim.CBR{Rate: 12 * qdisc.Mbit}, Packet: p, Stop: 10 * second}))
	}
	s.Run(10 * second)
	for i := range rates {
		rates[i] = meters.Flow(uint32(i)).Rate(0)
	}
	s.Run(1000 * second)
	require.Zero(t, s.Alive())
	for i := range queues {
		require.Zero(t, d.InFlight(i))
		if limit {
			require.Zero(t, queues[i].Limiter.Inflight())
			require.Less(t, queues[i].Limiter.Limit(), int64(6000))
		}
	}
	checkLink(t, "device", d.Stats())
	return rates, d.Stats()
}

// TestDeviceWithStopper: a slow hardware queue delays no other.
func TestDeviceWithStopper(t *testing.T) {
	for _, limit := range []bool{false, true} {
		for name, q := range map[string]qdisc.Qdisc{
			"multiq": must(multiq.New(multiq.Config{Bands: 4})),
			"mq":     must(mq.New(mq.Config{Queues: 4})),
		} {
			rates, st := fourQueues(t, q, limit)
			require.InEpsilon(t, 1e6, rates[0], 0.01, name)
			for _, r := range rates[1:] {
				require.InEpsilon(t, 10e6, r, 0.01, name)
			}
			require.Zero(t, st.Requeues, name)
		}
	}
}

// TestDeviceHeadOfLine: with a discipline that does not know of hardware
// queues the slow one sets the pace of all.
func TestDeviceHeadOfLine(t *testing.T) {
	rates, st := fourQueues(t, must(fifo.New(fifo.Config{})), false)
	for i, r := range rates {
		require.InEpsilon(t, 1e6, r, 0.05, "queue %d", i)
	}
	require.NotZero(t, st.Requeues)
}

func TestDeviceQueueNumbers(t *testing.T) {
	s := netsim.New(1)
	m := netsim.NewMeter(s)
	d := must(netsim.NewDevice(s, netsim.DeviceConfig{Queues: []netsim.QueueConfig{{Rate: qdisc.Mbit}, {}}, To: m}))
	p := s.Alloc()
	p.Len, p.TxQueue = 1250, 9 // there is none: queue 0
	d.Receive(p)
	require.Equal(t, 1, d.InFlight(0))
	require.Zero(t, d.InFlight(1))
	require.Zero(t, d.InFlight(-1))
	d.SetRate(0, 10*qdisc.Mbit)
	d.SetRate(2, qdisc.Mbit)
	s.Run(second)
	require.Equal(t, 10*time.Millisecond, m.Delay.Max())
	send(s, d, 1250, 1)
	s.Run(2 * second)
	require.Equal(t, qdisc.Time(second+millisecond), m.Last)
	send(s, d, 1250, 2)
	send(s, d, 1250, 3)
	d.Qdisc().Reset(s.Now())
	d.Sync()
	s.Run(3 * second)
	require.Zero(t, s.Alive())
	checkLink(t, "device", d.Stats())
}

func TestDeviceConfigErrors(t *testing.T) {
	s := netsim.New(1)
	_, err := netsim.NewDevice(s, netsim.DeviceConfig{})
	qtest.ConfigErrors(t, err, "Queues", "65536")
	_, err = netsim.NewDevice(s, netsim.DeviceConfig{Queues: []netsim.QueueConfig{{}, {Ring: -1}}})
	qtest.ConfigErrors(t, err, "Queues[1].Ring")
}
