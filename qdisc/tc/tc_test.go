package tc

import (
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/netsched/netsched/internal/units"
	"github.com/netsched/netsched/qdisc"
	"github.com/netsched/netsched/qdisc/fifo"
	"github.com/netsched/netsched/qdisc/prio"
	"github.com/netsched/netsched/qdisc/tbf"
)

func TestNewShows(t *testing.T) {
	for words, shown := range map[string]string{
		"pfifo":                            "pfifo limit 1000p",
		"bfifo":                            "bfifo limit 1514000b",
		"pfifo_head_drop":                  "pfifo_head_drop limit 1000p",
		"  pfifo\tlimit  0x10 ":            "pfifo limit 16p",
		"pfifo limit 5 limit 6":            "pfifo limit 6p",
		"pfifo limit 0":                    "pfifo limit 0p",
		"bfifo limit 2k":                   "bfifo limit 2Kb",
		"prio":                             "prio bands 3 priomap 1 2 2 2 1 2 0 0 1 1 1 1 1 1 1 1",
		"prio bands 16":                    "prio bands 16 priomap 1 2 2 2 1 2 0 0 1 1 1 1 1 1 1 1",
		"prio priomap 0 1 0":               "prio bands 3 priomap 0 1 0 2 1 2 0 0 1 1 1 1 1 1 1 1",
		"prio bands 4 bands 5 priomap 4":   "prio bands 5 priomap 4 2 2 2 1 2 0 0 1 1 1 1 1 1 1 1",
		"prio bands 2 priomap 1 1 1 1 1 1": "prio bands 2 priomap 1 1 1 1 1 1 0 0 1 1 1 1 1 1 1 1",

		"tbf rate 10mbit burst 5kb latency 50ms":                        "tbf rate 10Mbit burst 5Kb lat 50ms",
		"tbf lat 50ms b 5kb/8 rate 10mbit":                              "tbf rate 10Mbit burst 5Kb lat 50ms",
		"tbf rate 10mbit maxburst 5kb lim 20000":                        "tbf rate 10Mbit burst 5Kb lat 11.9ms",
		"tbf rate 10mbit buffer 5kb limit 5kb":                          "tbf rate 10Mbit burst 5Kb lat 0us",
		"tbf rate 8 burst 1 limit 0":                                    "tbf rate 8bit burst 1b limit 0b",
		"tbf rate 1mbit burst 2k peak 2mbit minburst 1500 latency 10ms": "tbf rate 1Mbit burst 2Kb peakrate 2Mbit minburst 1500b lat 10ms",
		// The peak bucket empties first: 1 Mbit/s for 10 ms and 10000 bytes, or
		// 1.1 Mbit/s for 10 ms and 1500 bytes.
		"tbf rate 1mbit burst 10000 peakrate 1.1mbit mtu 1500 latency 10ms": "tbf rate 1Mbit burst 10000b peakrate 1100Kbit minburst 1500b lat 10ms",
		"tbf rate 1mbit burst 1500 limit 9999 mpu 2000":                     "tbf rate 1Mbit burst 2000b lat 64ms",
		"tbf rate 1mbit burst 40 limit 10 linklayer adsl over 9":            "tbf rate 1Mbit burst 106b limit 10b overhead 9 linklayer atm",
		"tbf rate 100gbit burst 1mb latency 10ms":                           "tbf rate 100Gbit burst 1Mb lat 10ms",
	} {
		q, err := New(words, Options{})
		require.NoError(t, err, words)
		assert.Equal(t, shown, Show(q), words)
	}
}

