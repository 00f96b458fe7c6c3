package rabbitmq_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime/rabbitmq"
)

func TestConfig_HidesCredentials(t *testing.T) {
	config := rabbitmq.Config{URL: "amqp://ops:" + secret + "@localhost:5672/"}
	broker, err := rabbitmq.New(config)
	require.NoError(t, err)
	invalid := rabbitmq.Config{URL: "http://ops:" + secret + "@localhost/"}
	type service struct{ Broker any }
	hidden := func(t *testing.T, text string) {
		t.Helper()
		require.NotContains(t, text, secret)
		require.NotContains(t, text, fmt.Sprintf("%x", secret))
		require.NotContains(t, text, fmt.Sprintf("%X", secret))
		require.NotContains(t, text, fmt.Sprint([]byte(secret)))
	}

	for name, value := range map[string]any{
		"Config": config, "*Config": &config, "invalid Config": invalid, "Broker": broker,
		"field": service{Broker: config}, "pointer to field": &service{Broker: broker},
	} {
		for _, verb := range []string{
			"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "% x", "%#x", "%d", "%o", "%b", "%c", "%U", "%t", "%e", "%g", "%5v", "%-60v", "%!",
		} {
			t.Run(name+" "+verb, func(t *testing.T) { hidden(t, fmt.Sprintf(verb, value)) })
		}
		t.Run(name+" as JSON", func(t *testing.T) {
			text, err := json.Marshal(value)
			require.NoError(t, err)
			hidden(t, string(text))
		})
		t.Run(name+" in a log", func(t *testing.T) {
			for _, handler := range []func(*bytes.Buffer) slog.Handler{
				func(b *bytes.Buffer) slog.Handler { return slog.NewTextHandler(b, nil) },
				func(b *bytes.Buffer) slog.Handler { return slog.NewJSONHandler(b, nil) },
			} {
				var log bytes.Buffer
				slog.New(handler(&log)).Info("x", "value", value)
				hidden(t, log.String())
			}
		})
	}
	t.Run("in a field of another struct", func(t *testing.T) {
		// What isn't exported is printed without its methods.
		inside := reflect.ValueOf(broker).Elem()
		hidden(t, fmt.Sprintf("%+v %#v %+v", inside, inside, struct{ b *rabbitmq.Broker }{broker}))
	})
	t.Run("names the address and the virtual host", func(t *testing.T) {
		require.Equal(t, `rabbitmq.Config{localhost:5672, vhost "/"}`, fmt.Sprintf("%x", config))
		require.Equal(t, `RabbitMQ at localhost:5672, vhost "/"`, fmt.Sprintf("%d", broker))
		text, err := json.Marshal(map[string]any{"config": config, "broker": broker})
		require.NoError(t, err)
		require.JSONEq(t, `{"config": "rabbitmq.Config{localhost:5672, vhost \"/\"}", "broker": "RabbitMQ at localhost:5672, vhost \"/\""}`, string(text))
	})
}
