package discover_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/discover"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/onefile"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// register is a declaration that adds a route of a queue.
const register = `add := func(queue string) { router.MustRegister(runtime.Route{Name: queue, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)}) }; `

const noRoutes = "no-routes: this call of Register isn't reached, and no other one is: there is no route: the code that is analysed doesn't lead here: " +
	"give asyncapigen the package whose main, or whose exported functions, lead to it"

const unclear = "several-commands: it isn't clear what the command \"work\" is: the flag -run stands for one word or one flag, and here another one is compared with its text: give the value here by //asyncapigen:value, or compare it with another text"

const (
	twoServices = register + `switch os.Args[1] { case "a": add("first"); case "b": add("second"); default: return }; serve(router)`
	oneService  = register + `switch os.Args[1] { case "serve": add("first"); serve(router); case "migrate": fmt.Println("migrate") }`
)

// ofMap runs one of the commands, which are functions, by a word or by a default.
func ofMap(commands string) string {
	return register + `name := "serve"; if len(os.Args) > 1 { name = os.Args[1] }; commands := map[string]func([]string){` + commands + `}; ` +
		`command, ok := commands[name]; if !ok { fmt.Println(len(commands)); os.Exit(2) }; command(os.Args[1:])`
}

// amongOthers is ofMap with a command that serves, after conditions of the command line that change nothing of it.
func amongOthers(n int) string {
	others := strings.Repeat(`if len(os.Args) == 9 { fmt.Println() }; `, n)
	return strings.Replace(ofMap(`"serve": func([]string) { add("first"); serve(router) }`), "commands :=", others+"commands :=", 1)
}

// A command registers what it does, and a program of several services what the chosen one does.
func TestRoutes_AreThoseOfACommand(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	for name, test := range map[string]struct {
		main, command string
		want          []string // queues, and what is said
	}{
		"the only one that serves":                {oneService, "", []string{"first"}},
		"the only one that serves, by its name":   {oneService, "serve", []string{"first"}},
		"one that registers nothing":              {oneService, "migrate", []string{noRoutes}},
		"one that there isn't":                    {oneService, "start", []string{`several-commands: there is no command "start": the program has serve and migrate: name one of them by -run`}},
		"one of a program without any":            {register + `add("first"); serve(router)`, "start", []string{"first"}},
		"one of a program without any, no routes": {register + `_ = add`, "start", []string{noRoutes}},
		"two that register otherwise": {twoServices, "", []string{
			`several-commands: the commands a and b register different routes: each is a service of its own, with its own document: choose one by the flag -run, such as -run a, in a //go:generate directive for each`,
		}},
		"the first of two":  {twoServices, "a", []string{"first"}},
		"the second of two": {twoServices, "b", []string{"second"}},
		"one of words that may be others": {
			register + `if os.Getpid() > 5 { os.Args = []string{"shop", "b"} }; switch os.Args[1] { case "a": add("first"); case "b": add("second") }; serve(router)`, "a", []string{
				`unknown-condition: the routes "first" and "second" are registered under a condition that isn't known: os.Args[1] depends on the variable os.Args: register it in every case, or decide by a constant`,
			},
		},
		"two that register alike": {
			register + `switch os.Args[1] { case "a": add("first"); case "b": add("first"); default: return }; serve(router)`, "", []string{"first"},
		},
		"others that register otherwise": {
			register + `switch os.Args[1] { case "a": add("first"); default: add("second") }; serve(router)`, "", []string{
				`several-commands: the commands a and any other register different routes: each is a service of its own, with its own document: choose one by the flag -run, such as -run a, in a //go:generate directive for each`,
			},
		},
		"three that register otherwise": {
			register + `switch os.Args[1] { case "a": add("first"); case "b": add("second"); case "c d": add("third"); default: return }; serve(router)`, "", []string{
				`several-commands: the commands a, b and c d register different routes: each is a service of its own, with its own document: choose one by the flag -run, such as -run a, in a //go:generate directive for each`,
			},
		},
		"of two words": {
			register + `switch os.Args[1] + " " + os.Args[2] { case "x": }; if os.Args[1] == "worker" && os.Args[2] == "run" { add("first"); serve(router) }`, "worker run", []string{"first"},
		},
		"one that serves and one that doesn't": {
			register + `switch os.Args[1] { case "a": add("first"); serve(router); case "b": add("second") }`, "", []string{"first"},
		},
		"one start of one that serves": {
			register + `switch os.Args[1] { case "a": add("first"); if os.Args[2] != "dry" { add("second"); serve(router) }; case "b": }`, "", []string{"first", "second"},
		},
		"a function of a map, of one that serves": {
			ofMap(`"serve": func([]string) { add("first"); serve(router) }, "migrate": func([]string) { add("second") }`), "", []string{"first"},
		},
		"a function of a map, by its name": {
			ofMap(`"serve": func([]string) { add("first"); serve(router) }, "work": func([]string) { add("second"); serve(router) }`), "work", []string{"second"},
		},
		"a function of a map, as the fourth condition": {amongOthers(2), "", []string{"first"}},
		"a function of a map, as the fifth condition": {
			amongOthers(3), "", []string{
				`unknown-condition: the route "first" is registered under a condition that isn't known: command calls the function it is given depends on the variable os.Args: register it in every case, or decide by a constant`,
			},
		},
		"functions of a map that register otherwise": {
			ofMap(`"serve": func([]string) { add("first"); serve(router) }, "work": func([]string) { add("second"); serve(router) }`), "", []string{
				`several-commands: the commands serve, work and any other register different routes: each is a service of its own, with its own document: choose one by the flag -run, such as -run serve, in a //go:generate directive for each`,
			},
		},
		"a function of a map whose words may be others": {
			strings.Replace(ofMap(`"serve": func(args []string) { add("first"); serve(router) }`), "name :=", "os.Args[len(os.Args)-1] = fmt.Sprint(os.Getpid()); name :=", 1), "", []string{
				`unknown-condition: the route "first" is registered under a condition that isn't known: command calls the function it is given depends on the variable os.Args: register it in every case, or decide by a constant`,
			},
		},
		"none that serves": {
			register + `switch os.Args[1] { case "a": add("first"); case "b": add("first") }`, "", []string{"first"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			result := foundOf(t, program, declaringFile(test.main), discover.Command(test.command))
			for _, r := range result.Routes {
				got = append(got, r.Queue.Name)
			}
			for _, d := range result.Diagnostics {
				got = append(got, fmt.Sprintf("%s: %s: %s: %s", d.Code, d.What, d.Why, d.Remedy))
			}
			require.Equal(t, test.want, got)
		})
	}
}

