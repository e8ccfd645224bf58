#!/usr/bin/env bash
# What base64 and strings cost on ARM, where no clock was at hand: instructions executed (exact, by a qemu plugin) and
# cycles that llvm-mca expects of base64's inner loop on several cores. Estimates, both; neither is a measurement of time.
# Fails if a NEON kernel takes more instructions a byte, absolutely or against the scalar one, than is agreed.
. "$(dirname "$0")/lib.sh"
most=0.35 # instructions a byte of the NEON kernel
most_decoded=0.8 # … of the one that decodes, for a byte that comes out
ratio=7   # and at most one 7th of the scalar kernel's

enter arm64
# No link-time optimisation and nothing stripped: the loops must be found by their names.
CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_STRIP=none CARGO_TARGET_DIR=$CARGO_TARGET_DIR/cost \
    cargo rustc --release --lib --features internals --crate-type rlib --target "$CROSS_TARGET" >&2 || die "the crate did not build"
built=$CARGO_TARGET_DIR/cost/$CROSS_TARGET/release
program=$built/cost plugin=$built/insncount.so
"$RUSTC" --edition 2024 -O -C codegen-units=1 --target "$CROSS_TARGET" -C linker="$CROSS_CC" --extern "resq=$built/libresq.rlib" \
    -L "dependency=$built/deps" -L "dependency=$CARGO_TARGET_DIR/cost/release/deps" -o "$program" "$here/cost.rs"
cc -O2 -shared -fPIC -o "$plugin" "$here/insncount.c"

# shellcheck disable=SC2086
total() { $CROSS_RUNNER -plugin "$plugin" "$program" "$@" 2>&1 | sed -n 's/^instructions //p'; }
calls() { echo $(($(total "$1" "$2" 110) - $(total "$1" "$2" 10))); } # instructions of 100 calls

echo "ESTIMATE, not a measurement: instructions executed, as qemu counts them (exact; but instructions are not time)"
echo "   bytes |  scalar: a call, a byte |    NEON: a call, a byte | scalar / NEON"
for bytes in 3 16 47 48 128 1024 65536; do
    scalar=$(calls scalar $bytes) neon=$(calls neon $bytes) chosen=$(calls whatever $bytes)
    awk -v b=$bytes -v s="$scalar" -v n="$neon" 'BEGIN {
        printf "%8d | %14.0f %8.3f | %14.0f %8.3f | %.1f\n", b, s/100, s/100/b, n/100, n/100/b, s/n }'
done
# Kinds of text, and the most instructions a byte of the NEON kernel: what it takes and some 2 %.
strings='ascii20:4.78 ascii200:1.13 cyrillic20:7.20 cyrillic200:3.10 cjk20:4.45 accents60:6.56 emoji40:5.70
    html:3.53 json:5.57 code:3.44 urls:1.85'

at_most() { # NAME NUMBER LIMIT
    if awk -v a="$2" -v b="$3" 'BEGIN { exit !(a <= b) }'; then pass "$1"; else fail "$1" "$2 > $3"; fi
}
per_byte=$(awk -v n="$neon" -v b=$bytes 'BEGIN { print n / 100 / b }')
at_most "NEON: $per_byte instructions a byte, at most $most" "$per_byte" $most
at_most "NEON: at most 1/$ratio of the scalar kernel" $((neon * ratio)) "$scalar"
at_most "a BLOB of $bytes bytes takes the NEON kernel" "$chosen" $((neon + 100 * 50))

echo
echo "ESTIMATE, not a measurement: base64 decoded, instructions executed for a byte that comes out"
echo "   bytes |  scalar |    NEON | scalar / NEON"
for bytes in 3 16 48 128 1024 65536; do
    scalar=$(calls scalar decode:$bytes) neon=$(calls neon decode:$bytes)
    awk -v b=$bytes -v s="$scalar" -v n="$neon" 'BEGIN {
        printf "%8d | %7.3f | %7.3f | %.1f\n", b, s/100/b, n/100/b, s/n }'
