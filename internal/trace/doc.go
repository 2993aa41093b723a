// Package trace reads recorded runs of reference implementations and replays
// them against this module's disciplines.
//
// A recorded run holds a configuration, every operation on a virtual clock,
// and the outcome of each. There are five kinds of run in three text formats
// (conformance/testdata holds a FORMAT.md for each): [AQM] queue managers and
// [DQL], the byte queue limiter, in the first; [Classful] schedulers in the
// second; [ALTQ] queueing and [Lagg] link aggregation in the third.
//
// [Read] parses any of them. [Replay] looks up who can build the discipline,
// applies the operations in order and stops at the first outcome that
// differs. Families register what they can build from a file of package
// builders; a program that replays imports that package for its effect.
//
// Runs of a kind with a [RateLevel] are compared by the bytes of each class
// within each second instead.
//
// What a run says about drops, order, verdicts, marks, lengths, wake-ups and
// statistics is compared. Derived remarks are not: where in its queue a
// dropped packet stood, which criterion chose a packet, what was reported to a
// parent (tags t, r, l), and the advisory times of ALTQ.
package trace
