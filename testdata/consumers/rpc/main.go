// Command rpc replies to its messages.
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"

	amqp "github.com/rabbitmq/amqp091-go"
)

type Request struct {
	N int `json:"n"`
}

type Response struct {
	Fib int `json:"fib"`
}

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
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
	q, err := ch.QueueDeclare("rpc_queue", false, false, false, false, nil)
	if err != nil {
		log.Fatal(err)
	}
	msgs, err := ch.Consume(q.Name, "", false, false, false, false, nil)
	if err != nil {
		log.Fatal(err)
	}
	for d := range msgs {
		var r Request
		if err := json.Unmarshal(d.Body, &r); err != nil {
			d.Reject(false)
			continue
		}
		body, err := json.Marshal(Response{fib(r.N)})
		if err != nil {
			d.Reject(false)
			continue
		}
		err = ch.PublishWithContext(context.Background(), "", d.ReplyTo, false, false, amqp.Publishing{
			ContentType: "application/json", CorrelationId: d.CorrelationId, Body: body,
		})
		if err != nil {
			log.Println(err)
		}
		d.Ack(false)
	}
}
