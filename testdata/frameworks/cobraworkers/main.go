// A service with two commands that consume: each has routes of its own.
package main

import (
	"os"

	"example.com/frameworks/cobraworkers/cmd"
)

func main() {
	if err := cmd.Execute(); err != nil {
		os.Exit(1)
	}
}
