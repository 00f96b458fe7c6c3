package asyncapi

import (
	"fmt"

	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/runtime"
)

// Generate returns the document of the routes. A nil cfg means the defaults.
//
// Routes needn't be registered. The error names the route and what is wrong: a
// route without a handler or a name, one that shares its name with another, or
// one whose message type has no JSON form (see [ProblemError]). Options choose
// what payload schemas say; without any they describe what json.Marshal writes.
func Generate(routes []runtime.Route, cfg *Config, options ...Option) (*Document, error) {
	operations := make([]Operation, len(routes))
	for i, route := range routes {
		if route.Handler.IsZero() {
			return nil, fmt.Errorf("generate the AsyncAPI document: route %q of queue %q has no handler: make one by runtime.Consume or runtime.Respond",
				route.Name, route.Queue.Name)
		}
		operations[i] = operation(route)
	}
	document, _, err := FromOperations(operations, cfg, options...)
	return document, err
}

// GenerateJSON returns the document of the routes as JSON text, without a newline
// at its end. Indent is the number of spaces by which each level is indented;
// the specification's default is 2. A negative indent writes one line.
func GenerateJSON(routes []runtime.Route, cfg *Config, indent int, options ...Option) ([]byte, error) {
	document, err := Generate(routes, cfg, options...)
	if err != nil {
		return nil, err
	}
	return document.JSON(indent)
}

// operation reads a route. What it doesn't say, source code couldn't either.
func operation(route runtime.Route) Operation {
	o := Operation{
		Name:        route.Name,
		Description: route.Description,
		Tags:        route.Tags,
		Queue:       Queue{Name: route.Queue.Name, Durable: route.Queue.Durable, Exclusive: route.Queue.Exclusive},
		RoutingKeys: route.RoutingKeys,
		Payload:     schema.Reflect(route.Handler.BodyType()),
	}
	if o.Name == "" {
		o.Name = route.Handler.Name()
	}
	if e := route.Exchange; e != nil {
		o.Exchange = &Exchange{Name: e.Name, Type: string(e.Type), Durable: e.Durable}
	}
	if r := route.Reply; r != nil {
		o.Reply = &Reply{
			Exchange:   r.Exchange,
			RoutingKey: r.RoutingKey,
			Payload:    schema.Reflect(route.Handler.ReplyType()),
		}
	}
	return o
}
