package netsim

import "github.com/netsched/netsched/qdisc"

// tcpReceiver is the receiving endpoint. Its application takes data at once.
type tcpReceiver struct {
	tcp     *TCP
	nxt     uint64            // next byte expected
	beyond  spans             // received after a gap
	recent  [maxBlocks]uint64 // a byte of each block to report, the latest first; 0: none
	highest uint64            // Packet.Seq so far

	ts      qdisc.Time // to echo
	acked   uint64     // latest acknowledgement sent
	pending int        // segments in order not acknowledged
	echo    bool       // a mark is to be told until the sender has answered (RFC 3168)
	packets uint64     // acknowledgements sent
	delayed *Timer

	run      Segment // being gathered: from Seq, Bytes long
	segments int     // in it
	marked   bool    // they carry CE
	flush    *Timer
}

func (r *tcpReceiver) init(t *TCP) {
	r.tcp = t
	r.delayed = t.sim.NewTimer(r.acknowledge)
	r.flush = t.sim.NewTimer(r.deliver)
}

// Receive takes a packet of data; a super-packet counts as its segments.
func (r *tcpReceiver) Receive(p *Packet) {
	seg, marked, size, seq := p.TCP, p.ECN() == qdisc.CE, uint32(p.SegSize), p.Seq
	if p.Segs <= 1 || size == 0 {
		size = seg.Bytes
	}
	r.tcp.sim.Free(p)
	if seg.Flags&SYN != 0 {
		r.ts = max(r.ts, seg.TSVal)
		r.reply(SYN)
		return
	}
	if seq < r.highest {
		r.tcp.stats.Reordered++
	}
	r.highest = max(r.highest, seq)
	for rest := seg.Bytes; rest > 0; {
		seg.Bytes = min(size, rest)
		r.gather(&seg, marked)
		seg.Seq += uint64(seg.Bytes)
		seg.Flags &^= CWR
		rest -= seg.Bytes
	}
}

// gather adds a segment to the run, if receive offload is on, and delivers what
// does not fit together.
func (r *tcpReceiver) gather(seg *Segment, marked bool) {
	stats, c := &r.tcp.stats, &r.tcp.cfg
	stats.Arrived++
	if marked {
		stats.Marked++
	}
	if r.segments > 0 {
		if r.run.Seq+uint64(r.run.Bytes) == seg.Seq && r.marked == marked && seg.Flags&CWR == 0 {
			r.run.Bytes += seg.Bytes
			if r.segments++; r.segments >= c.CoalesceSegs {
				r.deliver()
			}
			return
		}
		r.deliver()
	}
	r.run, r.segments, r.marked = *seg, 1, marked
	if c.Coalesce == 0 || c.CoalesceSegs == 1 {
		r.deliver()
		return
	}
	r.flush.Set(r.tcp.sim.now.Add(c.Coalesce))
}

// deliver takes the run as received.
func (r *tcpReceiver) deliver() {
	r.flush.Stop()
	seg, segments := r.run, r.segments // a path without delay may lead back here from OnDeliver
	r.segments = 0
	r.tcp.stats.Runs++
	urgent := r.mark(&seg)
	if seg.Seq <= r.acked { // RFC 7323, section 4.3
		r.ts = seg.TSVal
	}
	b := Block{seg.Seq, seg.Seq + uint64(seg.Bytes)}
	inOrder := b.Start <= r.nxt
	gap := len(r.beyond.list) > 0
	fresh := r.place(b)
	if again := uint64(seg.Bytes) - fresh; again > 0 {
		r.tcp.stats.Spurious += (again + r.tcp.snd.board.mss - 1) / r.tcp.snd.board.mss
		urgent = true
	}
	r.pending += segments
	// RFC 5681, section 4.2: at once out of order, and as a gap is filled.
	if urgent || !inOrder || gap || r.pending >= r.tcp.cfg.AckEvery {
		r.acknowledge()
	} else if !r.delayed.Pending() {
		r.delayed.Set(r.tcp.sim.now.Add(r.tcp.cfg.AckDelay))
	}
}

// mark handles the bits of ECN and tells whether the sender should know soon.
func (r *tcpReceiver) mark(seg *Segment) (urgent bool) {
	if seg.Flags&CWR != 0 {
		r.echo = false
	}
	if r.marked && !r.echo {
		r.echo, urgent = true, true
	}
	return urgent
}

// place stores the bytes and returns how many of them are new. Those that are
// in order go to the application.
func (r *tcpReceiver) place(b Block) (fresh uint64) {
	if b.Start > r.nxt {
		fresh = r.beyond.add(b)
		r.report(b.Start)
		return fresh
	}
	if b.End <= r.nxt {
		return 0
	}
	b.Start = r.nxt
	fresh = r.beyond.add(b)
	r.nxt = r.beyond.list[0].End
	r.beyond.removeBelow(r.nxt)
	if f := r.tcp.cfg.OnDeliver; f != nil {
		f(r.tcp.sim.now, r.nxt-b.Start)
	}
	return fresh
}

// report puts the block that seq lies in first among those to be reported.
func (r *tcpReceiver) report(seq uint64) {
	b, _ := r.beyond.find(seq)
	old := r.recent
	r.recent = [maxBlocks]uint64{seq}
	n := 1
	for _, o := range old {
		if n < maxBlocks && (o < b.Start || o >= b.End) {
			r.recent[n] = o
			n++
		}
	}
}

// acknowledge sends an acknowledgement.
func (r *tcpReceiver) acknowledge() { r.reply(0) }

func (r *tcpReceiver) reply(flags SegmentFlags) {
	r.delayed.Stop()
	r.pending = 0
	t := r.tcp
	p := t.packet(&t.snd, tcpHeader, &r.packets)
	p.Flow, p.SrcHost, p.DstHost = ^p.Flow, p.DstHost, p.SrcHost
	seg := &p.TCP
	seg.Ack, seg.TSEcr, seg.Flags = r.nxt, r.ts, flags
	if r.echo {
		seg.Flags |= ECE
	}
	for _, seq := range r.recent {
		if b, ok := r.beyond.find(seq); ok {
			seg.SACK[seg.Blocks] = b
			seg.Blocks++
		}
	}
	if seg.Blocks > 0 {
		p.Len += sackHeader + sackBlock*uint32(seg.Blocks)
	}
	r.acked = r.nxt
	t.stats.Acks++
	t.sim.Note(Emitted, t.cfg.Name, p)
	t.cfg.Reverse.Receive(p)
}
