package topology_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/warrenmq/warren/mgmt"
	"github.com/warrenmq/warren/mgmt/passive"
	"github.com/warrenmq/warren/mgmt/topology"
)

// broker serves, in place of a RabbitMQ, a virtual host with the built-in
// exchanges and a transient queue "orders".
func broker() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.Method != http.MethodGet:
			w.WriteHeader(http.StatusCreated)
		case strings.HasPrefix(r.URL.Path, "/api/vhosts/"):
			io.WriteString(w, `{"name":"/","default_queue_type":"classic"}`)
		case strings.HasSuffix(r.URL.Path, "/bindings"):
			io.WriteString(w, `[{"source":"amq.topic","destination":"orders","routing_key":"old"}]`)
		case strings.HasPrefix(r.URL.Path, "/api/queues/"):
			io.WriteString(w, `[{"name":"orders","vhost":"/","type":"classic","durable":false,"auto_delete":false}]`)
		default:
			io.WriteString(w, `[{"name":"amq.topic","type":"topic","durable":true}]`)
		}
	}))
}

func ExampleDiff() {
	server := broker()
	defer server.Close()
	client, err := mgmt.New(mgmt.Config{URL: server.URL})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	changes, err := topology.Diff(context.Background(), client, topology.Topology{
		Exchanges: []topology.Exchange{{Name: "shop", Type: mgmt.Topic, Durable: true}},
		Queues:    []topology.Queue{{Name: "orders"}, {Name: "invoices", Durable: true}},
		Bindings:  []topology.Binding{{Exchange: "shop", Queue: "orders", RoutingKey: "order.#"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(changes)
	// Output:
	// + exchange "shop" (topic)
	// + queue "invoices"
	// + binding of queue "orders" to exchange "shop" by "order.#"
	// - binding of queue "orders" to exchange "amq.topic" by "old"
}

func ExampleApply() {
	server := broker()
	defer server.Close()
	ctx := context.Background()
	client, err := mgmt.New(mgmt.Config{URL: server.URL})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	changes, err := topology.Diff(ctx, client, topology.Topology{
		Queues: []topology.Queue{{Name: "invoices", Durable: true}, {Name: "orders", Durable: true}},
	})
	if err != nil {
		log.Fatal(err)
	}
	// The queue "invoices" is declared, and "orders" left as it is.
	err = topology.Apply(ctx, client, changes, topology.Options{})
	var inequivalent *topology.InequivalentError
	if errors.As(err, &inequivalent) {
		for _, difference := range inequivalent.Differences {
			fmt.Println(difference.Kind, difference.Name, difference.Fields)
		}
	}
	// Output: queue orders [durable: want true, have false]
}

// Migrate makes an existing queue a quorum queue, without losing a message.
func ExampleMigrate() {
	client, err := mgmt.New(mgmt.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	inspector := passive.New("amqp://guest:guest@localhost:5672")
	quorum := topology.Queue{Name: "orders", Durable: true, Arguments: map[string]any{"x-queue-type": "quorum"}}
	if err := topology.Migrate(context.Background(), client, "/", quorum, inspector); err != nil {
		log.Fatal(err)
	}
}
