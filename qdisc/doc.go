// Package qdisc is the contract that every packet scheduler and queue manager
// of this module keeps, and the few types it needs: [Packet], [List],
// [Qdisc], [Base], [Time] and [Rate].
//
// A discipline is a plain data structure. It takes packets by Enqueue, gives
// them by Dequeue, and decides order, timing and loss between the two. It
// reads no clock, starts no goroutine and takes no lock; the subpackage txq
// adds those for programs that want a ready transmit queue.
//
// # Time
//
// Every verb is passed the present time. A time earlier than the latest one
// seen counts as the latest: tokens are never minted twice and nothing panics.
// Only Reset may set the clock back. Times saturate at [MaxTime].
//
// # One owner
//
// A discipline is not safe for concurrent use.
//
// # Ownership of packets
//
// Enqueue always takes the packet. Every packet leaves exactly once: returned
// by Dequeue, or appended to the drop list with [Packet].Reason set. That
// holds for a packet refused on arrival, one that had to make room for
// another, and everything thrown away by Reset, Change or the removal of a
// class. The owner empties the drop list when it likes; no callback runs on a
// drop. The root's list serves the whole tree. Without a list, dropped
// packets are left to the garbage collector.
//
// A nil packet, or one that is already in a discipline or list, panics with a
// clear message. No other input does.
//
// Only the discipline that drops a packet counts the drop. The [Verdict] of
// Enqueue tells what happened; it never gives the packet back.
//
// # Peek
//
// Peek returns the packet that Dequeue with the same time would return were it
// the next call. Each discipline is of one of two kinds. A looking one (fifo,
// prio) looks: a later arrival, drop, stop or change may alter the answer. A
// parking one (tbf, and all that decide by time or chance) takes the packet as
// Dequeue does and parks it: it stays in Len and Backlog, and the next Dequeue
// returns it whatever arrived since; only Reset, Change or removal may drop
// it. A packet parked in a parent has left the child.
//
// A parent acts only on a Peek made in the same call with the same time.
//
// # ReadyAt
//
// ReadyAt says when Dequeue is worth calling, and changes nothing. It is the
// time passed in when the answer is not known. After a Dequeue or Peek that
// gave nil while Len() > 0 it is later than that, or [Blocked]. It is [Never]
// only if Len() == 0. A call that comes too early costs a call; one that comes
// too late costs rate, so whatever can bring the time forward forgets a stored
// answer.
//
// # Trees
//
// A parent holds each child in a [Child]. Len, Backlog and Stats of a parent
// are those of the tree below it, and always exact: the [Base] of the
// discipline that takes, gives or loses a packet counts for all above it. There
// is no "child became empty" message to forget. What else a parent derives
// from a child, such as the set of active classes, its own idempotent settle
// brings up to date after every call on the child, Peek included. Whoever
// changes, resets or fills a child directly then calls Sync on each parent,
// innermost first; until then a parent may overlook the child's packets and
// nothing else goes wrong.
//
// A class whose child holds packets but yields none leaves the active set
// until the child's ReadyAt, or a Sync; strict priority goes on to the next
// band. No loop depends on a quantum being sane.
//
// Which class takes a packet is the caller's to say, in [Packet].Class or by a
// Classify function in the discipline's Config.
//
// # Facts from bytes
//
// [ParseIP] and [ParseEthernet] fill a Packet's facts from its headers, hashed
// under a secret [HashKey], so that a sender cannot choose the queue it shares.
// Disciplines mark or wash Packet.DSField; [StoreDS] writes it back.
//
// # Callbacks
//
// Classify, Split and CAKE's Header are the only callbacks. They must not call
// into the tree, nor panic.
//
// # Construction
//
// Each package has New(Config) (*T, error). The zero value of a field means
// the reference's default; where zero means something of its own the field is
// a pointer. All memory is allocated in New or when a class is added. Config()
// returns the present configuration and Change(Config, Time) sets a whole new
// one, all or nothing, while packets wait. What the arithmetic cannot hold is
// refused with a [ConfigError], never wrapped. Hot verbs return no error and
// allocate nothing.
//
// # Fidelity
//
// By default a discipline does what its design means, with exact arithmetic.
// With Compat set to [Linux] it does what the deployed kernel does, bit for
// bit, through the kernel's own rounding and named quirks. A kind without a
// Compat field has no difference between the two.
//
// # Statistics
//
// See [Stats] for the counters and the identities they keep.
//
// # Layers
//
// Everything imports this package. Disciplines import it and never each other,
// except that qdisc/fifo, the leaf that every class starts with, serves them
// all: a second FIFO hidden in an internal package would be the same code
// twice. Packages tc and txq and the examples import anything.
//
// # Writing a discipline
//
// Embed [Base]; it brings Len, Backlog, ReadStats, ReadyAt and the book-keeping
// verbs. Keep every packet you hold in a [List], which marks it as linked; a
// stack or a heap keeps a List of one packet in each slot. Then
//
//	New      Attend with the drop list
//	Enqueue  Arrive; Refuse what is longer than MaxLen or finds no room;
//	         Accept, and Push onto a List
//	Dequeue  Clock; Pop; Release and Sent
//	Reset    Rewind, PurgeList
//
// and Release and Drop for a packet lost later. The example of [Base] is a
// whole discipline. Run qdisctest.TestQdisc over yours.
package qdisc
