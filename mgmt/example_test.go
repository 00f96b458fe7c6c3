package mgmt_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"time"

	"github.com/warrenmq/warren/mgmt"
	"github.com/warrenmq/warren/mgmt/passive"
)

// broker serves these answers, by method and path, in place of a RabbitMQ. Any
// other path isn't found.
func broker(answers map[string]string) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, found := answers[r.Method+" "+r.URL.EscapedPath()]
		w.Header().Set("Content-Type", "application/json")
		switch {
		case !found:
			body = `{"error":"Object Not Found","reason":"Not Found"}`
			w.WriteHeader(http.StatusNotFound)
		case strings.Contains(body, `"error"`):
			w.WriteHeader(http.StatusBadRequest)
		}
		io.WriteString(w, body)
	}))
}

func Example() {
	server := broker(map[string]string{
		"PUT /api/queues/%2F/orders":                  "",
		"POST /api/bindings/%2F/e/amq.topic/q/orders": "",
		"GET /api/queues":                             `[{"name":"orders","vhost":"/","messages":3}]`,
	})
	defer server.Close()

	ctx := context.Background()
	client, err := mgmt.New(mgmt.Config{URL: server.URL, Username: "ops", Password: "s3cret"})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	quorum := mgmt.QueueSettings{Arguments: mgmt.Table{"x-queue-type": "quorum"}}
	if err := client.DeclareQueue(ctx, "/", "orders", quorum); err != nil {
		log.Fatal(err)
	}
	if err := client.BindQueue(ctx, "/", "orders", "amq.topic", mgmt.BindingSettings{RoutingKey: "order.#"}); err != nil {
		log.Fatal(err)
	}
	for queue, err := range client.QueuesSeq(ctx, mgmt.AllVHosts(), mgmt.Columns("name", "vhost", "messages")) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(queue.VHost, queue.Name, queue.Messages)
	}
	// Output: / orders 3
}

func ExampleNew() {
	client, err := mgmt.New(mgmt.Config{
		URL:           "https://rabbit.example.com:15671",
		Username:      "ops",
		Password:      "s3cret",
		Timeout:       5 * time.Second,
		RequireSecure: true, // refuse credentials in the clear
	})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	fmt.Println(client) // without the password
	// Output: mgmt.Client{mgmt.Config{URL: https://rabbit.example.com:15671, Username: "ops"}}
}

func ExampleClient_DeclareQueue() {
	server := broker(map[string]string{
		"PUT /api/queues/%2F/orders": `{"error":"bad_request","reason":"inequivalent arg 'durable' for queue 'orders' in vhost '/'"}`,
	})
	defer server.Close()
	client, err := mgmt.New(mgmt.Config{URL: server.URL})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	err = client.DeclareQueue(context.Background(), "/", "orders", mgmt.QueueSettings{}) // durable
	fmt.Println(errors.Is(err, mgmt.ErrInequivalent))
	// Output: true
}

func ExampleError() {
	server := broker(nil)
	defer server.Close()
	client, err := mgmt.New(mgmt.Config{URL: server.URL})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	_, err = client.Queue(context.Background(), "/", "orders")
	var e *mgmt.Error
	if errors.As(err, &e) {
		fmt.Println(e.Status, e.Operation)
	}
	fmt.Println(err)
	// Output:
	// 404 read queue "orders" in vhost "/"
	// read queue "orders" in vhost "/": 404 Object Not Found: Not Found: not found (GET /api/queues/%2F/orders)
}

func ExampleOpt() {
	server := broker(map[string]string{"GET /api/queues/%2F/new": `{"name":"new","consumers":0}`})
	defer server.Close()
	client, err := mgmt.New(mgmt.Config{URL: server.URL})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	queue, err := client.Queue(context.Background(), "/", "new")
	if err != nil {
		log.Fatal(err)
	}
	if _, ok := queue.Messages.Get(); !ok {
		fmt.Println("the broker hasn't counted the messages yet")
	}
	fmt.Println(queue.Messages, queue.Consumers, queue.Messages.Or(-1))
	// Output:
	// the broker hasn't counted the messages yet
	// absent 0 -1
}

// Only the columns that are needed, in pages.
func ExampleClient_QueuesSeq() {
	server := broker(map[string]string{
		"GET /api/queues/%2F": `{"items":[{"name":"orders.created"},{"name":"orders.find"}],"page_count":1}`,
	})
	defer server.Close()
	client, err := mgmt.New(mgmt.Config{URL: server.URL})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	orders := client.QueuesSeq(context.Background(), mgmt.In("/"), mgmt.Columns("name"), mgmt.NameContains("orders"), mgmt.PageSize(100))
	for queue, err := range orders {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(queue.Name)
	}
	// Output:
	// orders.created
	// orders.find
}

