package txq

// Completed reports that a hardware queue is finished with packets and bytes
// more. The packets, the oldest of those that Run gave to a [Completer], go to
// Config.Free with Reason NotDropped. The bytes, 0 or more, are the limiter's:
// once for each completion interrupt, it gets their sum and may let the
// hardware queue go on.
//
// A device that copies what it is given may report packets at once and bytes
// later. One that has lost packets, its driver having been restarted, say,
// reports them as well: only it can know which it had. After Recv, and with a plain Device, packets is 0; a plain Device's
// bytes are reported by Run.
//
// It may be called from any goroutine, even before Write has returned or after
// Close. What is reported beyond what is in flight is ignored and counted; so
// are unknown queues, uncounted.
func (q *Queue) Completed(queue int, packets int, bytes int64) {
	if uint(queue) >= uint(len(q.hw)) {
		return
	}
	q.mu.Lock()
	h := &q.hw[queue]
	b := q.reap(h, packets)
	more := false
	if h.limiter != nil {
		more = q.credit(h, uint64(max(0, bytes)), q.clock.Now())
	}
	q.changed(more)
	q.handBack(b)
}

// reap takes n packets that are completed. Those that are still being written
// it remembers: Run has them.
func (q *Queue) reap(h *hwQueue, n int) (b *bag) {
	for ; n > 0; n-- {
		p := h.ring.Pop()
		if p == nil {
			early := min(n, h.writing-h.early)
			h.early += early
			h.stats.Excess += uint64(n - early)
			break
		}
		if b == nil {
			b = q.bag()
		}
		q.land(h, p)
		b.Push(p)
	}
	return b
}

// Stop makes a hardware queue take nothing until Wake: a device calls it when
// its ring is full, possibly in Write. Unknown queues are ignored.
func (q *Queue) Stop(queue int) {
	if uint(queue) >= uint(len(q.hw)) {
		return
	}
	q.mu.Lock()
	if !q.closed {
		q.events++
		q.stop(&q.hw[queue], off)
	}
	q.unlock()
}

// Wake ends Stop. A hardware queue that its limiter has stopped stays so.
func (q *Queue) Wake(queue int) {
	if uint(queue) >= uint(len(q.hw)) {
		return
	}
	q.mu.Lock()
	more := false
	if !q.closed {
		q.events++
		more = q.resume(&q.hw[queue], off)
	}
	q.changed(more)
}
