package frameworks_test

import (
	"fmt"
	"slices"
	"strings"
)

var randomKinds = []struct {
	name     string
	generate func(g *random) *randomService
}{
	{"cobra", randomCobra},
	{"urfave2", func(g *random) *randomService { return randomUrfave(g, 2) }},
	{"urfave3", func(g *random) *randomService { return randomUrfave(g, 3) }},
	{"kong", randomKong},
	{"fx", randomFx},
	{"dig", randomDig},
	{"do", randomDo},
	{"viper", randomViper},
	{"koanf", randomKoanf},
	{"env", randomEnvironment},
	{"flag", randomFlagSet},
	{"group", randomGroup},
}

// runs has the service run a command.
func (s *randomService) runs(command ...string) {
	s.flags = []string{"-run", strings.Join(command, " ")}
	if command[0] != "shop" {
		s.args = command
	}
}

func randomCobra(g *random) *randomService {
	s := &randomService{imports: []string{`"github.com/spf13/cobra"`}}
	if g.chance(0.3) {
		s.body += "\tcobra.EnableTraverseRunHooks = " + g.choose("true", "false") + "\n"
	}
	for _, of := range []string{"OnInitialize", "OnFinalize"} {
		if g.chance(0.25) {
			s.body += fmt.Sprintf("\tcobra.%s(func() { %s%s })\n", of, g.step(of), g.mayPanic())
		}
	}
	root := append([]string{`Use: "shop"`, "SilenceErrors: true", "SilenceUsage: true"}, g.cobraSteps(g.chance(0.5))...)
	s.body += "\troot := &cobra.Command{\n\t\t" + strings.Join(root, ",\n\t\t") + ",\n\t}\n"
	s.runs("shop")
	if !strings.Contains(s.body, "\tRun") {
		work := append([]string{`Use: "work"`}, g.cobraSteps(true)...)
		s.body += "\troot.AddCommand(&cobra.Command{\n\t\t" + strings.Join(work, ",\n\t\t") + ",\n\t})\n"
		s.runs("work")
	}
	if g.chance(0.3) {
		s.body += "\troot.Flags().String(\"name\", \"default\", \"\")\n"
	}
	s.body += g.use(g.choose("root.Execute()", "root.ExecuteContext(context.Background())"))
	return s
}

// cobraSteps returns the functions of a command.
func (g *random) cobraSteps(runs bool) (fields []string) {
	for _, name := range []string{"PersistentPreRun", "PreRun", "Run", "PostRun", "PersistentPostRun"} {
		switch isRun := name == "Run"; {
		case isRun && !runs, !isRun && !g.chance(0.35):
		case g.chance(0.6):
			fields = append(fields, fmt.Sprintf("%sE: func(*cobra.Command, []string) error { %s; %s }", name, g.step(name), g.end("")))
		default:
			fields = append(fields, fmt.Sprintf("%s: func(*cobra.Command, []string) { %s%s }", name, g.step(name), g.mayPanic()))
		}
	}
	if g.chance(0.2) {
		fields = append(fields, fmt.Sprintf("Args: func(*cobra.Command, []string) error { %s; %s }", g.step("Args"), g.end("")))
	}
	return fields
}

func randomUrfave(g *random, version int) *randomService {
	s := &randomService{imports: []string{fmt.Sprintf(`"github.com/urfave/cli/v%d"`, version)}}
	typ, run := "App", "app.Run(os.Args)"
	if version == 3 {
		typ, run = "Command", `app.Run(context.WithValue(context.Background(), "key", "value"), os.Args)`
	}
	node := func(name string, acts bool) []string {
		fields := []string{fmt.Sprintf("Name: %q", name)}
		for _, of := range []string{"Before", "Action", "After"} {
			if of == "Action" && acts || of != "Action" && g.chance(0.5) {
				fields = append(fields, g.urfaveStep(of, version))
			}
		}
		return fields
	}
	s.body = fmt.Sprintf("\tapp := &cli.%s{\n\t\t%s,\n\t}\n", typ, strings.Join(node("shop", true), ",\n\t\t"))
	s.runs("shop")
	if g.chance(0.5) {
		s.body += "\tapp.Commands = []*cli.Command{{\n\t\t" + strings.Join(node("work", true), ",\n\t\t") + ",\n\t}}\n"
		s.runs("work")
	}
	s.body += g.use(run)
	return s
}

