package frameworks_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/warrenmq/warren/runtime/asyncapi"
)

var (
	programs = flag.Int("programs", 24, "how many random services are generated for a seed")
	seed     = flag.Uint64("seed", 1, "which random services are generated; 0 is a random seed")
)

// Services of random steps register what is found, or are refused: commands, constructors and
// hooks that return errors, wrap them or panic, and callers that tell them apart or go on.
func TestServices_OfRandomStepsRegisterWhatIsFound(t *testing.T) {
	if *seed == 0 {
		*seed = rand.Uint64()
	}
	t.Logf("-seed %d", *seed)
	asyncapigen, dir := build(t), module(t)
	outcomes := make(chan string, *programs)
	t.Run("all", func(t *testing.T) {
		for i := range *programs {
			kind := randomKinds[i%len(randomKinds)]
			s := kind.generate(&random{Rand: rand.New(rand.NewPCG(*seed, uint64(i)))})
			t.Run(fmt.Sprint(kind.name, i), func(t *testing.T) {
				t.Parallel()
				outcome := s.compare(t, asyncapigen, filepath.Join(dir, "random", fmt.Sprint(kind.name, i)))
				t.Log(outcome)
				outcomes <- outcome
			})
		}
	})
	close(outcomes)
	counts, all := make(map[string]int), 0
	for outcome := range outcomes {
		counts[outcome]++
		all++
	}
	t.Logf("%v", counts)
	if counts["equal"]*5 < all {
		t.Fatal("hardly one of the services is found: the test tells nothing")
	}
}

// compare runs a service and asyncapigen, and returns what came of it.
func (s *randomService) compare(t *testing.T, asyncapigen, dir string) string {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(s.source()), 0o644); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "service")
	if _, stderr, status := run(t, dir, nil, "go", "build", "-o", program, "."); status != 0 {
		t.Fatalf("%s\n%s", stderr, s.source())
	}
	own, _, ended := run(t, dir, []string{"DOCUMENT=1"}, program, s.args...)
	start := strings.Index(own, "{\n") // help texts may come before
	_, stderr, status := run(t, dir, nil, asyncapigen, append([]string{"-client="}, s.flags...)...)
	switch {
	case strings.Contains(stderr, "internal-error") || status > 1:
		t.Fatalf("asyncapigen ends with %d:\n%s\n%s", status, stderr, s.source())
	case status == 1:
		t.Log(stderr)
		return "refused"
	case start < 0 || ended != 0:
		return "not served"
	}
	document, err := os.ReadFile(filepath.Join(dir, "asyncapi.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := asyncapi.Drift(document, []byte(own[start:])); err != nil {
		t.Fatalf("%v\n%s", err, s.source())
	}
	return "equal"
}

// random makes choices, and names that aren't used before.
type random struct {
	*rand.Rand
	names int
}

func (g *random) chance(p float64) bool { return g.Float64() < p }

func (g *random) choose(from ...string) string { return from[g.IntN(len(from))] }

func (g *random) name(of string) string {
	g.names++
	return fmt.Sprint(of, g.names)
}

// step returns a statement that a function does: it is noted, and may register a route.
func (g *random) step(of string) string {
	name := g.name(of)
	if g.chance(0.15) {
		return fmt.Sprintf("note(%q); register(%q)", name, name)
	}
	return fmt.Sprintf("note(%q)", name)
}

// end returns the end of a function whose last result is an error; before has the other ones.
func (g *random) end(before string) string {
	give := func(err string) string { return "return " + before + err }
	switch p := g.Float64(); {
	case p < 0.7:
		return give("nil")
	case p < 0.82:
		return give("errClosed")
	case p < 0.88:
		return give(`fmt.Errorf("wrapped: %w", errClosed)`)
	case p < 0.91:
		return `if os.Getenv("SHOP_NONE") == "" { ` + give("errOther") + " }; " + give("nil")
	case p < 0.94:
		return `if os.Getenv("SHOP_NONE") != "" { ` + give("errOther") + " }; " + give("nil")
	case p < 0.96:
		return "var none *failure; " + give("none")
	default:
		return `panic("closed")`
	}
}

// mayPanic returns nothing, or a statement that panics.
func (g *random) mayPanic() string {
	if g.chance(0.07) {
		return `; panic("closed")`
	}
	return ""
}

// use returns how main makes a call that returns an error.
func (g *random) use(call string) string {
	err := g.name("err")
	text := fmt.Sprintf("\tvar %s error\n", err)
	if g.chance(0.4) {
		text += fmt.Sprintf("\tfunc() {\n\t\tdefer func() { if recover() != nil { note(%q) } }()\n\t\t%s = %s\n\t}()\n", g.name("recovered"), err, call)
	} else {
		text += fmt.Sprintf("\t%s = %s\n", err, call)
	}
	switch g.IntN(5) {
	case 0:
		text += fmt.Sprintf("\tif %s != nil { note(%q) }\n", err, g.name("failed"))
	case 1:
		text += strings.ReplaceAll("\tswitch {\n\tcase ERR == nil: note(\"nil\")\n\tcase ERR == errClosed: note(\"closed\")\n"+
			"\tcase errors.Is(ERR, errClosed): note(\"wrapped\")\n\tcase errors.Is(ERR, errOther): note(\"other\")\n\tdefault: note(\"unknown\")\n\t}\n", "ERR", err)
	case 2:
		text += fmt.Sprintf("\tif %s != nil { os.Exit(0) }\n", err)
	case 3:
		text += fmt.Sprintf("\tif %s == nil { note(%q) }\n", err, g.name("done"))
	default:
		text += fmt.Sprintf("\t_ = %s\n", err)
	}
	return text
}

// randomService is a program whose routes tell what it has done.
type randomService struct {
	imports     []string
	types, body string
	args, flags []string
}

func (s *randomService) source() string {
	return `package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
	` + strings.Join(s.imports, "\n\t") + `
)

var (
	r         = runtime.NewRouter()
	noted     = "shop"
	errClosed = errors.New("closed")
	errOther  = fmt.Errorf("other")
)

type failure struct{}

func (*failure) Error() string { return "failure" }

func on(context.Context, string) error { return nil }

func register(name string) {
	r.MustRegister(runtime.Route{Name: name, Queue: runtime.Queue{Name: name}, Handler: runtime.Consume(on)})
}

func note(name string) { noted += "." + name }

` + s.types + `
func main() {
` + s.body + `	if noted == "shop" {
		return
	}
	register(noted)
	if err := broker.New().Start(context.Background(), r); err != nil {
		os.Exit(1)
	}
}
`
}
