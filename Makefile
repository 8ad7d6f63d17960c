# Everything that is run often, each target with its own set-up.
# `make help` lists the targets.

TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)
FAULTLINE := $(TARGET_DIR)/release/faultline

.PHONY: build demo test bless fmt lint clean help

build: ## build target/release/faultline
	@scripts/setup
	cargo build --release

# Finding the fault (exit status 1) is the demo's success.
demo: build ## run faultline on a program with a fault in it
	@echo; echo '$$ faultline explain examples/queue.c'
	@$(FAULTLINE) explain examples/queue.c; test $$? -eq 1

test: ## check the conventions, then run every test
	@scripts/setup test
	cargo xtask tidy
	cargo test --workspace --quiet

bless: ## take today's output as the expected one; review the diff
	@scripts/setup test
	cargo xtask bless

fmt: ## format the Rust code
	cargo fmt --all

lint: ## run clippy; a warning is an error
	@scripts/setup
	cargo clippy --workspace --all-targets -- -D warnings

clean: ## remove what was built
	cargo clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.* ## /\1 /p' Makefile | while read -r target what; do \
		printf '  make %-6s %s\n' "$$target" "$$what"; done