// Routes of two commands are the same if the document shows them alike.
func TestRoutes_OfTwoCommandsAreAlike(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const dispatched = `runtime.Dispatch(runtime.On("a", runtime.Consume(on)), runtime.Otherwise(runtime.Consume(raw)))`
	for name, test := range map[string]struct {
		first, second string // handlers
		alike         bool
		by            string // the name of the function
	}{
		"with one handler":       {dispatched, dispatched, true, ""},
		"by one function":        {`runtime.Consume(on)`, `runtime.Consume(on)`, true, "main.on"},
		"by other functions":     {`runtime.Consume(on)`, `runtime.Consume(on2)`, true, ""},
		"of other bodies":        {`runtime.Consume(on)`, `runtime.Consume(count)`, false, ""},
		"of another result":      {`runtime.Consume(on)`, `runtime.Respond(answer)`, false, ""},
		"with and without cases": {`runtime.Consume(on)`, dispatched, false, ""},
		"with another case":      {dispatched, `runtime.Dispatch(runtime.On("b", runtime.Consume(on)), runtime.Otherwise(runtime.Consume(raw)))`, false, ""},
		"with one more":          {dispatched, `runtime.Dispatch(runtime.On("a", runtime.Consume(on)))`, false, ""},
		"with a case otherwise":  {dispatched, `runtime.Dispatch(runtime.On("a", runtime.Consume(on)), runtime.On("", runtime.Consume(raw)))`, false, ""},
		"with a case of another": {dispatched, `runtime.Dispatch(runtime.On("a", runtime.Consume(count)), runtime.Otherwise(runtime.Consume(raw)))`, false, ""},
		"with a case's result":   {`runtime.Dispatch(runtime.On("a", runtime.Consume(on)))`, `runtime.Dispatch(runtime.On("a", runtime.Respond(answer)))`, false, ""},
		"by another header":      {dispatched, strings.Replace(dispatched, "Dispatch(", `DispatchByHeader("kind", `, 1), false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			result := foundOf(t, program, declaringFile(`switch os.Args[1] { case "a": `+withHandler(test.first)+`; case "b": `+withHandler(test.second)+`; default: return }; serve(router)`))
			if test.alike {
				require.Empty(t, result.Diagnostics)
				require.Len(t, result.Routes, 1)
				require.Equal(t, test.by, result.Routes[0].HandledBy.Name)
				return
			}
			require.Len(t, result.Diagnostics, 1)
			require.Equal(t, diagnostic.SeveralCommands, result.Diagnostics[0].Code)
		})
	}
}

