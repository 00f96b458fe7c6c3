// Command watermill is on watermill-amqp, with its router and without.
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-amqp/v3/pkg/amqp"
	"github.com/ThreeDotsLabs/watermill/message"
)

type Booked struct {
	Room string
	From time.Time
}

type Price struct{ Amount int }

type mail struct{ To string }

func main() {
	logger := watermill.NewStdLogger(false, false)
	events := amqp.NewDurablePubSubConfig(os.Getenv("AMQP_URL"), amqp.GenerateQueueNameTopicNameWithSuffix("billing"))
	events.Consume.Qos.PrefetchCount = 7
	subscriber, err := amqp.NewSubscriber(events, logger)
	if err != nil {
		log.Fatal(err)
	}
	messages, err := subscriber.Subscribe(context.Background(), "prices")
	if err != nil {
		log.Fatal(err)
	}
	go process(messages)

	commands, err := amqp.NewSubscriber(amqp.NewDurableQueueConfig(os.Getenv("AMQP_URL")), logger)
	if err != nil {
		log.Fatal(err)
	}
	router, err := message.NewRouter(message.RouterConfig{}, logger)
	if err != nil {
		log.Fatal(err)
	}
	router.AddNoPublisherHandler("mails", "mails", commands, func(m *message.Message) error {
		var x mail
		return json.Unmarshal(m.Payload, &x)
	})
	router.AddHandler("rooms", "rooms", subscriber, "out", nil, (&rooms{}).book)
	if err := router.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

type rooms struct{}

func (r *rooms) book(m *message.Message) ([]*message.Message, error) {
	b := &Booked{}
	if err := json.Unmarshal(m.Payload, b); err != nil {
		return nil, err
	}
	return nil, nil
}

func process(messages <-chan *message.Message) {
	for m := range messages {
		p := Price{}
		if err := json.Unmarshal(m.Payload, &p); err != nil {
			m.Nack()
			continue
		}
		m.Ack()
	}
}
