// A service whose queue is a flag of its command.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type options struct {
	queue    string
	exchange string
	grace    time.Duration
}

type Resize struct {
	Image string `json:"image"`
	Width int    `json:"width"`
}

func onResize(_ context.Context, r Resize) error {
	fmt.Println(r.Image, r.Width)
	return nil
}

func newServeCmd() *cobra.Command {
	opts := &options{}
	cmd := &cobra.Command{
		Use:  "serve",
		RunE: func(cmd *cobra.Command, args []string) error { return serve(cmd.Context(), opts) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&opts.queue, "queue", "q", "resize", "queue to consume")
	flags.StringVar(&opts.exchange, "exchange", "images", "exchange to bind to")
	flags.DurationVar(&opts.grace, "grace", 10*time.Second, "time to finish")
	if err := cmd.MarkFlagRequired("queue"); err != nil {
		panic(err)
	}
	return cmd
}

func serve(ctx context.Context, opts *options) error {
	router := runtime.NewRouter()
	if err := router.Register(runtime.Route{
		Name:        "resize",
		Queue:       runtime.Queue{Name: opts.queue, Durable: true},
		Exchange:    &runtime.Exchange{Name: opts.exchange, Type: runtime.Topic},
		RoutingKeys: []string{"image.*"},
		Handler:     runtime.Consume(onResize),
	}); err != nil {
		return err
	}
	return runtime.Run(ctx, broker.New(), router, opts.grace)
}

func main() {
	root := &cobra.Command{Use: "images"}
	root.AddCommand(newServeCmd())
	if err := root.Execute(); err != nil {
		os.Exit(1)
	}
}
