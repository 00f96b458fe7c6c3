package service

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

func TestOptions_RefuseWhatCannotBeMeant(t *testing.T) {
	for want, args := range map[string][]string{
		"flag -o: the name of the document's file is empty":                                 {"-o", ""},
		"flag -o: a/ names a folder: name the document's file, such as a/asyncapi.json":     {"-o", "a/"},
		`flag -o: a\b.json is a path of Windows, and this isn't Windows`:                    {"-o", `a\b.json`},
		`flag -o: there is no form "short" of documents: use exact or extended or 3.0.0`:    {"-o", "short=a.json"},
		"flag -o: the extension .txt of a.txt is none of a document's":                      {"-o", "a.txt"},
		"flag -o: the extension .txt of dir.d/a=b.txt is none of a document's":              {"-o", "dir.d/a=b.txt"},
		`flag -client: a\b is a path of Windows`:                                            {"-client", `a\b`},
		"flag -client: the client is a package of its own and needs a folder of its own":    {"-client", "../shop"},
		`flag -client: the folder's name "The-Client" can't be a package's`:                 {"-client", "The-Client"},
		"flag -client-module: there is no client: remove -client=, or this flag":            {"-client=", "-client-module", "example.com/a"},
		"flag -client-module: a client with -types=import needs the service's module":       {"-types", "import", "-client-module", "example.com/a"},
		`flag -client-module: "a b" can't be the path of a module`:                          {"-client-module", "a b"},
		`flag -client-module: ".a" can't be the path of a module`:                           {"-client-module", ".a"},
		`flag -client-module: "-a" can't be the path of a module`:                           {"-client-module", "-a"},
		"flag -license-url: the license has no name: give it by -license":                   {"-extended", "-license-url", "https://example.com/mit"},
		"flag -server-url: it has credentials":                                              {"-server-url", "amqp://ann:secret@example.com"},
		"flag -id: only extended documents have it: add -extended, or leave it out":         {"-id", "urn:a:b"},
		"flag -contact: only extended documents have it":                                    {"-contact-email", "ann@example.com"},
		"flag -license: only extended documents have it":                                    {"-license", "MIT"},
		"flag -docs: only extended documents have it":                                       {"-docs-url", "https://example.com"},
		"flag -document-tag: only extended documents have it":                               {"-document-tag", "a"},
		"flag -security: only extended documents have it":                                   {"-security", "plain"},
		`flag -id: "orders" is no URI: write one with its scheme`:                           {"-extended", "-id", "orders"},
		`flag -contact-url: "example.com" is no URI`:                                        {"-extended", "-contact-url", "example.com"},
		"flag -v: it comes after the packages: write flags before them":                     {".", "-v"},
		`the package "The has a quote in its name`:                                          {`"The`, `Shop"`},
		"there is no flag -titel: did you mean -title?":                                     {"-titel", "Shop"},
		"there is no flag -topology here: it is a command of its own, asyncapigen topology": {"-topology"},
		"it is 2.6.0 or 3.0.0":                  {"-asyncapi", "2.5.0"},
		"it is encode or decode":                {"-direction", "both"},
		"it is import or copy":                  {"-types", "both"},
		"it is text, json, github or sarif":     {"-format", "xml"},
		"it is true or false":                   {"-extended=perhaps"},
		"the tag has no name":                   {"-document-tag", "=text"},
		"it is userPassword, plain, X509":       {"-security", "none"},
		"use one of -check, -list and -explain": {"-check", "-list"},
	} {
		o := NewOptions(filepath.Join(t.TempDir(), "shop"))
		err := o.Parse(Unnamed, args)
		if err == nil {
			err = o.validate()
		}
		require.ErrorContains(t, err, want, "%q", args)
	}
}

