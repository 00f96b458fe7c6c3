// Command gotestsuite holds package discover against the Go project's own test
// programs: those of GOROOT/test that are run without flags or files, and pass
// by not failing. It isn't part of asyncapigen.
//
//	go run ./cmd/asyncapigen/internal/discover/gotestsuite
//	go run ./cmd/asyncapigen/internal/discover/gotestsuite -list fixedbugs/issue4 ken/
//
// The arguments say how the names of the programs begin that are wanted.
//
// The main of each program becomes an ordinary function, which a main of ours
// calls before it registers one route. A program that passes comes to its end, so
// that route is to be found exactly, or refused with a reason.
//
// Many programs are loaded at once, by child processes: one that crashes or hangs
// is named, and the others go on in a new one.
//
// Which file is which: program.go finds the programs and lays them out as a
// module; verdict.go evaluates one and says how that went; child.go and
// parent.go are the two kinds of processes; main.go prints.
package main
