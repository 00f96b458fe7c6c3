// Command pool has some workers for one queue.
package main

import (
	"encoding/json"
	"log"
	"os"
	"sync"

	amqp "github.com/rabbitmq/amqp091-go"
)

type Image struct {
	URL    string
	Widths []int
}

type Pool struct {
	ch      *amqp.Channel
	workers int
}

func (p *Pool) Start(queue string) (*sync.WaitGroup, error) {
	p.ch.Qos(p.workers*2, 0, false)
	in, err := p.ch.Consume(queue, "resizer", false, false, false, false, nil)
	if err != nil {
		return nil, err
	}
	var wg sync.WaitGroup
	for i := 0; i < p.workers; i++ {
		wg.Add(1)
		go func(n int) {
			defer wg.Done()
			p.work(n, in)
		}(i)
	}
	return &wg, nil
}

func (p *Pool) work(n int, in <-chan amqp.Delivery) {
	for d := range in {
		var image Image
		if err := json.Unmarshal(d.Body, &image); err != nil {
			log.Println(n, err)
			d.Nack(false, false)
			continue
		}
		d.Ack(false)
	}
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
	if _, err := ch.QueueDeclare("images.resize", true, false, false, false, amqp.Table{amqp.QueueTypeArg: amqp.QueueTypeQuorum}); err != nil {
		log.Fatal(err)
	}
	pool := &Pool{ch, 8}
	wg, err := pool.Start("images.resize")
	if err != nil {
		log.Fatal(err)
	}
	wg.Wait()
}
