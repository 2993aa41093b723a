package trace_test

import (
	"github.com/netsched/netsched/internal/trace"
	"github.com/netsched/netsched/qdisc"
)

// toy is a queue manager whose rules are only there to show every kind of
// event: it splits super-packets; marks packets of 777 bytes and drops those
// of 666 at the head; a packet of 555 bytes removes the oldest; one of
// 444 bytes leaves at time 3000. Its Peek parks.
type toy struct {
	qdisc.Base
	list    qdisc.List
	env     *trace.Env
	charge  int64
	headers int64
}

// filtered stands in for the reason of packets that an ACK filter removed.
const filtered = qdisc.Closed

func buildToy(h *trace.AQMHeader, env *trace.Env) (*trace.AQMTarget, error) {
	q := &toy{env: env}
	if err := q.Attend(env.Drops, nil); err != nil {
		return nil, err
	}
	limit := int64(env.Rand.Uint64())
	return &trace.AQMTarget{
		Qdisc: q,
		Limit: func() int64 { return limit },
		Change: func(now qdisc.Time, set []trace.Option) error {
			for _, o := range set {
				if o.Key != "drop" {
					return trace.Missing("option %s", o.Key)
				}
				q.PurgeParked()
			}
			return nil
		},
		Stat: func(name string, _ qdisc.Time) (int64, bool) {
			switch name {
			case "charge":
				return q.charge, true
			case "headers":
				return q.headers, true
			}
			return 0, false
		},
	}, nil
}

func (q *toy) Enqueue(p *qdisc.Packet, now qdisc.Time) qdisc.Verdict {
	now = q.Arrive(p, now)
	var segs qdisc.List
	if q.env.Split(p, &segs); segs.Empty() {
		segs.Push(p)
	} else {
		q.SplitInto(int(p.Segs))
	}
	for s := range segs.Drain() {
		if old := q.list.Head(); s.Len == 555 && old != nil {
			q.list.Pop()
			q.Release(old)
			q.Drop(old, filtered)
		}
		q.Accept(s, now)
		q.charge += int64(s.Truesize)
		q.headers += int64(len(q.env.Header(s)))
		q.list.Push(s)
	}
	return qdisc.Queued
}

func (q *toy) Dequeue(now qdisc.Time) *qdisc.Packet {
	now = q.Clock(now)
	if p := q.Unpark(); p != nil {
		return p
	}
	for {
		p := q.list.Head()
		if p == nil {
			return nil
		}
		if p.Len == 444 && now < 3000 {
			q.Wait(3000)
			return nil
		}
		q.list.Pop()
		q.Release(p)
		if p.Len == 666 {
			q.Drop(p, qdisc.HeadDrop)
			continue
		}
		if p.Len == 777 && p.Proto != 0 && p.DSField&3 != 0 {
			p.DSField |= 3
		}
		return p
	}
}

func (q *toy) Peek(now qdisc.Time) *qdisc.Packet {
	if q.Parked() == nil {
		if p := q.Dequeue(now); p != nil {
			q.Park(p)
		}
	}
	return q.Parked()
}

func (q *toy) Reset(now qdisc.Time) {
	q.Rewind(now)
	q.PurgeParked()
	q.PurgeList(&q.list)
}

// A super-packet of 3054 bytes holds 3000 of payload; each segment has 54 of
// headers.
const toyRun = `trace 1
qdisc toy
truesize 10
rand const 77
start 1000
begin
= 0 limit 77
E 1000 1 100 7 1 2 03 0
= 0 1 100
D 1000
= 1 03 0 0
E 1001 2 777 7 1 2 02 0
= 0 1 777
P 1001
= 2 03 1 777
D 1001
= 2 03 0 0 ce
E 1002 3 777 7 1 2 02 0 arp
= 0 1 777
D 1002
= 3 02 0 0
E 1003 4 3054 7 1 2 00 0 gso=1000
= 0 3 3162 g4:3
D 1003
= 4.0 00 2 2108
D 1003
= 4.1 00 1 1054
D 1003
= 4.2 00 0 0
E 1004 6 666 7 1 2 00 0
= 0 1 666
E 1004 7 666 7 1 2 00 0
= 0 2 1332
E 1004 8 50 7 1 2 00 0
= 0 3 1382
D 1004
= 8 00 0 0 x6:hs x7:hs
E 1005 9 60 7 1 2 00 0
= 0 1 60
E 1005 10 555 7 1 2 00 0
= 0 1 555 k9:hs
D 1005
= 10 00 0 0
E 1006 11 444 7 1 2 00 0
= 0 1 444
D 1006
= - - 1 444 w3000
P 3000
= 11 00 1 444
X 3000 drop 1
= 0 0 0 x11:hs
E 3001 12 88 7 1 2 00 0
= 0 1 88
Z 3002
= 0 0 0
D 3003
= - - 0 0
end
S sent_bytes 5865
S sent_packets 9
S dropped 3
S overlimits 0
S qlen 0
S backlog 0
S charge 7475
S headers 372
`
