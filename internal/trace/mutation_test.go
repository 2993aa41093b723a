package trace_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/netsched/netsched/internal/trace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mutate returns a field changed to something as plausible but wrong.
func mutate(field string) string {
	if key, value, ok := strings.Cut(field, "="); ok && key != "" {
		if packets, bytes, pair := strings.Cut(value, "/"); pair {
			return key + "=" + mutate(packets) + "/" + bytes
		}
		return key + "=" + mutate(value)
	}
	if v, err := strconv.ParseUint(field, 10, 64); err == nil && field != "00" && field != "02" && field != "01" {
		return strconv.FormatUint(v+1, 10)
	}
	if tag := regexp.MustCompile(`^([xkgw])(\d+)(.*)$`).FindStringSubmatch(field); tag != nil {
		return tag[1] + mutate(tag[2]) + tag[3]
	}
	wrong := map[string]string{
		"02": "03", "01": "02", "00": "01", "ff": "fe", "ok": "cn", "no": "ok", "drop": "cn", "cn": "ok", "nocls": "drop",
		"accept": "drop", "p0": "p1", "p1": "p0", "ENXIO": "ENETDOWN", "ENETDOWN": "ENXIO", "-": "9", "!": "", "ce": "",
		"err": "ok",
	}
	if w, ok := wrong[field]; ok {
		return w
	}
	return field + "?"
}

// outcomes returns where each outcome field of a line begins and ends. The
// fields that a replay does not compare are in ignored.
func outcomes(line string, ignored *regexp.Regexp) [][]int {
	from := -1
	switch first, _, _ := strings.Cut(line, " "); {
	case first == "=":
		from = 2
	case strings.Contains(line, " = "):
		from = strings.Index(line, " = ") + 3
	case first == "S" && strings.Count(line, " ") == 2 && !strings.ContainsAny(line[2:3], "0123456789"):
		from = 2
	case first == "Q", first == "end" && strings.Contains(line, "="):
		from = len(first) + 1
	case first == "K", first == "info", first == "stat", first == "count":
		from = strings.Index(line, "=")
		from = strings.LastIndex(line[:from], " ") + 1
	default:
		return nil
	}
	var spans [][]int
	for _, s := range regexp.MustCompile(`\S+`).FindAllStringIndex(line[from:], -1) {
		s[0], s[1] = s[0]+from, s[1]+from
		if ignored == nil || !ignored.MatchString(line[:s[1]]) {
			spans = append(spans, s)
		}
	}
	return spans
}

// TestEveryOutcomeIsCompared changes each outcome field of short runs, one at
// a time. A replay that then still passes would compare nothing there.
func TestEveryOutcomeIsCompared(t *testing.T) {
	never := regexp.MustCompile(` - \d+ (\d+|-)$`) // the wake-up of kinds that ask for none
	empty := regexp.MustCompile(` - 0 -$`)         // a wake-up with nothing held
	cases := []struct {
		name, run string
		ignored   *regexp.Regexp
		fields    int // at least
	}{
		{"pfifo", fifoRun, regexp.MustCompile(` t\S+$`), 60},
		{"pfifo_head_drop", headDropRun, regexp.MustCompile(` t\S+$`), 20},
		{"tbf", tbfRun, empty, 40},
		{"prio", prioRun, never, 50},
		{"priq", priqRun, regexp.MustCompile(`period=\S+$`), 25},
		{"dql", dqlRun, nil, 66},
		{"lagg", laggRun, nil, 20},
		{"hash", hashRun, nil, 2},
		{"toy", toyRun, nil, 60},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			res := replay(t, c.run)
			require.Equal(t, trace.Passed, res.Status, "%v", res)
			lines := strings.Split(c.run, "\n")
			fields := 0
			for i, line := range lines {
				for _, s := range outcomes(line, c.ignored) {
					fields++
					changed := append([]string{}, lines...)
					changed[i] = line[:s[0]] + mutate(line[s[0]:s[1]]) + line[s[1]:]
					run, err := trace.Read(c.name, strings.NewReader(strings.Join(changed, "\n")))
					if err != nil {
						continue // not even readable
					}
					res := models().Replay(run)
					assert.Equal(t, trace.Failed, res.Status, "line %d: %q became %q", i+1, line, changed[i])
				}
			}
			assert.GreaterOrEqual(t, fields, c.fields)
		})
	}
}

