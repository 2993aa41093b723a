package udp

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// mustHaveNetns makes a failure of what is a skip otherwise.
const mustHaveNetns = "NETSCHED_NETNS"

// netns is a thread in a network namespace of its own, which ends with it.
type netns struct {
	calls chan func()
	tid   int
}

func newNetns(t *testing.T) *netns {
	ns := &netns{calls: make(chan func())}
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlock: the thread ends with the goroutine
		err := syscall.Unshare(syscall.CLONE_NEWNET)
		ns.tid = syscall.Gettid()
		started <- err
		if err != nil {
			return
		}
		for f := range ns.calls {
			f()
		}
	}()
	if err := <-started; err != nil {
		cannot(t, "no network namespace: unshare: %v", err)
	}
	t.Cleanup(func() { close(ns.calls) })
	return ns
}

// cannot skips the test.
func cannot(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv(mustHaveNetns) != "" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// do calls f in the namespace.
func (ns *netns) do(f func()) {
	done := make(chan struct{})
	ns.calls <- func() { f(); close(done) }
	<-done
}

// run runs the commands, one a line, in the namespace.
func (ns *netns) run(t *testing.T, commands string) {
	t.Helper()
	for line := range strings.Lines(strings.TrimSpace(commands)) {
		args := strings.Fields(line)
		if len(args) == 0 {
			continue
		}
		var out []byte
		var err error
		ns.do(func() { out, err = exec.Command(args[0], args[1:]...).CombinedOutput() })
		if err != nil {
			cannot(t, "%s: %v: %s", line, err, out)
		}
	}
}

// link is a veth between two namespaces.
type link struct{ tx, rx *netns }

const rxAddr = "10.9.0.2"

// newLink returns a link with the discipline that tc's words give, on the
// sender's side.
func newLink(t *testing.T, tc string) link {
	for _, tool := range []string{"ip", "tc"} {
		if _, err := exec.LookPath(tool); err != nil {
			cannot(t, "iproute2 is needed: %v", err)
		}
	}
	l := link{newNetns(t), newNetns(t)}
	l.tx.run(t, fmt.Sprintf(`
		ip link add v0 type veth peer name v1 netns %d
		ip addr add 10.9.0.1/24 dev v0
		ip link set v0 up`, l.rx.tid))
	l.rx.run(t, "ip addr add "+rxAddr+"/24 dev v1\nip link set v1 up")
	if tc != "" {
		l.tx.run(t, "tc qdisc replace dev v0 root "+tc)
	}
	return l
}

// listen opens a socket on the receiver's side.
func (l link) listen(t *testing.T) (conn *net.UDPConn) {
	var err error
	l.rx.do(func() { conn, err = net.ListenUDP("udp4", &net.UDPAddr{IP: net.ParseIP(rxAddr)}) })
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	return conn
}

// dial connects a socket on the sender's side to one on the receiver's.
func (l link) dial(t *testing.T, to *net.UDPConn) (conn *net.UDPConn) {
	var err error
	l.tx.do(func() { conn, err = net.DialUDP("udp", nil, to.LocalAddr().(*net.UDPAddr)) })
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	return conn
}
