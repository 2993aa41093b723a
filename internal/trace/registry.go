package trace

import (
	"errors"
	"fmt"
	"maps"
)

// Registry holds who can build what. The zero value can build nothing.
type Registry struct {
	aqm      map[string]AQMKind
	classful map[string]ClassfulKind
	altq     map[string]ALTQKind
	lagg     map[string]func(*LaggHeader) (Group, error)
	limiter  func(*AQMHeader) (Limiter, error)
	hash     HeaderHash
}

var registered Registry

// Registered returns a copy of the registry that the Register functions fill,
// to which more may be added.
func Registered() *Registry {
	r := registered
	r.aqm, r.classful = maps.Clone(r.aqm), maps.Clone(r.classful)
	r.altq, r.lagg = maps.Clone(r.altq), maps.Clone(r.lagg)
	return &r
}

// RegisterAQM says how to build a queue manager of the first format.
func RegisterAQM(discipline string, k AQMKind) { registered.AQM(discipline, k) }

// RegisterClassful says how to build a scheduler of the second format.
func RegisterClassful(discipline string, k ClassfulKind) { registered.Classful(discipline, k) }

// RegisterALTQ says how to build a queueing discipline of the third format.
func RegisterALTQ(discipline string, k ALTQKind) { registered.ALTQ(discipline, k) }

// RegisterLagg says how to build a link aggregation of the third format.
func RegisterLagg(protocol string, build func(*LaggHeader) (Group, error)) {
	registered.Lagg(protocol, build)
}

// RegisterLimiter says how to build a byte queue limiter.
func RegisterLimiter(build func(*AQMHeader) (Limiter, error)) { registered.limiter = build }

// RegisterHash gives the header hash of link aggregation.
func RegisterHash(h HeaderHash) { registered.hash = h }

// AQM is RegisterAQM for this registry.
func (r *Registry) AQM(discipline string, k AQMKind) { add(&r.aqm, discipline, k) }

// Classful is RegisterClassful for this registry.
func (r *Registry) Classful(discipline string, k ClassfulKind) { add(&r.classful, discipline, k) }

// ALTQ is RegisterALTQ for this registry.
func (r *Registry) ALTQ(discipline string, k ALTQKind) { add(&r.altq, discipline, k) }

// Lagg is RegisterLagg for this registry.
func (r *Registry) Lagg(protocol string, build func(*LaggHeader) (Group, error)) {
	add(&r.lagg, protocol, build)
}

// Limiter is RegisterLimiter for this registry.
func (r *Registry) Limiter(build func(*AQMHeader) (Limiter, error)) { r.limiter = build }

// Hash is RegisterHash for this registry.
func (r *Registry) Hash(h HeaderHash) { r.hash = h }

func add[K any](m *map[string]K, name string, k K) {
	if *m == nil {
		*m = map[string]K{}
	}
	(*m)[name] = k
}

// Knows tells whether somebody can build what the run is about. Such a run
// may still be skipped for an option.
func (r *Registry) Knows(run Run) bool {
	ok := false
	switch run := run.(type) {
	case *AQM:
		_, ok = r.aqm[run.Header.Discipline]
	case *DQL:
		ok = r.limiter != nil
	case *Classful:
		_, ok = r.classful[run.Header.Discipline]
	case *ALTQ:
		_, ok = r.altq[run.Header.Discipline]
	case *Lagg:
		_, ok = r.lagg[run.Header.Protocol]
		ok = ok || run.Header.HashesHeaders && r.hash != nil
	}
	return ok
}

// Knows tells whether a builder is registered for what the run is about.
func Knows(run Run) bool { return registered.Knows(run) }

// Replay replays a run with the registered builders.
func Replay(run Run) Result { return registered.Replay(run) }

// Replay replays a run with the builders of this registry.
func (r *Registry) Replay(run Run) Result {
	if !r.Knows(run) {
		return Result{Status: Skipped, Reason: run.Kind() + ": no such discipline yet"}
	}
	return run.replay(r)
}

// missing is the error that skips a run.
type missing struct{ what string }

func (m *missing) Error() string { return m.what }

// Missing returns the error by which a builder, or one of its functions, says
// what it cannot do, such as "option ecn". The run is then skipped, not failed.
func Missing(format string, args ...any) error { return &missing{fmt.Sprintf(format, args...)} }

func isMissing(err error) bool {
	var m *missing
	return errors.As(err, &m)
}
