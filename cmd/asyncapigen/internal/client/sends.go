package client

import (
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/runtime"
)

// Sends returns what the methods of the client send, by their names. Methods that
// can't be written are left out.
func Sends(routes []registered.Route) map[string]registered.Send {
	g := newGenerator(Config{PackageName: "client", PackagePath: "client"})
	all := make(map[string]registered.Send)
	for _, m := range g.methods(routes) {
		all[m.name()] = m.send()
	}
	return all
}

func (m method) send() registered.Send {
	s := registered.Send{
		Endpoint: runtime.Endpoint{
			Route: m.route.Name, To: runtime.Address{Exchange: m.to.exchange, RoutingKey: m.to.key},
			Type: m.to.typ, Codec: m.route.Codec, Headers: m.to.headers,
		},
		Body: m.message.Body,
	}
	if m.to.literal {
		s.Keys = m.to.keys
	} else {
		s.Patterns = m.to.keys
	}
	if m.call {
		s.Result = m.message.Result
	}
	return s
}
