// Command retries sends what failed through a queue with a time to live.
package main

import (
	"encoding/json"
	"log"
	"os"

	amqp "github.com/rabbitmq/amqp091-go"
)

const (
	work  = "mails"
	retry = "mails.retry"
	dead  = "mails.dead"
)

type Mail struct {
	To, Subject string
	Body        string `json:",omitempty"`
}

func declare(ch *amqp.Channel) error {
	queues := []struct {
		name string
		args amqp.Table
	}{
		{dead, nil},
		{retry, amqp.Table{"x-dead-letter-exchange": "", "x-dead-letter-routing-key": work, "x-message-ttl": int32(30_000)}},
		{work, amqp.Table{"x-dead-letter-exchange": "", "x-dead-letter-routing-key": dead, "x-max-length": int64(100_000)}},
	}
	for _, q := range queues {
		if _, err := ch.QueueDeclare(q.name, true, false, false, false, q.args); err != nil {
			return err
		}
	}
	return nil
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
	if err := declare(ch); err != nil {
		log.Fatal(err)
	}
	msgs, err := ch.Consume(work, "", false, false, false, false, nil)
	if err != nil {
		log.Fatal(err)
	}
	for d := range msgs {
		var m Mail
		if err := json.Unmarshal(d.Body, &m); err != nil {
			d.Nack(false, false)
			continue
		}
		if n, _ := d.Headers["x-attempts"].(int32); n < 5 {
			err = ch.Publish("", retry, false, false, amqp.Publishing{Body: d.Body, Headers: amqp.Table{"x-attempts": n + 1}})
		}
		d.Ack(false)
	}
}
