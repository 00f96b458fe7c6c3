package cputime

import (
	"syscall"
	"time"
)

// used is the CPU time of the process.
func used() time.Duration {
	var created, exited, kernel, user syscall.Filetime
	process, err := syscall.GetCurrentProcess()
	if err == nil {
		err = syscall.GetProcessTimes(process, &created, &exited, &kernel, &user)
	}
	if err != nil {
		panic(err) // it can't fail with these arguments
	}
	return ticks(kernel) + ticks(user)
}

// ticks returns a duration, which a Filetime has in units of 100 ns.
func ticks(t syscall.Filetime) time.Duration {
	return time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime)) * 100
}
