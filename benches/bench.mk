# Measuring: docs/benchmarks.md says what and how.
.PHONY: bench bench-embedded bench-quick bench-tiers bench-against bench-guard bench-guard-update bench-hosts bench-kernels bench-real bench-profile

# The extension with a feature that lets the bench choose its tier.
FORCED := target/forced/release/$(EXTENSION)

LANES := cargo bench --quiet --bench lanes --

bench: build bench-real bench-tiers ## every way from rows to JSON, measured in turns; writes docs/bench.*, docs/benchmarks.md (some minutes)
	$(LANES)

bench-tiers: build ## texts of many kinds on each tier of this processor; writes its table to docs/benchmarks.md (a minute or two)
	cargo rustc --release --lib --crate-type cdylib --features force-tier --target-dir target/forced
	RESQ_FORCED=$(FORCED) $(LANES) --host bundled tiers

bench-quick: build ## the same from a tenth of the rows, printed (one or two minutes)
	$(LANES) --quick

bench-against: build ## this build and another in the same rounds: make bench-against OTHER=old/libresq.so [ONLY=word] [HOST=system]
	$(LANES) --host $(or $(HOST),bundled) --against $(OTHER) $(if $(ONLY),--only $(ONLY))

bench-guard: build ## no lane takes 3 % more instructions than checked in (valgrind)
	$(LANES) guard

bench-guard-update: build ## write today's instruction counts to benches/guard.txt
	$(LANES) guard-update

bench-hosts: build ## Python, Node and the shell: their own way to JSON against one resq_query
	sh benches/hosts.sh $(EXTENSION)

# The lane on a real database takes proj.db of Debian's proj-data from here.
bench-kernels: ## the kernels beside other crates and memcpy: base64, strings, numbers; tier by tier (two minutes)
	cargo bench --quiet --features internals --bench base64
	cargo bench --quiet --features internals --bench escape
	cargo bench --quiet --features internals --bench numbers

bench-embedded: build ## resq_raw against SQLite's own json(), by kinds of documents: make bench-embedded [OTHER=old/libresq.so]
	cargo bench --quiet --bench embedded -- $(OTHER)

bench-real:
	@sh tests/real/fetch.sh || true

bench-profile: ## one lane under perf: make bench-profile ONLY=int18 [WAY=resq_json]
	cargo rustc --profile profiling --lib --crate-type cdylib --target-dir target/extension
	RESQ_EXTENSION=target/extension/profiling/$(EXTENSION) perf record -o target/perf.data -- $$(cargo bench --quiet --bench lanes --no-run --message-format=json | sed -n 's/.*"name":"lanes".*"executable":"\([^"]*\)".*/\1/p') --only $(ONLY) repeat $(or $(WAY),resq_json) 500
	perf report -i target/perf.data --stdio --percent-limit 0.7 | grep -v '^#'
