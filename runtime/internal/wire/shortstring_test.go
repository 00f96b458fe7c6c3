package wire_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/wire"
)

func TestCheckNames_HoldsEachTo255Bytes(t *testing.T) {
	for property, set := range map[string]func(to *runtime.Address, m *runtime.Message, value string){
		"exchange":         func(to *runtime.Address, _ *runtime.Message, value string) { to.Exchange = value },
		"routing key":      func(to *runtime.Address, _ *runtime.Message, value string) { to.RoutingKey = value },
		"content type":     func(_ *runtime.Address, m *runtime.Message, value string) { m.ContentType = value },
		"content encoding": func(_ *runtime.Address, m *runtime.Message, value string) { m.ContentEncoding = value },
		"message id":       func(_ *runtime.Address, m *runtime.Message, value string) { m.MessageID = value },
		"correlation id":   func(_ *runtime.Address, m *runtime.Message, value string) { m.CorrelationID = value },
		"reply-to":         func(_ *runtime.Address, m *runtime.Message, value string) { m.ReplyTo = value },
		"type":             func(_ *runtime.Address, m *runtime.Message, value string) { m.Type = value },
		"app id":           func(_ *runtime.Address, m *runtime.Message, value string) { m.AppID = value },
		"user id":          func(_ *runtime.Address, m *runtime.Message, value string) { m.UserID = value },
	} {
		var to runtime.Address
		var m runtime.Message
		set(&to, &m, strings.Repeat("x", 255))
		require.NoError(t, wire.CheckNames(to, &m), property)
		set(&to, &m, strings.Repeat("x", 256))
		require.ErrorContains(t, wire.CheckNames(to, &m), "the "+property+" has 256 bytes, and AMQP allows 255")
	}
}
