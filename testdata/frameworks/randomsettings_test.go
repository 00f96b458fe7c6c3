package frameworks_test

import (
	"fmt"
	"strings"
)

// Random services whose settings come from viper, koanf, caarlos0/env and package flag, and such
// as wait for groups of functions.

// settingValues are the expressions of which settings are, by the kind of a key's values.
var settingValues = map[string][]string{
	"bool":   {"true", "false", `"true"`, "1"},
	"int":    {"0", "17", "-3", `"12"`, "int64(5)", "uint8(4)"},
	"list":   {`[]string{"p", "q"}`, `[]string{"p"}`, "[]string{}", `"x y"`, `[]any{"s", "t"}`},
	"string": {`"a"`, `"a b"`, `""`, `"7"`},
	"time":   {`"1h"`, "time.Minute", "5"},
}

// settingKeys are the keys, with the kinds of their values.
var settingKeys = [][2]string{
	{"name", "string"}, {"queue.name", "string"}, {"queue.prefetch", "int"}, {"Upper", "string"}, {"workers", "int"},
	{"enabled", "bool"}, {"regions", "list"}, {"wait", "time"}, {"dead_letter", "string"},
}

// settings draws some keys of settings.
func (g *random) settings() [][2]string {
	var keys [][2]string
	for _, i := range g.Perm(len(settingKeys))[:1+g.IntN(4)] {
		keys = append(keys, settingKeys[i])
	}
	return keys
}

// setting returns a value for a key, mostly one of those that are written most.
func (g *random) setting(key [2]string) string {
	values := settingValues[key[1]]
	if g.chance(0.8) {
		values = values[:2]
	}
	return g.choose(values...)
}

// got returns a statement that notes what a store has of one of some keys.
func (g *random) got(store string, keys [][2]string, getters map[string][]string) string {
	key := keys[g.IntN(len(keys))]
	name, getter := key[0], getters[key[1]][0]
	if g.chance(0.15) {
		getter = g.choose(getters[key[1]]...)
	}
	if g.chance(0.05) {
		name = g.choose("queue", "none", "NAME", "queue.name")
	}
	return fmt.Sprintf("\tnote(fmt.Sprint(%s.%s(%q)))\n", store, getter, name)
}

// settingsStruct has fields for the keys, by the tags of a library.
func settingsStruct(tag string) string {
	return strings.ReplaceAll("type settings struct {\n\tName string `TAG:\"name\"`\n\tWorkers int `TAG:\"workers\"`\n\tEnabled bool `TAG:\"enabled\"`\n"+
		"\tRegions []string `TAG:\"regions\"`\n\tWait time.Duration `TAG:\"wait\"`\n\tDeadLetter string `TAG:\"dead_letter\"`\n"+
		"\tQueue struct { Name string `TAG:\"name\"`; Prefetch int `TAG:\"prefetch\"` } `TAG:\"queue\"`\n}\n", "TAG", tag)
}

func randomViper(g *random) *randomService {
	s := &randomService{imports: []string{`"time"`, `"github.com/spf13/viper"`}, types: "var _ = time.Second\n\n" + settingsStruct("mapstructure")}
	keys, v := g.settings(), "viper"
	if g.chance(0.5) {
		s.body, v = "\tv := viper.New()\n", "v"
	}
	for _, key := range keys {
		for _, set := range []string{"SetDefault", "Set"} {
			if set == "SetDefault" || g.chance(0.12) {
				name := g.choose(key[0], key[0], key[0], strings.ToUpper(key[0]))
				s.body += fmt.Sprintf("\t%s.%s(%q, %s)\n", v, set, name, g.setting(key))
			}
		}
	}
	if g.chance(0.2) {
		s.body += "\t" + v + "." + g.choose("AutomaticEnv()", `SetEnvPrefix("SHOP")`, `RegisterAlias("other", "name")`, `MergeConfigMap(map[string]any{"name": "merged"})`) + "\n"
	}
	for range 1 + g.IntN(2) {
		s.body += g.got(v, keys, map[string][]string{
			"bool": {"GetBool", "IsSet"}, "int": {"GetInt", "GetInt64", "GetString"}, "list": {"GetStringSlice"},
			"string": {"GetString", "Get"}, "time": {"GetDuration"},
		})
	}
	if g.chance(0.25) {
		s.body += "\tvar all settings\n" + g.require(v+".Unmarshal(&all)") + "\tnote(fmt.Sprint(all))\n"
	}
	return s
}

