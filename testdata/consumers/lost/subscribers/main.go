// Command subscribers has subscribers whose configuration isn't known, and some that
// others make.
package main

import (
	"context"
	"log"
	"os"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-amqp/v3/pkg/amqp"
	"github.com/ThreeDotsLabs/watermill/message"
)

var configs = map[string]amqp.Config{
	"durable":   amqp.NewDurableQueueConfig(os.Getenv("AMQP_URL")),
	"transient": amqp.NewNonDurableQueueConfig(os.Getenv("AMQP_URL")),
}

// Routes is called by a framework.
func Routes(r *message.Router, sub *amqp.Subscriber) {
	r.AddConsumerHandler("mails", "mails", sub, handle)
}

func handle(*message.Message) error { return nil }

func main() {
	known, err := amqp.NewSubscriber(amqp.NewDurableQueueConfig(os.Getenv("AMQP_URL")), watermill.NopLogger{})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := known.Subscribe(context.Background(), "known"); err != nil {
		log.Fatal(err)
	}
	chosen, err := amqp.NewSubscriber(configs[os.Getenv("CONFIG")], watermill.NopLogger{})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := chosen.Subscribe(context.Background(), "orders"); err != nil {
		log.Fatal(err)
	}
	r, err := message.NewRouter(message.RouterConfig{}, watermill.NopLogger{})
	if err != nil {
		log.Fatal(err)
	}
	r.AddConsumerHandler("parcels", "parcels", chosen, handle)
}
