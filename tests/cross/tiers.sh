#!/usr/bin/env bash
# Every tier of x86-64 on a processor that has just that, and the portable code where bytes are ordered the other
# way round (s390x) and where words have 32 bits (armhf). A test that runs on another tier than the one named fails.
. "$(dirname "$0")/lib.sh"

# The best tier of this machine by the kernel's word, so that a fault in the detection shows.
flags=" $(sed -n 's/^flags.*: //p;/^flags/q' /proc/cpuinfo) "
native=scalar
has() { for flag; do [[ $flags == *" $flag "* ]] || return 1; done; }
if has avx512f avx512bw avx512vl avx512vbmi avx512_vbmi2; then native=avx512
elif has avx2; then native=avx2
elif has ssse3; then native=ssse3
fi

[ "$(uname -m)" = x86_64 ] || die "this machine is no x86-64: its tiers cannot be run here"

echo "== x86-64: $native is this machine's best tier"
enter amd64
build_tests
build_extension
run_tests native "$native" env
[ $native = avx512 ] || echo "  note  this processor has no AVX-512 (VBMI2): that tier did not run, and qemu has none either"
haswell=Haswell,-pcid,-x2apic,-tsc-deadline,-invpcid,-hle,-rtm # without what qemu warns that it has not
for model in qemu64,-ssse3:scalar core2duo:ssse3 $haswell:avx2; do
    cpu=${model%:*} tier=${model#*:}
    run_tests "${cpu%%,-p*}" "$tier" "$CROSS_QEMU" -cpu "$cpu"
    CROSS_QEMU_FLAGS="-cpu $cpu" check_shell "${cpu%%,-p*}" "$tier"
done

for arch in s390x armhf; do
    echo "== $arch"
    enter $arch
    build_tests
    # shellcheck disable=SC2086
    run_tests $arch scalar $CROSS_RUNNER
    build_extension
    check_shell $arch scalar
done
finish
