package main

import (
	"fmt"
	"net"
	osexec "os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// namespace is a thread in a network namespace of its own, which ends with it.
// The machine's own network is not touched.
type namespace struct {
	calls chan func()
	tid   int
}

func newNamespace() (*namespace, error) {
	ns := &namespace{calls: make(chan func())}
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
		return nil, fmt.Errorf("a network namespace needs root, or CAP_SYS_ADMIN and CAP_NET_ADMIN (unshare: %w)", err)
	}
	return ns, nil
}

// do calls f in the namespace.
func (ns *namespace) do(f func()) {
	done := make(chan struct{})
	ns.calls <- func() { f(); close(done) }
	<-done
}

// run runs the commands, one a line, in the namespace.
func (ns *namespace) run(commands string) error {
	for line := range strings.Lines(strings.TrimSpace(commands)) {
		args := strings.Fields(line)
		var out []byte
		var err error
		ns.do(func() { out, err = osexec.Command(args[0], args[1:]...).CombinedOutput() })
		if err != nil {
			return fmt.Errorf("the path cannot be set up: %q: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(string(out)))
		}
	}
	return nil
}

// path leads from one namespace to another. tbf on it queues up to 16 MB, more
// than a send buffer holds.
type path struct{ tx, rx *namespace }

const receiver4 = "10.9.0.2"

// newPath returns a path that works. Its errors are of type *unavailable.
func newPath() (*path, error) {
	p := new(path)
	if err := p.build(); err != nil {
		p.close()
		return nil, &unavailable{err}
	}
	return p, nil
}

func (p *path) build() (err error) {
	for _, tool := range []string{"ip", "tc"} {
		if _, err := osexec.LookPath(tool); err != nil {
			return fmt.Errorf("%s of iproute2 is missing (%w)", tool, err)
		}
	}
	if p.tx, err = newNamespace(); err != nil {
		return err
	}
	if p.rx, err = newNamespace(); err != nil {
		return err
	}
	if err := p.tx.run(fmt.Sprintf(`
		ip link add v0 type veth peer name v1 netns %d
		ip addr add 10.9.0.1/24 dev v0
		ip link set v0 up`, p.rx.tid)); err != nil {
		return err
	}
	if err := p.rx.run("ip addr add " + receiver4 + "/24 dev v1\nip link set v1 up"); err != nil {
		return err
	}
	if err := p.tx.run("tc qdisc replace dev v0 root tbf rate 10mbit burst 3000 limit 16000000"); err != nil {
		return err
	}
	return p.try()
}

// try sends until something arrives: links take their time to come up, and the
// system keeps few datagrams while it looks for a neighbor.
func (p *path) try() error {
	to, err := p.listen()
	if err != nil {
		return err
	}
	defer to.Close()
	from, err := p.dial(to)
	if err != nil {
		return err
	}
	defer from.Close()
	for range 30 {
		from.Write(endMark)
		to.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
		if _, err = to.Read(make([]byte, 1)); err == nil {
			return nil
		}
	}
	return fmt.Errorf("the path between the namespaces does not work: %w", err)
}

// close ends the namespaces.
func (p *path) close() {
	for _, ns := range []*namespace{p.tx, p.rx} {
		if ns != nil {
			close(ns.calls)
		}
	}
}

// listen opens a socket at the receiving end.
func (p *path) listen() (conn *net.UDPConn, err error) {
	p.rx.do(func() { conn, err = net.ListenUDP("udp4", &net.UDPAddr{IP: net.ParseIP(receiver4)}) })
	return conn, err
}

// dial connects a socket at the sending end to one at the other.
func (p *path) dial(to *net.UDPConn) (conn *net.UDPConn, err error) {
	p.tx.do(func() { conn, err = net.DialUDP("udp4", nil, to.LocalAddr().(*net.UDPAddr)) })
	return conn, err
}
