# The cluster of examples/cluster; all that it makes or fetches is under target/examples.
.PHONY: cluster test-cluster load-cluster lint-cluster cluster-build test-dqlite

CLUSTER := --locked --release --manifest-path examples/cluster/Cargo.toml --target-dir target/examples

cluster-build: tools
	cargo build $(CLUSTER)
	@mkdir -p target/examples/cluster

cluster: cluster-build ## three nodes as three processes: the same bytes from each, the leader killed and started again
	target/examples/release/demo target/examples/cluster/demo

test-cluster: tools ## its tests: whichever node is killed, no acknowledged row is lost and all answer the same bytes
	cargo test $(CLUSTER) -- --test-threads=1

load-cluster: cluster-build ## reads a second by one, two and three nodes, beside typed rows and serde_json (two minutes)
	target/examples/release/load target/examples/cluster/load

test-dqlite: build ## three nodes of Debian's dqlite with resq in them (installs Go and dqlite if it may)
	examples/cluster/dqlite/run.sh $(CURDIR)/target/examples/dqlite $(RESQ_EXTENSION)

lint-cluster: tools
	cd examples/cluster && cargo fmt --check
	cargo clippy $(CLUSTER) --all-targets -- -D warnings
