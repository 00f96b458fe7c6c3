// Screenshots takes the pictures that docs have of the example's page, and of the map of
// five services, in the folder that it is given: make screenshots.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"strings"

	"github.com/chromedp/chromedp"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/examples/orders"
	"github.com/warrenmq/warren/internal/docpage/browser"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

// pictures are those of docs. An address is one of the example's page, or mapPage.
var pictures = []struct {
	file          string
	address       string
	width, height int64
	colours       string
}{
	{"page-light.png", "", 1280, 800, "light"},
	{"page-dark.png", "#route-OrderCreated", 1280, 800, "dark"},
	{"page-phone.png", "#route-FindOrders", 390, 780, "light"},
	{"map.png", mapPage + "#topology", 1280, 800, "light"},
}

// mapPage is where the map is served.
const mapPage = "map.html"

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "screenshots:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) != 1 {
		return errors.New("usage: screenshots FOLDER")
	}
	page, err := handler()
	if err != nil {
		return err
	}
	services, err := servicesMap(ctx)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/", page)
	mux.HandleFunc("/"+mapPage, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(services) // an error is that of the browser, which sees it
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	running, end, err := browser.Start(ctx)
	if err != nil {
		return err
	}
	defer end()
	if err := os.MkdirAll(args[0], 0o777); err != nil {
		return err
	}
	for _, p := range pictures {
		tab, err := browser.Open(running, server.URL+"/"+p.address, p.width, p.height, p.colours)
		if err != nil {
			return err
		}
		taken, err := chromedp.Run(tab.Context, chromedp.CaptureScreenshot())
		if err != nil {
			return err
		}
		small, err := smaller(taken)
		if err != nil {
			return err
		}
		if err := errors.Join(os.WriteFile(filepath.Join(args[0], p.file), small, 0o666), tab.Close()); err != nil {
			return err
		}
	}
	return nil
}

// handler serves the page of the example.
func handler() (http.Handler, error) {
	router := new(runtime.Router)
	if err := orders.Register(router, nil); err != nil {
		return nil, err
	}
	document, err := asyncapi.Generate(router.Routes(), &asyncapi.Config{
		Title: "Orders", Description: "Takes the shop's orders, and answers questions about them.", ServerDescription: "The shop's broker",
	}, asyncapi.Extended)
	if err != nil {
		return nil, err
	}
	return asyncapi.Handler(document), nil
}

// servicesMap makes the page of the services that the script of the command joins.
func servicesMap(ctx context.Context) ([]byte, error) {
	_, self, _, _ := goruntime.Caller(0)
	root := filepath.Join(filepath.Dir(self), "..", "..", "..", "..")
	archive, err := txtar.ParseFile(filepath.Join(root, "cmd", "asyncapigen", "testdata", "script", "map.txtar"))
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "screenshots-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := writeModule(dir, root, archive); err != nil {
		return nil, err
	}
	command := filepath.Join(dir, "asyncapigen")
	if err := runIn(ctx, root, "go", "build", "-o", command, "./cmd/asyncapigen"); err != nil {
		return nil, err
	}
	join := []string{"map", "-o", mapPage}
	for _, name := range []string{"Shop", "Pricing", "Billing", "Warehouse", "Mail"} {
		folder := strings.ToLower(name)
		if err := runIn(ctx, dir, command, "-client=", "-title="+name, "-asyncapi=3.0.0", "-o="+folder+".json", "./"+folder); err != nil {
			return nil, err
		}
		join = append(join, folder+".json")
	}
	if err := runIn(ctx, dir, command, join...); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, mapPage))
}

// writeModule writes the programs of a script, in a module that uses warren from root.
func writeModule(dir, root string, archive *txtar.Archive) error {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
	}
	own := strings.Replace(string(mod), "module github.com/warrenmq/warren", "module example.com/shop", 1)
	own += "\nrequire github.com/warrenmq/warren v0.0.0\n\nreplace github.com/warrenmq/warren => " + root + "\n"
	for _, file := range append(archive.Files, txtar.File{Name: "go.mod", Data: []byte(own)}, txtar.File{Name: "go.sum", Data: sum}) {
		name := filepath.Join(dir, file.Name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, file.Data, 0o666)); err != nil {
			return err
		}
	}
	return nil
}

func runIn(ctx context.Context, dir, name string, args ...string) error {
	command := exec.CommandContext(ctx, name, args...)
	command.Dir, command.Stderr = dir, os.Stderr
	if err := command.Run(); err != nil {
		return fmt.Errorf("run %s %s: %w", name, strings.Join(args, " "), err)
	}
	return nil
}

// smaller writes a picture as well as PNG can.
func smaller(taken []byte) ([]byte, error) {
	picture, _, err := image.Decode(bytes.NewReader(taken))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	err = encoder.Encode(&b, picture)
	return b.Bytes(), err
}