func (g *random) urfaveStep(of string, version int) string {
	if version == 2 {
		return fmt.Sprintf("%s: func(*cli.Context) error { %s; %s }", of, g.step(of), g.end(""))
	}
	does := g.step(of)
	if g.chance(0.3) {
		does += `; if text, ok := ctx.Value("key").(string); ok { note(text) }`
	}
	if of != "Before" {
		return fmt.Sprintf("%s: func(ctx context.Context, _ *cli.Command) error { %s; %s }", of, does, g.end(""))
	}
	end := g.end(g.choose("ctx, ", "nil, ", `context.WithValue(ctx, "key", "before"), `))
	return fmt.Sprintf("Before: func(ctx context.Context, _ *cli.Command) (context.Context, error) { %s; %s }", does, end)
}

func randomKong(g *random) *randomService {
	s := &randomService{imports: []string{`"github.com/alecthomas/kong"`}}
	param, bound, does := "", "", ""
	switch g.IntN(3) {
	case 0:
		param, bound, does = "n int", "7", "; note(fmt.Sprint(n))"
	case 1:
		param, bound, does = "r *runtime.Router", "r", `; register("bound")`
	}
	s.types = fmt.Sprintf("type serve struct{ Name string `default:%q` }\n\nfunc (c %sserve) Run(%s) error { %s%s; %s }\n\ntype grammar struct { Serve serve `cmd:\"\" default:\"1\"` }\n",
		g.name("name"), g.choose("", "*"), param, g.step("Run"), does+g.choose("", "; note(c.Name)"), g.end(""))
	s.body = "\tvar cli grammar\n\tctx := kong.Parse(&cli)\n"
	if bound != "" && g.chance(0.4) {
		s.body += "\tctx.Bind(" + bound + ")\n"
		bound = ""
	}
	s.body += g.use("ctx.Run(" + bound + ")")
	return s
}

// constructors returns functions that make types, which need others.
func (g *random) constructors(s *randomService) (all []string) {
	for i := range 1 + g.IntN(4) {
		s.types += fmt.Sprintf("type made%d string\n", i)
		var params []string
		for j := range i {
			if g.chance(0.35) {
				params = append(params, fmt.Sprintf("_ made%d", j))
			}
		}
		if g.chance(0.5) {
			end := g.end(fmt.Sprintf("made%d(\"value%d\"), ", i, i))
			all = append(all, fmt.Sprintf("func(%s) (made%d, error) { %s; %s }", strings.Join(params, ", "), i, g.step("make"), end))
		} else {
			all = append(all, fmt.Sprintf("func(%s) made%d { %s; return \"value%d\" }", strings.Join(params, ", "), i, g.step("make"), i))
		}
	}
	return all
}

// decorators returns functions that replace what constructors make, of some of them.
func (g *random) decorators(constructors []string) (all []string) {
	for i := range constructors {
		if !g.chance(0.25) {
			continue
		}
		params, made := "", fmt.Sprintf("made%d(\"other%d\")", i, i)
		for j := range i + 1 {
			if g.chance(0.5) {
				params += fmt.Sprintf("m%d made%d, ", j, j)
			}
			if j == i && strings.Contains(params, fmt.Sprintf("m%d ", i)) {
				made = fmt.Sprintf("m%d + \"-decorated\"", i)
			}
		}
		if g.chance(0.5) {
			all = append(all, fmt.Sprintf("func(%s) (made%d, error) { %s; %s }", params, i, g.step("decorate"), g.end(made+", ")))
		} else {
			all = append(all, fmt.Sprintf("func(%s) made%d { %s; return %s }", params, i, g.step("decorate"), made))
		}
	}
	return all
}

