# Everything a contributor runs. CI runs `make test` through .ci/run.
SHELL := /bin/sh
export CGO_ENABLED := 0
GO ?= go
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -s -w

.PHONY: build demo test soak load test-go lint bench eval clean

build: ## both programs, static, into bin/
	$(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/ ./cmd/...

demo: ## the App at work beside a stand-in GitHub: no account, no service, no key
	$(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/ ./cmd/agent-lessons-app
	./bin/agent-lessons-app demo $(DEMOFLAGS)

test: ## installs what the tests need, and runs everything; skips nothing
	./scripts/test

soak: ## 500 kill -9, 30 s of load, 20 crashes of the database: half an hour
	AGENT_LESSONS_SOAK=1 AGENT_LESSONS_TEST_ALL=1 scripts/postgres $(GO) test -v -timeout 60m ./cmd/agent-lessons-app -run 'Killed|Load|Restarted|DiskFull|Migrate'

load: ## 30 s of signed reviews on 32 connections
	AGENT_LESSONS_SOAK=1 $(GO) test -v ./cmd/agent-lessons-app -run TestLoad

test-go: ## what a machine with Go alone can run; says what it skipped
	$(GO) test ./...

lint: ## golangci-lint, actionlint
	$(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0 run
	$(GO) run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...

eval: ## quality of collapsing and distilling on the labelled data
	$(GO) test -count=1 -run Eval -v ./internal/similarity ./internal/distill

clean:
	rm -rf bin dist npm/node_modules
