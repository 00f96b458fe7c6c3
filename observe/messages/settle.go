package messages

import (
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/observe/tenant"
	"github.com/warrenmq/warren/runtime"
)

// settle starts the span that lasts until the delivery is settled. It begins
// before that of the handling ends, so that the trace isn't taken for ended in
// this process: what follows an error is kept with it.
func (p *processing) settle() {
	metrics, queue, waits := p.options.Metrics, p.delivery.Queue, p.waits
	if p.options.NoSettling {
		p.delivery.OnSettled(func(s runtime.Settlement, err error) { metrics.wasSettled(queue, outcome(s, waits, err)) })
		return
	}
	attrs := appendTag(p.options.common("settle", "settle", p.from), p.delivery)
	if id := tenant.FromContext(p.ctx); id != "" {
		attrs = append(attrs, attribute.String(tenant.Attribute, id))
	}
	_, span := p.options.tracer().Start(p.ctx, "settle "+p.from.label(), trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(attrs...))
	label := p.from.label()
	p.delivery.OnSettled(func(s runtime.Settlement, err error) {
		operation := operationOf(s)
		span.SetName(operation + " " + label)
		span.SetAttributes(attribute.String("messaging.operation.name", operation))
		if err != nil {
			failError(span, errorType(err), err)
		}
		span.End()
		metrics.wasSettled(queue, outcome(s, waits, err))
	})
}

// operationOf returns the name that AMQP and the conventions have for a
// settlement.
func operationOf(s runtime.Settlement) string {
	switch s {
	case runtime.Requeue:
		return "nack"
	case runtime.Refuse:
		return "reject"
	default:
		return "ack"
	}
}

// outcome is the value of a label: what an acknowledgement was for, where the
// message wasn't handled. It waits, unless it is among the dead letters after all.
func outcome(s runtime.Settlement, waits bool, err error) string {
	switch {
	case err != nil:
		return "lost"
	case waits && (s == runtime.Retry || s == runtime.Requeue):
		return "postponed"
	case s == runtime.Retry, s == runtime.DeadLetter, s == runtime.Discard:
		return s.String()
	default:
		return operationOf(s)
	}
}

// appendTag appends the delivery's number where there is one.
func appendTag(attrs []attribute.KeyValue, d *runtime.Delivery) []attribute.KeyValue {
	if d.Tag == 0 {
		return attrs
	}
	return append(attrs, attribute.Int64("messaging.rabbitmq.message.delivery_tag", int64(d.Tag)))
}