// The key tells a binding from others between the same queue and exchange.
func ExampleClient_UnbindQueue() {
	server := broker(map[string]string{
		"GET /api/queues/%2F/orders/bindings": `[{"source":"","destination":"orders","routing_key":"orders"},
			{"source":"amq.topic","destination":"orders","routing_key":"order.#","properties_key":"order.%23"}]`,
		"DELETE /api/bindings/%2F/e/amq.topic/q/orders/order.%2523": "",
	})
	defer server.Close()
	ctx := context.Background()
	client, err := mgmt.New(mgmt.Config{URL: server.URL})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	bindings, err := client.QueueBindings(ctx, "/", "orders")
	if err != nil {
		log.Fatal(err)
	}
	for _, binding := range bindings {
		if binding.Source == "amq.topic" {
			err := client.UnbindQueue(ctx, "/", "orders", binding.Source, binding.PropertiesKey)
			fmt.Println(binding.RoutingKey, err)
		}
	}
	// Output: order.# <nil>
}

func ExampleClient_PublishMessage() {
	server := broker(map[string]string{
		"POST /api/exchanges/%2F/amq.default/publish": `{"routed":true}`,
		"POST /api/queues/%2F/orders/get":             `[{"payload":"eyJpZCI6MX0=","properties":{"content_type":"application/json"}}]`,
	})
	defer server.Close()
	ctx := context.Background()
	client, err := mgmt.New(mgmt.Config{URL: server.URL})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	routed, err := client.PublishMessage(ctx, "/", "", mgmt.PublishSettings{
		RoutingKey: "orders",
		Payload:    []byte(`{"id":1}`),
		Properties: mgmt.Table{"content_type": "application/json", "delivery_mode": 2},
	})
	if err != nil {
		log.Fatal(err)
	}
	messages, err := client.GetMessages(ctx, "/", "orders", mgmt.GetSettings{}) // and put it back
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v %s\n", routed, messages[0].Payload)
	// Output: true {"id":1}
}

// A shovel moves all messages of a queue to another broker, and deletes itself.
func ExampleClient_PutShovel() {
	server := broker(map[string]string{"PUT /api/parameters/shovel/%2F/move": "", "GET /api/vhosts/%2F": "{}"})
	defer server.Close()
	client, err := mgmt.New(mgmt.Config{URL: server.URL})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	settings := mgmt.ShovelSettings{
		SourceQueue:       "orders",
		SourceDeleteAfter: mgmt.QueueLength,
		DestURIs:          mgmt.URIs{"amqps://ops:s3cret@other.example.com"},
		DestQueue:         "orders",
	}
	if err := client.PutShovel(ctx, "/", "move", settings); err != nil {
		log.Fatal(err)
	}
	fmt.Println(settings.DestURIs, client.AwaitShovelFinished(ctx, "/", "move"))
	// Output: [amqps://***@other.example.com] <nil>
}

func ExampleClient_CheckReady() {
	server := broker(map[string]string{"GET /api/health/checks/ready-to-serve-clients": `{"status":"ok"}`})
	defer server.Close()
	client, err := mgmt.New(mgmt.Config{URL: server.URL})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	switch err := client.CheckReady(context.Background()); {
	case err == nil:
		fmt.Println("ready")
	case errors.Is(err, mgmt.ErrUnhealthy):
		fmt.Println("not ready:", err)
	default:
		fmt.Println("not known:", err)
	}
	// Output: ready
}

