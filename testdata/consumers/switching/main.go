// Command switching tells messages apart by their type, and reads an envelope.
package main

import (
	"encoding/json"
	"log"
	"os"

	amqp "github.com/rabbitmq/amqp091-go"
)

type Envelope struct {
	Kind    string          `json:"kind"`
	Payload json.RawMessage `json:"payload"`
}

type Opened struct{ Account string }

type Closed struct {
	Account string
	Reason  string
}

func dispatch(d amqp.Delivery) error {
	switch d.Type {
	case "account.opened":
		var o Opened
		return json.Unmarshal(d.Body, &o)
	case "account.closed":
		var c Closed
		return json.Unmarshal(d.Body, &c)
	default:
		return d.Nack(false, false)
	}
}

func main() {
	conn, err := amqp.Dial(os.Getenv("AMQP_URL"))
	if err != nil {
		log.Fatal(err)
	}
	ch, err := conn.Channel()
	if err != nil {
		log.Fatal(err)
	}
	accounts, err := ch.Consume("accounts", "", false, false, false, false, nil)
	if err != nil {
		log.Fatal(err)
	}
	audit, err := ch.Consume("audit", "", true, false, false, false, nil)
	if err != nil {
		log.Fatal(err)
	}
	for {
		select {
		case d := <-accounts:
			if err := dispatch(d); err == nil {
				d.Ack(false)
			}
		case d := <-audit:
			var e Envelope
			if err := json.Unmarshal(d.Body, &e); err != nil {
				log.Println(err)
			}
		}
	}
}
