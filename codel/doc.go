// Package codel holds CoDel (RFC 8289), which keeps the delay of one queue
// short, and FQ-CoDel (RFC 8290), which gives each flow a CoDel of its own and
// serves the flows in turn.
//
// A queue that always holds packets delays every one and carries no more
// traffic than a short one. [CoDel] looks at how long packets waited: once
// none has waited less than Target for an Interval, it drops (or, by ECN,
// marks) one, and then more and more often, interval/sqrt(n) after the n-th,
// until the delay is below Target again. Senders that watch for loss slow down;
// nothing has to be tuned to the link's rate. [FQ] also keeps flows apart: a
// flow that sends little never waits behind one that fills its queue.
//
// # Arithmetic
//
// By default times are in nanoseconds and the n-th interval is
// Interval/sqrt(n), rounded to the nearest nanosecond. With Compat set to
// qdisc.Linux the two do what Linux does, bit for bit:
//
//   - time counts 1024 ns in 32 bits, and wraps after 73 minutes;
//   - 1/sqrt(n) has 16 bits and follows n by one Newton step a signal: after
//     the first, the gaps are 50.0 and 56.2 ms where 70.7 and 57.7 are meant;
//   - dropping begins strictly after the interval, not at its end;
//   - a packet is spared as the last one if the whole FQ, not its flow, holds
//     no more than MTU. The default asks about the flow, so an emptied one
//     always forgets that it was above Target;
//   - a packet that the law has marked is marked for CEThreshold once more,
//     which changes nothing but the counters;
//   - an FQ that exceeds a limit drops one batch, which may leave it above.
//     The default drops until the limits hold, and refuses a packet whose
//     charge alone exceeds MemoryLimit, and every packet at Limit 0;
//   - a flow that lost packets to the limits before it was ever in the dropping
//     state may begin that as if it resumed it, while the clock shows less than
//     16 intervals;
//   - a packet of no length costs nothing of its flow's turn, where it costs a
//     byte by default;
//   - an FQ whose limits are cut sheds what it would have sent next. The default
//     sheds from the fattest flows.
//
// Configured times count in whole microseconds there, and a wait of 37 to 73
// minutes as below Target and above any CEThreshold.
//
// In both, counts stop at 2^32-1, where the kernel's wrap, and a flow holds less
// than 4 GiB. Where ECN is on, a packet that arrives with CE set counts as marked
// and is not dropped; where it is off it is dropped like any other. Above
// CEThreshold it counts as marked either way.
//
// # Set-associative hashing
//
// With SetAssociative a flow that found no free queue shares one; when it gets
// one of its own, packets that wait in the shared one may come out after later
// ones, once. The flow whose queue it shared keeps its own.
//
// # Memory
//
// An FQ takes 88 bytes a flow in New (to 104, where the number is no power of
// two), and 4 more with SetAssociative; nothing later.
//
// # Time
//
// Every call takes constant time on average where a packet is no more than a
// few quanta long; an Enqueue that exceeds a limit, time logarithmic in the
// number of queues. A Dequeue gives as many quanta as there are queues, and at
// least 64, one by one; if no flow can send then, it looks at each two or three
// times to find the one that owes the fewest.
package codel
