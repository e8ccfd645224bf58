#!/usr/bin/env bash
# tests/mutations.sh [PATTERN]
#
# Do the kernels' tests notice a wrong constant? Makes each change of tests/mutations.txt (those that match PATTERN) in
# a copy of the tree, and expects a copy that compiles and a test that fails. With CROSS_TARGET set, cargo builds
# and runs for that target; changes for other processors are skipped. Changed copies and what is built of them
# lie in the target folder.
set -euo pipefail
cd "$(dirname "$0")/.."
pattern=${1:-.}
target=(${CROSS_TARGET:+--target "$CROSS_TARGET"})
processor=${CROSS_TARGET:-$(rustc -vV | sed -n 's/^host: //p')}
processor=${processor%%-*}
work=$PWD/${CARGO_TARGET_DIR:-target}/mutations
case ${CARGO_TARGET_DIR:-} in /*) work=$CARGO_TARGET_DIR/mutations ;; esac
copy=$work/tree
export CARGO_TARGET_DIR=$work/target

refresh() { # the tree as it is, only what differs touched
    mkdir -p "$copy"
    { git ls-files -co --exclude-standard | while read -r file; do [ -f "$file" ] && echo "$file"; done; } |
        while read -r file; do
            cmp -s "$file" "$copy/$file" || { mkdir -p "$copy/$(dirname "$file")" && cp "$file" "$copy/$file"; }
        done
}
# A name of a file in tests/, or lib for the tests beside the code.
which() { if [ "$1" = lib ]; then echo --lib; else echo "--test $1"; fi; }
# shellcheck disable=SC2046
build() { (cd "$copy" && cargo test -q --features internals "${target[@]}" $(which "$1") --no-run) >"$work/log" 2>&1; }
# shellcheck disable=SC2046
run() { (cd "$copy" && timeout 900 cargo test -q --features internals "${target[@]}" $(which "$1")) >"$work/log" 2>&1; }

caught=0 failed=0 skipped=0 sound=' '
trim() { sed 's/^ *//; s/ *$//' <<<"$1"; }
while IFS= read -r line; do
    case $line in '' | '#'*) continue ;; esac
    grep -q -- "$pattern" <<<"$line" || continue
    # The expression may hold the separator's sign, but not with blanks on both sides.
    IFS=$'\t' read -r where file change test <<<"$(sed 's/  *| */\t/; s/  *| */\t/; s/\(.*[^ ]\)  *| */\1\t/' <<<"$line")"
    where=$(trim "$where") file=$(trim "$file") change=$(trim "$change") test=$(trim "$test")
    if [ "$where" != any ] && [ "$where" != "$processor" ]; then
        skipped=$((skipped + 1))
        continue
    fi
    refresh
    case $sound in *" $test "*) ;; *)
        build "$test" && run "$test" || { cat "$work/log"; echo "mutations: $test fails without any change"; exit 1; }
        sound="$sound$test "
        ;;
    esac
    sed -i -- "$change" "$copy/$file"
    if cmp -s "$file" "$copy/$file"; then
        verdict='CHANGES NOTHING'
    elif ! build "$test"; then
        verdict='DOES NOT COMPILE'
    elif run "$test"; then
        verdict='NOT CAUGHT'
    else
        verdict=caught
    fi
    case $verdict in caught) caught=$((caught + 1)) ;; *) failed=$((failed + 1)) ;; esac
    printf '%-16s %-20s %s\n' "$verdict" "$file" "$change"
done <tests/mutations.txt
rm -rf "$copy"
echo "mutations on $processor: $caught caught, $failed not, $skipped for other processors"
[ $failed = 0 ]
