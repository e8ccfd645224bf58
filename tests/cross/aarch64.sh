#!/usr/bin/env bash
# AArch64 under qemu: the tests with the NEON kernels, then the extension in an ARM sqlite3 shell.
. "$(dirname "$0")/lib.sh"

echo "== arm64"
enter arm64
build_tests
# shellcheck disable=SC2086
run_tests arm64 neon $CROSS_RUNNER
build_extension
check_shell arm64 neon
check_slt arm64
finish
