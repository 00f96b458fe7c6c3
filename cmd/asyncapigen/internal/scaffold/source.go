package scaffold

import (
	"bytes"
	"embed"
	"fmt"
	"go/format"
	"path/filepath"
	"strconv"
	"strings"
	"text/template"
	"unicode"
	"unicode/utf8"
)

//go:embed template
var templates embed.FS

// texts are what the templates depend on.
type texts struct {
	Package   string
	Service   string // the prefix of the queue
	Register  string // the function, exported in a library
	TitleFlag string // as the directive has it
	IsMain    bool
	NeedsMain bool // the package has no function main
}

func (p *sourcePackage) texts(title string) texts {
	if title == "" {
		title = titleOf(p.service())
	}
	t := texts{Package: p.name, Service: p.service(), Register: "Register", TitleFlag: titleFlag(title), IsMain: p.name == "main"}
	if t.IsMain {
		t.Register = "register"
		t.NeedsMain = p.declared["main"] == ""
	}
	return t
}

// titleOf makes a title of a package's name.
func titleOf(name string) string {
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(first)) + name[size:]
}

// titleFlag writes the flag as go generate reads it: as a Go string in double quotes
// where it isn't one plain word.
func titleFlag(title string) string {
	isPlain := strings.IndexFunc(title, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) < 0
	if title != "" && isPlain {
		return "-title " + title
	}
	return strconv.Quote("-title=" + strings.ReplaceAll(title, "$", "${DOLLAR}"))
}

// render returns the file with the routes, and that of its test.
func render(o Options, t texts) ([]File, error) {
	parsed, err := template.ParseFS(templates, "template/*")
	if err != nil {
		return nil, err
	}
	routes := filepath.Join(o.Dir, o.File)
	files := []File{{Path: routes}, {Path: strings.TrimSuffix(routes, ".go") + "_test.go"}}
	for i, name := range []string{"routes.go.tmpl", "routes_test.go.tmpl"} {
		var text bytes.Buffer
		if err := parsed.ExecuteTemplate(&text, name, t); err != nil {
			return nil, err
		}
		if files[i].Content, err = format.Source(text.Bytes()); err != nil {
			return nil, fmt.Errorf("format %s: %w", files[i].Path, err)
		}
	}
	return files, nil
}
