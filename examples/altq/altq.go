package main

// figure names a rate of the embedded file's queues.
type figure struct {
	borrow bool
	who    string // as trial.name
	size   uint32
	queue  string
}

// recorded are rates in Mbit/s that FreeBSD's ALTQ (13-CURRENT of April 2019) gave
// with the same lines and saturating senders on a link of 10 Mbit/s, with a
// virtual clock and 1000 kernel ticks a second. Not all were taken.
var recorded = map[figure]float64{
	{false, "small alone", 1500, "small"}: 0.4986,
	{false, "small alone", 576, "small"}:  0.474547,
	{false, "small alone", 64, "small"}:   0.31334,

	{false, "dflt and small", 1500, "dflt"}:  9.5026,
	{false, "dflt and small", 1500, "small"}: 0.4974,
	{false, "dflt and small", 576, "dflt"}:   9.527731,
	{false, "dflt and small", 576, "small"}:  0.472243,

	{true, "small alone", 1500, "small"}: 10,
	{true, "small alone", 576, "small"}:  9.999974,

	{true, "dflt and small", 1500, "dflt"}:  9.4944,
	{true, "dflt and small", 1500, "small"}: 0.5056,
	{true, "dflt and small", 576, "dflt"}:   9.49801,
	{true, "dflt and small", 576, "small"}:  0.501965,
}
