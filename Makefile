# make help lists the targets.

GO    ?= go
TOOL  := $(GO) tool -modfile=tools/go.mod

# Packages whose tests start RabbitMQ, which are those that import
# internal/rabbitnode, or Prometheus.
IMPORTS = $(GO) list -f '{{.ImportPath}} {{join .Imports " "}} {{join .TestImports " "}} {{join .XTestImports " "}}' ./...
BROKERS = $$($(IMPORTS) | awk '/\/internal\/rabbitnode|\/observe\/endtoend/ { print $$1 }')
OTHERS  = $$($(IMPORTS) | awk '!/\/internal\/rabbitnode|\/observe\/endtoend/ { print $$1 }')

# Where make validate looks for documents.
DOCUMENTS = examples testdata cmd/asyncapigen/testdata $(wildcard runtime/asyncapi/testdata/shop*.json runtime/asyncapi/asyncapi3/testdata/shop.json)

# Packages with benchmarks of a budget.
BENCHMARKS = ./cmd/asyncapigen/... ./runtime/rabbitmq ./mgmt ./observe

# A module of its own with benchmarks beside other loggers.
LOGBENCH = observe/internal/logbench

# Likewise, beside other clients of RabbitMQ.
CLIENTBENCH = runtime/rabbitmq/internal/clientbench

# How long make soak does harm.
DURATION = 10m

FUZZTIME = 1m

# How many programs make fuzz-programs generates.
N = 2000

# The seed of make fuzz-programs, make mutate and make soak: a random one unless told.
SEED = 0

# The packages of make mutate, how many slips it makes in each, and how long the tests of
# other packages may take to be among those that it runs.
PKG       = ./...
MUTATIONS = 10
LONGEST   = 4m

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: ## Generate the example's contract and client, and run it on the broker in memory
	$(GO) build -buildvcs=false ./...
	$(GO) generate ./examples/...
	@echo
	@cd examples/orders && $(GO) tool asyncapigen -list
	@echo
	@RABBITMQ_URL= $(GO) run ./examples/orders/cmd/orders

.PHONY: up
up: ## Run the example with RabbitMQ, Prometheus and a receiver of OTLP, and print its traces, until it is interrupted
	@$(GO) run ./examples/orders/up

.PHONY: test
test: ## Run all tests, with the race detector and real brokers
	@scripts/require cc shells rabbitmq prometheus
	$(GO) test -race -vet=off -timeout 30m ./...

.PHONY: test-unit
test-unit: ## Run the tests that need no broker
	@scripts/require cc shells
	$(GO) test -race $(OTHERS)

.PHONY: test-brokers
test-brokers: ## Run the tests that need RabbitMQ or Prometheus, those of its versions on 4.0 and 4.3 as well
	@scripts/require cc rabbitmq prometheus
	RABBITMQ_VERSIONS="installed 4.0 4.3" $(GO) test -race $(BROKERS)

.PHONY: test-jsonv2
test-jsonv2: ## Run the tests of schemas with encoding/json on its new engine
	GOEXPERIMENT=jsonv2 $(GO) test ./internal/schema/... ./runtime/asyncapi ./cmd/asyncapigen/internal/gotype ./cmd/asyncapigen/internal/client

.PHONY: corpus
corpus: ## Hold the schemas of other modules' types against what encoding/json writes
	cd corpus && $(GO) run . -values 10

.PHONY: go-test-suite
go-test-suite: ## Hold discovery against the Go project's own test programs (some minutes)
	$(GO) run ./cmd/asyncapigen/internal/discover/gotestsuite -list

.PHONY: frameworks
frameworks: ## Hold discovery against services on other modules' frameworks (gets those modules)
	cd testdata/frameworks && $(GO) vet ./... && $(GO) mod tidy -diff && $(GO) test -count=1 .

.PHONY: consumers
consumers: ## Hold scan against services on other clients of RabbitMQ, and against a broker (gets those modules)
	@scripts/require rabbitmq
	cd testdata/consumers && $(GO) vet ./... && $(GO) mod tidy -diff && $(GO) test -count=1 .

.PHONY: browser
browser: tools/axe/node_modules/.package-lock.json ## Test the page in headless Chromium (needs Node.js for axe-core)
	@scripts/require chromium
	cd internal/docpage/browser && $(GO) vet ./... && $(GO) mod tidy -diff && $(GO) test -count=1 .

.PHONY: screenshots
screenshots: ## Take the pictures of the page that docs have
	@scripts/require chromium
	cd internal/docpage/browser && $(GO) run ./screenshots ../../../docs/images

.PHONY: lint
lint: ## Check format, vet, staticcheck, go.mod and generated files (gets the modules of testdata/payloads and the like)
	@unformatted=$$($(TOOL) gofumpt -l .) && { test -z "$$unformatted" || { \
		echo "not formatted by gofumpt (make fmt does it):"; echo "$$unformatted"; exit 1; }; }
	$(GO) vet ./...
	$(GO) vet -tags cluster ./runtime/rabbitmq
	$(TOOL) staticcheck ./...
	$(GO) mod tidy -diff
	cd tools && $(GO) mod tidy -diff
	cd tools/mutate && $(GO) vet ./... && $(GO) test ./... && $(GO) mod tidy -diff
	cd $(LOGBENCH) && $(GO) vet ./... && $(GO) mod tidy -diff
	cd $(CLIENTBENCH) && $(GO) vet ./... && $(GO) mod tidy -diff
	cd testdata/payloads && $(GO) vet ./... && $(GO) mod tidy -diff
	cd testdata/frameworks && $(GO) mod tidy -diff
	cd testdata/consumers && $(GO) mod tidy -diff
	cd corpus && $(GO) mod tidy -diff
	scripts/check-generated

