package discover

import (
	"fmt"
	"go/token"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// A broker serves one router: Start fails for another one. And Run returns when the service ends:
// what is given to a broker after that in the same goroutine is never consumed, or for an instant.
// Each is noted where it is sure. A program that makes its broker and router anew, to try again,
// registers the same routes.

// belated is a router that is given to a broker after another one.
type belated struct {
	router, after *value.Cell
	at            token.Pos
	why           string // has the place of the other one as its verb
	remedy        string
}

// noteBroker notes which broker gets a router by a call of Start or Run, and what comes after what.
func (f *finder) noteBroker(call *model.Call, router value.Pointer) {
	var broker value.Value
	runs := call.Fn.Obj.FullName() == load.RuntimePath+".Run" && len(call.Args) > 1
	switch {
	case runs:
		broker = call.Args[1]
	case call.Fn.Obj.Name() == "Start":
		broker = call.Fn.Recv
	default:
		return
	}
	f.compare(call, f.ran, router, "runtime.Run, at %s, serves another router, and returns when the service ends", "run both at the same time, each in a goroutine")
	if key := routerOf(broker); key != nil {
		if f.brokers[key] == nil {
			f.brokers[key] = f.ev.Declared(nil)
		}
		f.compare(call, f.brokers[key], router, "the broker has got another router, at %s, and serves one", "make a broker for each router")
		setOnce(call, f.brokers[key], router)
	}
	if runs {
		setOnce(call, f.ran, router)
	}
	f.begun[router.To] = call.At.Pos()
}

// setOnce sets a variable that holds nothing: the next round of a loop that makes all anew changes
// nothing.
func setOnce(call *model.Call, cell *value.Cell, v value.Value) {
	if cell.Load() == nil {
		call.Set(cell, v)
	}
}

// compare notes a router that is given to a broker where the cell has another one.
func (f *finder) compare(call *model.Call, cell *value.Cell, router value.Pointer, why, remedy string) {
	if before, ok := cell.Load().(value.Pointer); ok && before.To != router.To {
		f.belated = append(f.belated, belated{router.To, before.To, call.At.Pos(), why, remedy})
	}
}

// checkBrokers reports the routes of routers that aren't served, as another one was before.
func (f *finder) checkBrokers() {
	reported := make(map[string]bool)
	for _, b := range f.belated {
		names := make(map[string]bool)
		for _, route := range f.found {
			names[route.Name] = names[route.Name] || route.Router == b.after
		}
		for _, route := range f.found {
			if route.Router != b.router || names[route.Name] || reported[route.Name] {
				continue
			}
			reported[route.Name] = true
			f.report(b.at, diagnostic.Diagnostic{
				Code: diagnostic.UnservedRouter, What: "the route " + quoted(route.Name) + " isn't consumed",
				Why: fmt.Sprintf(b.why, f.program.Position(f.begun[b.after])), Remedy: b.remedy,
			})
		}
	}
}
