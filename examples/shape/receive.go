package main

import "net"

const (
	socketBuffer = 4 << 20 // bytes
	maxDatagram  = 1 << 16 // bytes, above the largest payload that UDP carries
)

// listenLoopback opens the receiver's socket with a buffer so large that the
// kernel loses nothing while this process waits for a processor.
func listenLoopback() (*net.UDPConn, error) {
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, err
	}
	if err := c.SetReadBuffer(socketBuffer); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// receive reads datagrams until the socket is closed or its deadline passes.
func receive(c *net.UDPConn, m *meter) {
	buf := make([]byte, maxDatagram)
	for {
		n, err := c.Read(buf)
		if err != nil {
			return
		}
		if h, ok := readHeader(buf[:n]); ok {
			m.arrived(h, clock(), n+udpHeaders)
		}
	}
}
