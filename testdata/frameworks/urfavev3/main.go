// A service with commands of urfave/cli v3, one in another.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/urfave/cli/v3"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type Quote struct {
	Symbol string  `json:"symbol"`
	Price  float64 `json:"price"`
}

type Ask struct {
	Symbol string `json:"symbol"`
}

type quotes struct{ last map[string]float64 }

func (q *quotes) onQuote(_ context.Context, m Quote) error {
	q.last[m.Symbol] = m.Price
	return nil
}

func (q *quotes) onAsk(_ context.Context, a Ask) (Quote, error) {
	return Quote{Symbol: a.Symbol, Price: q.last[a.Symbol]}, nil
}

func serveCommand() *cli.Command {
	var grace time.Duration
	return &cli.Command{
		Name:  "serve",
		Usage: "answer questions about prices",
		Flags: []cli.Flag{
			&cli.DurationFlag{Name: "grace", Value: 5 * time.Second, Destination: &grace},
		},
		Before: func(ctx context.Context, cmd *cli.Command) (context.Context, error) {
			log.SetPrefix("quotes: ")
			return ctx, nil
		},
		Action: func(ctx context.Context, cmd *cli.Command) error {
			svc := &quotes{last: make(map[string]float64)}
			router := runtime.NewRouter()
			err := router.Register(
				runtime.Route{Queue: runtime.Queue{Name: "quotes"}, Handler: runtime.Consume(svc.onQuote)},
				runtime.Route{Name: "ask", Queue: runtime.Queue{Name: "quotes.ask"}, Handler: runtime.Respond(svc.onAsk), Reply: &runtime.Address{}},
			)
			if err != nil {
				return err
			}
			return runtime.Run(ctx, broker.New(), router, grace)
		},
	}
}

func main() {
	cmd := &cli.Command{
		Name: "quotes",
		Commands: []*cli.Command{
			serveCommand(),
			{
				Name: "cache",
				Commands: []*cli.Command{
					{Name: "clear", Action: clearCache},
				},
			},
		},
	}
	if err := cmd.Run(context.Background(), os.Args); err != nil {
		log.Fatal(err)
	}
}

func clearCache(ctx context.Context, cmd *cli.Command) error {
	fmt.Fprintln(cmd.Root().Writer, "cleared")
	return nil
}
