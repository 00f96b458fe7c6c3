package rabbitmq

import (
	"errors"
	"maps"
	"strings"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/warrenmq/warren/runtime"
)

// cancelArgument is the argument of a consumer by which RabbitMQ 3 says that it has
// cancelled it, as RabbitMQ 4 always does. Where a queue is deleted and soon declared
// again, RabbitMQ 3 else consumes the new one for the channel, tells nobody, and then
// delivers nothing. Quorum queues and streams don't take the argument, and
// are rarely there again so soon.
const cancelArgument = "x-cancel-on-ha-failover"

// arguments returns the arguments of a consumer of the route.
func (c *consumer) arguments() (amqp.Table, error) {
	arguments := make(map[string]any)
	if !c.plainCancel.Load() {
		arguments[cancelArgument] = true
	}
	maps.Copy(arguments, c.route.ConsumerArguments)
	if c.route.ConsumerPriority != 0 {
		arguments["x-priority"] = int32(c.route.ConsumerPriority)
	}
	if offset := c.offset.resume(); offset != nil {
		arguments[streamOffset] = offset
	}
	return toTable("consumer argument", arguments)
}

// takesCancelArgument reports whether the queue that the route declares is one whose
// consumers take cancelArgument, as far as the route says.
func takesCancelArgument(route *runtime.Route) bool {
	kind := route.Queue.Arguments["x-queue-type"]
	return kind != "quorum" && kind != "stream"
}

// refusesCancelArgument reports whether the server has refused cancelArgument: the queue
// is of another type than the route says, by the server's default or because others
// have declared it.
func (c *consumer) refusesCancelArgument(err error) bool {
	var refused *amqp.Error
	return errors.As(err, &refused) && refused.Code == amqp.PreconditionFailed &&
		strings.Contains(refused.Reason, cancelArgument) && !c.plainCancel.Load()
}
