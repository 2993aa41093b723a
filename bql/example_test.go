package bql_test

import (
	"fmt"

	"github.com/netsched/netsched/bql"
	"github.com/netsched/netsched/qdisc"
)

// A driver that always has a frame to send, and a device that reports two
// frames at a time, every 2.4 ms. What the limiter knows is then listed as in
// /sys/class/net/IF/queues/tx-N/byte_queue_limits.
func Example() {
	l, err := bql.New(bql.Config{})
	if err != nil {
		panic(err)
	}
	for now := qdisc.Time(0); now < 1e9; now += 2_400_000 {
		done := min(l.Inflight(), 2*1514)
		l.Completed(uint64(done), now)
		for l.Available() >= 0 {
			l.Queued(1514)
		}
	}
	fmt.Println("hold_time", l.HoldTime().Milliseconds())
	fmt.Println("inflight", l.Inflight())
	fmt.Println("limit", l.Limit())
	fmt.Println("limit_max", l.LimitMax())
	fmt.Println("limit_min", l.LimitMin())
	fmt.Println("stall_cnt", l.StallCnt())
	fmt.Println("stall_max", l.StallMax().Milliseconds())
	fmt.Println("stall_thrs", l.StallThrs().Milliseconds())
	// Output:
	// hold_time 1000
	// inflight 7570
	// limit 6056
	// limit_max 1879048192
	// limit_min 0
	// stall_cnt 0
	// stall_max 0
	// stall_thrs 0
}
