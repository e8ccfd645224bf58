#!/bin/sh
# tools.sh: the tools that build and test packages, in a virtual environment under the target folder; prints its path.
# zig links for all targets, cargo-zigbuild tells cargo so. Pinned, since the bytes of a release come from them.
set -eu
cd "$(dirname "$0")/.."
tools=${CARGO_TARGET_DIR:-$PWD/target}/packages/tools
wanted='ziglang==0.17.1 cargo-zigbuild==0.24.1 hatchling==1.33.0 auditwheel==6.8.2 pytest==9.2.0 lief==1.0.0'
if [ "$(cat "$tools/.have" 2>/dev/null)" != "$wanted" ]; then
    echo "resq: installing zig and what packs and tests under $tools (100 MB, half a minute)" >&2
    for python in python3 /usr/bin/python3; do
        rm -rf "$tools"
        "$python" -m venv "$tools" >&2 && break
    done
    # shellcheck disable=SC2086
    "$tools/bin/pip" install --quiet --disable-pip-version-check $wanted >&2
    printf '#!/bin/sh\nexec "%s/bin/python" -m ziglang "$@"\n' "$tools" >"$tools/bin/zig"
    chmod +x "$tools/bin/zig"
    echo "$wanted" >"$tools/.have"
fi
echo "$tools"
