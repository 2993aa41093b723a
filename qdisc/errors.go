package qdisc

import (
	"errors"
	"fmt"
)

// ConfigError says which field of a configuration cannot be used, and why.
// New and Change return one, or several joined (errors.Join); errors.As finds
// the first.
type ConfigError struct {
	Field string // the name in Config, such as "Rate" or "Priomap[3]"
	Value any    // what it was set to
	Why   string // what is wrong and what would be right
}

// Error prints the field, its value and the reason.
func (e *ConfigError) Error() string {
	return fmt.Sprintf("%s = %v: %s", e.Field, e.Value, e.Why)
}

// ConfigErrors gathers what is wrong with one configuration, so that a user
// sees all of it at once. The zero value is ready.
type ConfigErrors struct{ list []error }

// Add notes that field, set to value, cannot be used.
func (e *ConfigErrors) Add(field string, value any, why string) {
	e.list = append(e.list, &ConfigError{Field: field, Value: value, Why: why})
}

// Err returns all that was noted as one error, nil if nothing was.
func (e *ConfigErrors) Err() error { return errors.Join(e.list...) }
