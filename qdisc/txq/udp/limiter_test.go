package udp

import (
	"net"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/txq"
)

// A sender held to a limiter has no more in flight than its limit and the
// packet that went over it.
func TestLimiter(t *testing.T) {
	for _, method := range methods() {
		t.Run(method.String(), func(t *testing.T) {
			s := newLimited(t, bql.Config{LimitMin: 20000}, dial(t, listen(t, false)), Config{Completion: method})
			ps, bytes := packets(10000, 1400)
			s.send(ps)
			s.wait(t, bytes)
			assert.LessOrEqual(t, s.worst, int64(1400))
			assert.Zero(t, s.l.ReadStats().Excess, "told more bytes than were queued")
			t.Logf("limit %d bytes; %d without a report of their own", s.l.Limit(), s.d.Stats().Missed)
		})
	}
}

// limited is a device held to a byte queue limiter.
type limited struct {
	mu    sync.Mutex
	cond  sync.Cond
	l     *bql.Limiter
	d     *Device
	clock txq.Clock
	told  int64
	worst int64 // the most in flight beyond the limit
}

func newLimited(t testing.TB, lim bql.Config, conn *net.UDPConn, cfg Config) *limited {
	l, err := bql.New(lim)
	require.NoError(t, err)
	s := &limited{l: l, clock: txq.SystemClock()}
	s.cond.L = &s.mu
	cfg.Done = func(_ int, bytes int64) {
		s.mu.Lock()
		s.told += bytes
		s.l.Completed(uint64(bytes), s.clock.Now())
		s.mu.Unlock()
		s.cond.Broadcast()
	}
	s.d = newDevice(t, conn, cfg)
	return s
}

// send writes ps, batches of as many as the limiter allows.
func (s *limited) send(ps []*qdisc.Packet) {
	var sent int64
	for len(ps) > 0 {
		s.mu.Lock()
		for s.l.Available() < 0 {
			s.cond.Wait()
		}
		n := 0
		for n < min(len(ps), batch) && s.l.Available() >= 0 {
			s.l.Queued(ps[n].Len)
			sent += int64(ps[n].Len)
			s.worst = max(s.worst, sent-s.told-s.l.Limit())
			n++
		}
		s.mu.Unlock()
		for rest := ps[:n]; len(rest) > 0; {
			took, err := s.d.Write(rest)
			if err != nil {
				panic(err)
			}
			rest = rest[took:]
		}
		ps = ps[n:]
	}
}

func (s *limited) wait(t testing.TB, bytes int64) {
	require.Eventually(t, func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.told == bytes
	}, atMost, time.Millisecond)
}
