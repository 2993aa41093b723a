package trace_test

// Short runs, worked out by hand, in which every kind of outcome occurs.

const fifoRun = `# comments count as lines
trace 1
qdisc pfifo
opt limit 2
rand const 0
start 1000
begin
= 0 limit 2
E 1000 1 100 7 1 2 02 0
= 0 1 100
P 1000
= 1 02 1 100
E 1001 2 200 7 1 2 01 0 mark=3
= 0 2 300
E 1002 3 50 7 1 2 00 0 ip6
= 1 2 300 x3:ns t1:50
D 1003
= 1 02 1 200
X 1003 limit 5
= 0 1 200
E 1004 4 60 7 1 2 ff 0
= 0 2 260
D 1005
= 2 01 1 60
D 1005
= 4 ff 0 0
D 1006
= - - 0 0
E 1007 5 60 7 1 2 00 0
= 0 1 60
Z 1008
= 0 0 0
E 1009 6 64 7 1 2 00 0
= 0 1 64
end
S sent_bytes 360
S sent_packets 3
S dropped 1
S overlimits 0
S qlen 1
S backlog 64
`

const headDropRun = `trace 1
qdisc pfifo_head_drop
opt limit 1
rand splitmix 5
begin
= 0 limit 1
E 1000 1 100 7 1 2 02 0
= 0 1 100
E 1000 2 200 7 1 2 01 0
= 2 1 200 x1:hs t0:-100
D 1003
= 2 01 0 0
end
S sent_bytes 200
S sent_packets 1
S dropped 1
S overlimits 0
S qlen 0
S backlog 0
`

// A byte costs 1000 ns; the burst is 1500 bytes.
const tbfRun = `qdtrace 1
dev queues 1 mtu 1500 hard 14 txqlen 1000
start 1000000000
qdisc tbf rate 1000000 burst 1500 limit 3000
info 0 buffer=1500000 mtu=0 max_size=1500
begin
E 1000000000 1 1500 0 = ok
D 1000000000 = 1
D 1000000000 = - 0 -
E 1000000000 2 1000 0 = ok
E 1000000001 3 1600 0 = drop 3
D 1000000002 = - 1 1001000000
E 1000000003 4 1500 0 = ok
E 1000000004 5 1000 0 = drop 5
D 1001000000 = 2
P 1002500000 = 4
P 1002500000 = 4
D 1002500001 = 4
E 1002500001 6 100 0 = ok
D 1002500001 = - 1 1002600000
R 1002500002 = ok drop 6
G 1002500003 rate 2000000 burst 1500 limit 3000 = ok
E 1002500003 7 1500 0 = ok
E 1002500003 8 1000 0 = ok
P 1002500003 = 7
end 1002500003
Q bytes=5500 packets=4 drops=2 overlimits=2 qlen=2 backlog=2500
K 0 tokens=0 ptokens=0 t_c=1002500003
`

const prioRun = `qdtrace 1
dev queues 2 mtu 1500 hard 14 txqlen 3
start 1000
qdisc prio bands 3
class 1 limit bfifo 250
begin
E 1000 1 100 2 = ok
E 1001 2 100 1 = ok
E 1002 3 200 1 = drop 3
P 1003 = 2
D 1003 = 2
E 1004 4 100 p6 1 = ok
E 1004 5 100 p1 1 = ok
E 1004 6 100 9 = ok
S 1005 1 1
T 1005 = ! 4
T 1006 = ! 4
S 1006 1 0
T 1007 = 4
D 1007 = 1
G 1008 bands 2 priomap 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 = ok drop 5
E 1009 7 60 p1 = ok
L 1009 2 pfifo 1 = ok
E 1009 8 60 p1 = drop 8
D 1010 = 6
E 1010 11 60 1 = ok
R 1011 = ok drop 7 11
D 1012 = - 0 -
G 1012 bands 1 = err 22
E 1013 9 70 2 = ok
E 1014 10 71 1 = ok
end 1014
Q bytes=400 packets=4 drops=3 overlimits=0 qlen=2 backlog=141
K 1 bytes=200 packets=2 drops=1 overlimits=0 qlen=1 backlog=71
K 2 bytes=200 packets=2 drops=1 overlimits=0 qlen=1 backlog=70
`

const priqRun = `scenario by hand
family priq
hz 1000
machclk 1000000000
mtu 1500
seed 1
tbr off
altq on if0 bandwidth 10Mb priq queue { p0 p1 }
queue p0 priority 0 qlimit 2 priq(default)
queue p1 priority 1
run
class 1 p0 parent=- leaf prio=0 qlimit=2 default
class 2 p1 parent=- leaf prio=1 qlimit=50
D 0 = -
E 10 1 100 p0 = ok
E 10 2 110 nosuch ect = ok
E 20 3 120 - f5 = no drop 3
E 30 4 130 p1 = ok
P 40 = 4
A 45
D 50 = 4
D 60 = 1
P 60 = 2
end enq=4 ok=3 no=1 deq=2 none=1 bytes_in=460 bytes_out=230 qlen=1
stat 1 p0 xmit=1/100 drop=1/120 qlen=1 period=1
stat 2 p1 xmit=1/130 drop=0/0 qlen=0 period=1
`

const dqlRun = `trace 1
qdisc dql
hold 10
start 7
begin
= 0 0 0 0 0 0 0 0 0 4294967295 7
A
= 0 0 0 0 0 0 0 0 0 4294967295 7
Q 100
= 0 -100 100 0 0 100 0 0 0 4294967295 7
L min 10 max 1000 hold 5
= 0 -100 100 0 0 100 0 0 0 4294967295 7
C 8 100
= 100 100 100 100 200 100 0 100 100 4294967295 8
Z 9
= 10 200 0 0 200 0 0 0 0 4294967295 9
end
`

const laggRun = `scenario by hand
proto roundrobin
impl stride
A p1 11 = p1
A p0 10 = p0 p1
T 1 99 = p0
T 2 99 = p1
X 3 p1 = accept
N p1
T 4 99 = p0
T 5 99 = p0
O p0
T 6 99 = drop ENETDOWN
I p0
U p1
S 2
SEQ 1
T 7 99 = p0
T 8 99 = p1
R p0 = p1 primary p1
R p1 = primary -
T 9 99 = drop ENXIO
count p0 tx=4
count p1 tx=2
`

const hashRun = `scenario by hand
H 5 4 0102 = 11
H 5 28 ff00 = 35
`
