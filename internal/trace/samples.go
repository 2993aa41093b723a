package trace

import "embed"

// Samples are a few recorded runs, for the tests of packages: testdata/NAME.
// A program that does not use them does not carry them.
//
//go:embed testdata
var Samples embed.FS
