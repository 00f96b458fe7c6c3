// Command subscribing begins to consume when it is asked to, by HTTP.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"

	amqp "github.com/rabbitmq/amqp091-go"
)

type Position struct{ Lat, Lon float64 }

type server struct{ conn *amqp.Connection }

func (s *server) follow(w http.ResponseWriter, r *http.Request) {
	ch, err := s.conn.Channel()
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer ch.Close()
	q, err := ch.QueueDeclare("", false, true, true, false, nil)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	if err := ch.QueueBind(q.Name, "vehicle."+r.PathValue("id"), "positions", false, nil); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	msgs, err := ch.Consume(q.Name, "", true, true, false, false, nil)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	for d := range msgs {
		var p Position
		if json.Unmarshal(d.Body, &p) == nil {
			_ = json.NewEncoder(w).Encode(p)
		}
	}
}

func main() {
	conn, err := amqp.Dial(os.Getenv("AMQP_URL"))
	if err != nil {
		log.Fatal(err)
	}
	s := &server{conn}
	http.HandleFunc("GET /vehicles/{id}", s.follow)
	log.Fatal(http.ListenAndServe(os.Getenv("ADDR"), nil))
}
