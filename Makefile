# Every command a person or CI runs. `make help` lists them.
.DEFAULT_GOAL := help
.PHONY: help build clean fmt lint

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
