package wire

import (
	"fmt"

	"github.com/warrenmq/warren/runtime"
)

// maxShortString is the length of the longest short string, in bytes: names and
// properties are of that type.
const maxShortString = 255

// CheckNames returns an error for the first name or property that is longer than
// AMQP allows. A client that sent it would lose its connection.
func CheckNames(to runtime.Address, msg *runtime.Message) error {
	for _, name := range [...]struct{ property, value string }{
		{"exchange", to.Exchange},
		{"routing key", to.RoutingKey},
		{"content type", msg.ContentType},
		{"content encoding", msg.ContentEncoding},
		{"message id", msg.MessageID},
		{"correlation id", msg.CorrelationID},
		{"reply-to", msg.ReplyTo},
		{"type", msg.Type},
		{"app id", msg.AppID},
		{"user id", msg.UserID},
	} {
		if len(name.value) > maxShortString {
			return fmt.Errorf("the %s has %d bytes, and AMQP allows %d: shorten it", name.property, len(name.value), maxShortString)
		}
	}
	return nil
}
