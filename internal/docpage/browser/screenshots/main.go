// Screenshots takes the pictures of the example's page that docs have, in the folder
// that it is given: make screenshots.
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
	"path/filepath"

	"github.com/chromedp/chromedp"

	"github.com/warrenmq/warren/examples/orders"
	"github.com/warrenmq/warren/internal/docpage/browser"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

// pictures are those of docs. An address is one of the page.
var pictures = []struct {
	file          string
	address       string
	width, height int64
	colours       string
}{
	{"page-light.png", "", 1280, 800, "light"},
	{"page-dark.png", "#route-OrderCreated", 1280, 800, "dark"},
	{"page-phone.png", "#route-FindOrders", 390, 780, "light"},
}

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
	server := httptest.NewServer(page)
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
