package udp

// flightSize is the most packets in flight, a power of two. At 832 bytes of
// send buffer for the smallest datagram it is 6.8 MB of them, 32 times Linux's
// default.
const flightSize = 8192

// flight is the packets handed to the system and not yet reported, in order.
// Each has an index, which counts up and wraps. The system numbers datagrams
// on its own; an index and shift make its number.
//
// The numbers run ahead of the indices when somebody else sends on the socket,
// or when the system gives a number to what it then refuses. A number that was
// not given out yet, as far as is known here, shows it, and moves shift up.
// Until then as many reports as numbers were missed come early.
//
// Packets pushed and not yet confirmed are being sent: the system may report
// one before it says that it took it.
type flight struct {
	len   [flightSize]uint32 // bytes, by index
	head  uint32             // the oldest in flight; past tail if one was reported that then was not sent
	sent  uint32             // one past the last confirmed
	tail  uint32             // one past the last pushed
	shift uint32             // the system's number - index

	early    bool // a number came that may have been given out meanwhile
	earlyNum uint32
}

// sum is a number of packets and their bytes.
type sum struct {
	packets int
	bytes   int64
}

func (s *sum) add(o sum) {
	s.packets += o.packets
	s.bytes += o.bytes
}

// before tells whether index a comes before b; the two are never 2^31 apart.
func before(a, b uint32) bool { return int32(a-b) < 0 }

// held is how many confirmed packets are in flight.
func (f *flight) held() int { return max(0, int(int32(f.sent-f.head))) }

// room is how many can be pushed.
func (f *flight) room() int { return flightSize - max(0, int(int32(f.tail-f.head))) }

// push adds a packet that is about to be sent.
func (f *flight) push(bytes uint32) {
	f.len[f.tail%flightSize] = bytes
	f.tail++
}

// lose takes out a packet that was refused, by its place among those not
// confirmed, and returns what is not reported of it yet.
func (f *flight) lose(place int) (s sum) {
	i := f.sent + uint32(place)
	if !before(i, f.head) {
		s = sum{1, int64(f.len[i%flightSize])}
	} else {
		f.head--
	}
	for ; i+1 != f.tail; i++ {
		f.len[i%flightSize] = f.len[(i+1)%flightSize]
	}
	f.tail--
	return s
}

// confirm says that the first n of those not confirmed were sent, and the
// others were not. It returns what is known to be done by that.
func (f *flight) confirm(n int) sum {
	f.sent += uint32(n)
	f.tail = f.sent
	if !f.early {
		return sum{}
	}
	f.early = false
	return f.report(f.earlyNum)
}

// report takes the system's number of a datagram that has left: it has, and so
// have all before it. One that was reported before gives nothing.
func (f *flight) report(num uint32) sum {
	i := num - f.shift
	switch {
	case before(i, f.head):
		return sum{}
	case before(i, f.tail):
	case f.sent != f.tail:
		// Perhaps not all of what is being sent will be: wait for confirm.
		f.early, f.earlyNum = true, num
		i = f.sent - 1
	default:
		f.shift += i - (f.tail - 1)
		i = f.tail - 1
	}
	return f.popTo(i + 1)
}

// popTo takes out all before index end.
func (f *flight) popTo(end uint32) (s sum) {
	for ; before(f.head, end); f.head++ {
		s.packets++
		s.bytes += int64(f.len[f.head%flightSize])
	}
	return s
}

// leave takes out the oldest that cannot be among the charge bytes of buffer
// that were in use when index end was one past the last sent: those behind
// them account for it.
func (f *flight) leave(charge int64, end uint32) sum {
	i := end
	for charge > 0 && before(f.head, i) {
		i--
		charge -= truesize(f.len[i%flightSize])
	}
	return f.popTo(i)
}

// truesize is what a datagram of n bytes of payload takes of the send buffer,
// as measured on 64-bit Linux 6.18 with IPv4 and an MTU of 1500 bytes: a
// buffer of the next size up and 256 bytes, for each fragment.
func truesize(n uint32) int64 {
	const whole = 1472
	var charge int64
	if n > whole {
		charge = int64(n/whole) * 2304 // each but the last
		n %= whole
	}
	switch {
	case n < 200:
		return charge + 832
	case n < 648:
		return charge + 1280
	}
	return charge + 2304
}
