package docpage

import (
	"strings"

	"github.com/warrenmq/warren/internal/jsontree"
)

// bindings reads the queue and the exchange of a channel.
func (r *reader) bindings(to *route, n *jsontree.Node) {
	amqp := r.resolve(r.resolve(n).Get("amqp"))
	if queue := amqp.Get("queue"); queue != nil && amqp.Get("is").Str() != "routingKey" {
		to.Queue = newEndpoint(queue)
	}
	if exchange := amqp.Get("exchange"); exchange != nil && exchange.Get("name").Str() != "" {
		to.Exchange = newEndpoint(exchange)
		to.Bindings = append(to.Bindings, binding{
			Exchange: to.Exchange.Name, Keys: textsOf(amqp.Get("x-routing-keys")), Arguments: extensions(amqp.Get("x-binding-arguments")),
		})
	}
	for _, source := range items(amqp.Get("x-sources")) {
		to.Bindings = append(to.Bindings, binding{
			Exchange: source.Get("exchange").Get("name").Str(), Keys: textsOf(source.Get("routingKeys")), Arguments: extensions(source.Get("arguments")),
		})
	}
	for _, m := range members(r.resolve(n)) {
		if m.Name != "amqp" {
			to.Facts = append(to.Facts, fact{Name: m.Name, Value: compact(m.Value), Code: true})
		}
	}
}

// readDeclared reads what asyncapigen writes of the topology beside the routes.
func readDeclared(n *jsontree.Node) *declared {
	if n == nil {
		return nil
	}
	d := &declared{Unknown: isTrue(n.Get("unknown"))}
	for _, e := range items(n.Get("exchanges")) {
		d.Exchanges = append(d.Exchanges, newEndpoint(e))
	}
	for _, q := range items(n.Get("queues")) {
		d.Queues = append(d.Queues, newEndpoint(q))
	}
	for _, b := range items(n.Get("bindings")) {
		d.Bindings = append(d.Bindings, declaredBinding{
			From: b.Get("exchange").Str(), To: b.Get("queue").Str(), ToQueue: true, Key: b.Get("routingKey").Str(), Arguments: extensions(b.Get("arguments")),
		})
	}
	for _, b := range items(n.Get("exchangeBindings")) {
		d.Bindings = append(d.Bindings, declaredBinding{
			From: b.Get("source").Str(), To: b.Get("destination").Str(), Key: b.Get("routingKey").Str(), Arguments: extensions(b.Get("arguments")),
		})
	}
	return d
}

// newReply reads where a reply goes.
func newReply(address *jsontree.Node) *reply {
	return &reply{To: addressText(address), Asked: address.Get("location").Str() != ""}
}

// newEndpoint reads a queue or an exchange.
func newEndpoint(n *jsontree.Node) *endpoint {
	e := &endpoint{Name: n.Get("name").Str(), Type: n.Get("type").Str() + n.Get("x-type").Str(), Delay: n.Get("x-arguments").Get("x-delayed-type").Str()}
	for _, property := range []struct{ key, text string }{
		{"durable", "durable"}, {"exclusive", "exclusive"}, {"autoDelete", "auto-delete"}, {"x-per-instance", "one for each instance"},
	} {
		if isTrue(n.Get(property.key)) {
			e.Facts = append(e.Facts, fact{Value: property.text})
		}
	}
	if vhost := n.Get("vhost").Str(); vhost != "" && vhost != "/" {
		e.Facts = append(e.Facts, fact{Name: "vhost", Value: vhost, Code: true})
	}
	e.Facts = append(e.Facts, extensions(n.Get("x-arguments"))...)
	e.Facts = append(e.Facts, extensions(n, "name", "type", "durable", "exclusive", "autoDelete", "vhost", "x-per-instance", "x-arguments", "x-type")...)
	return e
}

// addressText says in words where messages are published.
func addressText(n *jsontree.Node) string {
	if location := n.Get("location").Str(); location != "" {
		return "whoever asked (" + strings.TrimPrefix(location, "$message.header#/") + ")"
	}
	return placeText(n.Get("exchange").Str(), n.Get("routingKey").Str())
}

// placeText says in words where the key of an exchange leads, "" where neither is known.
func placeText(exchange, key string) string {
	switch {
	case exchange == "" && key == "":
		return ""
	case exchange == "":
		return "queue " + key
	case key == "":
		return "exchange " + exchange
	}
	return "exchange " + exchange + ", key " + key
}

// readFailure reads what becomes of messages that failed, nil where that isn't known.
func readFailure(n *jsontree.Node) *failure {
	if n == nil || isTrue(n.Get("unknown")) {
		return nil
	}
	f := &failure{DeadLetters: addressText(n.Get("deadLetters")), Endless: isTrue(n.Get("endless"))}
	if attempts := n.Get("attempts"); attempts != nil {
		f.Attempts = compact(attempts)
	}
	for _, one := range items(n.Get("retries")) {
		f.Retries = append(f.Retries, retry{one.Get("queue").Str(), one.Get("delay").Str()})
	}
	return f
}
