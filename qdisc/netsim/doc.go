// Package netsim is a deterministic discrete-event simulator of networks: it
// shows in seconds, without a network, what a queueing discipline does to
// delay, rate and loss. It runs on the virtual clock of [qdisc.Time] with any
// [qdisc.Qdisc]. The Example and that of [TCP] are experiments to start
// from.
//
// # The world
//
// A [Sim] is one world: a clock, a queue of timers, a source of random numbers
// and a pool of packets. Nothing in it reads a clock, waits or starts a
// goroutine, so a run takes as long as it takes to compute, also inside
// testing/synctest. A world has one owner; run several in goroutines of their
// own. [Sim.Run] goes on to a time, as often as you like; between two runs, or
// at a time by [Sim.At], anything may be read and changed.
//
// Hosts have no type of their own: a host is the ends of its connections, where
// packets come by their own To, or by a [Router] before them.
//
// Time ends at qdisc.MaxTime. Below that every event is finite, unless something
// goes round without time passing: links without rate and delay in a loop, or TCP
// without end over such a path. A packet in a loop that takes time stays in it:
// nothing here counts hops.
//
// The same seed and program give the same events, byte for byte, on every
// platform; [Sim.OnEvent] shows them. Timers of equal time fire in the order in
// which they were set. Random times are rounded to nanoseconds.
//
// # Packets
//
// A [Packet] comes from [Sim.Alloc] and goes back by [Sim.Free]. Whoever
// receives one owns it: hands it on, or frees it. A path is [Receiver] after
// Receiver, each made with the next in its configuration's To; a link without
// one hands each packet to the packet's own To, so that any number of flows
// share links. Links panic when given a packet that is freed or still on its way; a
// copy needs a [Sim.Alloc] of its own and its Payload set to itself. [Sim.Alive] is
// 0 when every packet has come to its end. Once the pool has grown nothing
// allocates, and neither does a world of your own if it makes its timers once
// ([Sim.NewTimer]).
//
// # Links
//
// A [Link] carries packets one way; a line of both ways is two. Packets pass
//
//	discipline -> ring of the device -> line (Rate) -> flight (Delay, Jitter, Loss)
//
// The discipline is asked when the ring has room, and when its ReadyAt says so:
// a shaper needs no Rate. Serialisation is exact: fractions of a nanosecond are
// carried over while packets follow each other. The ring has one place, that of
// the packet on the line, unless Ring asks for more; then packets wait where no
// discipline rules, unless a [bql.Limiter] bounds them. Completion is how late
// the device reports what has gone. Lengths are those of [qdisc.Packet].Len; set
// Overhead for what a line adds.
//
// A super-packet (Segs above 1) passes as one: one place in the ring, all its
// bytes on the line, one arrival. To see what splitting does give the
// discipline a Split; [Sim.SplitTCP] is one.
//
// A [Device] is a link with several hardware queues below one discipline, which
// is told which are full if it is a [qdisc.Stopper]. A [Medium] joins links in
// half duplex, with the collisions and the backoff of Ethernet. A [Router]
// passes packets on by destination.
//
// # Traffic
//
// A [Source] sends in a rhythm that the network does not change: [CBR],
// [Poisson], [OnOff], [Bursts], [Web] or a [Pattern] of your own. [NewTCP]
// makes a connection that reacts to delay, loss and marks.
//
// # Measurements
//
// A [Ping] measures round trips. A [Meter], at a path's end or on it, measures
// delay, rate, loss and reordering of what passes; [FlowMeters] do so for each
// flow. A [Series] keeps values over time in fixed memory, a [Sampler] fills
// one with whatever a function returns. [Jain] is the index of fairness.
// Histograms are [qdisc.Histogram]s. Loss on a link is in [LinkStats], each
// packet lost in OnDrop.
//
// # Configuration
//
// The zero value of a field means what its comment says, and constructors
// refuse with [qdisc.ConfigError]s what cannot be.
//
// # Speed
//
// BenchmarkHops takes 0.2 to 0.6 us a hop, that is 1.5 to 5 million hops a
// second, on one core of an AMD EPYC, Go 1.26.
package netsim
