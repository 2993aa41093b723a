package udp

// sysSendmmsg is __NR_sendmmsg of <asm/unistd_32.h>, which package syscall lacks.
const sysSendmmsg = 345
