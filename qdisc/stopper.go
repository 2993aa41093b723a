package qdisc

// Stopper is a discipline that knows which of the device's hardware queues can
// take packets, so that a full one delays no other: multiq and mq. The owner
// of the device tells it, between two other calls: Stop when a hardware queue
// has no room left, Wake when it has room again.
//
// While a queue is stopped its packets are held, arrivals included, and
// Dequeue and Peek pass over them. ReadyAt is [Blocked] while the packets held
// are all of stopped queues. Wake forgets what ReadyAt answered before, so who
// sleeps until then must ask again: that way no wake-up is lost. Above a
// parent both are seen after the parent's Sync.
//
// Stopping a stopped queue and waking a running one does nothing more. Queues
// are numbered from 0, as in [Packet].TxQueue; other numbers are ignored.
// Reset leaves the queues as they are: they are the device's.
type Stopper interface {
	Stop(queue int)
	Wake(queue int)
}
