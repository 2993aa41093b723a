// Package bql is a byte queue limiter: it finds how many bytes a driver must
// hand to its hardware, or to a socket, so that the line never idles and the
// rest of the packets wait where a scheduler can still choose among them. It
// is what Linux calls byte queue limits (BQL), over dynamic queue limits (DQL).
//
// # Rules
//
// The limit moves only when the device reports completions. It was too low if
// the driver was over it, and so had stopped, and all that was queued by then
// has completed: the device starved. It then grows by what the driver was over
// and by what was both queued and completed since the report before. It is too
// high if the device stays busy and yet less completes than the limit holds:
// the slack of a report is what remains of the limit after twice the bytes
// completed, or the part of the last object that was within the limit, if that
// is more. When a hold time has passed without starvation the limit shrinks by
// the least slack seen. A change of either kind begins a new hold time.
//
// # Use
//
// Call [Limiter.Queued] at each packet handed to the device, before the next
// one is chosen, and stop when the space left, which it returns, is negative.
// A packet goes whole: the space is tested before it, never against it, so
// one object may overshoot the limit, and with nothing in flight one always
// goes, however long. Call [Limiter.Completed] once for each completion
// interrupt, with the sum of its bytes, and go on if [Limiter.Available] is
// not negative. [Limiter.Reset] forgets what is in flight; the driver must
// not report that afterwards. A completion of more than is in flight is cut to
// it and counted in [Stats]. Keep less than 2^63 bytes in flight.
//
// Sizes are bytes, times nanoseconds of [qdisc.Time]. A time earlier than the
// latest one seen counts as the latest. No call panics, and only New, Change
// and Config allocate.
// A limiter is not safe for concurrent use; the owner's lock covers it.
//
// # Stalls
//
// A wait lasts from a completion that leaves bytes in flight, or else from the
// first [Limiter.QueuedAt] after one that leaves none, to the next completion
// of at least a byte, or Reset. One of StallThreshold or longer is a stall and
// is counted when it ends. The names are those of Linux 6.9
// (Documentation/ABI/testing/sysfs-class-net-queues); the definition, exact to
// the nanosecond, is this package's own, also with Compat.
//
// # Compat
//
// With Compat set to [qdisc.Linux] the same algorithm does what Linux 6.1 does,
// bit for bit, with these quirks:
//
//   - 32 bits: counters wrap at 2^32, and comparisons take the sign of a 32-bit
//     difference. Queue no object above MaxObject and keep less than 2^31 bytes
//     in flight, or the limiter loses count (Linux stops the machine).
//   - Jiffies: hold times are measured in whole milliseconds of the clock.
//   - Stale space: Reset leaves the space as it was computed at the last
//     completion, until the next; New leaves none. A driver must send one object
//     after Reset whatever Available says. (Exact: the space is the limit at
//     once.)
//   - Late limits: a changed LimitMin or LimitMax acts at the next
//     completion. (Exact: at once.)
//   - Crossed limits: with LimitMin above LimitMax the limit is LimitMax, after
//     Reset LimitMin. (Exact refuses them.)
package bql
