package txq

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/internal/qtest"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/multiq"
)

func newMultiq(t testing.TB, bands int) *multiq.Multiq {
	m, err := multiq.New(multiq.Config{Bands: bands})
	require.NoError(t, err)
	return m
}

// fixed is a limiter that stays at a limit.
func fixed(limit int64) *bql.Config { return &bql.Config{LimitMin: limit, LimitMax: &limit} }

// to gives packets to hardware queues in turn.
func to(ps []*qdisc.Packet, queues ...uint16) []*qdisc.Packet {
	for i, p := range ps {
		p.TxQueue = queues[i%len(queues)]
	}
	return ps
}

func marks(ps []*qdisc.Packet) (ids []uint32) {
	for _, p := range ps {
		ids = append(ids, p.Mark)
	}
	return ids
}

// card is a Completer under a test's control.
type card struct {
	q     *Queue
	got   []uint32
	write func(c *card, ps []*qdisc.Packet) (int, error) // nil: takes all
}

func (c *card) Attach(q *Queue) { c.q = q }
func (c *card) Write(ps []*qdisc.Packet) (n int, err error) {
	n = len(ps)
	if c.write != nil {
		n, err = c.write(c, ps)
	}
	c.got = append(c.got, marks(ps[:max(0, n)])...)
	return n, err
}

// TestLimitInBatch: the limiter hears of each packet before the next is taken,
// so that a batch overshoots by one packet and not by the rest of the batch
// (Linux 3e59020abf0f).
func TestLimitInBatch(t *testing.T) {
	for _, root := range []qdisc.Qdisc{qtest.FIFO(100), newMultiq(t, 1)} {
		t.Run(fmt.Sprintf("%T", root), func(t *testing.T) {
			clock := &virtual{t: t}
			q := newQueue(t, Config{Qdisc: root, Clock: clock, Limit: fixed(4500)})
			require.NoError(t, q.Send(packets(10, 1500)))
			dst := make([]*qdisc.Packet, 64)
			n, err := q.Recv(dst)
			require.NoError(t, err)
			assert.Equal(t, 4, n, "4500 bytes fit, and one packet more")
			assert.Equal(t, 6, q.Len())
			s := q.HardwareStats(0)
			assert.True(t, s.Stopped)
			assert.EqualValues(t, 4500, s.Limit)
			assert.EqualValues(t, 6000, s.Limited)
			assert.EqualValues(t, 4, s.Packets)
			assert.EqualValues(t, 6000, s.Bytes)
			// Two at once let two go, one packet one.
			for _, want := range []int{2, 1} {
				clock.meanwhile = func(until qdisc.Time) {
					assert.Equal(t, qdisc.Blocked, until)
					q.Completed(0, 0, int64(want)*1500)
				}
				n, err = q.Recv(dst)
				require.NoError(t, err)
				assert.Equal(t, want, n)
			}
			assert.EqualValues(t, 3, q.Stats().Stops)
			assert.EqualValues(t, 2, q.Stats().Wakes)
			assert.Zero(t, q.HardwareStats(0).ExcessBytes)
			require.NoError(t, q.Close())
			q.Completed(0, 0, 6000)
			assert.Zero(t, q.HardwareStats(0).Limited)
		})
	}
}

// TestLongObject: with nothing in flight one packet goes, however long, also
// with a limit of 0; and one at a time.
func TestLongObject(t *testing.T) {
	for _, limit := range []int64{0, 3000} {
		for _, compat := range []qdisc.Compat{qdisc.Exact, qdisc.Linux} {
			cfg := fixed(limit)
			cfg.Compat = compat
			clock := &virtual{t: t}
			q := newQueue(t, Config{Qdisc: qtest.FIFO(100), Clock: clock, Limit: cfg})
			require.NoError(t, q.Send(packets(3, 1<<16)))
			dst := make([]*qdisc.Packet, 64)
			for range 3 {
				n, err := q.Recv(dst)
				require.NoError(t, err)
				require.Equal(t, 1, n)
				assert.True(t, q.HardwareStats(0).Stopped)
				clock.meanwhile = func(qdisc.Time) { q.Completed(0, 0, 1<<16) }
			}
		}
	}
}

