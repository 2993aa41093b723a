// Package udp sends packets through a UDP socket, many by one system call, and
// tells when each has left: a driver for a [txq.Queue], with the completions
// that a byte queue limiter needs.
//
// Without a limiter a socket takes packets until its send buffer is full, and
// they wait there, or in the queue of the network device, where no scheduler
// can choose among them: 107 ms at 10 Mbit/s with Linux's default buffer. Held
// to a limiter (package bql) that is told of completions, the system keeps a
// few packets, and the rest wait in the discipline: 4 to 6 ms at the same
// throughput.
//
// # Completions
//
// Config.Done is told of every packet that Write took, once, refused datagrams
// included, with the sum of Packet.Len: the bytes that a limiter counted when
// the packet was taken from its discipline. Packets that were sent are told in
// the order of sending. What the methods measure, and what they cost:
//
// Timestamps (Linux): the system reports each datagram as it hands it to the
// network device, past all queues of its own, by a software transmit timestamp
// in the socket's error queue (SOF_TIMESTAMPING_TX_SOFTWARE with OPT_ID and
// OPT_TSONLY). One report is one datagram. A wake-up costs two system calls and
// takes all reports there are, so a slow link costs two calls a datagram and a
// fast one 0.4. A report that is missing is made up for by the next one, or
// after 20 to 40 ms by an empty send buffer: the system drops datagrams in full
// device queues silently, and reports when the receive buffer, which they
// share, is full (255 of them fill the default one). A sender without a limiter
// may so see several datagrams told at once.
//
// OutQueue (Linux): every 0.5 ms, while something is in flight, the device asks
// how much of the send buffer is in use (SIOCOUTQ). That counts the memory of
// the datagrams, not their bytes; the device knows what a datagram of a given
// size takes, as measured on 64-bit Linux 6.18 at an MTU of 1500 bytes, and
// takes the newest ones for those that are still there. If the system counts
// otherwise, completions come too early or too late, but not after the buffer
// is empty. One system call each 0.5 ms.
//
// WriteReturn: the datagram has left when the system has accepted it. This
// measures nothing beyond the send buffer, and a limiter that is told so does
// not limit. It is all there is on other systems than Linux.
//
// Auto takes Timestamps, and changes to OutQueue if ten times, 20 ms apart, the
// send buffer is found empty and there never was a report: software timestamps
// are up to the network device's driver. Loopback, veth, macvlan and vxlan
// make them; ifb and bridges do not.
//
// # Sending
//
// On Linux a batch of up to 64 datagrams takes one sendmmsg and no allocation.
// Write waits, without a thread, until there is room for one datagram, and
// returns when there is no more. A datagram that the system refuses is lost, as
// with [txq.UDPDevice]; the rest of the batch goes on. On other systems each
// datagram is one call.
//
// # The socket
//
// Reading from the socket, by anyone, goes on as before. With Timestamps its
// error queue belongs to the device. Nobody else should send on it: the system
// numbers all datagrams of a socket in one row, and those of others make as
// many completions come early, until a report shows the shift.
//
// Sources: the manual pages socket(7), udp(7), ip(7), sendmmsg(2), recvmmsg(2)
// and epoll(7); Linux's Documentation/networking/timestamping.rst.
package udp
