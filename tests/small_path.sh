#!/usr/bin/env bash
# tests/small_path.sh
#
# Do base64's kernels cost short BLOBs anything? Builds the pure files twice, as they are and with no way from
# base64.rs to a kernel, and counts with valgrind the instructions that one BLOB takes. Up to 15 bytes (the scalar path on
# every processor) the counts must be equal, and so must the code of the function that does them, but for addresses.
# Prints the counts; fails if they differ.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v valgrind >/dev/null; then
    echo "skipped: small_path: no valgrind" >&2
    [ "${RESQ_REQUIRE_HOSTS:-}" != 1 ] || exit 1
    exit 0
fi
work=$PWD/target/small_path
export CARGO_TARGET_DIR=$work/target

crate() { # NAME: the pure files and a program that encodes BLOBs of $1 bytes $2 times
    local to=$work/$1
    rm -rf "$to"
    mkdir -p "$to/src"
    cp -r src/arch src/base64.rs src/buffer.rs "$to/src/"
    cat >"$to/Cargo.toml" <<TOML
[package]
name = "$1"
edition = "2024"
[profile.release]
lto = "fat"
codegen-units = 1
panic = "unwind"
[workspace]
TOML
    cat >"$to/src/main.rs" <<'RUST'
#![allow(dead_code)]
mod arch;
mod base64;
mod buffer;
use std::hint::black_box;

#[inline(never)]
fn one_blob(bytes: &[u8], out: &mut buffer::Buffer<buffer::RoomOnly>) {
    base64::encode(bytes, base64::Alphabet::Standard, out);
}

fn main() {
    let number = |i| std::env::args().nth(i).and_then(|n| n.parse().ok()).unwrap_or(0);
    let bytes = vec![b'a'; number(1)];
    let mut room = [std::mem::MaybeUninit::uninit(); 4096];
    let mut out = buffer::Buffer::within(&mut room, buffer::RoomOnly);
    for _ in 0..number(2) {
        out.truncate(0);
        one_blob(black_box(&bytes), &mut out);
        black_box(out.as_slice());
    }
}
RUST
}
count() { # PROGRAM BYTES TIMES: instructions executed
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$1" "$2" "$3" 2>&1 | sed -n 's/.*Collected : //p'
}
code() { # PROGRAM: the small path, addresses left out
    objdump -d --no-show-raw-insn --no-addresses "$1" | awk '/one_blob.*>:$/ { on = 1; next } /^$/ { on = 0 } on' |
        sed 's/-\?0x[0-9a-f]*(%rip)/(%rip)/; s/ *#.*//; s/[0-9a-f]* <.*>//'
}

crate with_kernels
crate without_kernels
sed -i 's/arch::base64(tier, encoder, bytes, spare)/{ let _ = tier; arch::base64_short(encoder, bytes, spare) }/' \
    "$work/without_kernels/src/base64.rs"
if cmp -s src/base64.rs "$work/without_kernels/src/base64.rs"; then
    echo "small_path: found no call of a kernel to take out"
    exit 1
fi
for name in with_kernels without_kernels; do
    cargo build -q --release --manifest-path "$work/$name/Cargo.toml"
done
with=$CARGO_TARGET_DIR/release/with_kernels without=$CARGO_TARGET_DIR/release/without_kernels

status=0
printf 'bytes  with  without   (instructions a BLOB)\n'
for bytes in 0 1 2 3 4 8 12 15; do
    a=$((($(count "$with" $bytes 2000) - $(count "$with" $bytes 1000)) / 1000))
    b=$((($(count "$without" $bytes 2000) - $(count "$without" $bytes 1000)) / 1000))
    printf '%5d %5d %8d\n' $bytes $a $b
    [ $a = $b ] || status=1
done
if diff <(code "$with") <(code "$without") >/dev/null; then
    echo "code of the small path: the same, $(code "$with" | wc -l) instructions"
else
    echo "code of the small path: DIFFERS"
    status=1
fi
exit $status