// TestNewRefuses: the error names the kind, the word and what would be right.
func TestNewRefuses(t *testing.T) {
	const good = "tbf rate 1mbit burst 2k limit 9k "
	for words, want := range map[string]string{
		"":                  "kind is missing; use bfifo, cake, cbq, codel, fq_codel, hfsc, mq",
		"nosuch":            `"nosuch"; use bfifo, cake, cbq, codel, fq_codel, hfsc, mq, multiq, pfifo, pfifo_fast, pfifo_head_drop, prio, tbf`,
		"PFIFO":             `unknown kind "PFIFO"`,
		"pfifo limit":       "pfifo: limit needs a value",
		"pfifo lim 3":       `pfifo: unknown option "lim"; use limit`,
		"pfifo limit 3000p": `limit "3000p": not a whole number`,
		"pfifo limit 3000b": "not a whole number",
		"bfifo limit 4gb":   "below 2^32",
		"pfifo_head_drop x": `pfifo_head_drop: unknown option "x"`,

		"prio bands":                   "prio: bands needs a value",
		"prio band 3":                  `unknown option "band"; use bands, priomap`,
		"prio bands 0x3":               "not a whole number",
		"prio bands 0":                 "2 to 16",
		"prio bands 1":                 "2 to 16",
		"prio bands 17":                "2 to 16",
		"prio bands 4294967295":        "2 to 16",
		"prio bands 1024 priomap 1023": "2 to 16",
		"prio bands 2":                 "bands 2 needs priomap for all priorities: by default priority 1 has band 2",
		"prio priomap":                 "needs the band",
		"prio priomap 0 bands 4":       "bands must come before priomap",
		"prio priomap 0 priomap 1":     `priomap "priomap"`,
		"prio priomap 3":               "no band 3; with bands 3 they are 0 to 2",
		"prio priomap -1":              `priomap "-1"`,
		"prio bands 4 multiqueue":      "multiq",
		"prio priomap 0x1":             "not a whole number",

		"tbf":                                         "rate is required",
		"tbf rate 1mbit limit 1k":                     "burst is required",
		"tbf rate 7 burst 2k limit 1k":                "at least 8bit",
		"tbf rate 1mbit burst 0 limit 1k":             "holds at least one packet",
		"tbf rate 1mbit burst 2k":                     "either limit or latency is required",
		good + "latency 1ms":                          "not both",
		good + "rate 2mbit":                           "rate is given twice",
		good + "maxburst 1k":                          "burst is given twice",
		good + "mtu 1k minburst 1k":                   "mtu is given twice",
		good + "mpu 64 mpu 64":                        "mpu is given twice",
		good + "overhead 1 overhead 1":                "overhead is given twice",
		good + "linklayer atm linklayer atm":          "linklayer is given twice",
		good + "peakrate 2mbit":                       "peakrate needs mtu",
		good + "peakrate 2mbit mtu 0":                 "peakrate needs mtu",
		good + "peakrate 0 mtu 1500":                  "peakrate is at least 8bit",
		good + "peakrate 1mbit mtu 1500":              "must exceed Rate",
		good + "overhead 65536":                       "overhead 65536: too large",
		good + "overhead -1":                          "not a whole number",
		good + "mpu 64k":                              "0 to 65535",
		good + "linklayer token":                      `unknown linklayer "token"; use ethernet, atm, adsl`,
		good + "linklayer a":                          `linklayer "a" may mean atm or adsl`,
		good + "linklayer":                            "needs a value",
		good + "l 3":                                  `option "l" may mean limit or latency or linklayer`,
		good + "mt 3":                                 `unknown option "mt"`,
		good + "trailing":                             `unknown option "trailing"`,
		"tbf rate 10% burst 2k limit 1k":              "share of the device's speed",
		"tbf rate 1Mb burst 2k limit 1k":              `unknown unit "Mb"`,
		"tbf rate 1mbit burst 4gb limit 1k":           "below 2^32",
		"tbf rate 1mbit burst 3gb limit 1k":           "Burst",
		"tbf rate 100gbit burst 2k latency 1s":        "latency 1s at this rate is a limit of 2^32 bytes or more",
		"tbf rate 1e11gbit burst 2k latency 4000s":    "too large",
		"tbf rate 1000000tbit burst 2k latency 4000s": "latency",
		"tbf rate 1mbit burst 2k latency 10ns":        "use s, ms or us",
	} {
		_, err := New(words, Options{})
		require.Error(t, err, words)
		assert.ErrorContains(t, err, want, words)
	}
	_, err := New("prio bands 99", Options{})
	var ce *qdisc.ConfigError
	require.ErrorAs(t, err, &ce)
	assert.Equal(t, "Bands", ce.Field)
}

func TestNewConfig(t *testing.T) {
	q, err := New("tbf rate 1001kbit burst 1500 peakrate 3mbit mtu 1514 latency 20ms overhead 22 mpu 64 linklayer atm", Options{Compat: qdisc.Linux})
	require.NoError(t, err)
	limit := int64(125125*20/1000 + 1500) // less than 375000*20/1000 + 1514
	assert.Equal(t, tbf.Config{
		Rate: 1001 * qdisc.Kbit, PeakRate: 3 * qdisc.Mbit, Burst: 1500, MTU: 1514, LimitBytes: &limit,
		Overhead: 22, MPU: 64, ATM: true, Compat: qdisc.Linux,
	}, q.(*tbf.TBF).Config())
}

