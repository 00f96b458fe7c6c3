package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
)

// freeMemory is how much memory a run may take before garbage is collected, in
// bytes. Most runs end before: what they allocate they need until the end.
const freeMemory = 136 << 20

// delayCollection has garbage collected from freeMemory on only, and as usual
// from then on. GOGC and GOMEMLIMIT have their way.
func delayCollection() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	percent := debug.SetGCPercent(-1)
	debug.SetMemoryLimit(freeMemory)
	first := new([16]byte)
	runtime.AddCleanup(first, func(percent int) { // after the first collection
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(math.MaxInt64)
	}, percent)
}
