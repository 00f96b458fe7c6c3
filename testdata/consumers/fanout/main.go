// Command fanout has a queue that the broker names, and text for a body.
package main

import (
	"log"
	"os"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

func main() {
	for {
		if err := run(); err != nil {
			log.Println(err)
		}
		time.Sleep(5 * time.Second)
	}
}

func run() error {
	conn, err := amqp.Dial(os.Getenv("AMQP_URL"))
	if err != nil {
		return err
	}
	defer conn.Close()
	ch, err := conn.Channel()
	if err != nil {
		return err
	}
	if err := ch.ExchangeDeclare("logs", "fanout", true, false, false, false, nil); err != nil {
		return err
	}
	q, err := ch.QueueDeclare("", false, false, true, false, nil)
	if err != nil {
		return err
	}
	if err := ch.QueueBind(q.Name, "", "logs", false, nil); err != nil {
		return err
	}
	msgs, err := ch.Consume(q.Name, "", true, false, false, false, nil)
	if err != nil {
		return err
	}
	closed := conn.NotifyClose(make(chan *amqp.Error, 1))
	for {
		select {
		case err := <-closed:
			return err
		case d, ok := <-msgs:
			if !ok {
				return nil
			}
			log.Printf("%s", d.Body)
		}
	}
}
