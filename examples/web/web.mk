# The web server of examples/web; all that it makes or fetches is under target/examples.
.PHONY: web test-web load-web lint-web screenshots-web web-build

WEB := target/examples/web
WEB_NODE := RESQ_WEB=$(CURDIR)/target/examples/release/resq-web RESQ_WEB_FOLDER=$(CURDIR)/$(WEB) \
	NODE_PATH=$(CURDIR)/$(WEB)/node/node_modules node

web-build: tools
	cargo build --locked --release --manifest-path examples/web/Cargo.toml --target-dir target/examples
	@mkdir -p $(WEB)
	@[ $(WEB)/shop.db -nt examples/web/example.sql ] || rm -f $(WEB)/shop.db*

web: web-build ## a web server whose answers are made inside SQLite, on an example database; prints its address
	target/examples/release/resq-web --listen $(or $(LISTEN),127.0.0.1:8080) $(WEB)/shop.db

test-web: web-build ## its tests: documents, exports, hostile requests, the page in Chromium (installs what they need)
	examples/web/test/setup.sh $(WEB)/node node npm sqlite3 chromium
	$(WEB_NODE) --test --test-concurrency=1 examples/web/test/*.test.js

load-web: web-build ## requests a second, memory and 4 GB exports beside the same server written by hand (some minutes)
	examples/web/test/setup.sh $(WEB)/node node npm sqlite3 wrk
	$(WEB_NODE) examples/web/test/load.js

lint-web: tools
	cd examples/web && cargo fmt --check
	cargo clippy --locked --release --manifest-path examples/web/Cargo.toml --target-dir target/examples -- -D warnings

screenshots-web: web-build ## pictures of the page, in target/examples/web
	examples/web/test/setup.sh $(WEB)/node node npm chromium
	$(WEB_NODE) examples/web/test/screenshots.js
