// Command forwarded hands messages to its workers over a channel of its own.
package main

import (
	"encoding/json"
	"log"
	"os"

	amqp "github.com/rabbitmq/amqp091-go"
)

type Job struct{ ID string }

func worker(jobs <-chan amqp.Delivery) {
	for d := range jobs {
		var j Job
		if err := json.Unmarshal(d.Body, &j); err != nil {
			d.Nack(false, false)
			continue
		}
		d.Ack(false)
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
	msgs, err := ch.Consume("jobs", "", false, false, false, false, nil)
	if err != nil {
		log.Fatal(err)
	}
	jobs := make(chan amqp.Delivery)
	for range 4 {
		go worker(jobs)
	}
	for d := range msgs {
		jobs <- d
	}
}
