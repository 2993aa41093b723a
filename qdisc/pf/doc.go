// Package pf reads the queueing lines of FreeBSD's pf.conf(5), "altq on" and
// "queue", builds the disciplines that they describe, and prints them.
//
//	tree, err := pf.Build(`
//		altq on em0 bandwidth 10Mb cbq queue { dflt }
//		queue dflt bandwidth 100% cbq(default) { small }
//		queue small bandwidth 5% cbq
//	`, pf.Options{})
//	...
//	packet.Class = tree.Class("small")
//	tree.Root().Enqueue(packet, now)
//
// # Grammar
//
//	altq on IF [bandwidth BW] [qlimit N] [tbrsize N] SCHEDULER queue { NAME ... }
//	queue NAME [on IF] [bandwidth BW] [priority N] [qlimit N] [SCHEDULER [( OPTION ... )]] [{ NAME ... }]
//
// The words between the name and the braces may come in any order; names and
// options are separated by blanks or commas; IF on an altq line may be a list in
// braces.
//
//   - SCHEDULER is cbq, hfsc or priq. A queue that names none has its
//     interface's; it cannot have another.
//   - BW is a number, which may have a fraction, and b, Kb, Mb or Gb (powers of
//     1000; none: bit/s; also K, Kbit and so on, in capitals or not), or a
//     percentage: of the parent's bandwidth, on an altq line of Options.Speed.
//     None: 100%. Queues of priq have none.
//   - priority is 0 to 7 for cbq and 0 to 15 for priq, the largest served first;
//     none: 1. For hfsc, 0 to 255 is taken and means nothing, as in ALTQ.
//   - qlimit is in packets, to 65535; none or 0: 50. Of an altq line it is that of
//     a queue that nothing goes to, and means nothing.
//   - tbrsize is the depth of the token bucket, in bytes; none: DefaultBurst.
//   - Options are default (one queue of each interface), codel, for cbq borrow,
//     and for hfsc realtime, linkshare and upperlimit, each with a bandwidth or
//     with ( BW MS BW ), a first slope, its milliseconds and a second slope. Of
//     a queue with a linkshare curve, the last slope is the bandwidth.
//   - red, ecn, rio, flowvalve and cleardscp are read and not built: leave them out,
//     put codel in their place, or set Options.Lenient.
//
// A queue line stands below the line that names it, and defines it once. Without
// "on" it is for every interface that names it. Queues of priq have no children;
// hfsc's default has none; cbq's may. Names are words of up to 63 bytes.
//
// Macros (name = value, then $name), comments, quotes and lines that a
// backslash continues, comments among them, are as everywhere in pf.conf. All other lines of pf.conf
// (set, pass, block, nat and so on) are passed over, to the end of the line and of
// what it has in braces: which queue a packet goes to is the program's
// to say, in Packet.Class. A line that begins with another word is an error, and so
// is include: put all lines in one text.
//
// What is not here is refused by an [Error], which has the line and column: the
// schedulers fairq and codel, and on queue lines their options.
//
// # What is built
//
// [Tree.Root] is ALTQ's token bucket ([Regulator]), which holds the interface to its
// bandwidth, over the scheduler, a cbq.CBQ, hfsc.HFSC or priq.PRIQ. Queues are
// the classes 1, 2 and so on of the scheduler, in order of their lines; each
// holds its packets in a FIFO or under CoDel. What names no queue goes to the default.
//
// Queues of cbq that together ask for more than what is above them has are built,
// as by pfctl; [Tree.Warnings] tells of them.
//
// Four things differ from ALTQ. Percentages keep their fraction: 0.5% is no
// 0. A queue that asks for more than its parent has is an error, not silently cut.
// Rates are not capped at 4.29 Gbit/s. CoDel's times are right whatever
// the machine's clock. ALTQ's admission rules for hfsc hold: real-time curves
// within 80 % of the interface, link-sharing curves within the parent's, upper
// limits within the interface and not below the real-time rate.
package pf

// defaultMTU is Ethernet's, in bytes.
const defaultMTU = 1500
