// What package yaml makes of a known file isn't always known: types that decode themselves
// may do anything, and maps of any values have types of their own.
package main

import (
	"context"
	"log"
	"os"

	"github.com/warrenmq/warren/runtime"
	"gopkg.in/yaml.v3"

	"example.com/frameworks/broker"
)

type named struct{ name string }

func (n *named) UnmarshalYAML(node *yaml.Node) error {
	n.name = node.Value + os.Getenv("SUFFIX")
	return nil
}

func on(context.Context, int) error { return nil }

func add(r *runtime.Router, name, queue string) {
	r.MustRegister(runtime.Route{Name: name, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)})
}

func main() {
	const document = "queue: orders\nother: {queue: bills}"
	var own struct{ Queue named }
	if err := yaml.Unmarshal([]byte(document), &own); err != nil {
		log.Fatal(err)
	}
	var open map[string]any
	if err := yaml.Unmarshal([]byte(document), &open); err != nil {
		log.Fatal(err)
	}
	var double struct {
		Queue string
		Same  string `yaml:"queue"`
	}
	r := runtime.NewRouter()
	func() {
		defer func() {
			if recover() != nil {
				double.Queue = "twice"
			}
		}()
		yaml.Unmarshal([]byte(document), &double)
	}()
	add(r, "own", own.Queue.name)
	add(r, "open", open["queue"].(string))
	add(r, "double", double.Queue)
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}
