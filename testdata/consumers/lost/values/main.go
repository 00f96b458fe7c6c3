// Command values consumes by an interface, and by a method that is a value.
package main

import (
	"log"

	amqp "github.com/rabbitmq/amqp091-go"
)

type consumer interface {
	Consume(queue, consumer string, autoAck, exclusive, noLocal, noWait bool, args amqp.Table) (<-chan amqp.Delivery, error)
}

// Listen is called by a framework.
func Listen(c consumer) error {
	_, err := c.Consume("by.interface", "", true, false, false, false, nil)
	return err
}

// Watch is too.
func Watch(ch *amqp.Channel) error {
	consume := ch.Consume
	_, err := consume("by.value", "", true, false, false, false, nil)
	return err
}

func main() { log.Print("started by a framework") }