// grouped returns functions that make values of one type, for a value group.
func (g *random) grouped(s *randomService) (all []string) {
	s.types += "type item string\n"
	s.imports = append(s.imports, `"slices"`)
	for i := range g.IntN(3) {
		all = append(all, fmt.Sprintf("func() (item, error) { %s; %s }", g.step("item"), g.end(fmt.Sprintf("item(\"item%d\"), ", i))))
	}
	return all
}

// usesGroup returns a function that takes the values of a group, of which it isn't known in which
// order they come.
func (g *random) usesGroup(param, items string) string {
	return fmt.Sprintf("func(%s) error { %s; for _, i := range slices.Sorted(slices.Values(%s)) { note(string(i)) }; %s }", param, g.step("group"), items, g.end(""))
}

// needs returns a function that needs what constructors make.
func (g *random) needs(constructors []string) string {
	var params, does string
	for i := range constructors {
		if g.chance(0.4) {
			params += fmt.Sprintf("m%d made%d, ", i, i)
			does += fmt.Sprintf("; note(string(m%d))", i)
		}
	}
	if g.chance(0.5) {
		return fmt.Sprintf("func(%s) error { %s%s; %s }", params, g.step("invoke"), does, g.end(""))
	}
	return fmt.Sprintf("func(%s) { %s%s%s }", params, g.step("invoke"), does, g.mayPanic())
}

func randomFx(g *random) *randomService {
	s := &randomService{imports: []string{`"go.uber.org/fx"`}}
	var options []string
	constructors := g.constructors(s)
	for i, c := range constructors {
		options = append(options, "fx.Provide("+g.withHooks(c, i)+")")
	}
	for _, c := range g.decorators(constructors) {
		options = append(options, "fx.Decorate("+c+")")
	}
	for _, c := range g.grouped(s) {
		options = append(options, "fx.Provide("+g.choose("fx.Annotate("+c+", fx.ResultTags(`group:\"items\"`))", "fx.Annotated{Group: \"items\", Target: "+c+"}")+")")
	}
	for range 1 + g.IntN(3) {
		switch g.IntN(5) {
		case 0, 1:
			options = append(options, "fx.Invoke("+g.needs(constructors)+")")
		case 2, 3:
			options = append(options, "fx.Invoke(func(lc fx.Lifecycle) {"+g.hooks()+" })")
		default:
			options = append(options, "fx.Invoke(fx.Annotate("+g.usesGroup("items []item", "items")+", fx.ParamTags(`group:\"items\"`)))")
		}
	}
	g.Shuffle(len(options), func(i, j int) { options[i], options[j] = options[j], options[i] })
	if g.chance(0.3) {
		options = slices.Concat(options[:1], []string{"fx.Module(\"part\",\n\t\t" + strings.Join(options[1:], ",\n\t\t") + ",\n\t)"})
	}
	if g.chance(0.15) {
		options = append(options, "fx.RecoverFromPanics()")
	}
	s.body = "\tapp := fx.New(\n\t\tfx.NopLogger,\n\t\t" + strings.Join(options, ",\n\t\t") + ",\n\t)\n" +
		"\tover, cancel := context.WithCancel(context.Background())\n\tcancel()\n\t_, _, _ = app, over, slices.Sorted[item]\n"
	for _, call := range []string{"app.Err()", "app.Start(CONTEXT)", "app.Stop(CONTEXT)"} {
		if g.chance(0.7) {
			s.body += g.use(strings.Replace(call, "CONTEXT", g.choose("context.Background()", "context.Background()", "over"), 1))
		}
	}
	return s
}