func TestOptions(t *testing.T) {
	var drops qdisc.List
	var h qdisc.Histogram
	opt := Options{TxQueueLen: 2, MTU: 1000, Drops: &drops, Sojourn: &h}
	for words, room := range map[string]int{
		"codel limit 2": 2, "fq_codel limit 2 drop_batch 1": 2,
		"pfifo": 2, "bfifo": 2, "pfifo_head_drop": 2, "prio": 2, "prio bands 16": 2,
		"tbf rate 1gbit burst 10kb limit 2000": 2,
	} {
		q, err := New(words, opt)
		require.NoError(t, err)
		for range 3 {
			q.Enqueue(&qdisc.Packet{Len: 1000, Class: 1}, 0)
		}
		assert.Equal(t, room, q.Len(), words)
		assert.Equal(t, 1, drops.Len(), words)
		for range drops.Drain() {
		}
		sent := h.Count()
		assert.NotNil(t, q.Dequeue(1))
		assert.Equal(t, sent+1, h.Count(), words)
	}
	for _, opt := range []Options{{TxQueueLen: -1}, {MTU: -1}, {MTU: math.MaxInt}} {
		_, err := New("pfifo", opt)
		assert.Error(t, err)
		_, err = Build("qdisc add dev D root pfifo", opt)
		assert.Error(t, err)
	}
}

type stranger struct{ qdisc.Qdisc }

func TestShowOthers(t *testing.T) {
	assert.Equal(t, "tc.stranger", Show(stranger{}))
	for shown, cfg := range map[string]fifo.Config{
		"pfifo limit 1000p": {},
		"pfifo limit 3p":    {Limit: new(3), LimitBytes: new(int64(5000))},  // tc has no such thing
		"*fifo.FIFO":        {LimitBytes: new(int64(5000)), HeadDrop: true}, // nor this
	} {
		f, err := fifo.New(cfg)
		require.NoError(t, err)
		assert.Equal(t, shown, Show(f))
	}
	slow, err := tbf.New(tbf.Config{Rate: 1, Burst: 1500, LimitBytes: new(int64(math.MaxInt64))})
	require.NoError(t, err)
	assert.Equal(t, "tbf rate 0bit burst 1500b lat 9.01e+09s", Show(slow))
	p, err := prio.New(prio.Config{})
	require.NoError(t, err)
	own, err := tbf.New(tbf.Config{Rate: qdisc.Mbit, Burst: 1500, Child: p})
	require.NoError(t, err)
	assert.Equal(t, "tbf rate 1Mbit burst 1500b", Show(own))
}

func TestShowStats(t *testing.T) {
	q, err := New("tbf rate 1mbit burst 2kb limit 4000", Options{})
	require.NoError(t, err)
	for range 4 {
		q.Enqueue(&qdisc.Packet{Len: 1500}, 0)
	}
	require.NotNil(t, q.Dequeue(0))
	require.Nil(t, q.Dequeue(0))
	assert.Equal(t, " Sent 1500 bytes 1 pkt (dropped 2, overlimits 1 requeues 0)\n backlog 1500b 1p requeues 0", ShowStats(q))
	j, err := JSON(q)
	require.NoError(t, err)
	assert.JSONEq(t, `{"kind":"tbf","bytes":1500,"packets":1,"drops":2,"overlimits":1,"requeues":0,"backlog":1500,"qlen":1}`, string(j))
	q.Reset(0)
	assert.Contains(t, ShowStats(q), "dropped 2,", "what the owner throws away is not a loss")
}

