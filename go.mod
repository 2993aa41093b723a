module github.com/netsched/netsched

// The floor is Go 1.26 because configurations use new(expr) for optional
// numbers, and because the speed figures were taken with its compiler.
go 1.26
