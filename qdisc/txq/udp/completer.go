package udp

import (
	"net"
	"sync/atomic"

	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/txq"
)

// Completer is a Device that reports to the transmit queue that runs it, as
// hardware queue 0: a txq.Completer. With txq.Config.Limit set that is all
// there is to keeping the queue inside the socket short.
type Completer struct {
	*Device
	queue atomic.Pointer[txq.Queue] // of the present Run; the device may be at the last one's
}

// NewCompleter returns a Completer that sends through conn. cfg.Done must be
// nil. See New, and Device.Close for when to call Close.
func NewCompleter(conn *net.UDPConn, cfg Config) (*Completer, error) {
	if cfg.Done != nil {
		return nil, &qdisc.ConfigError{Field: "Done", Value: "a function", Why: "a Completer reports to its queue; leave it nil"}
	}
	c := new(Completer)
	cfg.Done = func(packets int, bytes int64) { c.queue.Load().Completed(0, packets, bytes) }
	var err error
	if c.Device, err = New(conn, cfg); err != nil {
		return nil, err
	}
	return c, nil
}

// Attach is for txq.Queue.Run.
func (c *Completer) Attach(q *txq.Queue) { c.queue.Store(q) }
