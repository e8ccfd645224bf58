# Tests on many SQLite libraries: the one linked into the tests, the system's, and those built under target/sqlite.
.PHONY: sqlites test-places test-differential test-versions

sqlites: tools ## SQLite 3.25 to 3.54 and variants as libraries under target/sqlite (SQLITES="3.26.0 …" makes these)
	tests/sqlite/build.sh $(SQLITES)

test-places: build sqlites ## every function called in every way in every place, on every SQLite: nothing crashes
	RESQ_PLACES=all cargo test --test places -- --nocapture

test-differential: build sqlites ## random queries through resq_query, resq_stream and plain stepping, on every SQLite (MINUTES=30)
	RESQ_MINUTES=$(or $(MINUTES),30) cargo test --test differential -- --nocapture

test-versions: build sqlites ## the .slt files, every function, and the generated tests (short) on every SQLite; the table of docs/reliability.md
	cargo test --test places --test differential --test versions -- --nocapture
	tests/sqlite/matrix.sh
