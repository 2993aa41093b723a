// Package lint holds the rules about the source that are checked as tests.
package lint
