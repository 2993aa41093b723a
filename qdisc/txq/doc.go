// Package txq is a transmit queue: a tree of disciplines with the lock, the
// clock and the waiting that a program with goroutines needs. It is the only
// package of this module that has any of them.
//
// Producers call [Queue.Send] with batches of packets; with Config.Block it
// waits for room instead of letting the discipline drop. One consumer either
// pulls, with [Queue.Recv], or lets [Queue.Run] push into a [Device].
//
// # Packets
//
// Send takes every packet it is given. Each leaves exactly once: returned by
// Recv, or handed to Config.Free, which gets what a discipline dropped, what
// Run's device is finished with (Reason NotDropped), what it cannot send
// (Reason Purged; see [DropPacket]) and what Close found (Reason Closed). Free is called after unlocking, in the goroutine that
// caused it, so several calls may run at once; it may call the queue.
//
// # Locking
//
// One mutex guards the discipline and everything else in a Queue. Send, Recv
// and Do take it once a call, however large the batch. The discipline, its
// children and its drop list belong to the queue from New to Close; in
// between, change or inspect them inside [Queue.Do] only. No callback of the
// queue runs under the lock but the one passed to Do and the discipline's own
// (Classify, Split).
//
// # Waiting
//
// A consumer with nothing to send sleeps until the discipline's ReadyAt, or
// without end if that is Never or Blocked. It goes to sleep under the same
// lock acquisition that found nothing, and a Send that makes a departure
// possible earlier than the consumer expects wakes it, once: no wake-up is
// lost, and a Send behind a packet that a shaper holds back wakes nobody.
//
// # Time
//
// Timers are late: by tens of microseconds at best, by a millisecond for
// time.Timer in an idle process. A token bucket whose burst lasts shorter
// than that would lose rate with every packet. The discipline therefore runs
// on a clock that is held back: a departure that was due at R, and is looked
// at when it is W, happens at R as far as the discipline can tell, then the
// next at its own time, and so on up to W. The clock is never held back by
// more than Config.Catchup, 2 ms unless set; so lateness up to that costs no
// rate, and in no interval does more leave than the discipline's own curve
// and Catchup at its rate allow. Lateness beyond it is forfeit, as it is for
// every token bucket.
//
// Arrivals must not push the clock past a departure that is due: Send
// enqueues at the time of that departure if it lies in the past. Stamps, and
// with them the sojourn times that a queue manager sees, may so be wrong by
// up to Catchup. A simulation that wants none of this sets Catchup to 0.
//
// # Devices
//
// Run hands a device at most Config.Batch packets at a time. What a device
// does not take stays counted in Len and in flight, goes first at the next
// attempt, and is dropped by Close. See [Queue.Run] and [ErrorPolicy] for
// errors. A plain [Device] is finished with a packet when Write returns; a
// [Completer] reports it later with [Queue.Completed], and its packets are in
// flight until then. [MemDevice] is one in memory.
//
// # Hardware queues
//
// A device has Config.Queues hardware queues, which Packet.TxQueue names. Each
// is stopped and woken by itself: by the device, with [Queue.Stop] and
// [Queue.Wake], and by its limiter, if Config.Limit asks for one. The limiter
// hears of each packet as it is taken, before the next is; when it leaves no
// space (see package bql) the hardware queue stops until enough is completed.
// So a batch ends early rather than go over the limit by more than a packet.
//
// If the root is a [qdisc.Stopper] (multiq, mq) it is told, and passes over the
// packets of stopped hardware queues: a full one delays no other. Any other
// discipline gives its packets in its own order, and those for a stopped
// hardware queue have to be set aside, counted in Len and in flight, to go first
// when it runs. Once Config.Batch packets are set aside nothing more is taken,
// and one hardware queue that stays stopped blocks all others: with several
// hardware queues the root should be a Stopper. When none runs the discipline
// is left alone, and goes on deciding.
//
// A limiter works with Recv as well: the caller reports the bytes.
//
// # Testing
//
// [Clock] is an interface; a simulation brings its own. Inside a
// testing/synctest bubble set Config.Clock to [RuntimeClock](): the bubble's
// virtual time does not move a timerfd.
package txq
