package brokerurl_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/brokerurl"
)

func TestWithoutCredentials(t *testing.T) {
	for address, want := range map[string]string{
		"amqp://shop:secret@mq.example.com/shop":      "amqp://mq.example.com/shop",
		"shop:secret@mq.example.com:5672":             "mq.example.com:5672",
		"amqp://shop:sec@ret@mq.example.com":          "amqp://mq.example.com",
		"amqp://shop:sec/ret@mq.example.com:5672/a":   "amqp://mq.example.com:5672/a",
		"amqps://shop:sec#ret?@mq.example.com":        "amqps://mq.example.com",
		"shop:sec/ret@mq.example.com":                 "mq.example.com",
		"amqp://mq.example.com:5672/sales@eu?a=b@c":   "amqp://mq.example.com:5672/sales@eu?a=b@c",
		"amqp://[::1]:5672/shop":                      "amqp://[::1]:5672/shop",
		"mq1.example.com:5672,mq2.example.com:5672/a": "mq1.example.com:5672,mq2.example.com:5672/a",
		"/sales@eu": "/sales@eu",
		"":          "",
	} {
		require.Equal(t, want, brokerurl.WithoutCredentials(address))
	}
}
