// Command wagslane is on go-rabbitmq.
package main

import (
	"bytes"
	"encoding/json"
	"log"
	"os"

	rabbitmq "github.com/wagslane/go-rabbitmq"
)

type Signup struct {
	Email string `json:"email"`
}

func main() {
	conn, err := rabbitmq.NewConn(os.Getenv("AMQP_URL"), rabbitmq.WithConnectionOptionsLogging)
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	consumer, err := rabbitmq.NewConsumer(
		conn,
		"signups",
		rabbitmq.WithConsumerOptionsExchangeName("users"),
		rabbitmq.WithConsumerOptionsExchangeKind("topic"),
		rabbitmq.WithConsumerOptionsExchangeDurable,
		rabbitmq.WithConsumerOptionsExchangeDeclare,
		rabbitmq.WithConsumerOptionsRoutingKey("user.signed-up"),
		rabbitmq.WithConsumerOptionsQueueDurable,
		rabbitmq.WithConsumerOptionsQueueArgs(rabbitmq.Table{"x-single-active-consumer": true}),
		rabbitmq.WithConsumerOptionsQOSPrefetch(50),
	)
	if err != nil {
		log.Fatal(err)
	}
	defer consumer.Close()
	err = consumer.Run(func(d rabbitmq.Delivery) rabbitmq.Action {
		var s Signup
		if err := json.NewDecoder(bytes.NewReader(d.Body)).Decode(&s); err != nil {
			return rabbitmq.NackDiscard
		}
		return rabbitmq.Ack
	})
	if err != nil {
		log.Fatal(err)
	}
}
