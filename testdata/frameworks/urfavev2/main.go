// A service with commands of urfave/cli v2.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/urfave/cli/v2"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type Signup struct {
	Email string `json:"email"`
}

type Mailer struct{ from string }

func (m *Mailer) Welcome(_ context.Context, s Signup) error {
	log.Printf("%s -> %s", m.from, s.Email)
	return nil
}

func (m *Mailer) Routes() []runtime.Route {
	return []runtime.Route{{
		Name:        "welcome",
		Queue:       runtime.Queue{Name: "mail.welcome", Durable: true},
		Exchange:    &runtime.Exchange{Name: "accounts", Type: runtime.Fanout, Durable: true},
		Handler:     runtime.Consume(m.Welcome),
		Description: "Greets who signs up.",
	}}
}

func main() {
	app := &cli.App{
		Name:    "mailer",
		Usage:   "mails of the shop",
		Version: "1.0.0",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "from", Value: "shop@example.com", EnvVars: []string{"MAIL_FROM"}},
			&cli.DurationFlag{Name: "grace", Value: 10 * time.Second},
		},
		Commands: []*cli.Command{
			{
				Name:   "run",
				Usage:  "consume until interrupted",
				Action: run,
			},
			{
				Name:  "preview",
				Usage: "print a mail",
				Action: func(c *cli.Context) error {
					fmt.Fprintf(c.App.Writer, "From: %s\n", c.String("from"))
					return nil
				},
			},
		},
	}
	if err := app.Run(os.Args); err != nil {
		log.Fatal(err)
	}
}

func run(c *cli.Context) error {
	mailer := &Mailer{from: c.String("from")}
	router := runtime.NewRouter()
	if err := router.Register(mailer.Routes()...); err != nil {
		return cli.Exit(err, 2)
	}
	return runtime.Run(c.Context, broker.New(), router, c.Duration("grace"))
}
