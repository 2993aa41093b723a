// Package cbq is class-based queueing: a link is shared by a tree of classes,
// each with a rate that it is guaranteed and that it keeps to, unless it may
// borrow what classes above it leave unused. It follows Floyd and Jacobson,
// "Link-sharing and Resource Management Models for Packet Networks", IEEE/ACM
// Transactions on Networking 3(4), 1995.
//
// # Which packet is next
//
// A class has a limit, its Rate, and is over it or within. One that is within
// and holds packets may send. One that is over may borrow from the nearest class
// above that is within its own limit and can be reached without passing a
// Bounded one; the root can always lend. By the guideline Formal, the default:
//
//  1. Of the classes within their limits that hold packets, those of the highest
//     priority, in turn, by weight.
//  2. If there is none, the borrowers: those that borrow at the lowest level
//     first (the level of a leaf is 0, of another class 1 and that of its
//     highest child), of these the highest priority, in turn, by weight.
//
// So a class gets its rate whatever its priority and whoever borrows, and what
// is left goes down the tree from where it is left. The guidelines AncestorOnly
// and TopLevel let a higher priority borrow sooner, at the expense of that.
//
// A packet sent within the limit counts against the class and all above it; one
// sent on a lender's against the lender and all above that, and not against who
// borrowed. Taking turns is start-time fair queueing: borrowers that are always
// backlogged share by weight, in bytes, whatever the lengths of their packets.
//
// Choosing costs O(log n) in the classes of one priority, changing a class that
// and its depth. Nothing walks through all classes but Reset, a change of the
// whole configuration, the first weight that is larger than all before, and,
// after so many turns that it does not count, tags that move back.
//
// # The limit
//
// The paper estimates a class's rate by an average, avgidle. Here a class has a
// virtual clock instead: the instant from which all that it sent is within its
// rate. A packet moves it on by length/rate, in nanoseconds and 2^-64 parts of
// one. A class is within its limit when its clock is not later than now; ReadyAt
// is when the first clock is reached, rounded up to a nanosecond. So a class that
// stays backlogged never is a packet behind or ahead of its rate, from 1 bit/s
// to 8 Tbit/s, with packets of any and of mixed lengths.
//
// The parameters of the paper's estimator bound the clock, and their meaning is
// kept. After an idle time it is behind by what MaxBurst asks for at most: that
// is maxidle. A class with a MinBurst waits for longer than it must, and then
// sends so many packets at once: that is offtime. MinIdle is how far ahead it may
// be: more is forgotten. The average itself is kept beside, with a gain of
// 2^-EWMA, and reported as AvgIdle. It decides nothing: it forgets what a class
// owes, which is right only if all packets are of one length.
//
// A class that holds packets and could not send, because others kept the link,
// may catch up (Config.CatchUp).
//
// # Classes with children
//
// Every class may hold packets of its own, in any discipline, a FIFO to begin
// with. Those of one with children are as a child of it: they have the rate that
// its children leave and borrow from it. The rates of children may exceed their
// parent's: each is kept as long as the link can.
//
// An Isolated class does not lend: what it leaves of its Rate is no part of what
// its parent has to lend. If isolated classes take all of that, 1 bit/s is left.
//
// Classes are added, changed and removed while packets wait. What a class owes, in
// bytes, stays when its rate changes.
//
// # What ALTQ and Linux did
//
// There is no Compat mode. Both kept avgidle in fixed point, and both are off by
// what that loses; nobody depends on the errors, and both are gone from the
// current kernels, or going.
//
//   - ALTQ counts whole nanoseconds a byte (14 % at 1 Gbit/s) and 32-bit rates
//     (wrong above 4.29 Gbit/s), percentages in whole numbers (0.5 % is 0), and
//     forgets everything after 2 s of idleness (10 kbit/s gives 23.8). It waits in
//     ticks, two at least, and as long as for packets of the MTU: with 64 bytes a
//     class gets 63 % of its share. Here each of these is exact.
//   - Linux rounds lengths up to cells of 8 bytes and more, and times to 64 ns, and
//     exceeds a class's rate by up to 1.5 %, in pairs of packets, because its
//     shift rounds down; 6 % with ewma 3.
//   - Both go round by quanta. ALTQ forgets debt and credit, so that borrowers
//     of 50:30:10 get 50.4:30.5:19.1; here 55.6:33.3:11.1.
//   - Both charge who borrows, too. ALTQ's class of 5 % that borrows from one of
//     20 % gets 0.63 of the 2 Mbit/s, as the one in between waits; its class of
//     lower priority that may borrow gets 0 of its own 0.5 beside a busy one.
//   - Both walk all classes of a priority at each packet, 1.5 us at 254.
//   - In Linux a class can be missed in a round without a wake-up following.
//
// # Parameters in the words of tc and pf.conf
//
// [TCClass] and [PFClass] are classes in the words of the two, and
// [DeriveIdleTimes], [DefaultMaxBurst] and [MinIdle] the formulas by which tc
// and pfctl come to maxidle, offtime and minidle.
package cbq
