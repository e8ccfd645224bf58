# Every command a person or CI runs. `make help` lists them.
.DEFAULT_GOAL := help
.PHONY: help build demo test test-hosts test-real test-stream test-mutants test-mutations test-small-path msrv lint package clean tools

# What cargo calls the extension here.
EXTENSION := $(if $(filter Windows_NT,$(OS)),resq.dll,$(if $(filter Darwin,$(shell uname)),libresq.dylib,libresq.so))

help: ## this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-20s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

tools:
	@command -v cargo >/dev/null || { echo 'resq: cargo is missing; install Rust (rustup, or your system)'; exit 1; }
	@command -v "$${CC:-cc}" >/dev/null || { echo 'resq: a C compiler is missing; install gcc or clang, or set CC'; exit 1; }

# A build of the cdylib alone: cargo does no link-time optimisation for a library that is to be an rlib as well.
# cargo says where the file is, because a target that is configured (CARGO_BUILD_TARGET) gets a folder of its own.
build: tools ## the extension, libresq.so (libresq.dylib, resq.dll), in this folder
	@rm -f $(EXTENSION)
	@built=$$(cargo rustc --release --lib --crate-type cdylib --target-dir target/extension \
		--message-format=json-render-diagnostics | sed -nE 's/.*"filenames":\["([^"]*resq\.(so|dylib|dll))".*/\1/p') && \
	{ [ -n "$$built" ] || { echo 'resq: no extension was built'; exit 1; }; } && cp "$$built" .

demo: build ## rows as JSON, shown: in the sqlite3 shell where one can load extensions, else in a bundled SQLite
	@if [ "$$(sqlite3 :memory: '.load ./libresq' "select 'loads'" 2>/dev/null)" = loads ]; then \
		sqlite3 :memory: '.mode list' '.headers off' '.load ./libresq' '.read sql/demo.sql'; \
	else \
		cargo run --quiet --release --example demo; \
	fi

test: build ## all tests but those below (a host that is missing is skipped with a word)
	@echo 'resq: a first run compiles a SQLite and the test programs before it runs them, which takes some minutes'
	cargo test --all-features

test-hosts: build ## each example on its real host; writes docs/hosts.md (half an hour; QUICK=1, or ONLY="deno bun")
	cargo test --all-features --test demo --test hosts --test static_link -- --include-ignored $(if $(QUICK),--skip node_better_sqlite3)
	python3 tests/hosts/run.py $(if $(QUICK),--quick) $(ONLY)

test-real: build ## every cell of databases that registries carry, against another serialiser (downloads to target/)
	sh tests/real/fetch.sh
	cargo test --release --test real -- --ignored --nocapture

test-stream: tools ## more than 4 GB through resq_stream, the process under 64 MB
	cargo test --test stream -- --ignored --nocapture over_4_gb

test-mutations: ## do the kernels' tests notice wrong constants? (an hour; ONLY=neon.rs takes some)
	tests/mutations.sh $(ONLY)

test-mutants: tools ## do the tests notice small changes in the code that knows no SQLite? cargo-mutants (hours; ONLY="buffer.rs")
	tests/mutants.sh $(ONLY)

test-small-path: ## the code for short BLOBs is the same with the vector kernels and without (valgrind)
	tests/small_path.sh

lint: tools ## formatting and clippy, warnings are errors
	cargo fmt --check
	cargo clippy --all-targets --all-features -- -D warnings
	cargo clippy --no-default-features --features static -- -D warnings
	cargo clippy -- -D warnings

msrv: tools ## the crate builds with exactly the Rust version that Cargo.toml states
	tests/msrv.sh

# The other features cannot be checked so without libclang: a package does not have the patch of Cargo.toml.
package: tools ## what cargo would publish, checked as far as it can be without libclang
	cargo publish --dry-run --no-default-features --features static

clean: ## remove what was built
	cargo clean
	rm -f $(EXTENSION)

export RESQ_EXTENSION := $(CURDIR)/$(EXTENSION)

include tests/cross/cross.mk
include tests/sqlite/sqlite.mk
include benches/bench.mk
include examples/web/web.mk
include packages/packages.mk
include examples/cluster/cluster.mk
