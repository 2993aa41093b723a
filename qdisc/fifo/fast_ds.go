package fifo

// DSPriority returns the priority that Linux gives a forwarded IP packet, for
// Packet.Priority: 0, 2, 6 or 4 as the bits 0x18 of its DS field are 00, 01,
// 10 or 11. They were the "low delay" and "high throughput" bits of the type
// of service (RFC 1349), so the later code points fall where their bits
// happen to be. In the bands of a Fast:
//
//	priority 6, band 0   AF12 AF22 AF32 AF42
//	priority 0, band 1   default, CS1 to CS7
//	priority 4, band 1   EF, AF13 AF23 AF33 AF43
//	priority 2, band 2   AF11 AF21 AF31 AF41
//
// The ECN bits do not count.
func DSPriority(ds uint8) uint32 { return [4]uint32{0, 2, 6, 4}[ds>>3&3] }
