#!/usr/bin/env bash
# Builds SQLite libraries for the tests: target/sqlite/NAME/libsqlite3.so, one folder a version or variant.
# What is there already is not built again. The sources come out of packages, by the ordinary clients of their
# registries, and stay under target/sqlite/source.
#
#   tests/sqlite/build.sh          all of them
#   tests/sqlite/build.sh NAME …   these
set -euo pipefail
cd "$(dirname "$0")/../.."
target=${CARGO_TARGET_DIR:-target}
mkdir -p "$target/sqlite/source"
home=$(cd "$target/sqlite" && pwd)

# Version, and the package that bundles its source: a release of the crate libsqlite3-sys, or of npm's better-sqlite3.
# 3.25 is there to be refused.
versions='
3.25.2 crate 0.10.0
3.26.0 crate 0.12.0
3.31.1 crate 0.18.0
3.35.4 crate 0.22.2
3.38.2 crate 0.24.2
3.39.2 crate 0.25.2
3.41.2 crate 0.26.0
3.44.0 crate 0.27.0
3.45.0 crate 0.28.0
3.46.0 crate 0.30.1
3.47.1 npm 11.6.0
3.48.0 crate 0.31.0
3.49.1 crate 0.32.0
3.50.2 crate 0.35.0
3.51.3 crate 0.37.0
3.53.2 crate 0.38.2
3.54.0 crate 0.39.0
3.54.1 crate 0.40.0
'
# Name, version, and how it is compiled otherwise.
variants='
3.54.1-debug 3.54.1 -DSQLITE_DEBUG
3.54.1-strict-subtype 3.54.1 -DSQLITE_STRICT_SUBTYPE=1
3.54.1-omit-deprecated 3.54.1 -DSQLITE_OMIT_DEPRECATED
3.54.1-threadsafe0 3.54.1 -DSQLITE_THREADSAFE=0
3.54.1-threadsafe2 3.54.1 -DSQLITE_THREADSAFE=2
3.31.1-debug 3.31.1 -DSQLITE_DEBUG
3.44.0-debug 3.44.0 -DSQLITE_DEBUG
'
options='-DSQLITE_ENABLE_LOAD_EXTENSION -DSQLITE_ENABLE_FTS4 -DSQLITE_ENABLE_FTS3_PARENTHESIS -DSQLITE_ENABLE_FTS5
    -DSQLITE_ENABLE_RTREE -DSQLITE_ENABLE_GEOPOLY -DSQLITE_ENABLE_JSON1 -DSQLITE_ENABLE_COLUMN_METADATA
    -DSQLITE_ENABLE_DBSTAT_VTAB -DSQLITE_ENABLE_DESERIALIZE -DSQLITE_ENABLE_MATH_FUNCTIONS
    -DSQLITE_ENABLE_ORDERED_SET_AGGREGATES -DSQLITE_INTROSPECTION_PRAGMAS'

# What is fetched gets a second chance: a mirror may be between two states.
twice() { "$@" || "$@"; }

# source VERSION KIND RELEASE: its sqlite3.c. The crate comes with a package of its own, since one program links
# libsqlite3-sys once.
source_of() {
    local version=$1 kind=$2 release=$3 to=$home/source/$1
    [ -e "$to/sqlite3.c" ] && return
    local work=$to.part found
    rm -rf "$work" && mkdir -p "$work/src"
    if [ "$kind" = crate ]; then
        printf '[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n[dependencies]\nlibsqlite3-sys = "=%s"\n' \
            "$release" >"$work/Cargo.toml"
        : >"$work/src/lib.rs"
        (cd "$work" && twice cargo vendor --quiet >/dev/null)
        found=$work/vendor/libsqlite3-sys/sqlite3
    else
        (cd "$work" && twice npm pack --silent "better-sqlite3@$release" >/dev/null && tar xzf ./*.tgz)
        found=$work/package/deps/sqlite3
    fi
    grep -q "^#define SQLITE_VERSION  *\"$version\"" "$found/sqlite3.c" || {
        echo "$kind $release does not hold SQLite $version" >&2
        return 1
    }
    mkdir -p "$to" && cp "$found/sqlite3.c" "$to/sqlite3.c" && rm -rf "$work"
}

# one NAME: fetches and compiles it.
one() {
    local name=$1 version extra='' kind release
    [ -e "$home/$name/libsqlite3.so" ] && return
    version=$name
    if line=$(grep "^$name " <<<"$variants"); then read -r _ version extra <<<"$line"; fi
    line=$(grep "^$version " <<<"$versions") || { echo "no such SQLite: $name" >&2; return 1; }
    read -r _ kind release <<<"$line"
    source_of "$version" "$kind" "$release"
    mkdir -p "$home/$name"
    # shellcheck disable=SC2086
    "${CC:-cc}" -O1 -w -shared -fPIC $options $extra "$home/source/$version/sqlite3.c" \
        -o "$home/$name/libsqlite3.so.part" -ldl -lm -lpthread
    mv "$home/$name/libsqlite3.so.part" "$home/$name/libsqlite3.so"
    echo "SQLite $name: built"
}

if [ "${1:-}" = --one ]; then
    one "$2"
    exit
fi
[ $# -gt 0 ] || set -- $(awk 'NF { print $1 }' <<<"$versions$variants")
# The sources first, one after the other: a version and its variants share one.
for name; do
    version=${name%%-*}
    line=$(grep "^$version " <<<"$versions") || { echo "no such SQLite: $name" >&2; exit 1; }
    read -r _ kind release <<<"$line"
    source_of "$version" "$kind" "$release"
done
printf '%s\n' "$@" | xargs -n 1 -P "$(getconf _NPROCESSORS_ONLN)" "$0" --one
