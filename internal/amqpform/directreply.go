package amqpform

import "strings"

// DirectReply begins the addresses to which RabbitMQ sends replies without a queue
// (direct reply-to).
const DirectReply = "amq.rabbitmq.reply-to."

// IsDirectReply reports whether a message goes straight to a caller. The server
// can't say whether one is there: asked to (by the flag mandatory), RabbitMQ 3.10
// returns the message as unroutable and delivers it all the same.
func IsDirectReply(exchange, key string) bool {
	return exchange == "" && strings.HasPrefix(key, DirectReply)
}
