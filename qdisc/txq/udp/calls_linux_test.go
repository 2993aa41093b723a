package udp

import "testing"

// reportCalls reports the system calls a packet, sending and completions.
func reportCalls(b *testing.B, d *Device) {
	d.mu.Lock()
	e, _ := d.events.(*events)
	d.mu.Unlock()
	if err := d.Close(); err != nil {
		b.Fatal(err)
	}
	calls := d.send.calls
	if e != nil {
		calls += e.queue.calls
	}
	b.ReportMetric(float64(calls)/float64(b.N), "calls/op")
}
