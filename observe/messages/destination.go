package messages

import (
	"slices"
	"strings"

	"go.opentelemetry.io/otel/attribute"
)

// A destination is where messages go to, or come from. Its template, where it
// has one, stands for many destinations with names of the server's making, which
// live as long as a connection.
type destination struct{ name, template string }

// joined returns the destination by its parts, without those that are empty and a
// queue that repeats the routing key.
func joined(exchange, key, queue string) destination {
	if queue == key {
		queue = ""
	}
	parts := slices.DeleteFunc([]string{exchange, key, queue}, func(part string) bool { return part == "" })
	if len(parts) == 0 {
		return destination{name: "amq.default"}
	}
	d := destination{name: strings.Join(parts, ":")}
	if exchange == "" {
		d.template = template(key)
	}
	return d
}

// template returns what the names of a kind of temporary queue have in common, ""
// for the name of any other queue.
func template(queue string) string {
	for _, prefix := range [...]string{"amq.gen-", "amq.rabbitmq.reply-to"} {
		if strings.HasPrefix(queue, prefix) {
			return strings.TrimSuffix(prefix, "-")
		}
	}
	return ""
}

// label is the name, or what stands for it, so that it has few values.
func (d destination) label() string {
	if d.template != "" {
		return d.template
	}
	return d.name
}

// describe appends the attributes of the destination.
func (d destination) describe(attrs []attribute.KeyValue) []attribute.KeyValue {
	attrs = append(attrs, attribute.String("messaging.destination.name", d.name))
	if d.template != "" {
		attrs = append(attrs, attribute.String("messaging.destination.template", d.template),
			attribute.Bool("messaging.destination.temporary", true), attribute.Bool("messaging.destination.anonymous", true))
	}
	return attrs
}
