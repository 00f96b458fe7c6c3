package wire

import "strings"

// DirectReply is the pseudo queue of replies: a client names it as the reply-to
// of its requests and consumes it on the channel that sends them, without
// acknowledgements (RabbitMQ, direct reply-to).
const DirectReply = "amq.rabbitmq.reply-to"

// DirectReplyPrefix begins the addresses that the server makes of it, one for
// each client.
const DirectReplyPrefix = DirectReply + "."

// IsDirectReply reports whether a message goes straight to a caller. The server
// can't say whether one is there: asked to (by the flag mandatory), RabbitMQ 3.10
// returns the message as unroutable and delivers it all the same.
func IsDirectReply(exchange, key string) bool {
	return exchange == "" && strings.HasPrefix(key, DirectReplyPrefix)
}
