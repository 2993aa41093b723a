// Package lagg is link aggregation: several ports, such as links, sockets or
// transmit queues, used as one. It does what lagg(4) of FreeBSD does, and the
// modes of Linux bonding that choose a port without talking to the other end.
//
// # Use
//
// A [Port] has one method, Enqueue; a [PortFunc] makes one of anything, such as
// the Receive of a netsim.Link or the Send of a txq.Queue. [Group.Add] takes a
// port in and returns the [Member] that stands for it; SetUp and SetEnabled say
// whether it can be used, and [Group.Remove] takes it out and returns the packets
// that it held, for sending again. All of that may happen between any two packets.
//
// [Group.Send] chooses a port and hands it the packet. [Group.Select] only
// chooses, for programs that send by themselves; [Group.Accepts] tells what to
// do with a packet that arrived on a port.
//
// A Group has one owner, as a discipline has. [Shared] is for many goroutines:
// its Select takes no lock, and its runs are exact. Ports are taken out of it by
// [Shared.Remove].
//
// Times are qdisc.Time, and matter only with UpDelay and DownDelay; otherwise
// pass 0. No call panics, but for a nil or linked packet in Send, and a nil
// one in Select. Send, Select, SetUp and SetEnabled allocate nothing.
//
// # Round robin
//
// Each port has a run of Stride packets, times its weight, then the next one in
// the order of indexes. A larger stride keeps more of a flow's packets in order
// and lets them be sent and received in batches; one above what a flow has in
// flight leaves all links but one idle.
//
// What a change in mid-run does is up to the counter:
//
//   - Runs: a new stride or weight holds at once: the run in progress goes on to
//     it, or ends if it has had as much. When its port leaves or dies, the next
//     port begins a whole run. A port that joins or comes back waits for its
//     turn. No counter wraps.
//   - Sequence: packet s, from 0, goes to slot floor(s/stride) mod slots. Any
//     change of stride or slots moves the phase, in mid-run too, and so does the
//     wrap at 2^32, unless stride times slots divides 2^32.
//   - Bucket: the old run is finished, and then the new stride holds; run r, from
//     0, is of slot r mod slots, so a join or leave moves the run in progress.
//     The number of runs wraps at 2^32.
//
// With DeadPorts NextActive each port has a slot, so packets count while none is
// usable, but not while there is none. Otherwise each usable port has one, and
// packets for which there is no port do not count.
//
// With StrideBytes a run ends with the packet that reaches the stride, and what
// it has too much is taken off the port's next run: two ports of equal weight
// never differ by more than a stride and a packet.
//
// Only Runs knows weights and bytes. In Shared it counts packets alone, by one
// number that wraps after 2^63.
//
// # Load balance
//
// A flow's port depends on Packet.Flow, or on the hash of its frame (see
// [Hasher]), and on the ports; so a flow is never reordered while they stay. By
// default the hash modulo the number of ports is the place of the flow's port.
// With Consistent the hash chooses one of Slots slots, which were dealt to the
// ports by weight; a port in or out then moves only its own share, and flows
// whose own port is dead. How they were dealt depends on the order in which ports
// came and went.
//
// Somebody must fill Packet.Flow. qdisc.ParseIP and qdisc.ParseEthernet do, by a
// key; where nobody does it is 0, and one port has everything. Packets of equal
// Flow are one flow, whatever their headers. The two directions of a connection
// have different ones, and so has a connection in two programs that have not the
// same key. Hasher's hashes have nothing to do with Flow.
//
// A group that gets its packets from another group's balance must not take the
// same hash modulo as many ports: it would use one of them. FlowShift 16, a Frame
// or Consistent in one of the two sees to it.
//
// # Failover
//
// The primary sends while it is usable; otherwise the port after it in the order
// of indexes, or else the first usable one. Reselect says when the primary takes
// over again.
//
// # To do exactly what lagg(4) does
//
// The defaults are what the modes mean. These are FreeBSD's ways where they
// differ, each with its own switch:
//
//   - DeadPorts NextActive: a dead port's whole share goes to its successor in
//     the list, or to the first usable port if that is dead too. (Default: to all
//     usable ports alike.)
//   - Counter Sequence (since December 2019) or Bucket (2014 to 2019). (Default:
//     runs are whole whatever changes.)
//   - FlowShift 16 if the flow id is a network card's. (Default: 0.)
//   - Hasher.AsLagg: the one VLAN tag that a frame may have is looked for 14
//     bytes too far on; fragments are hashed with payload for ports; and a tag
//     that the hardware has stripped is hashed low byte first, as on x86.
//     (Default: up to two tags, stripped or not alike; fragments without ports.)
//
// Differences without a switch: lagg(4) has at most 32 ports; it returns the
// last port's result from a broadcast; it refuses a lagg in a lagg, where here
// the Send of one group is a port of another. MTU, MAC addresses and LACP are
// the caller's affair.
//
// Recorded runs of lagg(4), of selection in every mode, of joins, leaves and
// link changes, of reception and of header hashes, are replayed with these
// switches by examples/replay.
//
// # Compared with bonding
//
// balance-rr is RoundRobin (packets_per_slave is Stride, and 0 there is Random),
// active-backup Failover with Reselect, balance-xor LoadBalance with DeadPorts
// Rebuild and one of the Bond policies of Hasher, broadcast Broadcast; updelay
// and downdelay are UpDelay and DownDelay. The hash formulas are those of the
// bonding documentation; which port a Linux machine takes may differ. IGMP is
// treated like everything else.
//
// # Sources
//
// lagg(4) and its changes D540 (2014: rr_limit) and D22857 (2019: the division);
// the Linux bonding documentation (Documentation/networking/bonding.rst); the
// hash is FNV-1 of Fowler, Noll and Vo.
package lagg
