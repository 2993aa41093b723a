package udp

// sysSendmmsg is __NR_sendmmsg of <asm/unistd_64.h>, which package syscall lacks.
const sysSendmmsg = 307