// TestLostAndAddedOutcomes removes and adds what is not a field of every line.
func TestLostAndAddedOutcomes(t *testing.T) {
	cases := []struct{ name, run, was, is string }{
		{"drop not recorded", fifoRun, " x3:ns t1:50", ""},
		{"drop not replayed", fifoRun, "= 0 2 300\n", "= 0 2 300 x1:ho\n"},
		{"mark not replayed", fifoRun, "= 1 02 1 200\n", "= 1 02 1 200 ce\n"},
		{"packet not recorded", fifoRun, "= 4 ff 0 0", "= - - 0 0"},
		{"packet not replayed", fifoRun, "= - - 0 0", "= 4 ff 0 0"},
		{"refused change", fifoRun, "X 1003 limit 5", "X 1003 limit -5"},
		{"mark not recorded", toyRun, "= 2 03 0 0 ce", "= 2 03 0 0"},
		{"mark of a packet that came marked", toyRun, "= 1 03 0 0\n", "= 1 03 0 0 ce\n"},
		{"split not recorded", toyRun, " g4:3", ""},
		{"drops in another order", toyRun, "x6:hs x7:hs", "x7:hs x6:hs"},
		{"filtered as dropped", toyRun, "k9:hs", "x9:hs"},
		{"wake-up", toyRun, " w3000", " w3001"},
		{"drop not recorded", tbfRun, "drop 3\n", "drop\n"},
		{"drop of a reset", tbfRun, "R 1002500002 = ok drop 6", "R 1002500002 = ok"},
		{"wake-up not recorded", tbfRun, "- 1 1001000000", "- 1 -"},
		{"at once", tbfRun, "- 1 1001000000", "- 1 work"},
		{"blocked queue", prioRun, "T 1006 = ! 4", "T 1006 = 4"},
		{"error", prioRun, "G 1012 bands 1 = err 22", "G 1012 bands 1 = ok"},
		{"class of no number", prioRun, "K 2 bytes", "K 3 bytes"},
		{"unknown statistic", prioRun, "K 2 bytes", "K 2 lends=0 bytes"},
		{"mark not replayed", priqRun, "D 50 = 4", "D 50 = 4 ce"},
		{"drop not recorded", priqRun, "no drop 3", "no"},
		{"no primary", laggRun, "= p1 primary p1", "= p1 primary -"},
		{"not sent", laggRun, "T 4 99 = p0", "T 4 99 = drop ENOENT"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			require.Contains(t, c.run, c.was)
			res := replay(t, strings.Replace(c.run, c.was, c.is, 1))
			assert.Equal(t, trace.Failed, res.Status, "%v", res)
		})
	}
}

// TestIgnoredRemarks: what the formats call derived makes no difference.
func TestIgnoredRemarks(t *testing.T) {
	cases := []struct{ name, run, was, is string }{
		{"where the packet stood", fifoRun, "x3:ns", "x3:mo"},
		{"what the parent is told", fifoRun, " t1:50", ""},
		{"comments", fifoRun, "X 1003", "# remark\nX 1003"},
		{"wake-up with nothing held", tbfRun, "= - 0 -", "= - 0 1001"},
		{"criterion", tbfRun, "D 1001000000 = 2", "D 1001000000 = 2 l"},
		{"wake-up of a kind that asks for none", prioRun, "= - 0 -", "= - 0 1013"},
		{"order of the drops of a reset", prioRun, "= ok drop 7 11", "= ok drop 11 7"},
		{"advisory times", priqRun, "D 0 = -", "D 0 = - next 5 wake 7"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			require.Contains(t, c.run, c.was)
			res := replay(t, strings.Replace(c.run, c.was, c.is, 1))
			assert.Equal(t, trace.Passed, res.Status, "%v", res)
		})
	}
}

// replay replays a run with the models of these tests and all that is
// registered.
func replay(t *testing.T, raw string) trace.Result {
	t.Helper()
	run, err := trace.Read("run", strings.NewReader(raw))
	require.NoError(t, err)
	return models().Replay(run)
}
