#!/bin/sh
# What the tests of the web server need beside Rust: Node, Chromium, sqlite3 (and wrk, for the load), where they
# are missing and this may install them; and playwright-core, under the folder that is named.
set -eu
to=$1
shift
packages=
for program in "$@"; do
    command -v "$program" >/dev/null || case $program in
        node) packages="$packages nodejs" ;;
        *) packages="$packages $program" ;;
    esac
done
if [ -n "$packages" ]; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get -q update
        # shellcheck disable=SC2086
        DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install $packages
    else
        echo "install first:$packages" >&2
        exit 1
    fi
fi
if ! node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)'; then
    echo "playwright-core needs Node 20 or newer; this is $(node --version)" >&2
    exit 1
fi
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$to"
if ! cmp -s "$here/package-lock.json" "$to/installed.json"; then
    cp "$here/package.json" "$here/package-lock.json" "$to/"
    (cd "$to" && npm ci --no-audit --no-fund)
    cp "$here/package-lock.json" "$to/installed.json"
fi
