package txq

import (
	"time"

	"github.com/netsched/netsched/qdisc"
)

// alarm remembers one Wake until somebody waits for it.
type alarm chan struct{}

func newAlarm() alarm { return make(alarm, 1) }

// ring leaves a Wake, unless there is one already.
func (a alarm) ring() {
	select {
	case a <- struct{}{}:
	default:
	}
}

// rang takes the Wake, if there is one.
func (a alarm) rang() bool {
	select {
	case <-a:
		return true
	default:
		return false
	}
}

// runtimeTimer is a Timer on time.Timer.
type runtimeTimer struct {
	clock systemClock
	alarm alarm
	timer *time.Timer
}

func newRuntimeTimer(c systemClock) *runtimeTimer {
	t := &runtimeTimer{clock: c, alarm: newAlarm(), timer: time.NewTimer(time.Hour)}
	t.timer.Stop()
	return t
}

func (t *runtimeTimer) Wait(until qdisc.Time) {
	if until >= qdisc.Blocked {
		<-t.alarm
		return
	}
	t.timer.Reset(until.Sub(t.clock.Now()))
	select {
	case <-t.timer.C:
	case <-t.alarm:
		t.timer.Stop()
	}
}

func (t *runtimeTimer) Wake() { t.alarm.ring() }
func (t *runtimeTimer) Stop() { t.alarm.ring() }
