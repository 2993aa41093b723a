package builders

import "github.com/netsched/netsched/internal/trace"

// The defects of the references that recorded runs show, in plain words.
const (
	forgotten = "its round robin forgets what a class owes when it goes on to the next, so borrowers whose packets are longer than the quantum do not share by their rates"
	offtime   = "a class at its limit waits as long as for packets of the MTU, so with shorter ones it gets less than its rate"
	ticks     = "a class at its limit is woken at clock ticks, two at the least, and so gets less than its rate"
	throttled = "a class that waits keeps those below it from borrowing above it, so what it leaves is not used, or not by them"
	starved   = "classes of lower priority starve, though within their rates, while one of a higher borrows"
	pardoned  = "a class whose minidle is a tick pays for its last packet alone, and so gets more than its rate"
)

// defects are the runs in which the reference is known to be wrong. All other
// runs that are compared at the level of rates must agree.
var defects = map[string]trace.Defect{
	"cbq-03-seed-borrow": {Fact: forgotten, Leads: map[string]trace.Lead{
		"dflt":  {Ahead: 800_000},
		"small": {Behind: 420_000},
	}},
	"cbq-05-seed-onebyte": {Fact: offtime, Leads: map[string]trace.Lead{
		"small": {Ahead: 7_000},
	}},
	"cbq-07-manual-poisson": {Fact: offtime, Leads: map[string]trace.Lead{
		"std":       {Ahead: 35_000},
		"employees": {Ahead: 75_000},
	}},
	"cbq-10-deep-chain": {Fact: throttled, Leads: map[string]trace.Lead{
		"other": {Ahead: 40_000},
	}},
	"cbq-11-deep-chain-random": {Fact: throttled, Leads: map[string]trace.Lead{
		"leaf1": {Ahead: 160_000},
		"leaf2": {Behind: 160_000},
	}},
	"cbq-13-eight-priorities-bursts": {Fact: starved, Leads: map[string]trace.Lead{
		"p0": {Ahead: 150_000},
		"p1": {Ahead: 190_000},
		"p2": {Ahead: 70_000},
		"p5": {Ahead: 16_000, Behind: 12_000},
		"p7": {Behind: 26_000},
	}},
	"cbq-15-flat-64-poisson": {Fact: offtime, Leads: map[string]trace.Lead{
		"c46": {Ahead: 50_000},
	}},
	"cbq-17-one-percent-of-1Gb": {Fact: ticks, Leads: map[string]trace.Lead{
		"a": {Ahead: 28_000},
		"b": {Ahead: 20_000},
	}},
	"cbq-20-broken-borrow-chain": {Fact: throttled, Leads: map[string]trace.Lead{
		"x2": {Ahead: 80_000},
		"y":  {Ahead: 38_000},
	}},
	"cbq-26-random-driver": {Fact: offtime, Leads: map[string]trace.Lead{
		"std":       {Ahead: 190_000},
		"employees": {Ahead: 170_000},
		// The two borrow what the first two got less.
		"mail":     {Ahead: 25_000, Behind: 19_000},
		"ssh_bulk": {Ahead: 60_000, Behind: 28_000},
	}},
	"cbq-deep": {Fact: pardoned, Leads: map[string]trace.Lead{
		"8": {Behind: 160_000},
		"2": {Ahead: 28_000}, // a sibling gets sooner what that one does not take
	}},
}
