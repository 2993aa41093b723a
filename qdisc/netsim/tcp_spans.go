package netsim

// spans is a set of bytes as blocks in ascending order that neither overlap nor
// touch: what a receiver holds beyond a gap, and what its sender knows of that.
// Slow start that ends in a full queue can leave one for every other segment of
// a window. So there is room before the first block as there is after the last:
// blocks mostly come at the end and go at the start, and those between move
// towards the nearer one.
type spans struct {
	list []Block // a part of room
	room []Block
}

// search returns the number of the first block that ends after seq.
func (s *spans) search(seq uint64) int {
	lo, hi := 0, len(s.list)
	if hi > 0 && s.list[hi-1].Start <= seq { // most questions are about the end
		lo = hi - 1
	}
	for lo < hi {
		mid := (lo + hi) / 2
		if s.list[mid].End > seq {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// find returns the block that seq lies in.
func (s *spans) find(seq uint64) (Block, bool) {
	if i := s.search(seq); i < len(s.list) && s.list[i].Start <= seq {
		return s.list[i], true
	}
	return Block{}, false
}

// gap returns the first part of b that is not in the set, empty if all is.
func (s *spans) gap(b Block) Block {
	i := s.search(b.Start)
	if i < len(s.list) && s.list[i].Start <= b.Start {
		b.Start = min(s.list[i].End, b.End)
		i++
	}
	if i < len(s.list) {
		b.End = min(b.End, max(s.list[i].Start, b.Start))
	}
	return b
}

// add puts b into the set and returns how many of its bytes are new.
func (s *spans) add(b Block) uint64 {
	if b.Start >= b.End {
		return 0
	}
	i := s.search(b.Start)
	if i > 0 && s.list[i-1].End == b.Start {
		i--
	}
	j, fresh := i, b.Len()
	all := b
	for ; j < len(s.list) && s.list[j].Start <= b.End; j++ {
		fresh -= min(s.list[j].End, b.End) - max(s.list[j].Start, b.Start)
		all.Start, all.End = min(all.Start, s.list[j].Start), max(all.End, s.list[j].End)
	}
	if i == j {
		s.insert(i)
	} else {
		s.remove(i+1, j)
	}
	s.list[i] = all
	return fresh
}

// removeBelow takes all bytes before seq out of the set.
func (s *spans) removeBelow(seq uint64) {
	s.list = s.list[s.search(seq):]
	if len(s.list) > 0 {
		s.list[0].Start = max(s.list[0].Start, seq)
	}
}

// remove takes out the blocks from i up to but not including j.
func (s *spans) remove(i, j int) {
	if i < len(s.list)-j {
		copy(s.list[j-i:j], s.list[:i])
		s.list = s.list[j-i:]
		return
	}
	copy(s.list[i:], s.list[j:])
	s.list = s.list[:len(s.list)-(j-i)]
}

// insert makes room for a block before block i.
func (s *spans) insert(i int) {
	before := len(s.room) - cap(s.list) // free places in front
	switch {
	case i < len(s.list)/2 && before > 0:
		s.list = s.room[before-1 : before+len(s.list)]
		copy(s.list[:i], s.list[1:i+1])
		return
	case len(s.list) == cap(s.list):
		if before <= len(s.list) {
			s.room = make([]Block, max(16, 2*len(s.room)))
		}
		copy(s.room, s.list)
		s.list = s.room[:len(s.list)]
	}
	s.list = s.list[:len(s.list)+1]
	copy(s.list[i+1:], s.list[i:])
}
