package trace

import "fmt"

// Param is one parameter of a configuration line of the second format: a key
// and the numbers after it (none for a flag such as bounded).
type Param struct {
	Key    string
	Values []int64
}

// Int returns the only number, and an error if there is not exactly one.
func (p Param) Int() (int64, error) {
	if len(p.Values) != 1 {
		return 0, fmt.Errorf("%s takes one number, not %d", p.Key, len(p.Values))
	}
	return p.Values[0], nil
}

// Fit converts a number from a run, which must not be negative, to the type of
// a configuration's field, and refuses what the type cannot hold.
func Fit[T ~int | ~uint8 | ~uint16 | ~uint32 | ~uint64](v int64) (T, error) {
	t := T(v)
	if v < 0 || int64(t) != v {
		return 0, fmt.Errorf("%d does not fit %T", v, t)
	}
	return t, nil
}

// Params are the parameters of one line, in order.
type Params []Param

// Ints returns the parameters as key to number and refuses any of another
// shape, for the many lines where each takes one number.
func (l Params) Ints() (map[string]int64, error) {
	m := make(map[string]int64, len(l))
	for _, p := range l {
		v, err := p.Int()
		if err != nil {
			return nil, err
		}
		m[p.Key] = v
	}
	return m, nil
}

// parseParams reads parameters up to the end of the line or the next "=".
func parseParams(s *scanner) Params {
	var l Params
	for s.more() && s.peek() != "=" {
		w := s.word("parameter")
		if v, ok := number(w); ok {
			if len(l) == 0 {
				s.fail("%s stands before any parameter", w)
				return nil
			}
			last := &l[len(l)-1]
			last.Values = append(last.Values, v)
		} else {
			l = append(l, Param{Key: w})
		}
	}
	return l
}

// LeafLimit is the limit of a leaf queue.
type LeafLimit struct {
	Bytes bool // else packets
	N     int64
}

// takeLimit takes "limit pfifo n" or "limit bfifo n" out of the parameters of
// a class.
func (l *Params) takeLimit() *LeafLimit {
	for i, p := range *l {
		if p.Key == "limit" && len(p.Values) == 0 && i+1 < len(*l) {
			next := (*l)[i+1]
			if (next.Key == "pfifo" || next.Key == "bfifo") && len(next.Values) == 1 {
				*l = append((*l)[:i:i], (*l)[i+2:]...)
				return &LeafLimit{next.Key == "bfifo", next.Values[0]}
			}
		}
	}
	return nil
}
