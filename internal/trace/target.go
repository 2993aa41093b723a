package trace

import (
	"math/rand/v2"

	"github.com/netsched/netsched/qdisc"
)

// Env is what the replay lends a discipline. Pass Drops on in its Config, and
// the others where it has a use for them.
type Env struct {
	Drops *qdisc.List // for the root; where dropped packets are looked for
	Rand  rand.Source // the run's random words

	// Split cuts a super-packet into its segments.
	Split func(p *qdisc.Packet, segs *qdisc.List)
	// Header returns a packet from its network header on, nil if it has none.
	Header func(p *qdisc.Packet) []byte
}

// Stat looks up a statistic by the name that the run gives it. Numbers are
// compared by their 64 bits. A false second result leaves it to the counters
// of qdisc.Stats, and to failure if they have no such number.
type Stat func(name string, now qdisc.Time) (value int64, ok bool)

// AQMKind builds queue managers of one kind.
type AQMKind struct {
	// Build makes the discipline as it is at the header's Start. It returns
	// Missing for an option that it does not know.
	Build func(h *AQMHeader, env *Env) (*AQMTarget, error)
	// Wakes has the wake-up of a w tag compared, while packets are held.
	Wakes bool
	// ChangeSends: packets that a change throws away count as sent, not as
	// dropped, because the reference dequeues them.
	ChangeSends bool
	// Filtered is the reason of packets that an ACK filter removed. Without
	// one, such a removal counts as a drop.
	Filtered qdisc.Reason
	// Unchecked names statistics that are not meant to be reproduced.
	Unchecked []string
}

// AQMTarget is a queue manager under replay. Only Qdisc is obligatory.
type AQMTarget struct {
	Qdisc qdisc.Qdisc
	// Limit returns the limit that the creation shows; nil: 0.
	Limit func() int64
	// Change sets options while packets wait.
	Change func(now qdisc.Time, set []Option) error
	// Stat overrides and adds to the common statistics.
	Stat Stat
	// Wake returns the time for which the last Dequeue or Peek asked to be
	// woken; nil: ReadyAt.
	Wake func(now qdisc.Time) qdisc.Time
}

// ClassfulKind builds schedulers of one kind.
type ClassfulKind struct {
	// Build makes the discipline without the header's classes.
	Build func(h *ClassfulHeader, env *Env) (*ClassfulTarget, error)
	// Wakes has the wake-up of an operation that gave nothing compared.
	Wakes bool
	// Unchecked names statistics of Q and K lines that are not meant to be
	// reproduced, such as "Q backlog".
	Unchecked []string
	// Rates has the runs compared at the level of rates; nil: packet by packet.
	Rates *RateLevel
}

// ClassfulTarget is a scheduler under replay. Only Qdisc is obligatory; a run
// with an operation whose function is nil is skipped.
type ClassfulTarget struct {
	Qdisc qdisc.Qdisc
	// Rates is for kinds that are compared at the level of rates.
	Rates RateSetup
	// Add makes a class, of the header or of an A line, with a packet FIFO
	// of the device's queue length if it is a leaf. SetLimit follows if the
	// definition has a limit.
	Add func(now qdisc.Time, def *ClassDef) error
	// Change, Delete and SetLimit are the operations C, X and L.
	Change   func(now qdisc.Time, class uint32, params Params) error
	Delete   func(now qdisc.Time, class uint32) error
	SetLimit func(now qdisc.Time, class uint32, limit LeafLimit) error
	// Configure changes the discipline's own parameters, operation G.
	Configure func(now qdisc.Time, params Params) error
	// Fill writes a packet's fields; nil: Class, Priority and TxQueue as the
	// E line has them.
	Fill func(p *qdisc.Packet, a *ClassfulArrival)
	// Stop stops or wakes a hardware queue that the discipline looks at.
	Stop func(queue int, stop bool)
	// Stat and ClassStat override and add to the counters of qdisc.Stats.
	Stat      Stat
	ClassStat func(class uint32, name string, now qdisc.Time) (value int64, ok bool)
	// Info returns a derived value of an info line; nil: they are not compared.
	Info func(class uint32, name string) (value int64, ok bool)
	// Wake returns the time for which the last call asked to be woken, now
	// for "call again at once", qdisc.Never if it asked for none; nil:
	// ReadyAt.
	Wake func(now qdisc.Time) qdisc.Time
}

// ALTQKind builds ALTQ disciplines of one kind.
type ALTQKind struct {
	// Build makes the tree from the header's Classes.
	Build func(h *ALTQHeader, env *Env) (*ALTQTarget, error)
	// Unchecked names counters of stat lines that are not meant to be
	// reproduced.
	Unchecked []string
	// Rates has the runs compared at the level of rates; nil: packet by packet.
	Rates *RateLevel
}

// ALTQTarget is an ALTQ discipline under replay. Its clock is ALTQEpoch + T.
// Packets carry the number of their class in Class, 0 if unclassified.
type ALTQTarget struct {
	Qdisc qdisc.Qdisc
	// Rates is for kinds that are compared at the level of rates.
	Rates RateSetup
	// ClassStat overrides and adds to the counters of class n; the name of
	// half of a pair is such as xmit_packets.
	ClassStat func(class uint32, name string, now qdisc.Time) (value int64, ok bool)
}

// ALTQEpoch is what the clocks of the ALTQ reference show at time 0.
const ALTQEpoch qdisc.Time = 1000e9

// Limiter is a byte queue limiter under replay.
type Limiter interface {
	Queued(n uint32)
	Completed(n uint32, jiffies uint64)
	// SetLimits sets what is not nil.
	SetLimits(min, max, hold *uint32)
	Reset(jiffies uint64)
	State() LimiterState
}

// Group is a link aggregation under replay. Ports go by name.
type Group interface {
	Join(port string, index uint32)
	Leave(port string)
	SetLink(port string, up bool)
	SetEnabled(port string, on bool)
	SetStride(packets uint32) // packets in a row on each port; 0 means 1
	SetSequence(n uint32)     // of round robin
	Ports() []string          // in order of use
	Primary() string          // "" if there are no ports
	Receive(port string) bool // whether a packet from port is accepted
	// Transmit returns the ports that a packet goes out on, or why it is
	// dropped: ENXIO, ENETDOWN or ENOENT. hash is as the run has it, before
	// any shift.
	Transmit(hash uint32) (ports []string, why string)
}

// HeaderHash hashes the headers of a frame, the sum of 4, 8 and 16 saying
// which layers.
type HeaderHash func(key uint32, layers int, frame []byte) uint32
