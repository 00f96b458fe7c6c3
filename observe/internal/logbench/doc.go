// Package logbench has the benchmark of package jsonlog beside slog's JSON
// handler, zap and zerolog. It is a module of its own, so that the library
// doesn't depend on those:
//
//	cd observe/internal/logbench && go test -bench .
package logbench
