// Command steps computes for long between two consumers.
package main

import (
	"log"
	"os"

	amqp "github.com/rabbitmq/amqp091-go"
)

var table [1 << 24]int

func main() {
	conn, err := amqp.Dial(os.Getenv("AMQP_URL"))
	if err != nil {
		log.Fatal(err)
	}
	ch, err := conn.Channel()
	if err != nil {
		log.Fatal(err)
	}
	consume(ch, "orders")
	for i := range table {
		table[i] = i * i % 7
	}
	consume(ch, "mails")
}

func consume(ch *amqp.Channel, queue string) {
	if _, err := ch.Consume(queue, "", true, false, false, false, nil); err != nil {
		log.Fatal(err)
	}
}
