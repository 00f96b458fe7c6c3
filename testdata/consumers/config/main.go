// Command config has names in a struct, which the environment fills.
package main

import (
	"encoding/json"
	"log"
	"os"

	amqp "github.com/rabbitmq/amqp091-go"
)

type Config struct {
	URL      string
	Queue    string
	Exchange string
	Key      string
	Tenant   string
}

func getenv(name, otherwise string) string {
	if value, ok := os.LookupEnv(name); ok {
		return value
	}
	return otherwise
}

func load() Config {
	return Config{
		URL:      os.Getenv("AMQP_URL"),
		Queue:    getenv("ORDERS_QUEUE", "orders"),
		Exchange: getenv("ORDERS_EXCHANGE", "shop"),
		Key:      "order.#",
		Tenant:   os.Getenv("TENANT"),
	}
}

type Order struct {
	ID    string  `json:"id"`
	Total float64 `json:"total"`
}

func consume(cfg Config, ch *amqp.Channel, queue string, on func(Order) error) {
	if _, err := ch.QueueDeclare(queue, true, false, false, false, nil); err != nil {
		log.Fatal(err)
	}
	if err := ch.QueueBind(queue, cfg.Key, cfg.Exchange, false, nil); err != nil {
		log.Fatal(err)
	}
	msgs, err := ch.Consume(queue, "", true, false, false, false, nil)
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for d := range msgs {
			var order Order
			if err := json.Unmarshal(d.Body, &order); err != nil {
				continue
			}
			if err := on(order); err != nil {
				log.Println(err)
			}
		}
	}()
}

func main() {
	cfg := load()
	conn, err := amqp.Dial(cfg.URL)
	if err != nil {
		log.Fatal(err)
	}
	ch, err := conn.Channel()
	if err != nil {
		log.Fatal(err)
	}
	consume(cfg, ch, cfg.Queue, func(Order) error { return nil })
	consume(cfg, ch, cfg.Tenant+".orders", func(Order) error { return nil })
	select {}
}
