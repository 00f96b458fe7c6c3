package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Start starts Chromium, which CHROMIUM names where it isn't in the PATH. The
// function ends it, and waits until it has ended.
func Start(ctx context.Context) (context.Context, func(), error) {
	path := os.Getenv("CHROMIUM")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		return nil, nil, errors.New("there is no Chromium: install it, or set CHROMIUM to its path")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.NoSandbox, // it runs as root in containers, and sees our own pages alone
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("force-color-profile", "srgb"),
	)
	allocator, endProcess := chromedp.NewExecAllocator(ctx, options...)
	browser, endBrowser := chromedp.NewContext(allocator)
	end := func() {
		endBrowser()
		endProcess()
	}
	if err := chromedp.Do(browser); err != nil {
		end()
		return nil, nil, fmt.Errorf("start %s: %w", path, err)
	}
	return browser, end, nil
}

// A Tab is a page in the browser. Its context is for the actions of chromedp, and
// ends with the browser's.
type Tab struct {
	Context context.Context

	mu       sync.Mutex
	faults   []string
	requests []string
}

// Open opens a tab in the browser, as wide and high as is said, with the colours
// that the system prefers: light or dark.
func Open(browser context.Context, address string, width, height int64, colours string) (*Tab, error) {
	ctx, cancel := chromedp.NewContext(browser)
	context.AfterFunc(browser, cancel)
	tab := &Tab{Context: ctx}
	if err := chromedp.Listen(ctx, tab.listen); err != nil {
		return nil, err
	}
	for _, enable := range []func() error{
		func() error { _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); return err },
		func() error { _, err := chromedp.Call(ctx, log.Enable, cdp.Empty{}); return err },
		func() error {
			features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: colours}}
			_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features})
			return err
		},
	} {
		if err := enable(); err != nil {
			return nil, err
		}
	}
	return tab, chromedp.Do(ctx, chromedp.EmulateViewport(width, height), chromedp.Navigate(address))
}

// listen notes what a page mustn't do.
func (t *Tab) listen(event any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch event := event.(type) {
	case *network.EventRequestWillBeSent:
		t.requests = append(t.requests, event.Request.URL)
	case *runtime.EventExceptionThrown:
		t.faults = append(t.faults, fmt.Sprintf("exception: %+v", event.ExceptionDetails))
	case *log.EventEntryAdded:
		t.faults = append(t.faults, fmt.Sprintf("%s: %s", event.Entry.Level, event.Entry.Text))
	case *runtime.EventConsoleAPICalled:
		t.faults = append(t.faults, fmt.Sprintf("console: %+v", event.Args))
	}
}

// Faults returns what was written to the console, and exceptions.
func (t *Tab) Faults() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.faults)
}

// Requests returns the addresses that were asked for.
func (t *Tab) Requests() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.requests)
}

// Close closes the tab.
func (t *Tab) Close() error { return chromedp.Cancel(t.Context) }
