// Package priq is ALTQ's priority queueing: up to 16 classes of different
// priorities, 0 to 15, the highest that has a packet first. A busy class starves
// those below it; a shaper in a class bounds what it takes, and while the
// shaper holds its packets back the classes below are served.
//
// It is the strict priority of package prio, seen as pf.conf has it: classes
// have a priority of their own instead of a place in a list, gaps are allowed,
// the larger number goes first, and whatever names no class goes to a default
// class. Each class holds its packets in a FIFO of 50 or in any discipline that
// it is given, such as codel's. Classes come, go, and change their priority
// while packets wait.
//
// There is no Compat: recorded runs of ALTQ are reproduced packet for packet.
package priq
