// Package cake holds CAKE, Common Applications Kept Enhanced, the queue
// management for the edge of a home or an office: a shaper that knows what the
// line makes of each packet, tins by DSCP, fair queues for flows and hosts,
// and COBALT, which keeps each queue short. ("Piece of CAKE", Høiland-Jørgensen,
// Täht and Morton, LANMAN 2018; RFC 8289 and RFC 8290 for what it builds on.)
//
//	q, err := cake.New(cake.Config{Bandwidth: 20 * qdisc.Mbit, Framing: cake.Ethernet()})
//
// # What happens to a packet
//
// Its DSCP selects a tin, a priority up to a share of Bandwidth. The caller's
// hash of its flow selects one of 1024 queues there, by 8-way sets, so that
// flows rarely share one. Flows take turns, new ones first; with host isolation
// the turns of a host's flows get shorter the more it has. COBALT judges it as
// it leaves: the longer the queue has been above Target, the more often it
// marks (by ECN) or drops; the last packet of a queue always goes. The shaper
// then has the line busy for the time that the packet takes, framing included.
// If memory runs out, the longest queue loses its head.
//
// # Packets
//
// Besides Len and Truesize, CAKE reads Flow, SrcHost and DstHost (as far as the
// isolation mode needs them; behind an address translation let them be hashes
// of the inner addresses), DSField, Proto and Mark, NetOff if Overhead is set,
// and for super-packets Segs, SegSize and HdrLen. A packet with neither Proto
// nor DSField is not IP, most likely ARP, and counts as CS7.
//
// # Arithmetic
//
// By default times are in nanoseconds, and the line's clock in 2^-32 of one,
// so that the rate is exact to 1e-7 at 1 Tbit/s. With Compat set to qdisc.Linux
// CAKE does what Linux does, bit for bit, and draws from Rand where it does:
//
//   - rates are whole bytes a second, a tin's share of a low one may be 0, which
//     is unlimited, and the line's clocks know whole nanoseconds and no rate
//     below 64 bytes/s;
//   - the queue that loses its head when memory runs out is often not the
//     longest, and the packet that arrives may be larger than all memory. The
//     default refuses such a packet;
//   - a fresh flow's reciprocal root is 0, so its second late packet is
//     signalled at once. The default gives it an Interval of grace;
//   - 1/sqrt(n) has 32 bits: a table up to 15, one Newton step a signal above;
//   - the control law takes the interval modulo 2^32 ns, 4.3 s, and the memory
//     limit is derived in 32 bits: both matter for Interplanetary;
//   - a flow that is late again may be signalled at once, as the time at which
//     the next signal would have been due when it was late last still counts;
//   - a packet that arrives with CE set counts as marked. (It is spared in both.
//     The default counts it in TinStats.Spared.);
//   - a flow's quantum is at most 1514, whatever the MTU, and is rounded by
//     chance in every round. The default rounds only shares of hosts;
//   - an Autorate sets the rate at every gap, once 250 ms of the clock have
//     passed; its clocks start at 0; an idle time counts as a rate; what the ACK
//     filter dropped does not count. The default sets the rate every 250 ms at
//     most, starts with the first packet, and takes a gap above 250 ms (on a
//     slow line: above its CoDel interval) for one in which the line is idle.
//     Nor does a change of Bandwidth set Linux's estimate;
//   - with fewer than 8 tins, and no rate, the turn begins at tin 7 after a
//     change or a reset;
//   - a change that does away with a tin throws away its packets, and a change of
//     the isolation mode keeps hosts' counts that are not right any more. The
//     default sorts all packets anew after either. (Packets that were washed
//     are best effort then.) Nor do Linux's clocks follow a change of a rate;
//   - hosts with one home in the table, of which both start before either has a
//     bulk flow, count as one;
//   - the flows of a crowded host get a few bytes in every round, however many
//     rounds a packet takes. The default gives all flows many at once then;
//   - on Ingress, a flood stops the line for up to half of the time that nothing
//     was lost in, and holds it to two thirds of its rate for as long as what was
//     lost takes. (The default: see Config.Ingress.);
//   - the ACK filter looks at all of a queue, however long;
//   - a packet is charged as it was framed when it arrived;
//   - time in which a parked packet was all that was held is made up for;
//   - an unused queue is that of a flow with hash 0, an unused host slot that of
//     a host with hash 0, which only statistics show;
//   - lengths in statistics have 16 bits;
//   - a negative Overhead may bring a length down to 0. By default it is 1;
//   - Reset keeps the clocks and the state of all flows. The default forgets
//     them.
//
// Linux wakes up to do nothing once its queues are empty; ReadyAt is Never then.
// (See Cake.Watchdog.)
//
// In both, one decaying flow comes first in each Dequeue; the last packet of a
// queue is never dropped; the highest tin on schedule is served; a tin behind
// its schedule catches up, and so does the line until nothing is queued; drops
// do not move the shaper's second clock; Wash follows the sorting into tins; BLUE may
// drop a packet that was to be marked; and an acknowledgement is dropped only
// when a second one is found that is superfluous, or, aggressively, if it is
// the one before.
//
// # Memory
//
// New takes 110 kB a tin and 80 kB to find the longest queue; a change to more
// tins takes that for each. Nothing is allocated later, except that a change of
// framing in Linux's arithmetic notes the lengths of all packets held.
package cake
