// Package hfsc is the hierarchical fair service curve scheduler: guaranteed
// delay and bandwidth for the leaves of a tree of classes, and fair sharing of
// all that is left over between the branches, at once. It follows Stoica,
// Zhang and Ng, "A Hierarchical Fair Service Curve Algorithm for Link-Sharing,
// Real-Time and Priority Services", SIGCOMM 1997, and Linux's sch_hfsc, which
// adds upper limits.
//
// # Curves
//
// A service curve gives the bytes that a class gets within a time of being
// backlogged; here it has two pieces (see [Curve]). A class has up to three:
//
//   - RealTime, of leaves: a guarantee. A packet gets as its deadline the time
//     at which the curve reaches the packet's end. While the curves of all
//     leaves together are within the link ([Check] tells), every packet leaves
//     at the latest one longest packet's transmission time after its deadline.
//   - LinkShare: the weight among siblings. It divides what is served otherwise.
//   - UpperLimit: the most that the class and all below it get by link sharing.
//
// A voice flow of 64 kbit/s in packets of 160 bytes that are to leave within
// 5 ms is DelayCurve(160, 5*time.Millisecond, 64*qdisc.Kbit): the delay is
// decoupled from the rate, which a plain fair queue cannot do.
//
// # Which packet is next
//
// Among the leaves whose eligible time has come, the one with the earliest
// deadline is served (real time). If there is none, the tree is walked from the
// root to the child with the smallest virtual time among those under their
// limits (link sharing). Either service counts towards the virtual times and
// the limits of the leaf and all above it; only real-time service counts
// towards the real-time curve, so that no class is punished later for spare
// bandwidth that it used.
//
// The choice costs O(log n) for real time and for each level of link sharing,
// also while any number of siblings are over their limits.
//
// # Classes
//
// A class is added below the root or another class, changed and removed while
// packets wait ([HFSC.AddClass], [HFSC.ChangeClass], [HFSC.RemoveClass]). Leaves
// hold packets in a discipline, a FIFO to begin with. A packet whose class is
// not a leaf goes to Config.Default, or is refused. A leaf whose discipline
// holds packets and gives none (a shaper, say) is not backlogged until it does.
//
// A leaf's deadline is that of the head that its discipline showed last. One
// that lets another packet go first (a prio) may so be served by a deadline that
// is early or late by the difference of the two packets.
//
// # Arithmetic
//
// Times are in nanoseconds and amounts in whole bytes; a rate of 1 bit/s to
// above 1 Tbit/s is held as a 64-bit fraction, and products are 128 bits wide.
// Times are rounded down, once for each evaluation from the curve's origin, by
// less than a nanosecond: no error adds up, and the long-run rate between
// departures is exact to 1e-15 up to 1 Tbit/s. Where two pieces meet within a
// byte, the fraction counts.
//
// Nothing wraps: counters of bytes are compared by difference; an origin that
// is 2^62 bytes back follows, as do the virtual times of siblings when they
// reach 2^62. What is still out of range saturates.
//
// Curves that would hold packets for ever are refused: a LinkShare or an
// UpperLimit with M2 = 0, and such a RealTime without a LinkShare.
//
// # Catching up
//
// A class that does not use its upper limit while it is idle loses what it
// did not use (the limit begins anew, with its M1). One that could not use it,
// because real-time traffic or its siblings took the link, may catch up, but only
// what Config.CatchUp allows.
//
// # Compat
//
// With Compat set to [qdisc.Linux] the same code counts as Linux does: 64 ns
// ticks, whole microseconds and bytes/s, rates up to 34.36 Gbit/s, slopes
// scaled by 2^24 and 2^14 and rounded up, arithmetic that wraps. Its real-time
// and upper-limit rates are low by up to rate/2e12 (rate in bit/s), 0.5 % at 10
// Gbit/s. Recorded runs are reproduced packet for packet. These quirks come with
// it:
//
//   - Unbounded catch-up: a class may catch up all that its upper limit
//     allowed while it was backlogged and others were served.
//   - Root period: the root counts no backlogged periods, so that a class right
//     below it which becomes backlogged always takes its siblings' virtual
//     time, even an earlier one than its own.
//   - Convex leap: a class that comes back ahead of its convex curve keeps that
//     curve, also where one begun anew would soon be below it. Such classes may
//     then claim more than the link has, and deadlines be missed that are kept
//     by default, where the lower of the two counts.
//   - Late inner change: the new upper limit of a class with children is not
//     looked at until it is served next.
//   - Stalling curves: slopes of 0 at the end are accepted. What nothing will
//     ever send is then Blocked.
//
// Linux begins a curve anew whenever a change names it; ChangeClass does so, in
// both modes, only if it differs.
package hfsc
