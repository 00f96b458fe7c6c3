// Command empty takes the name of its queue from a flag that has to be given.
package main

import (
	"flag"
	"log"

	"github.com/wagslane/go-rabbitmq"
)

func main() {
	queue := flag.String("queue", "", "must be given")
	flag.Parse()
	conn, err := rabbitmq.NewConn("amqp://localhost")
	if err != nil {
		log.Fatal(err)
	}
	consumer, err := rabbitmq.NewConsumer(conn, *queue, rabbitmq.WithConsumerOptionsQueueDurable)
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(consumer.Run(func(d rabbitmq.Delivery) rabbitmq.Action {
		log.Print(string(d.Body))
		return rabbitmq.Ack
	}))
}