// Commands whose routes differ only in how they are consumed are one service, and what differs
// isn't known.
func TestRoutes_LeaveOpenWhatCommandsConsumeOtherwise(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const (
		perKey    = `Order: runtime.PerKey(func(*runtime.Delivery) string { return "" })`
		arguments = `Queue: runtime.Queue{Name: "orders", Arguments: map[string]any{"a": 1}}`
	)
	for name, test := range map[string]struct {
		fields              []string // of the route of each command
		settings, arguments []string
	}{
		"the same":               {[]string{`Prefetch: 5, ` + perKey, `Prefetch: 5, ` + perKey}, nil, nil},
		"another prefetch":       {[]string{`Prefetch: 5`, `Prefetch: 50`}, []string{"prefetch"}, nil},
		"a prefetch of one":      {[]string{``, `Prefetch: 50`}, []string{"prefetch"}, nil},
		"of three":               {[]string{`Prefetch: 5`, `Prefetch: 5`, `Prefetch: 6`}, []string{"prefetch"}, nil},
		"others each":            {[]string{`Prefetch: 5, Timeout: 1`, `Prefetch: 50, Timeout: 1`, `Prefetch: 5, Timeout: 2`}, []string{"prefetch", "timeout"}, nil},
		"an order and none":      {[]string{``, perKey}, []string{"order"}, []string{registered.TheOrder}},
		"another order":          {[]string{perKey, `Order: runtime.Strict()`}, []string{"order"}, []string{registered.TheOrder}},
		"one not known":          {[]string{`Prefetch: 5`, `Prefetch: os.Getpid()`}, []string{"prefetch"}, nil},
		"a default not known":    {[]string{``, `Prefetch: os.Getpid()`}, []string{"prefetch"}, nil},
		"an argument not known":  {[]string{arguments, strings.Replace(arguments, `1`, `1, "b": os.Getpid()`, 1)}, nil, []string{`Queue.Arguments "b"`}},
		"two arguments of those": {[]string{strings.Replace(arguments, `1`, `1, "b": os.Getpid()`, 1), strings.Replace(arguments, `1`, `1, "c": os.Getpid()`, 1)}, nil, []string{`Queue.Arguments "b"`, `Queue.Arguments "c"`}},
	} {
		t.Run(name, func(t *testing.T) {
			result := foundOf(t, program, declaringFile(ofCommands(test.fields)))
			require.Empty(t, result.Diagnostics)
			require.Len(t, result.Routes, 1)
			require.Equal(t, test.settings, result.Routes[0].UnknownSettings)
			require.Equal(t, test.arguments, result.Routes[0].UnknownArguments)
		})
	}
}

// ofCommands registers a route of one queue by each command, with the fields.
func ofCommands(fields []string) string {
	text := `switch os.Args[1] { `
	for i, more := range fields {
		if !strings.Contains(more, "Queue: ") {
			more = `Queue: runtime.Queue{Name: "orders"}, ` + more
		}
		text += fmt.Sprintf(`case "%d": router.MustRegister(runtime.Route{Name: "order", Handler: runtime.Consume(on), %s}); `, i, more)
	}
	return text + `default: return }; serve(router)`
}