// FuzzNew: no words panic; a discipline that is built shows, and what it shows
// builds the same again unless tc's printing lost digits.
func FuzzNew(f *testing.F) {
	for _, c := range tcTesting {
		_, words, _ := strings.Cut(c.command, " root ")
		f.Add(words)
		f.Add("qdisc " + c.command + "\nqdisc add dev D parent 1:1 " + words)
	}
	f.Add("tbf rate 1mbit burst 2k peak 2mbit minburst 1500 lat 10ms")
	f.Add("prio bands 2 priomap 1 1 1 1 1 1")
	f.Add("pfifo_head_drop limit 0x7f")
	f.Add(sharedLink)
	f.Add(shapedPrio)
	f.Add(company)
	f.Add("pfifo_fast")
	f.Add("hfsc default 0xffff")
	f.Add("cbq bandwidth 100mbit avpkt 1500 cell 8 mpu 64 allot 1514 ewma 0")
	f.Add("cake bandwidth 20mbit ethernet ether-vlan diffserv4 dual-srchost nat wash rtt 30ms mpu 64 fwmark 0xff memlimit 5mb")
	f.Add("codel limit 5 target 0 interval 999999us ce_threshold 0 ecn")
	f.Add("fq_codel quantum 1 ce_threshold 1ms ce_threshold_selector 0x1/0x3 memory_limit 4000000000 drop_batch 0")
	f.Fuzz(func(t *testing.T, words string) {
		if tree, err := Build(words, Options{}); err == nil {
			require.NotEmpty(t, tree.ShowStats())
			tree.ShowClassStats()
		}
		q, err := New(words, Options{})
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		shown := Show(q)
		again, err := New(readable(shown), Options{})
		if strings.Contains(shown, " memlimit 4Gb") { // rounded up to more than tc reads
			return
		}
		if b, ok := q.(*tbf.TBF); ok && !exactlyShown(b.Config()) {
			return
		}
		require.NoError(t, err, shown)
		// Time that tc prints so is printed as 1s when it is read back.
		require.Equal(t, strings.ReplaceAll(shown, "1e+03ms", "1s"), Show(again))
	})
}

var limitInPackets = regexp.MustCompile(`limit (\d+)p`)

// readable turns what tc prints into what it reads: it prints a limit in
// packets as 3000p and the bands of pfifo_fast, and refuses both; it leaves out
// noecn, which is not the default of fq_codel.
func readable(shown string) string {
	if strings.HasPrefix(shown, "cake ") {
		shown = strings.Replace(shown, "bandwidth unlimited", "unlimited", 1)
		if strings.Contains(shown, " raw ") {
			shown = strings.Replace(shown, " overhead 0", "", 1) // which would turn raw off
		}
		return shown
	}
	if strings.HasPrefix(shown, "cbq ") { // it shows its root class
		link, _, _ := strings.Cut(shown, " (")
		return link + " avpkt 1000"
	}
	if strings.HasPrefix(shown, "pfifo_fast ") {
		return "pfifo_fast"
	}
	shown = limitInPackets.ReplaceAllString(shown, "limit $1")
	if strings.HasPrefix(shown, "fq_codel ") && !strings.Contains(shown, " ecn ") {
		shown += " noecn"
	}
	return shown
}

// exactlyShown tells whether tc's digits say all of cfg. They never do with
// what the link layer adds, as the bursts are shown with it included.
func exactlyShown(cfg tbf.Config) bool {
	rate := func(r qdisc.Rate) bool {
		back, err := parseRate(units.FormatRate(uint64(r) / 8))
		return err == nil && back == uint64(r)/8
	}
	size := func(n int64) bool {
		back, err := parseSize(units.FormatSize(uint64(n)))
		return err == nil && int64(back) == n
	}
	latency := func(r qdisc.Rate, depth uint32) bool {
		us := sendTime(*cfg.LimitBytes-int64(depth), r)
		if us < 0 || us > math.MaxUint32 {
			return us < 0
		}
		back, err := parseTime(units.FormatTime(uint64(us)))
		return err == nil && sentIn(back, uint64(r)/8, depth) == uint64(*cfg.LimitBytes)
	}
	plain := cfg.Overhead == 0 && cfg.MPU == 0 && !cfg.ATM
	return plain && rate(cfg.Rate) && rate(cfg.PeakRate) && size(int64(cfg.Burst)) && size(int64(cfg.MTU)) &&
		size(*cfg.LimitBytes) && latency(cfg.Rate, cfg.Burst) && (cfg.PeakRate == 0 || latency(cfg.PeakRate, cfg.MTU))
}

// The default limit in bytes is the queue length times the MTU.
func TestDefaultLimitDoesNotWrap(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("an int of 32 bits holds no such queue length")
	}
	length := int64(1) << 34
	_, err := New("bfifo", Options{TxQueueLen: int(length), MTU: 1 << 30})
	require.ErrorContains(t, err, "TxQueueLen")
}

// Letters that only look like a unit's are none.
func TestUnitsAreASCII(t *testing.T) {
	_, err := New("tbf rate 10\u212Abit burst 5kb latency 5ms", Options{})
	require.ErrorContains(t, err, "unknown unit")
}