func randomKoanf(g *random) *randomService {
	s := &randomService{
		imports: []string{`"time"`, `"github.com/knadh/koanf/providers/confmap"`, `"github.com/knadh/koanf/v2"`},
		types:   "var _ = time.Second\n\n" + settingsStruct("koanf"), body: "\tk := koanf.New(" + g.choose(`"."`, `"."`, `"."`, `"."`, `"."`, `"/"`) + ")\n",
	}
	keys := g.settings()
	for range 1 + g.IntN(6)/5 {
		var entries []string
		for _, key := range keys {
			if g.chance(0.9) {
				entries = append(entries, fmt.Sprintf("%q: %s", key[0], g.setting(key)))
			}
		}
		s.body += g.require(fmt.Sprintf("k.Load(confmap.Provider(map[string]any{%s}, %s), nil)", strings.Join(entries, ", "), g.choose(`"."`, `"."`, `"."`, `""`)))
	}
	for range 1 + g.IntN(2) {
		s.body += g.got("k", keys, map[string][]string{
			"bool": {"Bool", "Exists"}, "int": {"Int", "Int64", "String", "MustInt"}, "list": {"Strings"},
			"string": {"String", "MustString", "Get"}, "time": {"Duration"},
		})
	}
	if g.chance(0.25) {
		s.body += "\tvar all settings\n" + g.require(`k.Unmarshal("", &all)`) + "\tnote(fmt.Sprint(all))\n"
	}
	return s
}

// require is use for a call without which main mostly doesn't go on.
func (g *random) require(call string) string {
	if g.chance(0.1) {
		return g.use(call)
	}
	return "\tif err := " + call + "; err != nil { " + g.choose("os.Exit(1)", "panic(err)", "return") + " }\n"
}

// environmentFields are types of fields that are filled from the environment, with defaults; the
// last ones aren't followed.
var environmentFields = [][]string{
	{"string", "orders", "", "${SHOP_NONE}y"},
	{"int", "3", "0x1", "bad"},
	{"bool", "true", "1", "yes"},
	{"time.Duration", "2m", "bad"},
	{"[]string", "a,b", "a", "a:b", " a , b "},
	{"uint8", "5", "300"},
	{"float64", "1.5", "7"},
	{"map[string]string", "a:b"},
	{"level", "high", "bad"},
}

func randomEnvironment(g *random) *randomService {
	s := &randomService{imports: []string{`"time"`, `"github.com/caarlos0/env/v11"`}}
	fields, names := "", []string(nil)
	for i := range 1 + g.IntN(4) {
		of := environmentFields[g.IntN(6)]
		if g.chance(0.1) {
			of = environmentFields[g.IntN(len(environmentFields))]
		}
		tag := fmt.Sprintf(`env:"SHOP_NONE_%d%s"`, i, g.choose("", "", "", "", "", "", ",required", ",notEmpty", ",expand"))
		if given := of[1:]; g.chance(0.95) {
			if g.chance(0.8) {
				given = given[:1]
			}
			tag += fmt.Sprintf(" envDefault:%q", g.choose(given...))
		}
		if g.chance(0.1) {
			tag += ` envSeparator:":"`
		}
		names = append(names, fmt.Sprint("all.F", i))
		fields += fmt.Sprintf("\tF%d %s `%s`\n", i, of[0], tag)
	}
	s.types = "type level struct{ text string }\n\nfunc (l *level) UnmarshalText(text []byte) error {\n\tif string(text) == \"bad\" {\n\t\treturn errClosed\n\t}\n" +
		"\tl.text = \"level \" + string(text)\n\treturn nil\n}\n\nvar _ = time.Second\n\ntype settings struct {\n" + fields + "}\n"
	s.body = "\tvar all settings\n" + g.require(g.choose("env.Parse(&all)", "env.Parse(&all)", "env.Parse(&all)",
		`env.ParseWithOptions(&all, env.Options{Prefix: "SHOP_NONE_"})`, "env.Parse(&all)", "env.ParseWithOptions(&all, env.Options{RequiredIfNoDef: true})")) +
		"\tnote(fmt.Sprint(" + strings.Join(names, ", ") + "))\n"
	return s
}

// randomFlag is a kind of flags: how one is declared, and words for it.
type randomFlag struct {
	declare string // NAME is its name
	value   string
	words   []string
	isBool  bool
}

