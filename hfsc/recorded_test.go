package hfsc_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/hfsc"
	"github.com/netsched/netsched/internal/trace"
	_ "github.com/netsched/netsched/internal/trace/builders"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
)

// TestRecordedMarks: in recorded runs of Linux the criterion that chose each
// packet is the same, too. (That packets, drops, wake-ups and the inner state
// at the end are the same is for the replay to find.)
func TestRecordedMarks(t *testing.T) {
	for name, lines := range recorded(t, "classful/hfsc-*.trace.gz") {
		t.Run(name, func(t *testing.T) {
			run, err := trace.Read(name, strings.NewReader(strings.Join(lines, "\n")+"\n"))
			require.NoError(t, err)
			res := trace.Replay(run)
			require.Equal(t, trace.Passed, res.Status, "%v", res)

			q := newHFSC(t, hfsc.Config{Compat: qdisc.Linux})
			of := map[string]uint32{} // class by packet
			marks := 0
			for _, line := range lines {
				w := strings.Fields(line)
				if len(w) == 0 {
					continue
				}
				switch w[0] {
				case "dev":
					cfg := q.Config()
					cfg.Limit = new(int(number(t, w[8])))
					require.NoError(t, q.Change(cfg, 0))
				case "start":
					q.Reset(qdisc.Time(number(t, w[1])))
				case "qdisc":
					cfg := q.Config()
					cfg.Default = uint32(number(t, w[3]))
					require.NoError(t, q.Change(cfg, 0))
				case "class":
					addRecorded(t, q, w[1:], 0)
				case "A":
					addRecorded(t, q, w[2:], qdisc.Time(number(t, w[1])))
				case "C":
					class := uint32(number(t, w[2]))
					cfg, ok := q.Class(class)
					require.True(t, ok)
					curves(t, &cfg, w[3:])
					require.NoError(t, q.ChangeClass(class, cfg, qdisc.Time(number(t, w[1]))))
				case "X":
					require.NoError(t, q.RemoveClass(uint32(number(t, w[2])), qdisc.Time(number(t, w[1]))))
				case "E":
					p := packet(uint32(number(t, w[4])), uint32(number(t, w[3])))
					of[w[2]] = p.Class
					if q.Child(p.Class) == nil {
						of[w[2]] = q.Config().Default
					}
					q.Enqueue(p, qdisc.Time(number(t, w[1])))
				case "D", "P":
					if q.Parked() != nil || w[3] == "-" {
						take(q, w)
						continue
					}
					before := stats(t, q, of[w[3]]).RealTime.Packets
					take(q, w)
					mark := "l"
					if stats(t, q, of[w[3]]).RealTime.Packets > before {
						mark = "r"
					}
					require.Equal(t, w[4], mark, line)
					marks++
				}
			}
			require.NotZero(t, marks)
		})
	}
}

func take(q *hfsc.HFSC, w []string) {
	now, err := time.ParseDuration(w[1] + "ns")
	if err != nil {
		panic(err)
	}
	if w[0] == "D" {
		q.Dequeue(qdisc.Time(now))
	} else {
		q.Peek(qdisc.Time(now))
	}
}

// addRecorded makes a class of its words: number, "parent", number, curves and
// perhaps a limit.
func addRecorded(t *testing.T, q *hfsc.HFSC, w []string, now qdisc.Time) {
	cfg := hfsc.ClassConfig{Parent: uint32(number(t, w[2]))}
	curves(t, &cfg, w[3:])
	for i, key := range w {
		if key == "limit" {
			limit := fifo.Config{Limit: new(int(number(t, w[i+2])))}
			if w[i+1] == "bfifo" {
				limit = fifo.Config{LimitBytes: new(number(t, w[i+2]))}
			}
			leaf, err := fifo.New(limit)
			require.NoError(t, err)
			cfg.Child = leaf
		}
	}
	require.NoError(t, q.AddClass(uint32(number(t, w[0])), cfg, now))
}

// curves reads "rt m1 d m2" and its like: bytes/s and microseconds.
func curves(t *testing.T, cfg *hfsc.ClassConfig, w []string) {
	for i, key := range w {
		var to *hfsc.Curve
		switch key {
		case "rt":
			to = &cfg.RealTime
		case "ls", "sc":
			to = &cfg.LinkShare
		case "ul":
			to = &cfg.UpperLimit
		default:
			continue
		}
		*to = hfsc.Curve{
			M1: 8 * qdisc.Rate(number(t, w[i+1])), D: time.Duration(number(t, w[i+2])) * time.Microsecond, M2: 8 * qdisc.Rate(number(t, w[i+3])),
		}
		if key == "sc" {
			cfg.RealTime = *to
		}
	}
}
