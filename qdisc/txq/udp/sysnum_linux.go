//go:build linux && !amd64 && !386

package udp

import "syscall"

const sysSendmmsg = syscall.SYS_SENDMMSG
