#!/bin/sh
# Hosts from end to end: their own way from rows to JSON against one resq_query, on the lanes' tables in a file.
# Prints a table and puts it into docs/benchmarks.md. What a host needs comes from its registry, into target/hosts/.
set -eu
cd "$(dirname "$0")/.."
hosts=target/hosts
table=target/bench-hosts.md
mkdir -p "$hosts"
cargo bench --quiet --bench lanes -- database target/bench.db >/dev/null

lanes='int18 int3 blob4096 blob128 blob3 mixed text20 text200 reals'
{
    echo "| time over one \`resq_query\` read as text | $(echo $lanes | sed 's/ / | /g') |"
    echo "|---|$(echo $lanes | sed 's/[^ ]* */---|/g')"
} >"$table"

# Debian's Python loads extensions; others may not.
python=
for each in /usr/bin/python3 python3; do
    if "$each" -c 'import sqlite3; sqlite3.connect(":memory:").enable_load_extension(True)' 2>/dev/null; then
        python=$each
        break
    fi
done
if [ -n "$python" ]; then
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    [ -d "$hosts/orjson/orjson" ] || python3 -m pip install --quiet --disable-pip-version-check --only-binary :all: \
        --python-version "$version" --target "$hosts/orjson" orjson || echo 'orjson: skipped, pip cannot get it' >&2
    PYTHONPATH=$hosts/orjson "$python" benches/hosts.py target/bench.db "./$1" $lanes >>"$table"
else
    echo 'Python: skipped, none here loads extensions' >&2
fi

if command -v node >/dev/null && command -v npm >/dev/null; then
    [ -d "$hosts/better-sqlite3/node_modules/better-sqlite3" ] \
        || npm install --silent --no-audit --no-fund --prefix "$hosts/better-sqlite3" better-sqlite3@12 >/dev/null \
        || echo 'better-sqlite3: npm cannot get it' >&2
    NODE_PATH=$hosts/better-sqlite3/node_modules node benches/hosts.js target/bench.db "./$1" $lanes >>"$table"
else
    echo 'Node: skipped, not here' >&2
fi

cat "$table"
awk -v table="$table" '
    /^<!-- hosts: / { print; print ""; while ((getline line < table) > 0) print line; print ""; inside = 1 }
    /^<!-- end of hosts/ { inside = 0 }
    !inside && !/^<!-- hosts: / { print }
' docs/benchmarks.md >target/benchmarks.md
cp target/benchmarks.md docs/benchmarks.md