func TestOptions_AreThoseOfTheCommandLine(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "shop")
	parsed := func(m Mode, args ...string) *Options {
		o := NewOptions(dir)
		require.NoError(t, o.Parse(m, args), "%q", args)
		require.NoError(t, o.validate(), "%q", args)
		return o
	}
	require.Equal(t, &Options{
		Mode: Write, Dir: dir, Seen: ".", Patterns: []string{"."}, Documents: []Document{{File: "asyncapi.json"}}, Form: asyncapi.Exact, Client: "shopclient",
	}, parsed(Unnamed))
	require.Equal(t, &Options{
		Mode: Check, Dir: dir, Seen: ".", Patterns: []string{"./a", "./b"}, Documents: []Document{{asyncapi.Exact, "a.json"}, {File: "./b=.json"}, {File: "c"}},
		Form: asyncapi.Extended, Client: "client", Types: Copy, Module: "example.com/a~b/c-d.e", Tags: "a,b", Command: "serve", Changed: "HEAD", Format: JSON,
		Config: asyncapi.Config{
			Title: "Shop", Version: "2.0.0", Description: "It sells.", ServerURL: "example.com:5672", ServerDescription: "the broker", EncodeChannels: true, ID: "urn:a:b",
			Contact: &asyncapi.Contact{Name: "Ann", URL: "https://example.com/ann", Email: "ann@example.com"}, License: &asyncapi.License{Name: "MIT"},
			Tags:     []asyncapi.Tag{{Name: "a"}, {Name: "b", Description: "B"}},
			Security: []asyncapi.SecurityScheme{{Type: asyncapi.UserPassword}, {Type: asyncapi.X509, Description: "by certificate"}},
		},
		Direction: schema.Decode, OpenEnums: true, AllowEmpty: true, Watch: true, Werror: true, Verbose: true, Version: true,
	}, parsed(Unnamed, "-check", "-check", "-list=false", "-o", "exact=a.json", "-o", "./b=.json", "-o", "c", "-extended", "-client", "client", "-types", "copy", "-client-module", "example.com/a~b/c-d.e",
		"-tags", "a,b", "-run", "serve", "-changed", "-json", "-title", "Shop", "-api-version", "2.0.0", "-description", "It sells.", "-server-url", "example.com:5672",
		"-server-description", "the broker", "-encode-channels", "-id", "urn:a:b", "-contact-name", "Ann", "-contact-url", "https://example.com/ann", "-contact-email", "ann@example.com", "-license", "MIT",
		"-document-tag", "a", "-document-tag", "b=B", "-security", "userpassword", "-security", "x509=by certificate", "-direction", "decode", "-open-enums", "-allow-empty",
		"-watch", "-werror", "-v", "-V", "./a", "./b"))

	// go generate passes quotes within a word on.
	require.Empty(t, parsed(Write, `-client=""`).Client)
	require.Equal(t, Changes("main"), parsed(Write, "-changed=main").Changed)
	require.Equal(t, Text, parsed(Write, "-json=false").Format)
}

// What a command line says takes the place of what a directive said, list and all.
func TestOptions_OfASecondLineReplaceThoseOfTheFirst(t *testing.T) {
	o := NewOptions(t.TempDir())
	require.NoError(t, o.Parse(Unnamed, []string{"-extended", "-title", "Shop", "-o", "a.json", "-o", "b.json", "-document-tag", "a", "-license", "MIT", "./a"}))
	require.NoError(t, o.Parse(List, []string{"-o", "c.json", "-document-tag", "b", "-document-tag", "c"}))
	require.Equal(t, List, o.Mode)
	require.Equal(t, []Document{{File: "c.json"}}, o.Documents)
	require.Equal(t, []asyncapi.Tag{{Name: "b"}, {Name: "c"}}, o.Config.Tags)
	require.Equal(t, "Shop", o.Config.Title)
	require.Equal(t, "MIT", o.Config.License.Name)
	require.Equal(t, []string{"./a"}, o.Patterns)
}

// Help shows what a flag that isn't given stands for.
func TestFlagSet_ShowsDefaults(t *testing.T) {
	help := func(o *Options) string {
		var text strings.Builder
		flags := o.FlagSet(Write)
		flags.SetOutput(&text)
		flags.PrintDefaults()
		return text.String()
	}
	o := NewOptions("shop")
	require.Contains(t, help(o), "(default asyncapi.json)")
	require.Contains(t, help(o), "(default \"shopclient\")")
	require.NotContains(t, help(o), "panic")
	o.Documents = []Document{{asyncapi.Exact, "a.json"}, {File: "b.json"}}
	require.Contains(t, help(o), "(default exact=a.json, b.json)")
}
