package rabbitmq

import (
	"errors"
	"fmt"
	"strings"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/warrenmq/warren/runtime"
)

// A declarer declares on a channel what a router wants, or finds that it is there
// already. Its errors name what was declared, and for whom. After one the channel has
// ended.
type declarer struct {
	channel *amqp.Channel
	mode    runtime.TopologyMode
	again   bool // the routes have been declared before
}

// route declares the route's exchanges, queues and bindings.
func (d declarer) route(route *runtime.Route) error {
	of := fmt.Sprintf("for route %q", route.Name)
	if err := d.exchanges(route.Exchanges(), of); err != nil {
		return err
	}
	own := d
	switch {
	case route.Queue.PerInstance:
		own.mode = runtime.TopologyDeclare
	case d.again && route.QueueDeletion == runtime.FailReadiness && d.mode == runtime.TopologyDeclare:
		own.mode = runtime.TopologyVerify
	}
	if err := own.queue(route.Queue, of); err != nil {
		if own.mode != d.mode && isMissing(err) {
			return fmt.Errorf("%w: %w", errDeleted, err)
		}
		return err
	}
	for _, queue := range route.FailureQueues() {
		if err := d.queue(queue, fmt.Sprintf("of the failure policy of route %q", route.Name)); err != nil {
			return err
		}
	}
	if route.Queue.PerInstance {
		d.mode = runtime.TopologyDeclare
	}
	return d.bindings(route.Bindings(), of)
}

// errDeleted: the queue of a route whose readiness is to fail then.
var errDeleted = errors.New("the queue was deleted while it was consumed, and the route's QueueDeletion is FailReadiness: declare the queue anew, or restart the service")

// queuesAndExchanges declares what others of t refer to.
func (d declarer) queuesAndExchanges(t *runtime.Topology) error {
	if err := d.exchanges(t.Exchanges, "of Router.Declare"); err != nil {
		return err
	}
	for _, queue := range t.Queues {
		if err := d.queue(queue, "of Router.Declare"); err != nil {
			return err
		}
	}
	return nil
}

// bindingsOf declares the bindings of t, whose ends may be those of routes.
func (d declarer) bindingsOf(t *runtime.Topology) error {
	if err := d.bindings(t.Bindings, "of Router.Declare"); err != nil || d.mode != runtime.TopologyDeclare {
		return err
	}
	for _, b := range t.ExchangeBindings {
		arguments, err := toTable("argument", b.Arguments)
		if err == nil {
			err = explain(d.channel.ExchangeBind(b.Destination, b.RoutingKey, b.Source, false, arguments))
		}
		if err != nil {
			return fmt.Errorf("bind exchange %q to exchange %q of Router.Declare: key %q: %w", b.Destination, b.Source, b.RoutingKey, err)
		}
	}
	return nil
}

func (d declarer) exchanges(exchanges []runtime.Exchange, of string) error {
	for _, x := range exchanges {
		if err := d.exchange(x); err != nil {
			return fmt.Errorf("%s exchange %q %s: %w", d.act(), x.Name, of, err)
		}
	}
	return nil
}

func (d declarer) exchange(x runtime.Exchange) error {
	switch d.mode {
	case runtime.TopologyNone:
		return nil
	case runtime.TopologyVerify:
		return explain(d.channel.ExchangeDeclarePassive(x.Name, string(x.Type), x.Durable, x.AutoDelete, false, false, nil))
	}
	arguments, err := toTable("argument", x.Arguments)
	if err != nil {
		return err
	}
	return explain(d.channel.ExchangeDeclare(x.Name, string(x.Type), x.Durable, x.AutoDelete, false, false, arguments))
}

// queue declares q with the arguments that it has, and adds none.
// See docs/decisions/0025.
func (d declarer) queue(q runtime.Queue, of string) error {
	arguments, err := toTable("argument", q.Arguments)
	if err == nil {
		switch d.mode {
		case runtime.TopologyNone:
			return nil
		case runtime.TopologyVerify:
			_, err = d.channel.QueueDeclarePassive(q.Name, q.Durable, q.AutoDelete, q.Exclusive, false, nil)
		default:
			_, err = d.channel.QueueDeclare(q.Name, q.Durable, q.AutoDelete, q.Exclusive, false, arguments)
		}
	}
	if err != nil {
		return fmt.Errorf("%s queue %q %s: %w", d.act(), q.Name, of, explain(err))
	}
	return nil
}

// bindings declares bindings of queues; AMQP can't verify them.
func (d declarer) bindings(bindings []runtime.Binding, of string) error {
	if d.mode != runtime.TopologyDeclare {
		return nil
	}
	for _, b := range bindings {
		arguments, err := toTable("argument", b.Arguments)
		if err == nil {
			err = explain(d.channel.QueueBind(b.Queue, b.RoutingKey, b.Exchange, false, arguments))
		}
		if err != nil {
			return fmt.Errorf("bind queue %q to exchange %q %s: key %q: %w", b.Queue, b.Exchange, of, b.RoutingKey, err)
		}
	}
	return nil
}

// act says what is done with a queue or an exchange.
func (d declarer) act() string {
	if d.mode == runtime.TopologyVerify {
		return "look for"
	}
	return "declare"
}

// isMissing reports whether what was asked for isn't there. The queue of a node that is
// down isn't missing, although the server calls it NOT_FOUND, too.
func isMissing(err error) bool {
	var refused *amqp.Error
	return errors.As(err, &refused) && refused.Code == amqp.NotFound && !isDown(refused)
}

func isDown(refused *amqp.Error) bool {
	return strings.Contains(refused.Reason, "down or inaccessible")
}

// endsConnection reports whether the server has answered by ending the connection, and
// with it what others do there (AMQP 0-9-1, hard errors), or hasn't answered, for which
// it was given up.
func endsConnection(err error) bool {
	if errors.Is(err, errNoAnswer) {
		return true
	}
	var refused *amqp.Error
	if !errors.As(err, &refused) || !refused.Server {
		return false
	}
	switch refused.Code {
	case amqp.CommandInvalid, amqp.NotAllowed, amqp.NotImplemented, amqp.SyntaxError, amqp.FrameError, amqp.UnexpectedFrame, amqp.InternalError:
		return true
	default:
		return false
	}
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
	if isDown(refused) {
		return fmt.Errorf("the node of the cluster that has the queue is down: it comes back with the node; a quorum queue is on several: %w", err)
	}
	switch refused.Code {
	case amqp.PreconditionFailed:
		return fmt.Errorf("it exists in another way, or can't be as it is wanted: delete it, or declare it alike: %w", err)
	case amqp.AccessRefused:
		return fmt.Errorf("the user lacks the permission, or the name is reserved: %w", err)
	case amqp.ResourceLocked:
		return fmt.Errorf("it is the exclusive queue of another connection: choose another name, or end that connection: %w", err)
	case amqp.NotFound:
		return fmt.Errorf("it doesn't exist: start the service that declares it, declare it by asyncapigen topology apply, or set Config.Topology otherwise: %w", err)
	case amqp.CommandInvalid:
		return fmt.Errorf("the server doesn't know this: check the exchange's type and the plugins: %w", err)
	default:
		return err
	}
}
