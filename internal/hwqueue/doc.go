// Package hwqueue is what the disciplines for devices with several hardware
// queues share: a child discipline for each queue, one packet from each
// running queue in turn, and stopped queues that delay no other.
//
// Three sets make the cost of a packet the same for 4 queues and for 65536. The
// active queues, which run and may give a packet, are a bitmap with two levels
// of summary above it. Those whose child holds packets but gave none wait in a
// heap for the time that the child named. The stopped ones, and those that hold
// nothing, are in neither.
package hwqueue
