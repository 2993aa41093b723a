package netsim

import "github.com/netsched/netsched/qdisc"

// Segment is the TCP header of a packet. Sequence numbers count bytes from 0
// and are wide enough never to wrap. A segment without data is an
// acknowledgement.
type Segment struct {
	Seq    uint64     // first byte of data
	Ack    uint64     // next byte expected
	TSVal  qdisc.Time // when it was sent (the timestamp option of RFC 7323)
	TSEcr  qdisc.Time // TSVal of the segment that is acknowledged
	SACK   [4]Block   // data received beyond Ack, the latest change first (RFC 2018)
	Bytes  uint32     // bytes of data
	Blocks uint8      // blocks used in SACK
	Flags  SegmentFlags
}

// Block is the bytes from Start up to but not including End.
type Block struct{ Start, End uint64 }

// Len returns the number of bytes.
func (b Block) Len() uint64 { return b.End - b.Start }

// SegmentFlags are bits of the TCP header.
type SegmentFlags uint8

// The flags in use. A connection is opened by SYN and answered by SYN with an
// acknowledgement, as a real one is; ECE and CWR are those of RFC 3168.
const (
	SYN SegmentFlags = 1 << iota
	ECE              // a packet marked CE has arrived
	CWR              // the window has been reduced
)

// Bytes of headers, as a Linux sender has them on Ethernet.
const (
	etherHeader = 14
	tcpHeader   = etherHeader + 20 + 32 // IPv4, TCP, timestamp option
	sackHeader  = 4                     // and 8 bytes a block
	sackBlock   = 8
	maxBlocks   = 3 // that fit beside a timestamp
	protoTCP    = 6
)
