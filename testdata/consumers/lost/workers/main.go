// Command workers consumes one queue often, those of a tenant that isn't known, and
// comes to the others after that.
package main

import (
	"log"
	"os"

	amqp "github.com/rabbitmq/amqp091-go"
)

func main() {
	conn, err := amqp.Dial(os.Getenv("AMQP_URL"))
	if err != nil {
		log.Fatal(err)
	}
	for range 10 {
		consume(conn, "orders")
	}
	for _, of := range []string{"mails", "parcels"} {
		consume(conn, os.Getenv("TENANT")+"."+of)
	}
	for tries := 0; ; tries++ {
		consume(conn, "audit")
		log.Print(tries)
		if tries > 20 {
			break
		}
	}
	consume(conn, "last")
}

func consume(conn *amqp.Connection, queue string) {
	ch, err := conn.Channel()
	if err != nil {
		log.Fatal(err)
	}
	deliveries, err := ch.Consume(queue, "", false, false, false, false, nil)
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for d := range deliveries {
			_ = d.Ack(false)
		}
	}()
}
