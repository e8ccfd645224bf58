#!/usr/bin/env bash
# toolchain.sh DIR ARCH: all that builds this crate for another processor and runs it here.
#
# Debian's packages, unpacked under DIR and never installed, so it needs no root and leaves the system as it was:
#   DIR/host        rustc with the std of ARCH, the cross gcc and its libc, qemu-user, llvm-mca (arm64 only)
#   DIR/root-ARCH   a run-time root of ARCH with the sqlite3 shell
#   DIR/bin         what to call: wrappers that find the libraries of DIR/host
#   DIR/env-ARCH.sh the file to source, whose path is the one line on standard output
# ARCH: arm64, armhf, i386, s390x; or this machine's own, which gives only qemu and the run-time root
# (to run as an older processor than this one). REFRESH=1 prepares anew what is ready.
#
# cargo stays the machine's own; rustc becomes Debian's, because rustup's std of other processors may be out of
# reach. Packages come from the archive that this machine's apt is set up with, through apt, which checks them.
set -euo pipefail
exec 3>&1 1>&2

die() { echo "toolchain.sh: $*"; exit 1; }
[ $# = 2 ] || die "usage: toolchain.sh DIR ARCH"
for tool in apt-get apt-cache dpkg-deb dpkg flock; do
    command -v "$tool" >/dev/null || die "$tool is missing: this script needs a Debian (12 or newer)"
done
host=$(dpkg --print-architecture)
arch=$2
case $arch in
amd64) qemu=qemu-x86_64 triple=x86_64-unknown-linux-gnu gnu='' ;;
arm64) qemu=qemu-aarch64 triple=aarch64-unknown-linux-gnu gnu=aarch64-linux-gnu ;;
armhf) qemu=qemu-arm triple=armv7-unknown-linux-gnueabihf gnu=arm-linux-gnueabihf ;;
i386) qemu=qemu-i386 triple=i686-unknown-linux-gnu gnu=i686-linux-gnu ;;
s390x) qemu=qemu-s390x triple=s390x-unknown-linux-gnu gnu=s390x-linux-gnu ;;
*) die "unknown processor $arch" ;;
esac
[ "$arch" != "$host" ] || gnu=''
[ "$arch" = "$host" ] || [ -n "$gnu" ] || die "cannot build for $arch on $host"

mkdir -p "$1"
dir=$(cd "$1" && pwd)
case $dir in *[[:space:]]*) die "no white space in DIR, please: cargo splits the runner at it" ;; esac
exec 9>"$dir/.lock"
flock 9
tree=$dir/host root=$dir/root-$arch bin=$dir/bin env_file=$dir/env-$arch.sh

works() { # what the env file names compiles a program, which runs
    (
        # shellcheck disable=SC1090
        . "$env_file" && tmp=$(mktemp -d) || exit 1
        trap 'rm -rf "$tmp"' EXIT
        if [ -n "$gnu" ]; then
            echo 'fn main() { print!("{} {} bits, ", std::env::consts::ARCH, usize::BITS) }' >"$tmp/a.rs"
            "$RUSTC" --target "$triple" -C linker="$CROSS_CC" -o "$tmp/a" "$tmp/a.rs" && $CROSS_RUNNER "$tmp/a" || exit 1
        fi
        printf 'sqlite ' && "$CROSS_SQLITE3" :memory: 'select sqlite_version()'
    )
}
if [ -z "${REFRESH:-}" ] && [ -r "$env_file" ] && found=$(works 2>/dev/null); then
    echo "toolchain.sh: $arch is ready: $found"
    echo "$env_file" >&3
    exit 0
fi

