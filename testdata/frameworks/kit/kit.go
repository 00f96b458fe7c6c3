// Package kit makes what the services of a company have in common. It is another module.
package kit

import (
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"
	"github.com/urfave/cli/v3"
)

// Root returns the first command of a service.
func Root(name string) *cobra.Command {
	root := &cobra.Command{Use: name, SilenceUsage: true}
	root.AddCommand(&cobra.Command{Use: "version", Run: func(*cobra.Command, []string) { fmt.Println("1.0.0") }})
	return root
}

// App returns the first command of a service.
func App(name string) *cli.Command {
	return &cli.Command{Name: name, Commands: []*cli.Command{{Name: "version"}}}
}

// Flags are those of all services.
type Flags struct {
	LogLevel slog.Level `default:"INFO"`
}

// AfterApply is called by kong.
func (f *Flags) AfterApply() error {
	slog.SetLogLoggerLevel(f.LogLevel)
	return nil
}