.PHONY: platforms
platforms: ## Check that everything builds for the other systems, its tests included
	@for platform in windows/amd64 darwin/arm64 linux/386; do echo "$$platform"; \
		CGO_ENABLED=0 GOOS=$${platform%/*} GOARCH=$${platform#*/} $(GO) vet ./... || exit 1; done

.PHONY: vulnerabilities
vulnerabilities: ## Check what warren is built of against the known vulnerabilities (asks vuln.go.dev)
	$(GO) run golang.org/x/vuln/cmd/govulncheck@v1.9.0 ./...

.PHONY: release
release: ## Build the files of VERSION, which is a tag: archives, checksums, SBOM
	scripts/release $(VERSION)

.PHONY: fmt
fmt: ## Format the Go files
	$(TOOL) gofumpt -l -w .

.PHONY: generate
generate: ## Write the generated files anew
	$(GO) generate ./...

.PHONY: validate
validate: tools/validate/node_modules/.package-lock.json ## Show the documents, in every form, to the official AsyncAPI parser (needs Node.js)
	cd tools/validate && node --test --test-reporter=dot validate.test.mjs
ifndef WARREN_DOCUMENTS
	rm -rf bin/documents
	WARREN_DOCUMENTS=$(CURDIR)/bin/documents $(GO) test ./cmd/asyncapigen ./cmd/asyncapigen/internal/service -run "^TestGoldens" -timeout 30m
endif
	node tools/validate/validate.mjs $(DOCUMENTS) $(or $(WARREN_DOCUMENTS),bin/documents)

.PHONY: modelina
modelina: tools/modelina/node_modules/.package-lock.json ## Generate Go, TypeScript, Python and Java types from the example's document (needs Node.js)
	node tools/modelina/check.mjs examples/orders/asyncapi.json runtime/asyncapi/asyncapi3/testdata/shop.json

tools/modelina/node_modules/.package-lock.json: tools/modelina/package-lock.json
	@command -v npm >/dev/null || { echo "make modelina needs Node.js 18 or later with npm: install it" >&2; exit 1; }
	cd tools/modelina && npm ci --ignore-scripts
	@touch $@

tools/axe/node_modules/.package-lock.json: tools/axe/package-lock.json
	@command -v npm >/dev/null || { echo "make browser needs Node.js 18 or later with npm: install it" >&2; exit 1; }
	cd tools/axe && npm ci --ignore-scripts
	@touch $@

tools/validate/node_modules/.package-lock.json: tools/validate/package-lock.json
	@command -v npm >/dev/null || { echo "make validate needs Node.js 18 or later with npm: install it" >&2; exit 1; }
	cd tools/validate && npm ci --ignore-scripts
	@touch $@

.PHONY: bench
bench: ## Run the benchmarks of the budgets (gets the modules of testdata/payloads) and write docs/benchmarks.md
	@scripts/require cc rabbitmq
	{ $(GO) test -run '^$$' -bench . -benchtime 3s -timeout 60m $(BENCHMARKS); (cd $(LOGBENCH) && $(GO) test -bench . -benchtime 3s); \
		(cd $(CLIENTBENCH) && $(GO) test -bench . -benchtime 1x); } | \
		$(GO) run ./internal/benchtable docs/benchmarks.md

.PHONY: soak
soak: ## Do harm at random to a service for DURATION (default 10m), and account for each message; SEED=... repeats
	@scripts/require cc rabbitmq
	$(GO) test -race -count=1 -v -timeout 0 -run '^TestSoak$$' ./runtime/rabbitmq -soak.duration $(DURATION) -soak.seed $(SEED)

.PHONY: cluster
cluster: ## Take the nodes of a cluster away under load, and print the pauses (some minutes, three nodes)
	@scripts/require cc rabbitmq
	$(GO) test -race -count=1 -v -timeout 15m -tags cluster -run '^TestCluster$$' ./runtime/rabbitmq

.PHONY: fuzz
fuzz: ## Fuzz every target for FUZZTIME (default 1m)
	@scripts/fuzz $(FUZZTIME)

.PHONY: mutate
mutate: ## Make MUTATIONS small slips in each package of PKG, one at a time, and print which of them the tests notice
	@scripts/require cc rabbitmq
	cd tools/mutate && $(GO) run . -n $(MUTATIONS) -seed $(SEED) -longest $(LONGEST) $(PKG)

.PHONY: fuzz-programs
fuzz-programs: ## Compare what N generated programs (default 2000) register with what is found; SEED=... repeats
	$(GO) test -count=1 -v -timeout 60m -run '^TestRoutes_EqualThoseOfTheRunningProgram$$' ./cmd/asyncapigen/internal/discover \
		-programs $(N) -seed $(SEED) -failures $(CURDIR)/bin/_fuzz-programs

.PHONY: fuzz-frameworks
fuzz-frameworks: ## Compare what N random services on frameworks register with what is found; SEED=... repeats
	cd testdata/frameworks && $(GO) test -count=1 -v -timeout 60m -run '^TestServices_OfRandomSteps' . -programs $(N) -seed $(SEED)

.PHONY: clean
clean: ## Remove what was built or downloaded into this folder
	rm -rf bin tools/validate/node_modules tools/modelina/node_modules tools/axe/node_modules corpus/values
