# Tests on many SQLite libraries: the one linked into the tests, the system's, and those built under target/sqlite.
.PHONY: sqlites test-places

sqlites: tools ## SQLite 3.25 to 3.54 and variants as libraries under target/sqlite (SQLITES="3.26.0 …" makes these)
	tests/sqlite/build.sh $(SQLITES)

test-places: build sqlites ## every function called in every way in every place, on every SQLite: nothing crashes
	RESQ_PLACES=all cargo test --test places -- --nocapture