// TestUntakeKeepsOrder: what is put back goes before what was left with it.
func TestUntakeKeepsOrder(t *testing.T) {
	q := newQueue(t, Config{Qdisc: qtest.FIFO(100), Clock: &virtual{t: t}, Limit: fixed(1 << 20)})
	require.NoError(t, q.Send(packets(6, 100)))
	boom := errors.New("boom")
	assert.Equal(t, boom, q.Run(&sink{script: []answer{{1, boom}}}))
	dst := make([]*qdisc.Packet, 64)
	n, _, _, err := q.take(dst[:2], false, nil)
	require.NoError(t, err)
	require.Equal(t, 2, n)
	q.untake(dst[:2], nil)
	assert.EqualValues(t, 1, q.Stats().SentPackets)
	n, err = q.Recv(dst)
	require.NoError(t, err)
	assert.Equal(t, order(1, 6), marks(dst[:n]))
	assert.EqualValues(t, 500, q.HardwareStats(0).Limited, "each is counted once")
}

// TestCompletedTooEarly: a completion of what was never sent is cut to nothing
// and counted (CVE-2024-50297), and what follows is counted right.
func TestCompletedTooEarly(t *testing.T) {
	var back returned
	q := newQueue(t, Config{Qdisc: qtest.FIFO(100), Clock: &virtual{t: t}, Free: back.free, Queues: 2, Limit: fixed(3000)})
	q.Completed(0, 3, 4500)
	q.Completed(0, -1, -1)
	q.Completed(1, 0, 0)
	q.Completed(2, 1, 1)
	q.Completed(-1, 1, 1)
	q.Stop(2)
	q.Wake(-1)
	assert.Equal(t, HardwareStats{}, q.HardwareStats(2))
	s := q.HardwareStats(0)
	assert.EqualValues(t, 3, s.Excess)
	assert.EqualValues(t, 4500, s.ExcessBytes)
	assert.Zero(t, s.Limited)
	require.NoError(t, q.Send(packets(2, 1500)))
	dst := make([]*qdisc.Packet, 64)
	n, err := q.Recv(dst)
	require.NoError(t, err)
	assert.Equal(t, 2, n)
	assert.EqualValues(t, 3000, q.HardwareStats(0).Limited)
	q.Completed(0, 0, 3000)
	assert.Zero(t, q.HardwareStats(0).Limited)
	assert.Zero(t, back.Len())
	require.NoError(t, q.Close())
}

// TestCompletionsInFlight: Close with packets in the device, and completions
// that come later, more of them than there are.
func TestCompletionsInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var back returned
		q := newQueue(t, Config{Qdisc: qtest.FIFO(100), Clock: RuntimeClock(), Free: back.free, Limit: fixed(9000)})
		c := new(card)
		result := start(q, c)
		require.NoError(t, q.Send(packets(9, 1500)))
		synctest.Wait()
		assert.Len(t, c.got, 7)
		assert.Equal(t, 9, q.Len())
		q.Completed(0, 2, 3000)
		synctest.Wait()
		assert.Len(t, c.got, 9)
		assert.Equal(t, 2, back.reasons[qdisc.NotDropped])
		require.NoError(t, q.Close())
		assert.Equal(t, 7, q.Len(), "the device has them still")
		q.Completed(0, 3, 4500)
		q.Completed(0, 9, 13500)
		assert.Equal(t, 9, back.reasons[qdisc.NotDropped])
		assert.EqualValues(t, 5, q.HardwareStats(0).Excess)
		assert.ErrorIs(t, result(), ErrClosed)
		assert.Zero(t, q.Len())
		assert.Zero(t, q.Stats().InFlightBytes)
		assert.Zero(t, q.HardwareStats(0).InFlight)
	})
}

