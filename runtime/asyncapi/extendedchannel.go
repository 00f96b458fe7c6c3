package asyncapi

import (
	"slices"
	"time"

	"github.com/warrenmq/warren/internal/contract"
	"github.com/warrenmq/warren/internal/fieldtable"
	"github.com/warrenmq/warren/runtime"
)

// Arguments of queues.
const (
	argMessageTTL  = "x-message-ttl"
	argMaxPriority = "x-max-priority"
)

// replyTo is where a request says who wants the reply.
const replyTo = "$message.header#/reply_to"

// persistent is the delivery mode of messages that survive a restart of the broker.
const persistent = 2

// channel adds to the channel of c.
func (w *extendedWriter) channel(channel *Channel, c contract.Channel) {
	w.binding(&channel.Bindings.AMQP, c)
	subscribe := channel.Subscribe
	subscribe.Description = c.Description
	if first := firstSentence(c.Description); first != c.Description {
		subscribe.Summary = first
	}
	subscribe.Bindings = consumedBindings(c.Route)
	subscribe.Consumer, subscribe.Failure, subscribe.Source = consumerOf(c), failureOf(c), sourceOf(c)
	w.messages(&subscribe.Message, c)
	if channel.Publish != nil {
		w.reply(channel.Publish, c)
	}
}

func (w *extendedWriter) binding(binding *AMQPBinding, c contract.Channel) {
	binding.BindingVersion = bindingVersion
	binding.Queue.AutoDelete, binding.Queue.PerInstance = c.Queue.AutoDelete, c.Queue.PerInstance
	binding.Queue.Arguments = fieldtable.Clone(c.Queue.Arguments)
	binding.UnknownArguments = slices.Clone(c.UnknownArguments)
	if c.Exchange != nil {
		exchange := exchangeOf(*c.Exchange)
		binding.Exchange = &exchange
		binding.RoutingKeys, binding.BindingArguments = slices.Clone(c.RoutingKeys), fieldtable.Clone(c.BindingArguments)
	}
	for _, source := range c.Sources {
		binding.Sources = append(binding.Sources, BoundSource{
			exchangeOf(source.Exchange), slices.Clone(source.RoutingKeys), fieldtable.Clone(source.Arguments),
		})
	}
}

func exchangeOf(e runtime.Exchange) Exchange {
	return Exchange{Name: e.Name, Type: string(e.Type), Durable: e.Durable, AutoDelete: e.AutoDelete, Arguments: fieldtable.Clone(e.Arguments)}
}

// consumedBindings describe what is sent to a route. The queue's limit on the time
// that a message waits is that of each message, and priorities begin at 0.
func consumedBindings(route runtime.Route) *OperationBindings {
	amqp := AMQPOperationBinding{DeliveryMode: persistent, Mandatory: true, Ack: true, BindingVersion: bindingVersion}
	if ttl, ok := fieldtable.Integer(route.Queue.Arguments[argMessageTTL]); ok {
		amqp.Expiration = &ttl
	}
	if highest, ok := fieldtable.Integer(route.Queue.Arguments[argMaxPriority]); ok && highest > 0 {
		amqp.Priority = new(int)
	}
	return &OperationBindings{amqp}
}

func consumerOf(c contract.Channel) *Consumer {
	consumer := &Consumer{
		Prefetch:      max(0, c.Prefetch),
		PrefetchBytes: c.PrefetchBytes,
		Concurrency:   max(0, c.Concurrency),
		Order:         c.Order.String(),
		Acknowledges:  map[runtime.AckMode]string{runtime.AckByHand: "by hand", runtime.AckFirst: "first"}[c.AckMode],
		Priority:      c.ConsumerPriority,
		Arguments:     fieldtable.Clone(c.ConsumerArguments),
		Unknown:       slices.Clone(c.UnknownSettings),
	}
	switch {
	case c.Timeout > 0:
		consumer.Timeout = c.Timeout.String()
	case c.Timeout < 0:
		consumer.Timeout = "none"
	}
	if consumer.isZero() {
		return nil
	}
	return consumer
}

func (c *Consumer) isZero() bool {
	return c.Prefetch == 0 && c.PrefetchBytes == 0 && c.Concurrency == 0 && c.Timeout == "" && c.Order == "" &&
		c.Acknowledges == "" && c.Priority == 0 && c.Arguments == nil && c.Unknown == nil
}

// failureOf returns nil for a route without a policy that isn't registered: it has that
// of its router.
func failureOf(c contract.Channel) *Failure {
	switch {
	case c.FailureUnknown:
		return &Failure{Unknown: true}
	case c.Failure == nil:
		return nil
	}
	policy := c.AppliedFailure()
	failure := &Failure{Endless: policy.Endless}
	if !policy.Endless {
		failure.Attempts = policy.Attempts
	}
	for _, queue := range c.FailureQueues() {
		if ttl, ok := fieldtable.Integer(queue.Arguments[argMessageTTL]); ok {
			failure.Retries = append(failure.Retries, Retry{queue.Name, (time.Duration(ttl) * time.Millisecond).String()})
		}
	}
	if to := c.DeadLetters(); to != nil {
		failure.DeadLetters = &Address{to.Exchange, to.RoutingKey}
	}
	return failure
}

func sourceOf(c contract.Channel) *Source {
	if c.Source.File == "" {
		return nil
	}
	source := &Source{File: c.Source.File, Line: c.Source.Line}
	if by := c.HandledBy; by.Name != "" || by.Source.File != "" {
		source.Handler = &SourceHandler{Name: by.Name, File: by.Source.File, Line: by.Source.Line}
	}
	return source
}

// reply adds to the operation by which c replies.
func (w *extendedWriter) reply(publish *ChannelOperation, c contract.Channel) {
	publish.Description = "The reply to " + c.Name + "."
	publish.Bindings = &OperationBindings{AMQPOperationBinding{DeliveryMode: persistent, Mandatory: !c.Reply.IsZero(), BindingVersion: bindingVersion}}
	publish.Reply = &ReplyAddress{Exchange: c.Reply.Exchange, RoutingKey: c.Reply.RoutingKey}
	if c.Reply.IsZero() {
		publish.Reply.Location = replyTo
	}
	w.replies(&publish.Message, c)
}
