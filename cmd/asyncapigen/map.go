package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/difference"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/landscape"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/output"
)

const aboutMap = `
Map joins the documents of many services (JSON, or YAML by their extension
.yaml or .yml): who sends what to whom, which messages nobody handles, which
handlers nobody sends to, and where the receiver doesn't accept what is sent, by
the rules of diff. What services send is in documents of AsyncAPI 3.0.0, which
asyncapigen writes by -asyncapi 3.0.0. What documents don't say is undecided. A
document that can't be read ends with status 1.
`

// mapOptions are the values of the command's line.
type mapOptions struct {
	flags     *flag.FlagSet
	output    string
	title     string
	format    string
	fail      bool
	documents []string
}

func newMapOptions() *mapOptions {
	o := &mapOptions{flags: flag.NewFlagSet("asyncapigen map", flag.ContinueOnError), format: "text"}
	f := o.flags
	f.SetOutput(io.Discard)
	f.StringVar(&o.output, "o", "", "write the map as one page to `FILE`, whose name ends in .html, too")
	f.StringVar(&o.title, "title", "Services", "`TITLE` of the page")
	f.Func("format", "print for `FORMAT`: text (people, the default) or json", func(name string) error {
		if name != "text" && name != "json" {
			return errors.New("it is text or json")
		}
		o.format = name
		return nil
	})
	f.BoolFunc("json", "the same as -format json", func(string) error { o.format = "json"; return nil })
	f.BoolVar(&o.fail, "fail", false, "end with status 1 if there is a finding that isn't undecided")
	return o
}

func (o *mapOptions) parse(args []string) error {
	if err := o.flags.Parse(args); err != nil {
		return err
	}
	o.documents = o.flags.Args()
	if o.output != "" && !strings.EqualFold(filepath.Ext(o.output), ".html") {
		return fmt.Errorf("flag -o: the name of the page, %q, doesn't end with .html", o.output)
	}
	if len(o.documents) == 0 {
		return errors.New("name the documents of the services, such as orders/asyncapi.json mail/asyncapi.json")
	}
	for i, name := range o.documents {
		if strings.HasPrefix(name, "-") {
			return errors.New("flags come before the documents")
		}
		for _, before := range o.documents[:i] {
			if isSameFile(before, name) {
				return fmt.Errorf("the documents %s and %s are one file, which would be two services: name it once", before, name)
			}
		}
	}
	return nil
}

// isSameFile reports whether two names are of one file that is there.
func isSameFile(a, b string) bool {
	inA, _ := os.Stat(a)
	inB, _ := os.Stat(b)
	return os.SameFile(inA, inB)
}

// runMap is the command map.
func runMap(_ context.Context, args []string, stdout, stderr io.Writer) int {
	o := newMapOptions()
	if err := o.parse(args); err != nil {
		return commandLineFault(err, "map", o.flags, stdout, stderr)
	}
	var documents []*difference.Document
	for _, name := range o.documents {
		text, err := os.ReadFile(name)
		if err != nil {
			fmt.Fprintf(stderr, "asyncapigen map: read the document: %v\n", err)
			return usage
		}
		document, err := difference.Read(name, text, difference.ByShape)
		if err == nil {
			err = document.Problem()
		}
		if err != nil {
			fmt.Fprintf(stderr, "asyncapigen map: %v\n", err)
			return findings
		}
		documents = append(documents, document)
	}
	m := landscape.New(documents)
	if o.format == "json" {
		m.JSON(stdout)
	} else {
		m.Text(stdout)
	}
	if err := o.write(m); err != nil {
		fmt.Fprintf(stderr, "asyncapigen map: %v\n", err)
		return findings
	}
	if o.fail && m.HasCertain() {
		return findings
	}
	return done
}

// write writes the page, where one is asked for.
func (o *mapOptions) write(m *landscape.Map) error {
	if o.output == "" {
		return nil
	}
	page, err := m.Page(o.title)
	if err != nil {
		return err
	}
	_, err = output.Write(output.File{Path: o.output, Content: page, Kind: output.Page})
	return err
}
