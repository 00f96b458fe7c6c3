// Package cmd has the commands.
package cmd

import "github.com/spf13/cobra"

var rootCmd = &cobra.Command{
	Use:   "billing",
	Short: "Invoices and reminders",
}

// Execute runs the command that the arguments name.
func Execute() error { return rootCmd.Execute() }
