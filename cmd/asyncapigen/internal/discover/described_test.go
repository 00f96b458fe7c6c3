package discover_test

import (
	"fmt"

	"github.com/warrenmq/warren/runtime"
)

// described returns what is compared of a route, in short.
func described(r runtime.Route, body string) string {
	text := fmt.Sprintf("%s %q %s", r.Name, r.Description, body)
	if r.Queue.Name != r.Name || r.Queue.Durable || len(r.Queue.Arguments) > 0 {
		text += fmt.Sprint(" ", r.Queue)
	}
	if r.Exchange != nil {
		text += fmt.Sprint(" ", *r.Exchange, r.RoutingKeys)
	}
	if len(r.Tags) > 0 {
		text += fmt.Sprint(" ", r.Tags)
	}
	return text
}
