package topology_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/warrenmq/warren/mgmt"
	"github.com/warrenmq/warren/mgmt/internal/conformance"
	"github.com/warrenmq/warren/mgmt/internal/inprocess"
)

// The suite also runs on real brokers, in mgmt/internal/live.
func TestTopology_ConformsInTheProcess(t *testing.T) {
	for _, version := range []inprocess.Version{inprocess.V3, inprocess.V4} {
		t.Run(string(version), func(t *testing.T) {
			broker := inprocess.New(version)
			server := httptest.NewServer(broker)
			defer server.Close()
			defer http.DefaultTransport.(*http.Transport).CloseIdleConnections()
			conformance.Run(t, served{broker, server.URL}, 1)
		})
	}
}

// served is a broker in the process, for package conformance.
type served struct {
	broker *inprocess.Broker
	url    string
}

func (s served) Config() mgmt.Config {
	return mgmt.Config{URL: s.url, Transport: http.DefaultTransport}
}

func (s served) Inspector() mgmt.Inspector { return s.broker }

func (s served) Publish(_ *testing.T, queue string, messages int) { s.broker.Publish(queue, messages) }
