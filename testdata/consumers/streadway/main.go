// Command streadway is on the older client, with a struct around it that connects again.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/streadway/amqp"
)

type Consumer struct {
	conn    *amqp.Connection
	channel *amqp.Channel
	tag     string
	done    chan error
}

type Reading struct {
	Sensor string    `json:"sensor"`
	Value  float64   `json:"value"`
	At     time.Time `json:"at"`
}

func NewConsumer(uri, exchange, kind, queue, key, tag string) (*Consumer, error) {
	c := &Consumer{tag: tag, done: make(chan error)}
	var err error
	if c.conn, err = amqp.Dial(uri); err != nil {
		return nil, fmt.Errorf("Dial: %s", err)
	}
	go func() { fmt.Printf("closing: %s", <-c.conn.NotifyClose(make(chan *amqp.Error))) }()
	if c.channel, err = c.conn.Channel(); err != nil {
		return nil, fmt.Errorf("Channel: %s", err)
	}
	if err = c.channel.ExchangeDeclare(exchange, kind, true, false, false, false, nil); err != nil {
		return nil, fmt.Errorf("Exchange Declare: %s", err)
	}
	q, err := c.channel.QueueDeclare(queue, true, false, false, false, nil)
	if err != nil {
		return nil, fmt.Errorf("Queue Declare: %s", err)
	}
	if err = c.channel.QueueBind(q.Name, key, exchange, false, nil); err != nil {
		return nil, fmt.Errorf("Queue Bind: %s", err)
	}
	deliveries, err := c.channel.Consume(q.Name, c.tag, false, false, false, false, nil)
	if err != nil {
		return nil, fmt.Errorf("Queue Consume: %s", err)
	}
	go handle(deliveries, c.done)
	return c, nil
}

func handle(deliveries <-chan amqp.Delivery, done chan error) {
	for d := range deliveries {
		var batch []Reading
		if err := json.Unmarshal(d.Body, &batch); err != nil {
			log.Printf("%dB: %v", len(d.Body), err)
		}
		d.Ack(false)
	}
	done <- nil
}

func main() {
	c, err := NewConsumer(os.Getenv("AMQP_URL"), "telemetry", "topic", "readings", "sensor.*.reading", "collector")
	if err != nil {
		log.Fatalf("%s", err)
	}
	<-c.done
}
