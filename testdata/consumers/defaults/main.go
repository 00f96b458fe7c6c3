// Command defaults makes names of variables of the environment with defaults.
package main

import (
	"fmt"
	"log"
	"os"
	"strings"

	amqp "github.com/rabbitmq/amqp091-go"
)

func getenv(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
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
	name := os.Getenv("SCAN_D")
	if name == "" {
		name = "d"
	}
	for _, queue := range []string{
		getenv("SCAN_A", "a") + ".dead",
		strings.ToUpper(getenv("SCAN_B", "b")),
		fmt.Sprintf("%s.x", getenv("SCAN_C", "c")),
		getenv("SCAN_E", getenv("SCAN_F", "f")),
		name,
	} {
		if _, err := ch.QueueDeclare(queue, false, true, false, false, nil); err != nil {
			log.Fatal(err)
		}
		if _, err := ch.Consume(queue, "", true, false, false, false, nil); err != nil {
			log.Fatal(err)
		}
	}
	select {}
}