done
per_byte=$(awk -v n="$neon" -v b=$bytes 'BEGIN { print n / 100 / b }')
at_most "NEON, decoding: $per_byte instructions a byte, at most $most_decoded" "$per_byte" $most_decoded

echo
echo "ESTIMATE, not a measurement: strings, instructions executed for a byte of text"
echo "       text |   scalar |     NEON |     most"
per_text() { awk -v a="$(calls "$1" "$2")" -v b="$($CROSS_RUNNER "$program" length "$2" 0)" 'BEGIN { printf "%.3f", a / 100 / b }'; }
for each in $strings; do
    kind=${each%:*} most_here=${each#*:}
    scalar_text=$(per_text scalar $kind) neon_text=$(per_text neon $kind)
    printf '%11s | %8s | %8s | %8s\n' "$kind" "$scalar_text" "$neon_text" "$most_here"
    at_most "NEON, $kind: $neon_text instructions a byte, at most $most_here" "$neon_text" "$most_here"
done

echo
echo "ESTIMATE, not a measurement: the inner loop in its steady state, all in the first-level cache, as llvm-mca expects it"
loop() { # FUNCTION INSTRUCTION: its last loop that holds such an instruction and no other branch, for llvm-mca
    "$CROSS_OBJDUMP" -d -C --no-show-raw-insn "$program" | awk -v head="<$1>:" -v mark="$2" '
        $2 == head && NF == 2 { inside = 1; next }
        NF == 0 { inside = 0 }
        !inside { next }
        {
            sub(/[ \t]*\/\/.*/, "")
            address = $1; sub(/:$/, "", address); sub(/^[^:]*:[ \t]*/, "")
            at[address] = ++n; text[n] = $0
            if ($1 == mark) marked = n
            if ($1 ~ /^(b|bl|br|blr|ret|b\..*|cbn?z|tbn?z)$/) {
                target = $0; sub(/ <.*/, "", target); sub(/.*[ \t]/, "", target)
                if (target in at && $1 !~ /^bl?$/ && at[target] > branch && marked >= at[target]) {
                    first = at[target]; last = n
                    sub(/[0-9a-f]+ <.*/, ".Lloop", text[n])
                }
                branch = n # the last one so far
            }
        }
        END {
            if (!last) exit 1
            print ".Lloop:"
            for (i = first; i <= last; i++) print text[i]
        }'
}
cycles() { # CPU BYTES, the loop on standard input
    "$CROSS_MCA" -mtriple="$CROSS_TARGET" -mcpu="$1" -iterations=1000 2>/dev/null |
        awk -v b="$2" '/^Total Cycles:/ { printf "%.2f %.3f", $3 / 1000, $3 / 1000 / b }'
}
# With the table of 12 bits, two halfwords for 3 bytes; the other loop of that function is for the URL alphabet.
scalar_loop=$(loop resq::arch::scalar::base64 ldrh) || die "arch::scalar::base64 has no inner loop"
neon_loop=$(loop resq::arch::neon::base64 ld3) || die "arch::neon::base64 has no inner loop"
printf '%14s | %s\n' '' "scalar: cycles for 3 bytes, a byte | NEON: cycles for 48 bytes, a byte | scalar / NEON"
rows=0
for cpu in cortex-a53 cortex-a57 cortex-a510 cortex-a76 neoverse-n1 neoverse-n2 neoverse-v1 neoverse-v2 apple-m1; do
    read -r s s_byte <<<"$(cycles $cpu 3 <<<"$scalar_loop")" || true
    read -r n n_byte <<<"$(cycles $cpu 48 <<<"$neon_loop")" || true
    [ -n "$s_byte" ] && [ -n "$n_byte" ] || continue
    rows=$((rows + 1))
    awk -v c=$cpu -v s="$s" -v sb="$s_byte" -v n="$n" -v nb="$n_byte" 'BEGIN {
        printf "%14s | %26.2f %7.3f | %24.2f %7.3f | %.1f\n", c, s, sb, n, nb, sb / nb }'
done
at_most "llvm-mca knows at least 5 of these cores" 5 $rows
finish
