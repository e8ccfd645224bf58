#!/bin/sh
# dqlite of Debian with resq in it: installs what is missing where it may, builds under the folder that is named, runs.
#
#     run.sh FOLDER libresq.so
set -eu
folder=$1 extension=$2
here=$(cd "$(dirname "$0")" && pwd)
packages="golang-go golang-github-canonical-go-dqlite-dev libdqlite-dev libsqlite3-dev"
missing=
for package in $packages; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
if [ -n "$missing" ]; then
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        echo "install first (Debian):$missing" >&2
        exit 1
    fi
    apt-get -q update
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install $missing
fi

rm -rf "$folder"
mkdir -p "$folder"
"${CC:-cc}" -Wall -shared -fPIC "$here/preload.c" -o "$folder/preload.so" -lsqlite3 -ldl
# Debian keeps Go's sources under /usr/share/gocode: nothing is downloaded.
(cd "$here" && CGO_LDFLAGS_ALLOW='-Wl,-z,now' GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE="$folder/cache" GOFLAGS=-p=2 \
    go build -tags libsqlite3 -o "$folder/dqlite" main.go)
# go-dqlite sets SQLite's threading mode when it starts, unless it is told not to; SQLite refuses that once it is in use,
# as it is after resq was registered.
GO_DQLITE_MULTITHREAD=1 RESQ=$extension LD_PRELOAD=$folder/preload.so "$folder/dqlite" "$folder/data"
