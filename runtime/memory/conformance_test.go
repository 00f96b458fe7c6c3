package memory_test

import (
	"testing"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/conformance"
	"github.com/warrenmq/warren/runtime/memory"
)

func TestConformance(t *testing.T) {
	conformance.Run(t, func(*testing.T) conformance.Server { return shared{new(memory.Server)} })
}

// shared is a server in memory with as many brokers as a test needs.
type shared struct{ server *memory.Server }

func (s shared) Open(_ *testing.T, settings conformance.Settings) runtime.Broker {
	return memory.New(memory.Config{
		Server:          s.server,
		Prefetch:        settings.Prefetch,
		Concurrency:     settings.Concurrency,
		RedeliveryDelay: settings.RedeliveryDelay,
		Topology:        settings.Topology,
		Events:          settings.Events,
		Logger:          settings.Logger,
	})
}

// Delete deletes the queues; exchanges end with the test.
func (s shared) Delete(_ *testing.T, queues, _ []string) {
	for _, queue := range queues {
		s.server.Delete(queue)
	}
}
