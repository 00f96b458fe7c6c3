// Command handlers has a map of handlers, one for each routing key.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"

	amqp "github.com/rabbitmq/amqp091-go"
)

type Created struct{ Name, Email string }

type Deleted struct{ Name string }

type Handler interface{ Handle(body []byte) error }

type created struct{}

func (created) Handle(body []byte) error { return decoded(body, func(c Created) error { return nil }) }

type deleted struct{}

func (deleted) Handle(body []byte) error { return decoded(body, func(d Deleted) error { return nil }) }

func decoded[T any](body []byte, then func(T) error) error {
	var v T
	if err := json.Unmarshal(body, &v); err != nil {
		return fmt.Errorf("decode: %w", err)
	}
	return then(v)
}

func main() {
	handlers := map[string]Handler{"user.created": created{}, "user.deleted": deleted{}}
	conn, err := amqp.Dial(os.Getenv("AMQP_URL"))
	if err != nil {
		log.Fatal(err)
	}
	ch, err := conn.Channel()
	if err != nil {
		log.Fatal(err)
	}
	if err := ch.ExchangeDeclare("users", "topic", true, false, false, false, nil); err != nil {
		log.Fatal(err)
	}
	if _, err := ch.QueueDeclare("mailer", true, false, false, false, nil); err != nil {
		log.Fatal(err)
	}
	for key := range handlers {
		if err := ch.QueueBind("mailer", key, "users", false, nil); err != nil {
			log.Fatal(err)
		}
	}
	messages, err := ch.Consume("mailer", "mailer", false, false, false, false, nil)
	if err != nil {
		log.Fatal(err)
	}
	for m := range messages {
		handler, ok := handlers[m.RoutingKey]
		if !ok {
			_ = m.Nack(false, false)
			continue
		}
		if err := handler.Handle(m.Body); err != nil {
			_ = m.Nack(false, true)
			continue
		}
		_ = m.Ack(false)
	}
}
