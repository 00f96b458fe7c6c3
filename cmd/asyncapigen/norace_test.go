//go:build !race

package main

// isRace says that the tests run with the race detector.
const isRace = false
