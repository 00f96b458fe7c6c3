// The page in a real browser, in a module of its own: no user inherits chromedp.
module github.com/warrenmq/warren/internal/docpage/browser

go 1.26.0

replace github.com/warrenmq/warren => ../../..

require (
	github.com/chromedp/cdproto v0.159.0
	github.com/chromedp/chromedp v0.23.0
	github.com/stretchr/testify v1.12.1
	github.com/warrenmq/warren v0.0.0-00010101000000-000000000000
	golang.org/x/tools v0.52.0
)

require (
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)
