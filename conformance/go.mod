module github.com/netsched/netsched/conformance

go 1.26.0

require github.com/netsched/netsched v0.0.0

replace github.com/netsched/netsched => ../