func ExampleClient_ExportDefinitions() {
	server := broker(map[string]string{"GET /api/definitions/%2F": `{"queues":[{"name":"orders","durable":true}]}`})
	defer server.Close()
	client, err := mgmt.New(mgmt.Config{URL: server.URL})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	if err := client.ExportDefinitions(context.Background(), mgmt.In("/"), os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output: {"queues":[{"name":"orders","durable":true}]}
}

// Do calls an endpoint that has no method here.
func ExampleClient_Do() {
	server := broker(map[string]string{"GET /api/nodes/rabbit@host/memory": `{"memory":{"total":{"rss":149000000}}}`})
	defer server.Close()
	client, err := mgmt.New(mgmt.Config{URL: server.URL})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	var usage struct {
		Memory struct{ Total struct{ RSS int64 } }
	}
	err = client.Do(context.Background(), "GET", []string{"nodes", "rabbit@host", "memory"}, nil, nil, &usage)
	fmt.Println(usage.Memory.Total.RSS, err)
	// Output: 149000000 <nil>
}

// List reads the few fields that are needed, of any endpoint.
func ExampleList() {
	server := broker(map[string]string{"GET /api/queues/quorum": `[{"name":"orders","leader":"rabbit@a","members":["rabbit@a","rabbit@b"]}]`})
	defer server.Close()
	client, err := mgmt.New(mgmt.Config{URL: server.URL})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	type replicas struct{ Name, Leader string }
	queues, err := mgmt.List[replicas](context.Background(), client, []string{"queues", "quorum"}, mgmt.Columns("name", "leader"))
	fmt.Println(queues, err)
	// Output: [{orders rabbit@a}] <nil>
}

// Two calls at once.
func ExampleGo() {
	server := broker(map[string]string{
		"GET /api/overview": `{"rabbitmq_version":"4.3.0"}`,
		"GET /api/whoami":   `{"name":"guest"}`,
	})
	defer server.Close()
	ctx := context.Background()
	client, err := mgmt.New(mgmt.Config{URL: server.URL})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	pending := mgmt.Go(func() (mgmt.OverviewInfo, error) { return client.Overview(ctx) })
	user, err := client.WhoAmI(ctx)
	if err != nil {
		log.Fatal(err)
	}
	overview, err := pending.Wait(ctx)
	fmt.Println(user.Name, overview.Version, err)
	// Output: guest 4.3.0 <nil>
}

// A classic queue needs no Inspector: the broker itself checks that it is empty
// and unused.
func ExampleSafeDeleteQueue() {
	server := broker(map[string]string{
		"GET /api/queues/%2F/orders":    `{"name":"orders","type":"classic","messages":0}`,
		"DELETE /api/queues/%2F/orders": `{"error":"bad_request","reason":"queue 'orders' in vhost '/' not empty"}`,
	})
	defer server.Close()
	client, err := mgmt.New(mgmt.Config{URL: server.URL})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	err = mgmt.SafeDeleteQueue(context.Background(), client, "/", "orders", nil)
	fmt.Println(errors.Is(err, mgmt.ErrInUse))
	// Output: true
}

// A quorum queue is asked for over AMQP.
func ExampleSafeMigrateQueue() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	client, err := mgmt.New(mgmt.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	inspector := passive.New("amqp://guest:guest@localhost:5672")
	quorum := mgmt.QueueSettings{Arguments: mgmt.Table{"x-queue-type": "quorum"}}
	if err := client.DeclareQueue(ctx, "/", "orders.quorum", quorum); err != nil {
		log.Fatal(err)
	}
	if err := mgmt.SafeMigrateQueue(ctx, client, "/", "orders", "orders.quorum", inspector); err != nil {
		log.Fatal(err)
	}
}

// One page of a list, with the numbers that a table of queues shows below it.
func ExampleClient_QueuesPage() {
	server := broker(map[string]string{
		"GET /api/queues": `{"items":[{"name":"orders.c"}],"page":2,"page_count":2,"page_size":2,"filtered_count":3,"total_count":40}`,
	})
	defer server.Close()
	client, err := mgmt.New(mgmt.Config{URL: server.URL})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	page, err := client.QueuesPage(context.Background(), mgmt.AllVHosts(), 2, mgmt.NameContains("orders"), mgmt.PageSize(2))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("page %d of %d: %s; %d of %d queues\n", page.Number, page.Pages, page.Items[0].Name, page.Filtered, page.Total)
	// Output: page 2 of 2: orders.c; 3 of 40 queues
}

// Which policies a queue will have, before it is declared.
func ExamplePolicyInfo_Matches() {
	for _, policy := range []mgmt.PolicyInfo{
		{Name: "limit", Pattern: `^orders\.`, ApplyTo: mgmt.ApplyToQueues},
		{Name: "streams", Pattern: "^orders", ApplyTo: mgmt.ApplyToStreams},
		{Name: "others", Pattern: "^(?!invoices)", ApplyTo: mgmt.ApplyToAll},
	} {
		matches, err := policy.Matches(mgmt.ApplyToQuorumQueues, "orders.new")
		fmt.Println(policy.Name, matches, errors.Is(err, mgmt.ErrUndecided))
	}
	// Output:
	// limit true false
	// streams false false
	// others false true
}
