// A service with the commands serve, migrate and version.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type OrderCreated struct {
	ID    string `json:"id"`
	Total int    `json:"total"`
}

type OrderCancelled struct {
	ID string `json:"id"`
}

type service struct{ log *slog.Logger }

func (s *service) onCreated(_ context.Context, o OrderCreated) error {
	s.log.Info("created", "order", o.ID)
	return nil
}

func (s *service) onCancelled(_ context.Context, o OrderCancelled) error {
	s.log.Info("cancelled", "order", o.ID)
	return nil
}

func (s *service) register(r *runtime.Router) error {
	shop := &runtime.Exchange{Name: "shop", Type: runtime.Topic, Durable: true}
	return r.Register(
		runtime.Route{
			Queue:       runtime.Queue{Name: "orders.created", Durable: true},
			Exchange:    shop,
			RoutingKeys: []string{"order.created"},
			Handler:     runtime.Consume(s.onCreated),
		},
		runtime.Route{
			Queue:       runtime.Queue{Name: "orders.cancelled", Durable: true},
			Exchange:    shop,
			RoutingKeys: []string{"order.cancelled"},
			Handler:     runtime.Consume(s.onCancelled),
		},
	)
}

type config struct {
	verbose bool
	grace   time.Duration
}

func newRootCmd() *cobra.Command {
	var cfg config
	var log *slog.Logger
	root := &cobra.Command{
		Use:           "orders",
		Short:         "Orders of the shop",
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error {
			level := slog.LevelInfo
			if cfg.verbose {
				level = slog.LevelDebug
			}
			log = slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: level}))
			return nil
		},
	}
	root.PersistentFlags().BoolVarP(&cfg.verbose, "verbose", "v", false, "log more")

	serve := &cobra.Command{
		Use:   "serve",
		Short: "Consume until interrupted",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			svc := &service{log: log}
			router := runtime.NewRouter()
			if err := svc.register(router); err != nil {
				return fmt.Errorf("register: %w", err)
			}
			return runtime.Run(cmd.Context(), broker.New(), router, cfg.grace)
		},
	}
	serve.Flags().DurationVar(&cfg.grace, "grace", 10*time.Second, "time to finish")

	root.AddCommand(serve, newMigrateCmd(), &cobra.Command{
		Use: "version",
		Run: func(cmd *cobra.Command, _ []string) { fmt.Fprintln(cmd.OutOrStdout(), "1.0.0") },
	})
	return root
}

func newMigrateCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "migrate",
		Short: "Bring the database up to date",
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := os.ReadDir("migrations")
			return err
		},
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := newRootCmd().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
