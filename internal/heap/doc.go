// Package heap orders what a scheduler chooses from: a queue of slots by key,
// from which any slot can be taken, and the smallest or largest of many keys.
//
// A slot is a small number, of a class in its parent, say, so that an entry
// holds no pointer and moving it costs the garbage collector nothing. Grow is
// the only call that allocates.
package heap
