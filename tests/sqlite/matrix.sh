#!/usr/bin/env bash
# Puts what the tests left under the target folder into docs/reliability.md, between the markers.
set -euo pipefail
cd "$(dirname "$0")/../.."
results=${CARGO_TARGET_DIR:-target}/tmp/matrix
page=docs/reliability.md
begin='<!-- versions: written by make test-versions -->'
end='<!-- versions: end -->'
[ -e "$page" ] || printf '# Reliability\n\n## Every SQLite\n\n%s\n%s\n' "$begin" "$end" >"$page"
grep -qxF -- "$begin" "$page" && grep -qxF -- "$end" "$page" || { echo "$page lacks its markers" >&2; exit 1; }

table() {
    echo '| SQLite | statements of `tests/slt` | calls in every place | random nested queries |'
    echo '|---|---|---|---|'
    awk -F '\t' '
        FILENAME ~ /places$/ { places[$1] = $2; next }
        FILENAME ~ /differential$/ { differential[$1] = $2; next }
        $3 > 0 { exit 1 }
        $2 == 0 { print "| " $1 " | refused by name | | |"; next }
        { print "| " $1 " | " $2 " | " places[$1] " | " differential[$1] " |" }
    ' "$results/places" "$results/differential" "$results/versions"
}
table >"$results/table"
awk -v begin="$begin" -v end="$end" -v file="$results/table" '
    $0 == end { skip = 0 }
    !skip { print }
    $0 == begin { print ""; while ((getline line < file) > 0) print line; print ""; skip = 1 }
' "$page" >"$results/page"
cp "$results/page" "$page"
