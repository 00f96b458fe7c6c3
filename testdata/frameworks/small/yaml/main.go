// A service whose routes are in an embedded YAML file.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"io"
	"log"
	"strings"
	"time"

	"github.com/warrenmq/warren/runtime"
	former "gopkg.in/yaml.v3"

	"go.yaml.in/yaml/v3"

	"example.com/frameworks/broker"
)

//go:embed routes.yaml
var file []byte

type level int

type queue struct {
	Name    string
	Durable bool `yaml:",omitempty"`
}

type Described struct {
	Name string
	Keys []string
}

type route struct {
	Described `yaml:",inline"`
	Queue     queue
	Delay     time.Duration `yaml:"delay"`
	Limit     *level
	Untold    string `yaml:"-"`
	own       int
}

type config struct {
	Service  string
	Prefetch uint16 `yaml:"prefetch"`
	Routes   []route
	Labels   map[string]string
	Absent   map[string]int
}

// atOnce is a reader that gives all that it has, and says that this is all.
type atOnce string

func (a atOnce) Read(p []byte) (int, error) { return copy(p, a), io.EOF }

func on(context.Context, int) error { return nil }

func main() {
	var c, same config
	if err := yaml.Unmarshal(file, &c); err != nil {
		log.Fatal(err)
	}
	if err := former.Unmarshal(file, &same); err != nil {
		log.Fatal(err)
	}
	var decoded, second config
	decoder := yaml.NewDecoder(bytes.NewReader(file))
	if err := decoder.Decode(&decoded); err != nil {
		log.Fatal(err)
	}
	if decoder.Decode(&second) == nil || second.Service != "" {
		log.Fatal("the file has one document")
	}
	strict := former.NewDecoder(bytes.NewReader(file))
	strict.KnownFields(true)
	refuses := strict.Decode(&second) != nil
	var documents []string
	for _, from := range []io.Reader{atOnce("a: one\n---\na: two\n"), strings.NewReader("a: three\n---\na: four\n")} {
		two := yaml.NewDecoder(from)
		for range 2 {
			var document struct{ A string }
			if err := two.Decode(&document); err != nil {
				log.Fatal(err)
			}
			documents = append(documents, document.A)
		}
	}
	var wrong struct{ Service int }
	fails := yaml.Unmarshal(file, &wrong) != nil

	router := runtime.NewRouter()
	for i, r := range c.Routes {
		limit := level(-1)
		if r.Limit != nil {
			limit = *r.Limit
		}
		text := fmt.Sprint(c.Service, c.Prefetch, c.Labels["region"], c.Labels["1"], c.Absent == nil, r.Delay, limit, r.own, r.Untold == "",
			fails, refuses, second.Service, documents, decoded.Routes[i].Queue == r.Queue, same.Routes[i].Queue == r.Queue, same.Routes[i].Delay == r.Delay, len(same.Labels))
		router.MustRegister(runtime.Route{
			Name: r.Name, Description: text, Queue: runtime.Queue{Name: strings.ReplaceAll(r.Queue.Name, " ", "."), Durable: r.Queue.Durable},
			Exchange: &runtime.Exchange{Name: "shop", Type: runtime.Topic}, RoutingKeys: r.Keys, Handler: runtime.Consume(on),
		})
	}
	if err := broker.New().Start(context.Background(), router); err != nil {
		log.Fatal(err)
	}
}
