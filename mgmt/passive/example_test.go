package passive_test

import (
	"context"
	"fmt"
	"log"

	"github.com/warrenmq/warren/mgmt"
	"github.com/warrenmq/warren/mgmt/passive"
)

func ExampleInspector() {
	inspector := passive.New("amqp://guest:guest@localhost:5672")
	ready, consumers, err := inspector.InspectQueue(context.Background(), "/", "orders")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ready, consumers)
}

// Quorum queues are deleted safely by what the inspector reports.
func ExampleNew() {
	client, err := mgmt.New(mgmt.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	inspector := passive.New("amqp://guest:guest@localhost:5672")
	if err := mgmt.SafeDeleteQueue(context.Background(), client, "/", "orders", inspector); err != nil {
		log.Fatal(err)
	}
}
