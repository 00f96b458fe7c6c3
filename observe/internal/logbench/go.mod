// The benchmark of package jsonlog beside other loggers: a module of its own, so
// that the library doesn't depend on them.
module github.com/warrenmq/warren/observe/internal/logbench

go 1.26.0

require (
	github.com/rs/zerolog v1.35.1
	github.com/stretchr/testify v1.12.1
	github.com/warrenmq/warren v0.0.0-00010101000000-000000000000
	go.opentelemetry.io/otel/trace v1.47.0
	go.uber.org/zap v1.28.0
)

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/mattn/go-colorable v0.1.14 // indirect
	github.com/mattn/go-isatty v0.0.20 // indirect
	go.opentelemetry.io/otel v1.47.0 // indirect
	go.uber.org/multierr v1.10.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace github.com/warrenmq/warren => ../../..
