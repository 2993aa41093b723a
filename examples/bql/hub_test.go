package main

import (
	"slices"
	"testing"

	"github.com/netsched/netsched/qdisc"
)

// talk keeps a station busy and notes when its frames were delivered.
type talk struct {
	st               *station
	begun, delivered int
	ends             []qdisc.Time
}

func (k *talk) next() {
	k.begun++
	k.st.transmit(&qdisc.Packet{Len: frameLen}, func(ok bool) {
		if ok {
			k.delivered++
			k.ends = append(k.ends, k.st.hub.sim.now)
		}
		k.next()
	})
}

const onAir = preamble + (frameLen+checkBytes)*8*bitTime

// TestAlone: a station alone sends back to back, a gap apart, and never
// collides.
func TestAlone(t *testing.T) {
	s := new(sim)
	h := newHub(s, 1)
	k := &talk{st: h.attach()}
	h.attach() // says nothing
	k.next()
	s.run(second)
	if want := int(second / (gap + onAir)); k.delivered != want || h.collisions != 0 {
		t.Errorf("%d frames, %d collisions; want %d and none", k.delivered, h.collisions, want)
	}
	for i, end := range k.ends {
		if want := qdisc.Time(i+1) * (gap + onAir); end != want {
			t.Fatalf("frame %d ends at %v, want %v", i, end, want)
		}
	}
}

// TestVulnerable: a station that starts within the propagation delay of another
// collides, one that starts later defers.
func TestVulnerable(t *testing.T) {
	for _, c := range []struct {
		after      qdisc.Time
		collisions bool
	}{
		{0, true},
		{propagation - 1, true},
		{propagation, false},
		{onAir / 2, false},
	} {
		s := new(sim)
		h := newHub(s, 1)
		a, b := h.attach(), h.attach()
		var ends []qdisc.Time
		done := func(ok bool) {
			if ok {
				ends = append(ends, s.now)
			}
		}
		s.at(millisecond, func() { a.transmit(&qdisc.Packet{Len: frameLen}, done) })
		s.at(millisecond+c.after, func() { b.transmit(&qdisc.Packet{Len: frameLen}, done) })
		s.run(second)
		if (h.collisions > 0) != c.collisions || len(ends) != 2 {
			t.Errorf("%v after: %d collisions, %d frames", c.after, h.collisions, len(ends))
		}
		if first := millisecond + onAir; !c.collisions && (ends[0] != first || ends[1] != first+gap+onAir) {
			t.Errorf("%v after: frames end at %v", c.after, ends)
		}
	}
}

// TestShared: whatever stations do, each frame ends once, no two overlap, and
// those that collide too often are given up.
func TestShared(t *testing.T) {
	for _, stations := range []int{2, 5, 40} {
		s := new(sim)
		h := newHub(s, 3)
		var all []*talk
		for range stations {
			all = append(all, &talk{st: h.attach()})
		}
		for _, k := range all {
			k.next()
		}
		s.run(10 * second)
		var ends []qdisc.Time
		givenUp := 0
		for _, k := range all {
			ends = append(ends, k.ends...)
			givenUp += k.st.givenUp
			if k.begun != k.delivered+k.st.givenUp+1 {
				t.Errorf("%d stations: %d frames begun, %d delivered, %d given up", stations, k.begun, k.delivered, k.st.givenUp)
			}
		}
		slices.Sort(ends)
		for i := 1; i < len(ends); i++ {
			if ends[i]-ends[i-1] < gap+onAir {
				t.Fatalf("%d stations: frames end at %v and %v", stations, ends[i-1], ends[i])
			}
		}
		if use := float64(len(ends)) * float64(onAir) / float64(10*second); use < .8 || use > 1 {
			t.Errorf("%d stations: the medium carries frames %.3f of the time", stations, use)
		}
		if h.collisions == 0 || givenUp == 0 {
			t.Errorf("%d stations: %d collisions, %d frames given up", stations, h.collisions, givenUp)
		}
	}
}

// TestSimOrder: events of one instant run as they were asked for, and none runs
// in the past or after the end.
func TestSimOrder(t *testing.T) {
	s := new(sim)
	var got []int
	note := func(n int) func() { return func() { got = append(got, n) } }
	s.at(20, note(3))
	s.at(10, func() {
		got = append(got, 1)
		s.at(20, note(4))
		s.at(5, note(2)) // at once
	})
	s.at(21, note(5))
	s.run(20)
	if !slices.Equal(got, []int{1, 2, 3, 4}) || s.now != 20 {
		t.Errorf("ran %v until %v", got, s.now)
	}
}
