package cmd

import (
	"context"
	"time"

	"github.com/spf13/cobra"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

// InvoiceDue is sent when an invoice is due.
type InvoiceDue struct {
	Number string `json:"number"`
}

var invoicesCmd = &cobra.Command{
	Use:   "invoices",
	Short: "Write invoices",
	RunE: func(cmd *cobra.Command, args []string) error {
		router := runtime.NewRouter()
		router.MustRegister(runtime.Route{
			Queue:   runtime.Queue{Name: "invoices", Durable: true},
			Handler: runtime.Consume(onInvoice),
		})
		return runtime.Run(context.Background(), broker.New(), router, time.Second)
	},
}

func onInvoice(context.Context, InvoiceDue) error { return nil }

func init() {
	rootCmd.AddCommand(invoicesCmd)
}
