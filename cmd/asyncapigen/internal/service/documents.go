package service

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/warrenmq/warren/internal/jsontree"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

// A Document is a file that a contract is written to. See docs/decisions/0063.
type Document struct {
	Form asyncapi.Form // "" for that of the flags
	File string
}

// AsyncAPI3 is the form of AsyncAPI 3.0.0, which package asyncapi3 writes.
const AsyncAPI3 asyncapi.Form = "3.0.0"

// forms are those that documents have, by their names on the command line.
var forms = []asyncapi.Form{asyncapi.Exact, asyncapi.Extended, AsyncAPI3}

// formNames names them for people.
func formNames() string {
	names := make([]string, len(forms))
	for i, form := range forms {
		names[i] = string(form)
	}
	return strings.Join(names, " or ")
}

// documentsFlag is the flag -o of one command line, which replaces what was given
// before it.
type documentsFlag struct {
	documents *[]Document
	given     bool
}

func (d *documentsFlag) String() string {
	if d.documents == nil {
		return ""
	}
	var files []string
	for _, document := range *d.documents {
		file := document.File
		if document.Form != "" {
			file = string(document.Form) + "=" + file
		}
		files = append(files, file)
	}
	return strings.Join(files, ", ")
}

// Set takes FILE or FORM=FILE.
func (d *documentsFlag) Set(text string) error {
	document := Document{File: text}
	if form, file, ok := strings.Cut(text, "="); ok && slices.Contains(forms, asyncapi.Form(form)) {
		document = Document{asyncapi.Form(form), file}
	}
	if !d.given {
		*d.documents, d.given = nil, true
	}
	*d.documents = append(*d.documents, document)
	return nil
}

// documentFlags are the flags that say which documents are written.
func (o *Options) documentFlags(f *flag.FlagSet) {
	f.Var(&documentsFlag{documents: &o.Documents}, "o", "write the document to `FILE`: YAML if its name ends in .yaml or .yml, else JSON. "+
		"FORM=FILE chooses its form, "+formNames()+". It can be given several times")
	f.BoolFunc("extended", "write extended documents, unless -o says otherwise", func(text string) error {
		form, ok := map[string]asyncapi.Form{"true": asyncapi.Extended, "false": asyncapi.Exact}[text]
		if !ok {
			return errors.New("it is true or false")
		}
		if o.Form != AsyncAPI3 { // which has all that extended documents have
			o.Form = form
		}
		return nil
	})
	f.BoolVar(&o.Config.EncodeChannels, "encode-channels", o.Config.EncodeChannels, "percent-encode the names of channels that AsyncAPI tools refuse")
	f.Func("asyncapi", "write documents of the AsyncAPI `VERSION` 2.6.0 or 3.0.0, unless -o says otherwise (default \"2.6.0\")", func(version string) error {
		switch {
		case version == string(AsyncAPI3):
			o.Form = AsyncAPI3
		case version != "2.6.0":
			return errors.New("it is 2.6.0 or 3.0.0")
		case o.Form == AsyncAPI3:
			o.Form = asyncapi.Exact
		}
		return nil
	})
}

// wantsSends reports whether what the service sends is shown.
func (o *Options) wantsSends() bool {
	isThree := func(d Document) bool { return o.form(d) == AsyncAPI3 }
	return o.Mode == List || o.Mode == Explain || slices.ContainsFunc(o.Documents, isThree)
}

// form returns the form of one of the documents.
func (o *Options) form(d Document) asyncapi.Form {
	if d.Form == "" {
		return o.Form
	}
	return d.Form
}

// AreExact reports whether no document has more than the specification lists.
func (o *Options) AreExact() bool {
	return !slices.ContainsFunc(o.Documents, func(d Document) bool { return o.form(d) != asyncapi.Exact })
}

func (o *Options) checkDocuments() error {
	for _, d := range o.Documents {
		if err := checkDocument(d.File); err != nil {
			return fmt.Errorf("flag -o: %w", err)
		}
	}
	return nil
}

func checkDocument(file string) error {
	if file == "" {
		return errors.New("the name of the document's file is empty")
	}
	if err := checkPath(file); err != nil {
		return err
	}
	if os.IsPathSeparator(file[len(file)-1]) {
		return fmt.Errorf("%s names a folder: name the document's file, such as %sasyncapi.json", file, file)
	}
	if form, _, ok := strings.Cut(file, "="); ok && !strings.ContainsAny(form, `/\.`) {
		return fmt.Errorf("there is no form %q of documents: use %s, or write ./%s for a file of that name", form, formNames(), file)
	}
	if extension := filepath.Ext(file); extension != "" && !jsontree.HasExtension(file) {
		return fmt.Errorf("the extension %s of %s is none of a document's: use %s", extension, file, strings.Join(jsontree.Extensions(), " or "))
	}
	return nil
}
