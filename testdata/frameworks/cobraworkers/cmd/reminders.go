package cmd

import (
	"context"
	"time"

	"github.com/spf13/cobra"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

// ReminderDue is sent when nobody has paid.
type ReminderDue struct {
	Number string `json:"number"`
	Level  int    `json:"level"`
}

var remindersCmd = &cobra.Command{
	Use:   "reminders",
	Short: "Write reminders",
	Run:   runReminders,
}

func runReminders(cmd *cobra.Command, args []string) {
	router := runtime.NewRouter()
	router.MustRegister(runtime.Route{
		Queue:   runtime.Queue{Name: "reminders", Durable: true},
		Handler: runtime.Consume(onReminder),
	})
	cobra.CheckErr(runtime.Run(context.Background(), broker.New(), router, time.Second))
}

func onReminder(context.Context, ReminderDue) error { return nil }

func init() {
	rootCmd.AddCommand(remindersCmd)
}