var randomFlags = []randomFlag{
	{"NAME := set.String(\"NAME\", \"orders\", \"\")", "*NAME", []string{"x", "", "y z"}, false},
	{"var NAME int\n\tset.IntVar(&NAME, \"NAME\", 3, \"\")", "NAME", []string{"7", "-1", "0x10", "bad"}, false},
	{"NAME := set.Uint(\"NAME\", 4, \"\")", "*NAME", []string{"3", "-3"}, false},
	{"NAME := set.Bool(\"NAME\", true, \"\")", "*NAME", []string{"true", "0", "bad"}, true},
	{"NAME := set.Duration(\"NAME\", time.Second, \"\")", "*NAME", []string{"2m", "bad"}, false},
	{"NAME := set.Float64(\"NAME\", 1.5, \"\")", "*NAME", []string{"2.5", "1e3"}, false},
	{"var NAME list\n\tset.Var(&NAME, \"NAME\", \"\")", "NAME", []string{"p", "bad"}, false},
	{"set.Func(\"NAME\", \"\", func(text string) error { note(text); return nil })", `""`, []string{"r"}, false},
	{"set.BoolFunc(\"NAME\", \"\", func(text string) error { note(text); return errOther })", `""`, []string{"true"}, true},
}

func randomFlagSet(g *random) *randomService {
	s := &randomService{imports: []string{`"flag"`, `"io"`, `"time"`}, types: `var _ = time.Second

type list []string

func (l *list) String() string { return fmt.Sprint([]string(*l)) }

func (l *list) Set(text string) error {
	if text == "bad" {
		return errClosed
	}
	*l = append(*l, text)
	return nil
}
`}
	s.body = "\tset := flag.NewFlagSet(\"shop\", flag." + g.choose("ContinueOnError", "ContinueOnError", "PanicOnError", "ExitOnError") + ")\n\tset.SetOutput(io.Discard)\n"
	var words, values []string
	for i := range 1 + g.IntN(4) {
		name, of := fmt.Sprint("f", i), randomFlags[g.IntN(len(randomFlags))]
		s.body += "\t" + strings.ReplaceAll(of.declare, "NAME", name) + "\n"
		values = append(values, strings.ReplaceAll(of.value, "NAME", name))
		for range g.IntN(2) {
			words = append(words, g.flagWords(name, of)...)
		}
	}
	s.body += g.use(fmt.Sprintf("set.Parse(%#v)", words)) + "\tnote(fmt.Sprint(" + strings.Join(values, ", ") + ", set.NArg()))\n"
	return s
}

// flagWords returns words of a command line that set a flag, or don't.
func (g *random) flagWords(name string, of randomFlag) []string {
	dash := g.choose("-", "--")
	switch p := g.Float64(); {
	case p < 0.5:
		return []string{dash + name + "=" + g.choose(of.words...)}
	case of.isBool:
		return []string{dash + name}
	case p < 0.9:
		return []string{dash + name, g.choose(of.words...)}
	default:
		return []string{g.choose("rest", "--", "-", "-none", "-h", "--=x")}
	}
}

func randomGroup(g *random) *randomService {
	s := &randomService{}
	if g.chance(0.5) {
		s.imports, s.body = []string{`"github.com/oklog/run"`}, "\tvar group run.Group\n"
		for range 1 + g.IntN(2) {
			s.body += fmt.Sprintf("\tgroup.Add(func() error { %s; %s }, func(error) { %s })\n", g.step("runs"), g.ends(), g.step("interrupted"))
		}
		s.body += g.use("group.Run()")
		return s
	}
	s.imports = []string{`"golang.org/x/sync/errgroup"`}
	s.body = "\t" + g.choose("group := new(errgroup.Group)", "group, _ := errgroup.WithContext(context.Background())") + "\n\tvar done [2]string\n"
	for i := range 1 + g.IntN(2) {
		s.body += fmt.Sprintf("\tgroup.Go(func() error { done[%d] = %q; %s })\n", i, g.name("done"), g.ends())
	}
	s.body += g.use("group.Wait()") + "\tnote(done[0] + done[1])\n"
	return s
}

// ends is end for a function of a goroutine, whose panic would be the end of the program.
func (g *random) ends() string {
	return strings.Replace(g.end(""), `panic("closed")`, "return errOther", 1)
}
