package eval

import (
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Printing to the standard log calls the methods of what is printed, and those of the
// writer that the log was given. It panics where these do: package fmt recovers from
// most panics of what it prints, but not from all.

// printsToLog are the functions that print to the standard log and go on. Those of
// log/slog do so unless told otherwise.
var printsToLog = map[string]bool{
	"log.Print": true, "log.Printf": true, "log.Println": true,
	"log/slog.Debug": true, "log/slog.DebugContext": true, "log/slog.Error": true, "log/slog.ErrorContext": true,
	"log/slog.Info": true, "log/slog.InfoContext": true, "log/slog.Warn": true, "log/slog.WarnContext": true,
}

// endsByLog are the functions that print to the standard log, and then end what calls them.
var endsByLog = map[string]bool{
	"log.Fatal": true, "log.Fatalf": true, "log.Fatalln": true, "log.Panic": true, "log.Panicf": true, "log.Panicln": true,
}

// givesWriter are the functions by which the standard log gets another writer.
var givesWriter = map[string]bool{"(*log.Logger).SetOutput": true, "log.Default": true, "log.SetOutput": true, "log/slog.SetDefault": true}

// logWriter is what is known of the writer of the standard log.
type logWriter struct {
	looked int  // at so many packages of the user's own
	kept   bool // it is the one that it has unless told
}

// logsCalmly reports whether a call prints to the standard log what has no methods of
// the program, and the log writes to the standard error.
func (ev *Evaluator) logsCalmly(fn *value.Func, args []value.Value) bool {
	return printsToLog[fn.Obj.FullName()] && ev.writesCalmly(args)
}

// writesCalmly reports whether what a call prints, by its last argument, has no methods of the
// program, and the log writes to the standard error.
func (ev *Evaluator) writesCalmly(args []value.Value) bool {
	return printsCalmly(args[len(args)-1]) && ev.keepsLogWriter()
}

// printsCalmly reports whether no value of a list has methods of the program.
func printsCalmly(list value.Value) bool {
	s, ok := list.(*value.Slice)
	if !ok {
		return value.IsNil(list)
	}
	return !slices.ContainsFunc(s.Elems, func(cell *value.Cell) bool { return !printsItself(cell.Load()) })
}

// printsItself reports whether a value, or each that it may be, is printed without a
// method of the program.
func printsItself(v value.Value) bool {
	switch v := v.(type) {
	case *value.Unknown:
		_, isBasic := v.Type.(*types.Basic)
		return v.Library || isBasic || v.Among != nil && !slices.ContainsFunc(v.Among, func(v value.Value) bool { return !printsItself(v) })
	case value.Const, value.Number:
		return value.NamedOf(value.TypeOf(v)) == nil
	case value.Pointer:
		return model.HoldsText(v)
	default:
		return value.IsNilInterface(v)
	}
}

// keepsLogWriter reports whether nothing gives the standard log another writer: not the
// user's own packages, nor may the packages of another module.
func (ev *Evaluator) keepsLogWriter() bool {
	own := ev.program.Own()
	if ev.logWriter.looked < len(own) {
		ev.logWriter.looked, ev.logWriter.kept = len(own), !ev.mayGiveLogWriter()
	}
	return ev.logWriter.kept
}

func (ev *Evaluator) mayGiveLogWriter() bool {
	for _, pkg := range ev.program.Own() {
		for _, obj := range pkg.Info.Uses {
			if fn, ok := obj.(*types.Func); ok && givesWriter[fn.FullName()] {
				return true
			}
		}
	}
	return ev.program.ImportedByOtherModule("log") || ev.program.ImportedByOtherModule("log/slog")
}
