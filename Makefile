# Every command a person or CI runs. `make help` lists them.
.DEFAULT_GOAL := help
.PHONY: help build clean fmt lint demo test-hosts test-real

help: ## this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## the extension: libresq.so (libresq.dylib, resq.dll), here in this folder
	cargo build --release --lib
	cp target/release/libresq.so .

lint: ## formatting and clippy, warnings are errors
	cargo fmt --check
	cargo clippy --all-targets -- -D warnings

clean: ## remove what was built
	cargo clean
	rm -f libresq.so

demo: build ## rows as JSON, shown: in the sqlite3 shell where one can load extensions, else in the bundled SQLite
	@if [ "$$(sqlite3 :memory: '.load ./libresq' "select 'loads'" 2>/dev/null)" = loads ]; then \
		sqlite3 :memory: '.mode list' '.headers off' '.load ./libresq' '.read sql/demo.sql'; \
	else \
		cargo run --quiet --release --example demo; \
	fi

test-hosts: ## every example on its host: shell, Python, Node, Rust (installs what they need under target/)
	cargo test --features static --test demo --test hosts --test static_link
	cargo test --features static --doc

test-real: ## every cell of databases that registries carry, against another serialiser (downloads ~25 MB to target/)
	sh tests/real/fetch.sh
	cargo test --release --test real -- --ignored --nocapture