// What no document can leave open is the same in all commands, and each registers what its
// router accepts.
func TestRoutes_OfCommandsThatDiffer(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	for name, test := range map[string]struct {
		fields []string
		code   diagnostic.Code
	}{
		"in a priority":                   {[]string{`ConsumerPriority: 1`, `ConsumerPriority: 2`}, diagnostic.SeveralCommands},
		"in a failure policy":             {[]string{``, `Failure: &runtime.FailurePolicy{Attempts: 2}`}, diagnostic.SeveralCommands},
		"in a failure policy not known":   {[]string{``, `Failure: unknown[*runtime.FailurePolicy]()`}, diagnostic.SeveralCommands},
		"in a queue":                      {[]string{``, `Queue: runtime.Queue{Name: "orders", Durable: true}`}, diagnostic.SeveralCommands},
		"in an argument":                  {[]string{``, `Queue: runtime.Queue{Name: "orders", MaxLength: 1}`}, diagnostic.SeveralCommands},
		"in what a router refuses of one": {[]string{`Prefetch: 2`, `Prefetch: 2, Concurrency: 3`}, diagnostic.RefusedRoute},
		"in what it refuses of each":      {[]string{`Prefetch: 2, Concurrency: 3`, `Prefetch: 1, Concurrency: 4`}, diagnostic.RefusedRoute},
	} {
		t.Run(name, func(t *testing.T) {
			result := foundOf(t, program, declaringFile(ofCommands(test.fields)))
			require.NotEmpty(t, result.Diagnostics)
			for _, d := range result.Diagnostics {
				require.Equal(t, test.code, d.Code)
			}
		})
	}
}

// A command is one word or one flag: what else is compared with its text may be something else.
func TestRoutes_OfACommandAreThoseOfOneValue(t *testing.T) {
	const define = register + `mode, other := flag.String("mode", "", ""), flag.String("other", "", ""); flag.Parse(); _, _ = mode, other; `
	source := func(main string) string {
		return strings.Replace(declaringFile(define+main+"; serve(router)"), "import (", "import (\n\t\"flag\"\n\t\"strings\"", 1) + "\nvar _ = strings.ToUpper\n"
	}
	program := onefile.New(t, source(""))
	for name, test := range map[string]struct {
		main, command string
		want          []string // queues, and what is said
	}{
		"a flag":                             {`if *mode == "work" { add("first") }`, "work", []string{"first"}},
		"a flag that is compared twice":      {`if *mode == "work" { add("first") }; if *mode == "work" { add("second") }`, "work", []string{"first", "second"}},
		"a flag beside the number of words":  {`if len(os.Args) < 2 { return }; if *mode == "work" { add("first") }`, "work", []string{"first"}},
		"a flag beside its own words":        {`if flag.NArg() > 0 { add("second") }; if *mode == "work" { add("first") }`, "work", []string{unclear}},
		"another flag":                       {`if *mode == "work" { add("first") }`, "start", []string{`several-commands: there is no command "start": the program has work: name one of them by -run`}},
		"two flags":                          {`if *mode == "work" { add("first") }; if *other == "work" { add("second") }`, "work", []string{unclear}},
		"a flag and what is made of it":      {`if *mode == "work" { add("first") }; if strings.ToUpper(*mode) == "work" { add("second") }`, "work", []string{unclear}},
		"a word and a flag":                  {`if flag.Arg(0) == "work" { add("first") }; if *mode == "work" { add("second") }`, "work", []string{unclear}},
		"a flag and a word":                  {`if *mode == "work" { add("first") }; if flag.Arg(0) == "work" { add("second") }`, "work", []string{unclear}},
		"a word and what may be another one": {`what := ""; if len(os.Args) > 2 { what = os.Args[2] }; if os.Args[1] == "work" { add("first") }; if what == "work" { add("second") }`, "work", []string{unclear}},
	} {
		t.Run(name, func(t *testing.T) {
			result := foundOf(t, program, source(test.main), discover.Command(test.command))
			var got []string
			if queues, _ := outcomeOf(result); !result.Diagnostics.HasErrors() {
				got = queues
			}
			for _, d := range result.Diagnostics {
				got = append(got, fmt.Sprintf("%s: %s: %s: %s", d.Code, d.What, d.Why, d.Remedy))
			}
			require.Equal(t, test.want, got)
		})
	}
}
