// Command flags has flags, a prefetch and a table that the environment decides, and
// bindings with arguments.
package main

import (
	"log"
	"os"
	"strconv"

	amqp "github.com/rabbitmq/amqp091-go"
)

func main() {
	conn, err := amqp.Dial(os.Getenv("AMQP_URL"))
	if err != nil {
		log.Fatal(err)
	}
	ch, err := conn.Channel()
	if err != nil {
		log.Fatal(err)
	}
	chosen(ch)
	fixed(ch)
}

func chosen(ch *amqp.Channel) {
	durable, _ := strconv.ParseBool(os.Getenv("DURABLE"))
	auto, _ := strconv.ParseBool(os.Getenv("AUTO"))
	prefetch, _ := strconv.Atoi(os.Getenv("PREFETCH"))
	var args amqp.Table
	if dead := os.Getenv("DEAD"); dead != "" {
		args = amqp.Table{"x-dead-letter-exchange": dead}
	}
	_ = ch.Qos(prefetch, 0, false)
	_ = ch.ExchangeDeclare("shop", "topic", durable, false, false, false, nil)
	_, _ = ch.QueueDeclare("orders", durable, false, durable, false, args)
	_ = ch.QueueBind("orders", "order.*", "shop", false, nil)
	_, _ = ch.Consume("orders", "", auto, false, false, false, nil)
}

func fixed(ch *amqp.Channel) {
	_ = ch.Qos(5, 0, false)
	_, _ = ch.QueueDeclare("mails", true, false, false, false, nil)
	_ = ch.QueueBind("mails", "", "amq.headers", false, amqp.Table{"x-match": "all", "kind": "paid"})
	_ = ch.QueueUnbind("mails", "old", "amq.topic", nil)
	_, _ = ch.Consume("", "", false, false, false, false, nil) // the one that was declared last
}
