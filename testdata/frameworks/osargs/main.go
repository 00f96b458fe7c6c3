// A service with commands of its own, by package flag.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type Job struct {
	ID      string `json:"id"`
	Command string `json:"command"`
}

type worker struct{ done int }

func (w *worker) onJob(context.Context, Job) error {
	w.done++
	return nil
}

func work(args []string) error {
	flags := flag.NewFlagSet("work", flag.ContinueOnError)
	grace := flags.Duration("grace", 10*time.Second, "time to finish")
	if err := flags.Parse(args); err != nil {
		return err
	}
	w := new(worker)
	router := runtime.NewRouter()
	if err := router.Register(runtime.Route{
		Name:    "jobs",
		Queue:   runtime.Queue{Name: "jobs", Durable: true, Arguments: map[string]any{"x-queue-type": "quorum"}},
		Handler: runtime.Consume(w.onJob),
	}); err != nil {
		return err
	}
	return runtime.Run(context.Background(), broker.New(), router, *grace)
}

func list(args []string) error {
	for _, name := range args {
		fmt.Println(name)
	}
	return nil
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: jobs work|list|version")
		os.Exit(2)
	}
	var err error
	switch os.Args[1] {
	case "work":
		err = work(os.Args[2:])
	case "list":
		err = list(os.Args[2:])
	case "version":
		fmt.Println("1.0.0")
	default:
		err = fmt.Errorf("there is no command %q", os.Args[1])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