# Private apts, one for each of the two processors, so that a stale list of one doesn't cost the other: own lists,
# an empty idea of what is installed, this machine's archive and keys.
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
tmp=$(mktemp -d "$dir/tmp.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/none" "$tmp/debs"
apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    awk -v suite="$suite" '$3 == "main" && ($2 == suite || $2 == suite "-updates" || $2 == suite "-security")' |
    sort -u | sed 's|^|deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] |' >"$tmp/sources.list"
[ -s "$tmp/sources.list" ] || die "apt is set up with no Debian archive for '$suite'"
for each in "$host" "$arch"; do
    mkdir -p "$tmp/$each"/{lists/partial,cache/archives/partial}
    : >"$tmp/$each/status"
    cat >"$tmp/$each/apt.conf" <<CONF
APT::Architecture "$each";
APT::Architectures { "$each"; };
APT::Install-Recommends "false";
APT::Sandbox::User "root";
Acquire::Languages "none";
Acquire::Retries "3";
Dir::State "$tmp/$each";
Dir::State::Lists "$tmp/$each/lists";
Dir::State::status "$tmp/$each/status";
Dir::Cache "$tmp/$each/cache";
Dir::Etc::SourceList "$tmp/sources.list";
Dir::Etc::SourceParts "$tmp/none";
Dir::Etc::Preferences "$tmp/none/preferences";
Dir::Etc::PreferencesParts "$tmp/none";
CONF
done
apt() { APT_CONFIG=$tmp/$1/apt.conf "apt-$2" -q "${@:3}"; } # PROCESSOR get|cache ARGUMENT...
for each in $(printf '%s\n' "$host" "$arch" | sort -u); do
    # a mirror in the middle of its sync serves lists that apt refuses; what the others hold may still do
    apt "$each" get -q update || echo "toolchain.sh: not all package lists of $each came; going on with the rest"
done

versions() { apt "$1" cache madison "$2" | cut -d'|' -f2 | tr -d ' '; }
needs() { apt "$1" get -s install "${@:2}" | awk '$1 == "Inst" { print $2 }'; } # these and what they depend on
unpack() { # PROCESSOR INTO PACKAGE...
    echo "toolchain.sh: unpacking ${*:3}"
    (cd "$tmp/debs" && apt "$1" get -q download "${@:3}") || die "download failed: ${*:3}"
    mkdir -p "$2"
    for deb in "$tmp"/debs/*.deb; do dpkg-deb -x "$deb" "$2" && rm "$deb"; done
}

[ -z "${REFRESH:-}" ] || rm -rf "$root" "$tree" "$dir"/rust-*

# The host's part. A package is unpacked once, for all processors; libc stays the machine's own.
want=(qemu-user) newest=''
if [ -n "$gnu" ]; then
    for name in rustc rustc-web; do
        for version in $(versions "$host" $name); do
            [ -z "$newest" ] || dpkg --compare-versions "$version" gt "$newest" || continue
            newest=$version rustc=$name web=${name#rustc}
        done
    done
    [ -n "$newest" ] || die "Debian $suite has no rustc"
    std=libstd-rust${web}-dev
    want+=("$rustc=$newest" "$std=$newest" "gcc-$gnu" "libc6-dev-$arch-cross")
fi
rust=$dir/rust-${newest//[^A-Za-z0-9.+-]/_} # a tree of its own: two versions of std don't share one
for_tree=() for_rust=()
for package in $(needs "$host" "${want[@]}"); do
    case $package in
    rustc* | libstd-rust-*) for_rust+=("$package=$newest") ;;
    libc6 | *-bin | *-common) ;;
    qemu-user | *-cross | *-"$gnu") for_tree+=("$package") ;;
    *-dev) ;;
    lib*) for_tree+=("$package") ;;
    esac
done
add() { # TREE PACKAGE... : those that the tree lacks
    local into=$1 package missing=()
    for package in "${@:2}"; do [ -e "$into/.have/$package" ] || missing+=("$package"); done
    mkdir -p "$into/.have"
    [ ${#missing[@]} -gt 0 ] || return 0
    unpack "$host" "$into" "${missing[@]}"
    for package in "${missing[@]}"; do : >"$into/.have/$package"; done
}
add "$tree" "${for_tree[@]}"
[ -z "$gnu" ] || add "$rust" "${for_rust[@]}"
mkdir -p "$bin"
libraries=$rust/usr/lib/$(uname -m)-linux-gnu:$tree/usr/lib/$(uname -m)-linux-gnu
if [ "$arch" = arm64 ] && [ ! -e "$tree/.have/llvm-mca" ]; then # of the LLVM that rustc itself uses
    llvm=$(LD_LIBRARY_PATH=$libraries "$rust/usr/bin/rustc" -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
    unpack "$host" "$tmp/llvm" "llvm-$llvm"
    cp "$tmp/llvm/usr/lib/llvm-$llvm/bin/llvm-mca" "$tree/usr/bin/"
    : >"$tree/.have/llvm-mca"
fi

# The root of ARCH: one tree with /lib inside /usr, as on a Debian.
if [ ! -e "$root/.done" ]; then
    packages=()
    for package in $(needs "$arch" sqlite3 libgcc-s1 libc6); do
        case $package in lib* | sqlite3 | zlib1g) packages+=("$package") ;; esac
    done
    rm -rf "$root"
    unpack "$arch" "$root" "${packages[@]}"
    for lib in "$root"/lib*; do
        mkdir -p "$root/usr/${lib##*/}"
        cp -a "$lib/." "$root/usr/${lib##*/}/"
        rm -rf "$lib"
    done
    for lib in "$root"/usr/lib*; do ln -sfn "usr/${lib##*/}" "$root/${lib##*/}"; done
    : >"$root/.done"
fi

add_std() { # the std of ARCH: Debian's, or where it has none of rustc's version, built from its source
    local lib=usr/lib/rustlib/$triple
    rm -rf "${rust:?}/$lib"
    if versions "$arch" "$std" | grep -qxF -- "$newest"; then
        unpack "$arch" "$tmp/std" "$std=$newest"
        mv "$tmp/std/$lib" "$rust/$lib"
    else
        echo "toolchain.sh: Debian has no std $newest for $arch: building it"
        if [ ! -e "$rust/usr/lib/rustlib/src/rust/library" ]; then
            (cd "$tmp/debs" && apt "$host" get -q download "rust${web}-src=$newest") || die "download failed: rust${web}-src"
            dpkg-deb --fsys-tarfile "$tmp"/debs/*.deb | tar -x -C "$rust" --wildcards --no-wildcards-match-slash './usr/src/rustc-*/library'
            rm -rf "$rust/usr/lib/rustlib/src/rust"
            mkdir -p "$rust/usr/lib/rustlib/src"
            mv "$rust"/usr/src/rustc-* "$rust/usr/lib/rustlib/src/rust"
        fi
        mkdir -p "$tmp/std/src"
        printf '[package]\nname = "only_std"\nedition = "2024"\n' >"$tmp/std/Cargo.toml"
        echo '#![no_std]' >"$tmp/std/src/lib.rs"
        (cd "$tmp/std" && RUSTC=$bin/rustc-$arch RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$tmp/std \
            CARGO_PROFILE_RELEASE_OPT_LEVEL=1 cargo build --release --target "$triple" -Z build-std=std,test,panic_unwind) || die "std for $arch did not build"
        mkdir -p "$rust/$lib/lib"
        find "$tmp/std/$triple/release/deps" -name '*.rlib' ! -name 'libonly_std-*' -exec cp {} "$rust/$lib/lib/" ';'
    fi
    : >"$rust/.have/std-$arch"
}
wrapper() { # NAME PROGRAM ARGUMENT...
    cat >"$bin/$1" <<WRAPPER
#!/bin/sh
export LD_LIBRARY_PATH=$libraries\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}
exec ${*:2} "\$@"
WRAPPER
    chmod +x "$bin/$1"
}
wrapper "$qemu" "$tree/usr/bin/$qemu" -U LD_LIBRARY_PATH # the guest has libraries of its own
cat >"$bin/sqlite3-$arch" <<WRAPPER
#!/bin/sh
exec $bin/$qemu \${CROSS_QEMU_FLAGS:-} -L $root $root/usr/bin/sqlite3 "\$@"
WRAPPER
chmod +x "$bin/sqlite3-$arch"
if [ -n "$gnu" ]; then
    for tool in rustc rustdoc; do wrapper "$tool-$arch" "$rust/usr/bin/$tool"; done
    wrapper "$gnu-gcc" "$tree/usr/bin/$gnu-gcc" "--sysroot=$tree"
    for tool in ar nm objdump; do wrapper "$gnu-$tool" "$tree/usr/bin/$gnu-$tool"; done
    [ -e "$rust/.have/std-$arch" ] || add_std
