// Package tbf is the token bucket filter: it shapes what its one child holds
// to a rate, lets an idle line save up a burst, and can bound the rate within
// a burst by a second, faster bucket, the peak rate.
//
// # The bucket
//
// A bucket of rate r and depth b is full at the start. A packet leaves when
// the bucket holds its cost, which it then takes. Over any time t no more
// than b + r*t leaves. With a peak rate p a packet needs the tokens of both
// buckets; the peak bucket is as deep as the longest packet, M. That is the
// traffic described by a TOKEN_BUCKET_TSPEC (RFC 2215 section 3.6), with Rate,
// Burst, PeakRate, MPU and MTU for its r, b, p, m and M: no more than
// the lesser of M + p*t and b + r*t.
//
// The bucket counts in units of 1e-9 bit: a nanosecond at r bit/s earns
// exactly r units and a byte costs 8e9, so from 1 bit/s up to the largest
// [qdisc.Rate] (2^64-1 bit/s) nothing is rounded. Products are 128 bits wide
// and a full bucket stays full. Polling loses no token, because a Dequeue that
// gives nothing changes no bucket; a clock that steps back mints none.
// [TBF.ReadyAt] is the first nanosecond at which the head can leave. Its
// tokens were complete at some point within the nanosecond before; what
// is earned from there on counts, even if the bucket holds one packet only and
// would be full. A line that sends 64-byte packets through a bucket of 64 bytes
// is exact too, up to the rate of a packet a nanosecond. (In the bound above, t
// is therefore up to 1 ns longer than between two readings of the clock.)
//
// The cost is that of the packet as the line carries it: its length plus
// Overhead, at least MPU, and with ATM in whole cells of 53 bytes that carry 48
// each. The burst is framed in the same way, so the bucket holds the cost of a
// packet of Burst bytes. Statistics and limits count the bytes without framing.
//
// # Long packets
//
// A packet longer than Burst (with PeakRate: than the lesser of Burst and MTU)
// could never leave. It is refused on arrival with Reason TooLong, unless it
// is a super-packet and Split cuts it into segments that fit.
//
// Change may cut the burst below a packet that waits already. That packet
// leaves when the bucket is full and the bucket then owes the rest: nothing
// stalls and the rate stays exact.
//
// # The child
//
// The filter is a parking discipline with one child, class 1. When the child
// holds packets but gives none, the filter waits for it. The filter
// looks at one head and waits for that head's tokens; a child that by itself
// would put a cheaper packet in front meanwhile is seen at the end of the
// wait. The filter loses no token by that, but a class below it that is held
// to a rate of its own may: give each of several classes enough burst for the
// longest wait.
//
// # Compat
//
// With Compat set to [qdisc.Linux] the same algorithm counts in nanoseconds
// of transmission time, as Linux's sch_tbf does. A nanosecond earns 1 and a
// packet costs (bytes*mult)>>shift, with mult and shift computed once from the
// rate in whole bytes a second; the rate is high by less than 1 ns a packet and
// 5e-10 (above 64 Gbit/s: rate/1.3e20). These quirks come with it:
//
//   - Capped elapsed time: the time since the last departure is cut to the
//     depth of the main bucket before it refills the peak bucket too. (That
//     it takes as long to fill the peak bucket shows only in a few ns of
//     rounding.)
//   - Free refill: Change fills both buckets and leaves the time of the last
//     departure. (Exact keeps what was earned at the old rate, up to the new
//     depth, and mints nothing; only a peak bucket that was not there
//     before starts full.)
//   - Oversize head: a waiting packet that costs more than the bucket's depth
//     after a cut of the burst waits for ever, or until Change or Reset.
//
// Every failed Dequeue of a held packet counts one overlimit in both modes.
package tbf
