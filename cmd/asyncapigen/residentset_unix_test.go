//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// residentSet returns the largest resident set of a process that has ended, in bytes.
func residentSet(state *os.ProcessState) int64 {
	size := state.SysUsage().(*syscall.Rusage).Maxrss
	if runtime.GOOS == "linux" {
		size *= 1024
	}
	return int64(size)
}
