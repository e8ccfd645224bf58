#!/usr/bin/env bash
# Does a test notice every small change in the code that knows no SQLite? cargo-mutants makes the changes, in a crate
# of that code alone, which builds in seconds. A change that no test notices is a failure, unless tests/mutants.txt
# names it and says why no test can notice it.
#
#   tests/mutants.sh                      the rooms below
#   tests/mutants.sh buffer.rs value.rs   these files
#   TESTS="--lib" tests/mutants.sh …      against these tests only (all unit tests and tests/numbers.rs, if not set)
#   ARGUMENTS="--re grow" tests/mutants.sh …  more arguments of cargo-mutants
#
# src/arch has changes of its own, which tests/mutations.sh makes on the processor that each is for.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- buffer.rs value.rs decimal.rs real.rs escape.rs base64.rs json
target=${CARGO_TARGET_DIR:-$PWD/target}
unset CARGO_TARGET_DIR
work=$target/mutants crate=$target/mutants/crate
mkdir -p "$work"

version=27.1.0
if ! "$work/bin/cargo-mutants" mutants --version 2>/dev/null | grep -qF "$version"; then
    cargo install --quiet --locked --root "$work" "cargo-mutants@$version"
fi

rm -rf "$crate/src" "$crate/tests" "$work/mutants.out"
mkdir -p "$crate/src" "$crate/tests"
cp -r src/arch src/json src/{base64,buffer,decimal,escape,internals,real,value}.rs "$crate/src/"
cp tests/numbers.rs "$crate/tests/"
printf 'pub mod internals;\n' >"$crate/src/lib.rs"
printf 'mod %s;\n' arch base64 buffer decimal escape json real value >>"$crate/src/lib.rs"
dependency() { grep "^$1 = " Cargo.toml; }
cat >"$crate/Cargo.toml" <<TOML
[package]
name = "resq"
version = "0.0.0"
edition = "2024"
[features]
default = ["internals"]
internals = []
force-tier = []
[lints.rust]
dead_code = "allow"
[profile.dev]
opt-level = 1
debug = 0
[workspace]
[dependencies]
$(dependency simdutf8)
$(dependency zmij)
[dev-dependencies]
$(dependency ryu)
$(dependency serde)
$(dependency serde_json)
TOML

files=()
for file; do
    if [ -d "src/$file" ]; then files+=(-f "src/$file/**"); else files+=(-f "src/$file"); fi
done
# Tests end in a few seconds; a change that makes one run on and on counts as noticed.
code=0
# shellcheck disable=SC2086
PATH=$work/bin:$PATH cargo mutants --dir "$crate" --in-place --output "$work" --timeout 60 --no-shuffle \
    --colors never "${files[@]}" ${ARGUMENTS:-} -- ${TESTS:---lib --tests} || code=$?
# 2: some were not noticed; 3: some ran on and on.
case $code in 0 | 2 | 3) ;; *) exit "$code" ;; esac

# Without line and column, which every edit moves.
names() { sed -E 's/^([^:]*):[0-9]+:[0-9]+: /\1: /' "$@" | sort -u; }
names "$work/mutants.out/missed.txt" >"$work/missed"
names <(sed -n 's/^\(src.*\) | .*/\1/p' tests/mutants.txt) >"$work/explained"
unexplained=$(comm -23 "$work/missed" "$work/explained")
count() { wc -l <"$1"; }
echo "mutants: $(count "$work/mutants.out/caught.txt") noticed, $(count "$work/mutants.out/timeout.txt") ran on and on," \
    "$(count "$work/mutants.out/unviable.txt") did not compile, $(count "$work/missed") not noticed"
[ -z "$unexplained" ] || { printf 'Not noticed, and not explained in tests/mutants.txt:\n%s\n' "$unexplained"; exit 1; }