// withHooks returns a constructor with none, one or two hooks as annotations.
func (g *random) withHooks(constructor string, made int) string {
	var hooks []string
	for _, of := range []string{"fx.OnStart", "fx.OnStop"} {
		if g.chance(0.15) {
			params := g.choose("", "context.Context", fmt.Sprintf("context.Context, made%d", made), fmt.Sprintf("made%d", made))
			hooks = append(hooks, fmt.Sprintf("%s(func(%s) error { %s; %s })", of, params, g.step(of), g.end("")))
		}
	}
	if len(hooks) == 0 {
		return constructor
	}
	return "fx.Annotate(" + constructor + ", " + strings.Join(hooks, ", ") + ")"
}

// hooks returns statements that append hooks to a lifecycle.
func (g *random) hooks() (all string) {
	for range 1 + g.IntN(3) {
		var fields []string
		for _, of := range []string{"OnStart", "OnStop"} {
			if g.chance(0.7) {
				fields = append(fields, fmt.Sprintf("%s: func(context.Context) error { %s; %s }", of, g.step(of), g.end("")))
			}
		}
		all += " lc.Append(fx.Hook{" + strings.Join(fields, ", ") + "});"
	}
	return all
}

func randomDig(g *random) *randomService {
	s := &randomService{imports: []string{`"go.uber.org/dig"`}}
	s.body = "\t_ = slices.Sorted[item]\n\tc := dig.New(" + g.choose("", "", "dig.RecoverFromPanics()") + ")\n"
	constructors := g.constructors(s)
	for _, i := range g.Perm(len(constructors)) {
		s.body += "\tif err := c.Provide(" + constructors[i] + "); err != nil { os.Exit(1) }\n"
	}
	for _, c := range g.grouped(s) {
		s.body += "\tif err := c.Provide(" + c + ", dig.Group(\"items\")); err != nil { os.Exit(1) }\n"
	}
	decorators := g.decorators(constructors)
	for range 1 + g.IntN(3) {
		if len(decorators) > 0 && g.chance(0.7) {
			s.body += "\tif err := c.Decorate(" + decorators[0] + "); err != nil { os.Exit(1) }\n"
			decorators = decorators[1:]
		}
		invoked := g.needs(constructors)
		if g.chance(0.3) {
			invoked = g.usesGroup("in struct { dig.In; Items []item `group:\"items\"` }", "in.Items")
		}
		s.body += g.use("c.Invoke(" + invoked + ")")
	}
	return s
}

func randomDo(g *random) *randomService {
	s := &randomService{imports: []string{`"github.com/samber/do/v2"`}}
	packages := ""
	n := 1 + g.IntN(3)
	for k := range n {
		s.types += fmt.Sprintf("type made%d string\n", k)
		needs := ""
		for j := range k {
			if g.chance(0.4) {
				needs += g.choose("; _ = do.MustInvoke[MADE](i)", "; if _, err := do.Invoke[MADE](i); err != nil { return \"\", err }")
				needs = strings.ReplaceAll(needs, "MADE", fmt.Sprint("made", j))
			}
		}
		made := fmt.Sprintf("func(i do.Injector) (made%d, error) { %s%s; %s }", k, g.step("make"), needs, g.end(fmt.Sprintf("\"value%d\", ", k)))
		switch g.IntN(4) {
		case 0:
			packages += "do.Lazy(" + made + "), "
		case 1:
			packages += "do.Package(do.Lazy(" + made + ")), "
		default:
			s.body += "\tdo.Provide(i, " + made + ")\n"
		}
	}
	s.body = "\ti := do.New(" + packages + ")\n" + s.body
	for range 1 + g.IntN(3) {
		made := fmt.Sprint("made", g.IntN(n))
		s.body += g.use(g.choose(
			"func() error { v, err := do.Invoke["+made+"](i); note(string(v)); return err }()",
			"func() error { note(string(do.MustInvoke["+made+"](i))); return nil }()"))
	}
	return s
}
