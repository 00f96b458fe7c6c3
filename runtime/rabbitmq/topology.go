package rabbitmq

import (
	"errors"
	"fmt"
	"strings"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/warrenmq/warren/runtime"
)

// declare makes the route's exchange, queue and bindings, or finds that they are
// there already. The errors name what was declared, and for which route.
func declare(ch *amqp.Channel, route *runtime.Route) error {
	if route.Exchange != nil {
		if err := declareExchange(ch, route.Exchange); err != nil {
			return fmt.Errorf("declare exchange %q for route %q: %w", route.Exchange.Name, route.Name, err)
		}
	}
	if err := declareQueue(ch, route.Queue); err != nil {
		return fmt.Errorf("declare queue %q for route %q: %w", route.Queue.Name, route.Name, err)
	}
	for _, queue := range route.FailureQueues() {
		if err := declareQueue(ch, queue); err != nil {
			return fmt.Errorf("declare queue %q of the failure policy of route %q: %w", queue.Name, route.Name, err)
		}
	}
	for _, binding := range route.Bindings() {
		if err := bind(ch, binding); err != nil {
			return fmt.Errorf("bind queue %q to exchange %q for route %q: %w", binding.Queue, binding.Exchange, route.Name, err)
		}
	}
	return nil
}

func declareExchange(ch *amqp.Channel, x *runtime.Exchange) error {
	arguments, err := toTable("argument", x.Arguments)
	if err != nil {
		return err
	}
	return explain(ch.ExchangeDeclare(x.Name, string(x.Type), x.Durable, x.AutoDelete, false, false, arguments))
}

// declareQueue declares q with the arguments that it has, and adds none.
// See docs/decisions/0025.
func declareQueue(ch *amqp.Channel, q runtime.Queue) error {
	arguments, err := toTable("argument", q.Arguments)
	if err != nil {
		return err
	}
	_, err = ch.QueueDeclare(q.Name, q.Durable, q.AutoDelete, q.Exclusive, false, arguments)
	return explain(err)
}

func bind(ch *amqp.Channel, b runtime.Binding) error {
	arguments, err := toTable("argument", b.Arguments)
	if err != nil {
		return err
	}
	if err := explain(ch.QueueBind(b.Queue, b.RoutingKey, b.Exchange, false, arguments)); err != nil {
		return fmt.Errorf("key %q: %w", b.RoutingKey, err)
	}
	return nil
}

// explain adds the remedy to a server's refusal.
func explain(err error) error {
	var refused *amqp.Error
	if !errors.As(err, &refused) {
		return err
	}
	if strings.Contains(refused.Reason, "limit in vhost") {
		return fmt.Errorf("the vhost has as many queues as its limit allows: delete some, or raise its max-queues: %w", err)
	}
	switch refused.Code {
	case amqp.PreconditionFailed:
		return fmt.Errorf("it exists in another way, or can't be as it is wanted: delete it, or declare it alike: %w", err)
	case amqp.AccessRefused:
		return fmt.Errorf("the user lacks the permission, or the name is reserved: %w", err)
	case amqp.ResourceLocked:
		return fmt.Errorf("it is the exclusive queue of another connection: choose another name, or end that connection: %w", err)
	case amqp.NotFound:
		return fmt.Errorf("it doesn't exist any more: %w", err)
	case amqp.CommandInvalid:
		return fmt.Errorf("the server doesn't know this: check the exchange's type and the plugins: %w", err)
	default:
		return err
	}
}
