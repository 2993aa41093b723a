package netsim

// Router passes packets on by destination: Packet.DstHost. A host with several
// programs is a router before their endpoints.
type Router struct {
	Default Receiver // for destinations without a route; nil: such packets end here

	sim     *Sim
	routes  map[uint32]Receiver
	noRoute uint64
}

// NewRouter returns a router without routes.
func NewRouter(s *Sim) *Router { return &Router{sim: s, routes: map[uint32]Receiver{}} }

// Route sends packets for host by way of next from now on; nil: no more.
func (r *Router) Route(host uint32, next Receiver) {
	if next == nil {
		delete(r.routes, host)
	} else {
		r.routes[host] = next
	}
}

// Receive passes p on.
func (r *Router) Receive(p *Packet) {
	next := r.routes[p.DstHost]
	if next == nil {
		next = r.Default
	}
	if next == nil {
		r.noRoute++
		r.sim.Note(Dropped, "router", p)
		r.sim.Free(p)
		return
	}
	next.Receive(p)
}

// NoRoute returns how many packets ended here for want of a route.
func (r *Router) NoRoute() uint64 { return r.noRoute }
