#!/usr/bin/env bash
# Builds the crate with exactly the Rust that Cargo.toml states (rust-version): the extension, and the crate as it is
# linked into a program. Uses that toolchain if it is the active one, else rustup's, which is asked to install it.
set -euo pipefail
cd "$(dirname "$0")/.."
stated=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)
grep -qF "Rust $stated or newer" README.md || { echo "msrv: README.md does not say: Rust $stated or newer"; exit 1; }
case $(rustc --version) in
"rustc $stated."* | "rustc $stated "*) ;;
*)
    command -v rustup >/dev/null || { echo "msrv: needs Rust $stated or rustup, this is $(rustc --version)"; exit 1; }
    name=$(rustup toolchain list | sed -n "s/^\($stated\.[0-9]*\)-.*/\1/p" | tail -n 1)
    [ -n "$name" ] || { name=$stated && rustup toolchain install --profile minimal "$name"; }
    export RUSTUP_TOOLCHAIN=$name
    ;;
esac
rustc --version
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/msrv
cargo build --locked --lib
cargo build --locked --lib --no-default-features --features static