fi
[ "$arch" != arm64 ] || wrapper llvm-mca "$tree/usr/bin/llvm-mca"
{
    echo "# made by toolchain.sh: source it in a subshell, then cargo test --target \$CROSS_TARGET"
    echo "export CROSS_TARGET=$triple"
    echo "export CROSS_QEMU=$bin/$qemu"
    echo "export CROSS_RUNNER=\"$bin/$qemu -L $root\""
    echo "export CROSS_SQLITE3=$bin/sqlite3-$arch  # \$CROSS_QEMU_FLAGS go to qemu"
    if [ -n "$gnu" ]; then
        up=$(tr a-z- A-Z_ <<<"$triple") low=${triple//-/_}
        echo "export RUSTC=$bin/rustc-$arch RUSTDOC=$bin/rustdoc-$arch"
        echo "export CROSS_CC=$bin/$gnu-gcc CROSS_NM=$bin/$gnu-nm CROSS_OBJDUMP=$bin/$gnu-objdump"
        echo "export CARGO_TARGET_${up}_LINKER=$bin/$gnu-gcc CARGO_TARGET_${up}_RUNNER=\"\$CROSS_RUNNER\""
        echo "export CC_$low=$bin/$gnu-gcc AR_$low=$bin/$gnu-ar"
    fi
    [ "$arch" != arm64 ] || echo "export CROSS_MCA=$bin/llvm-mca"
} >"$env_file.part"
mv "$env_file.part" "$env_file"

found=$(works) || die "everything is in place for $arch, but it does not work"
echo "toolchain.sh: $arch is ready: $found"
echo "$env_file" >&3
