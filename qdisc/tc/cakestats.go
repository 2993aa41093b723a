package tc

import (
	"strings"

	"github.com/netsched/netsched/cake"
	"github.com/netsched/netsched/qdisc"
)

// cakeCounters are those of a cake, its text that of package cake, without the
// end of the last line.
type cakeCounters struct {
	MemoryUsed  int64             `json:"memory_used"`
	MemoryLimit int64             `json:"memory_limit"`
	Capacity    uint64            `json:"capacity_estimate"` // bytes/s
	MinNet      uint32            `json:"min_network_size"`
	MaxNet      uint32            `json:"max_network_size"`
	MinAdjusted uint32            `json:"min_adj_size"`
	MaxAdjusted uint32            `json:"max_adj_size"`
	NetOff      uint32            `json:"avg_hdr_offset"`
	Tins        []cakeTinCounters `json:"tins"`

	text string
}

// cakeTinCounters are those of a tin, times in us and rates in bytes/s.
type cakeTinCounters struct {
	Threshold    uint64 `json:"threshold_rate"`
	Bytes        uint64 `json:"sent_bytes"`
	Backlog      int64  `json:"backlog_bytes"`
	Target       int64  `json:"target_us"`
	Interval     int64  `json:"interval_us"`
	PeakDelay    int64  `json:"peak_delay_us"`
	AvgDelay     int64  `json:"avg_delay_us"`
	BaseDelay    int64  `json:"base_delay_us"`
	Packets      uint64 `json:"sent_packets"`
	WayHits      uint64 `json:"way_indirect_hits"`
	WayMisses    uint64 `json:"way_misses"`
	WayShared    uint64 `json:"way_collisions"`
	Drops        uint64 `json:"drops"`
	Marks        uint64 `json:"ecn_mark"`
	AckDrops     uint64 `json:"ack_drops"`
	SparseFlows  uint32 `json:"sparse_flows"`
	BulkFlows    uint32 `json:"bulk_flows"`
	Unresponsive uint32 `json:"unresponsive_flows"`
	MaxLen       uint32 `json:"max_pkt_len"`
	Quantum      uint32 `json:"flow_quantum"`
}

func countCake(q qdisc.Qdisc) counters {
	s := q.(*cake.Cake).Stats()
	c := &cakeCounters{
		MemoryUsed: s.MemoryUsed, MemoryLimit: s.MemoryLimit, Capacity: uint64(s.Capacity) / 8,
		MinNet: s.MinNet, MaxNet: s.MaxNet, MinAdjusted: s.MinAdjusted, MaxAdjusted: s.MaxAdjusted, NetOff: s.NetOff,
		text: strings.TrimSuffix(s.String(), "\n"),
	}
	for i := range s.Tins {
		t := &s.Tins[i]
		c.Tins = append(c.Tins, cakeTinCounters{
			Threshold: uint64(t.Threshold) / 8, Bytes: t.Bytes, Backlog: t.Backlog,
			Target: t.Target.Microseconds(), Interval: t.Interval.Microseconds(),
			PeakDelay: t.PeakDelay.Microseconds(), AvgDelay: t.AvgDelay.Microseconds(), BaseDelay: t.BaseDelay.Microseconds(),
			Packets: t.Packets, WayHits: t.WayHits, WayMisses: t.WayMisses, WayShared: t.WayShared,
			Drops: t.Drops, Marks: t.Marks, AckDrops: t.AckDrops,
			SparseFlows: t.SparseFlows, BulkFlows: t.BulkFlows, Unresponsive: t.Unresponsive, MaxLen: t.MaxLen, Quantum: t.Quantum,
		})
	}
	return c
}

// String returns the lines of tc -s.
func (c *cakeCounters) String() string { return c.text }
