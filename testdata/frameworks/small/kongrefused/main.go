// What the tags of kong don't determine, and what it does with values that it reads.
package main

import (
	"context"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type Upper struct{ name string }

func (u *Upper) UnmarshalText(text []byte) error {
	u.name = strings.ToUpper(string(text))
	return nil
}

type Level string

func (l Level) AfterApply() error {
	level = string(l)
	return nil
}

type Thing struct{ name string }

type Serve struct {
	Argument string `arg:"" default:"a"`
	Typed    string `type:"path" default:"b"`
	Required string `required:"" default:"c"`
	Own      string `kong:"default='d'"`
	Both     string `kong:"help='d'" default:"d"`
	Format   time.Time
	Sep      []string `sep:";" default:"e;f"`
	Slice    []string `default:"g,h"`
	Empty    string   `default:""`
	Plain    string
	Upper    Upper  `default:"i"`
	Level    Level  `default:"j"`
	Wide     int    `default:"4294967296"`
	Octal    int    `default:"010"`
	Unsigned uint   `default:"-1"`
	Spaced   string `default:" k"`
	Variable string `default:"${v}"`
}

var level = "none"

func on(context.Context, string) error { return nil }

func (s *Serve) Run(thing *Thing) error {
	r := runtime.NewRouter()
	add := func(name, queue string) {
		r.MustRegister(runtime.Route{Name: name, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)})
	}
	add("argument", s.Argument)
	add("typed", s.Typed)
	add("required", s.Required)
	add("own", s.Own)
	add("both", s.Both)
	add("format", s.Format.String())
	add("sep", s.Sep[0])
	add("slice", s.Slice[0])
	add("empty", "e"+s.Empty)
	add("plain", s.Plain)
	add("upper", s.Upper.name)
	add("level", level)
	add("wide", string(rune(s.Wide)))
	add("octal", string(rune(s.Octal)))
	add("unsigned", string(rune(s.Unsigned)))
	add("spaced", s.Spaced)
	add("variable", s.Variable)
	add("thing", thing.name)
	return broker.New().Start(context.Background(), r)
}

func main() {
	var cli struct {
		Serve Serve `cmd:""`
	}
	kong.Parse(&cli, kong.Bind(&Thing{"bound"}), kong.Vars{"v": "v"}).Run()
}