// TestCompletedDuringWrite: a device may report a packet before Write returns.
// What it reports and then does not take is counted.
func TestCompletedDuringWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var back returned
		q := newQueue(t, Config{Qdisc: qtest.FIFO(100), Clock: RuntimeClock(), Free: back.free, Limit: fixed(1 << 20)})
		c := &card{write: func(c *card, ps []*qdisc.Packet) (int, error) {
			c.write = nil
			c.q.Completed(0, 3, 300)
			assert.Zero(t, back.Len(), "Write is reading them still")
			return 2, nil
		}}
		result := start(q, c)
		require.NoError(t, q.Send(packets(5, 100)))
		synctest.Wait()
		assert.Equal(t, order(0, 5), c.got)
		assert.Equal(t, 2, back.Len())
		assert.EqualValues(t, 1, q.HardwareStats(0).Excess)
		assert.Equal(t, 3, q.Len())
		q.Completed(0, 3, 200)
		assert.Zero(t, q.Len())
		assert.Zero(t, q.HardwareStats(0).Limited)
		require.NoError(t, q.Close())
		assert.ErrorIs(t, result(), ErrClosed)
	})
}

// TestStopInWrite: what was taken for a hardware queue that the device then
// stops waits by itself; the others go on, each in order.
func TestStopInWrite(t *testing.T) {
	for _, root := range []qdisc.Qdisc{qtest.FIFO(100), newMultiq(t, 3)} {
		t.Run(fmt.Sprintf("%T", root), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				q := newQueue(t, Config{Qdisc: root, Clock: RuntimeClock(), Queues: 3})
				got := map[uint16][]uint32{}
				c := &card{write: func(c *card, ps []*qdisc.Packet) (int, error) {
					for i, p := range ps {
						if p.TxQueue == 1 && len(got[1]) == 2 {
							c.q.Stop(1) // full, found too late
							return i, nil
						}
						got[p.TxQueue] = append(got[p.TxQueue], p.Mark)
					}
					return len(ps), nil
				}}
				result := start(q, c)
				require.NoError(t, q.Send(to(packets(30, 100), 0, 1, 2)))
				synctest.Wait()
				s := q.HardwareStats(1)
				assert.True(t, s.Stopped)
				assert.Equal(t, 10, len(got[0]))
				assert.Equal(t, 10, len(got[2]))
				assert.Equal(t, []uint32{1, 4}, got[1])
				assert.Equal(t, 2+8, s.InFlight)
				assert.Equal(t, 30, q.Len())
				got[1] = nil
				q.Wake(1)
				synctest.Wait()
				assert.Equal(t, []uint32{7, 10}, got[1])
				require.NoError(t, q.Close())
				assert.ErrorIs(t, result(), ErrClosed)
				assert.Equal(t, 24, q.Len())
				q.Completed(0, 10, 0)
				q.Completed(1, 4, 0)
				q.Completed(2, 10, 0)
				assert.Zero(t, q.Len())
			})
		})
	}
}

// TestNotAStopper: a discipline that does not know gives packets of a stopped
// hardware queue as well. As many as a batch are set aside; then all wait.
func TestNotAStopper(t *testing.T) {
	clock := &virtual{t: t}
	var back returned
	q := newQueue(t, Config{Qdisc: qtest.FIFO(100), Clock: clock, Free: back.free, Queues: 2, Batch: 4})
	q.Stop(1)
	require.NoError(t, q.Send(to(packets(16, 100), 0, 1)))
	dst := make([]*qdisc.Packet, 64)
	n, err := q.Recv(dst)
	require.NoError(t, err)
	assert.Equal(t, []uint32{0, 2, 4, 6}, marks(dst[:n]))
	s := q.Stats()
	assert.Equal(t, 12, s.Len)
	assert.Equal(t, 4, s.InFlight)
	assert.Equal(t, 4, q.HardwareStats(1).InFlight)
	clock.meanwhile = func(until qdisc.Time) {
		assert.Equal(t, qdisc.Blocked, until)
		q.Wake(1)
	}
	n, err = q.Recv(dst)
	require.NoError(t, err)
	assert.Equal(t, []uint32{1, 3, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15}, marks(dst[:n]))
	assert.Zero(t, q.Len())

	q.Stop(1)
	require.NoError(t, q.Send(to(packets(4, 100), 0, 1, 1, 5)))
	n, err = q.Recv(dst)
	require.NoError(t, err)
	assert.Equal(t, []uint32{0, 3}, marks(dst[:n]), "an unknown hardware queue is queue 0")
	require.NoError(t, q.Close())
	assert.Equal(t, 2, back.reasons[qdisc.Closed], "what was set aside is dropped")
	assert.Zero(t, q.Len())
}

