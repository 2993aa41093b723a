// Package builders registers with package trace everything of this module that
// recorded runs can be replayed against, a file a family. Import it for its
// effect.
//
// A family's file has an init that calls trace.RegisterAQM, RegisterClassful,
// RegisterALTQ, RegisterLagg, RegisterLimiter or RegisterHash, and a function
// that turns a run's header into a target. That function returns trace.Missing
// for what the family cannot do, never ignores an option, and leaves the
// discipline at the header's start time. Functions of the target translate the
// run's words into calls; rules of a reference that the discipline does not
// know do not belong here.
package builders
