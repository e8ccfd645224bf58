# What the scripts beside this one share: source it. Every check counts; `finish` prints the sum as the last line.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."
own_target=${CARGO_TARGET_DIR:-}
cross=${own_target:-target}/cross
[[ $cross == /* ]] || cross=$PWD/$cross
passed=0 failed=0
# Those that stand for the kernels and for what depends on byte order and word size.
tests=(--features internals --lib --test kernels_base64 --test kernels_escape --test numbers)

die() { echo "$(basename "$0"): $*" >&2; exit 1; }
[ -z "${RESQ_SAMPLE:-}" ] || echo "a sample: one of $RESQ_SAMPLE cases of the long loops"
finish() {
    echo "$passed passed, $failed failed"
    [ $failed = 0 ] && [ $passed -gt 0 ]
}
pass() { passed=$((passed + 1)); echo "  ok    $1"; }
fail() { # NAME WHY
    failed=$((failed + 1))
    echo "  FAIL  $1"
    sed 's/^/        /' <<<"$2"
}
is() { # NAME EXPECTED FOUND
    if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "$(printf 'expected %.300s\nfound    %.300s' "$2" "$3")"; fi
}

command -v cargo >/dev/null || die "cargo is missing"
command -v cc >/dev/null || die "a C compiler (cc) is missing: build scripts need one"

enter() { # PROCESSOR: the toolchain, and a build folder of its own
    local file
    file=$("$here/toolchain.sh" "$cross" "$1") || die "no toolchain for $1: see above"
    unset RUSTC RUSTDOC # of another processor
    # shellcheck disable=SC1090
    . "$file"
    export CARGO_TARGET_DIR=$cross/build-$1
}

# Tests are compiled with optimisation, because qemu is slow and kernels are meant to be optimised, and with every
# debug assertion; the C of the SQLite among the dev-dependencies without, because nothing here runs it for long.
build_tests() { # -> test_programs
    local log
    log=$(CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_DEV_DEBUG=0 CFLAGS=-O0 \
        cargo test --no-run --color never --target "$CROSS_TARGET" "${tests[@]}" 2>&1) || die "the tests did not build: $log"
    mapfile -t test_programs < <(sed -n 's/^ *Executable .* (\(.*\))$/\1/p' <<<"$log")
    [ ${#test_programs[@]} -gt 1 ] || die "cargo names no test programs: $log"
}
run_tests() { # LABEL TIER COMMAND... : every test program, by COMMAND, on a processor whose best tier must be TIER
    local program log ok bad
    for program in "${test_programs[@]}"; do
        if log=$(RESQ_EXPECT_TIER=$2 "${@:3}" "$program" 2>&1) &&
            ok=$(sed -n 's/^test result: ok\. \([0-9]*\) passed.*/\1/p' <<<"$log") && [ "${ok:-0}" -gt 0 ]; then
            passed=$((passed + ok))
            echo "  ok    $1: ${program##*/}: $ok tests"
        else
            ok=$(sed -n 's/^test result: .* \([0-9]*\) passed; .*/\1/p' <<<"$log")
            bad=$(sed -n 's/^test result: .* \([0-9]*\) failed; .*/\1/p' <<<"$log")
            passed=$((passed + ${ok:-0}))
            failed=$((failed + ${bad:-1} - 1))
            fail "$1: ${program##*/}" "$log"
        fi
    done
}
build_extension() { # -> extension
    cargo build --release --lib --target "$CROSS_TARGET" >&2 || die "the extension did not build"
    extension=$CARGO_TARGET_DIR/$CROSS_TARGET/release/libresq.so
}

# The extension in a shell of that processor: what it says of its tier, and results against what knows nothing of it.
check_shell() { # LABEL TIER
    sql() { "$CROSS_SQLITE3" :memory: ".load $extension" "$@" 2>&1 || true; }
    case " $(sql 'select resq_debug()') " in
    *[!a-z0-9]"$2"[!a-z0-9]*) pass "$1: resq_debug() says $2" ;;
    *) fail "$1: resq_debug() says $2" "$(sql 'select resq_debug()')" ;;
    esac
    is "$1: a row" '[{"a":1,"b":"AP8="}]' "$(sql "select resq_json('a',1,'b',x'00ff')")"
    is "$1: a BLOB of $(wc -c <"$extension") bytes as coreutils has it" \
        "$(base64 -w 0 "$extension" | sha256sum)" "$(sql "select resq_b64(readfile('$extension'))" | tr -d '\n' | sha256sum)"
    is "$1: 1000 rows as SQLite's own functions have them" 1 "$(sql "
        with recursive i(n) as (select 1 union all select n + 1 from i where n < 1000),
             row(a, b, c) as (select n * 9007199254740993, n / 8.0, replace(printf('%.*c', n % 99, 'x'), 'xxxxxxx', printf('\"é\\%c', n)) from i)
        select resq_json('a', a, 'b', b, 'c', c) = json_group_array(json_object('a', a, 'b', b, 'c', c)) from row")"
}

# The .slt files, run by a test program of this machine that talks to a shell of that processor; with the features
# of `make test`, which has built it already.
check_slt() { # LABEL
    local log ok
    if log=$(
        unset RUSTC RUSTDOC CARGO_TARGET_DIR
        [ -z "$own_target" ] || export CARGO_TARGET_DIR=$own_target
        export RESQ_SQLITE3=$CROSS_SQLITE3 RESQ_EXTENSION=$extension
        cargo test --all-features --test slt shell_ 2>&1
    ) && ok=$(sed -n 's/^test result: ok\. \([0-9]*\) passed.*/\1/p' <<<"$log") && [ "${ok:-0}" -gt 0 ]; then
        passed=$((passed + ok))
        echo "  ok    $1: the .slt files: $ok tests"
    else
        fail "$1: the .slt files" "$log"
    fi
}