// TestStopsSurviveChange: a discipline that gets more bands, or is woken behind
// the queue's back, learns again which are stopped; after Close all run.
func TestStopsSurviveChange(t *testing.T) {
	clock := &virtual{t: t}
	m := newMultiq(t, 2)
	q := newQueue(t, Config{Qdisc: m, Clock: clock, Queues: 4})
	q.Stop(1)
	q.Stop(3)
	require.NoError(t, q.Do(func(root qdisc.Qdisc, now qdisc.Time) {
		require.NoError(t, m.Change(multiq.Config{Bands: 4}, now))
		m.Wake(1)
	}))
	require.NoError(t, q.Send(to(packets(8, 100), 0, 1, 2, 3)))
	dst := make([]*qdisc.Packet, 64)
	n, err := q.Recv(dst)
	require.NoError(t, err)
	assert.ElementsMatch(t, []uint32{0, 2, 4, 6}, marks(dst[:n]))
	assert.Zero(t, q.Stats().InFlight, "nothing had to be set aside")
	q.Wake(3)
	n, err = q.Recv(dst)
	require.NoError(t, err)
	assert.Equal(t, []uint32{3, 7}, marks(dst[:n]))
	require.NoError(t, q.Close())
	for _, p := range to(packets(4, 100), 0, 1, 2, 3) {
		m.Enqueue(p, clock.now)
	}
	n = qdisc.DequeueBatch(m, dst, clock.now, 1<<30)
	assert.Equal(t, 4, n)
}

// TestOneFrame: with a limit of 1400 exactly one frame of 1514 bytes is in
// flight, as BQL's author measured on a line of 10 Mbit/s.
func TestOneFrame(t *testing.T) {
	clock := &virtual{t: t}
	q := newQueue(t, Config{Qdisc: qtest.FIFO(100), Clock: clock, Limit: &bql.Config{LimitMin: 1000, LimitMax: new(int64(1400))}})
	require.NoError(t, q.Send(packets(50, 1514)))
	dst := make([]*qdisc.Packet, 8)
	for i := range 50 {
		clock.meanwhile = func(qdisc.Time) { q.Completed(0, 0, 1514) }
		n, err := q.Recv(dst)
		require.NoError(t, err)
		require.Equal(t, 1, n, i)
		require.EqualValues(t, 1514, q.HardwareStats(0).Limited)
		clock.now += 1514 * 800
	}
}

func TestOnError(t *testing.T) {
	boom := errors.New("boom")
	for _, policy := range []ErrorPolicy{DropPacket, CloseQueue} {
		synctest.Test(t, func(t *testing.T) {
			var back returned
			q := newQueue(t, Config{
				Qdisc: qtest.FIFO(100), Clock: RuntimeClock(), Free: back.free, Batch: 4, OnError: policy, Limit: fixed(1 << 20),
			})
			dev := &sink{script: []answer{{1, boom}, {-1, nil}}}
			require.NoError(t, q.Send(packets(6, 100)))
			result := start(q, dev)
			synctest.Wait()
			assert.Zero(t, q.HardwareStats(0).Limited, "what is lost is not in flight")
			if policy == CloseQueue {
				assert.Equal(t, boom, result())
				assert.ErrorIs(t, q.Send(nil), ErrClosed)
				assert.Equal(t, 1, back.reasons[qdisc.NotDropped])
				assert.Equal(t, 5, back.reasons[qdisc.Closed])
				return
			}
			assert.Equal(t, []uint32{0, 3, 4, 5}, dev.got)
			assert.Equal(t, 2, back.reasons[qdisc.Purged])
			assert.EqualValues(t, 2, q.Stats().Errors)
			assert.EqualValues(t, 4, q.Stats().SentPackets)
			assert.EqualValues(t, 400, q.Stats().SentBytes)
			assert.Zero(t, q.Len())
			require.NoError(t, q.Close())
			assert.ErrorIs(t, result(), ErrClosed)
		})
	}
}
