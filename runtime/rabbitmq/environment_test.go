package rabbitmq_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/rabbitmq"
)

// What FromEnvironment makes of each field of Config, or why it has no variable.
var environment = map[string]struct {
	variables map[string]string
	want      any
	none      string
}{
	"URL":             {variables: map[string]string{"RABBITMQ_URL": "amqp://host"}, want: "amqp://host"},
	"Addresses":       {variables: map[string]string{"RABBITMQ_ADDRESSES": "b, c:5673"}, want: []string{"b", "c:5673"}},
	"Credentials":     {variables: map[string]string{"RABBITMQ_USER": "u", "RABBITMQ_PASSWORD": "p"}, want: rabbitmq.Credentials{User: "u", Password: "p"}},
	"Prefetch":        {variables: map[string]string{"RABBITMQ_PREFETCH": "7"}, want: 7},
	"PrefetchBytes":   {variables: map[string]string{"RABBITMQ_PREFETCH_BYTES": "-1"}, want: int64(-1)},
	"Concurrency":     {variables: map[string]string{"RABBITMQ_CONCURRENCY": "5"}, want: 5},
	"AckBatch":        {variables: map[string]string{"RABBITMQ_ACK_BATCH": "3"}, want: 3},
	"Timeout":         {variables: map[string]string{"RABBITMQ_TIMEOUT": "90s"}, want: 90 * time.Second},
	"RedeliveryDelay": {variables: map[string]string{"RABBITMQ_REDELIVERY_DELAY": "2s"}, want: 2 * time.Second},
	"CancelOnLoss":    {variables: map[string]string{"RABBITMQ_CANCEL_ON_LOSS": "true"}, want: true},
	"Topology":        {variables: map[string]string{"RABBITMQ_TOPOLOGY": "verify"}, want: runtime.TopologyVerify},
	"Events":          {none: "functions"},
	"Logger":          {none: "an object of the program"},
	"ConnectionName":  {variables: map[string]string{"RABBITMQ_CONNECTION_NAME": "orders"}, want: "orders"},
	"Heartbeat":       {variables: map[string]string{"RABBITMQ_HEARTBEAT": "5s"}, want: 5 * time.Second},
	"TLS":             {variables: map[string]string{"RABBITMQ_TLS_SERVER_NAME": "node"}, want: "node"},
	"StartTimeout":    {variables: map[string]string{"RABBITMQ_START_TIMEOUT": "10s"}, want: 10 * time.Second},
}

func TestFromEnvironment_HasAVariableForEachField(t *testing.T) {
	fields := reflect.TypeFor[rabbitmq.Config]()
	require.Len(t, environment, fields.NumField())
	for i := range fields.NumField() {
		name := fields.Field(i).Name
		t.Run(name, func(t *testing.T) {
			field, listed := environment[name]
			require.True(t, listed, "it has neither a variable nor a reason for none")
			if field.none != "" {
				return
			}
			t.Setenv("RABBITMQ_URL", "amqp://other")
			for variable, text := range field.variables {
				t.Setenv(variable, text)
			}
			config, err := rabbitmq.FromEnvironment()
			require.NoError(t, err)
			switch got := reflect.ValueOf(config).Field(i).Interface().(type) {
			case func(context.Context) (rabbitmq.Credentials, error):
				credentials, err := got(t.Context())
				require.NoError(t, err)
				require.Equal(t, field.want, credentials)
			default:
				if name == "TLS" {
					require.Equal(t, field.want, config.TLS.ServerName)
					return
				}
				require.Equal(t, field.want, got)
			}
		})
	}
}

func TestFromEnvironment_NamesWhatItCantRead(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"RABBITMQ_URL":           {"RABBITMQ_URL": ""},
		"RABBITMQ_PREFETCH":      {"RABBITMQ_PREFETCH": secret},
		"RABBITMQ_TIMEOUT":       {"RABBITMQ_TIMEOUT": secret},
		"RABBITMQ_TOPOLOGY":      {"RABBITMQ_TOPOLOGY": secret},
		"RABBITMQ_PASSWORD_FILE": {"RABBITMQ_USER": secret},
		"RABBITMQ_USER":          {"RABBITMQ_PASSWORD": secret},
		"RABBITMQ_TLS_CA_FILE":   {"RABBITMQ_TLS_CA_FILE": "/" + secret},
		"RABBITMQ_TLS_KEY_FILE":  {"RABBITMQ_TLS_CERT_FILE": secret},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("RABBITMQ_URL", "amqp://host")
			for variable, text := range set {
				t.Setenv(variable, text)
			}
			_, err := rabbitmq.FromEnvironment()
			require.ErrorContains(t, err, name)
			require.NotContains(t, err.Error(), secret)
		})
	}
}

func TestFromEnvironment_ReadsThePasswordForEachConnection(t *testing.T) {
	file := filepath.Join(t.TempDir(), "password")
	t.Setenv("RABBITMQ_URL", "amqp://host")
	t.Setenv("RABBITMQ_USER", "u")
	t.Setenv("RABBITMQ_PASSWORD_FILE", file)
	config, err := rabbitmq.FromEnvironment()
	require.NoError(t, err)
	_, err = config.Credentials(t.Context())
	require.ErrorContains(t, err, "RABBITMQ_PASSWORD_FILE")
	for _, password := range []string{"old", "new"} {
		require.NoError(t, os.WriteFile(file, []byte(password+"\n"), 0o600))
		credentials, err := config.Credentials(t.Context())
		require.NoError(t, err)
		require.Equal(t, rabbitmq.Credentials{User: "u", Password: password}, credentials)
	}
}
