#!/usr/bin/env python3
"""dist.py [TARGET...]: the library for each target into target/dist, with SHA256SUMS. `make dist` calls it.

One link for both files, the loadable library and the static one. A target that cannot be built here is named with
its reason at the end, and the rest goes on; with RESQ_REQUIRE_TARGETS=1 that is a failure.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from targets import DIST, ROOT, TARGET, WORK, chosen

STATIC = "libresq.a"
TOOLS = ROOT / "packages" / "tools.sh"


class Missing(Exception):
    """Why a target cannot be built on this machine."""


def run(command, **options):
    print("+", *map(str, command), flush=True)
    return subprocess.run(list(map(str, command)), check=True, **options)


def output(*command, **options):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True, **options).stdout.strip()


def environment(target, source):
    """What cargo is called with: tools first, and no path of this machine in the result."""
    tools = output(TOOLS)
    cargo_home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    if re.search(r"\s", f"{source}{cargo_home}"):
        raise Missing("a path with white space, at which cargo would split its flags")
    flags = [f"--remap-path-prefix={source}=/resq"]
    # The folders' names hold the registry's, which differs between mirrors.
    flags += [f"--remap-path-prefix={folder}=/crates" for folder in sorted((cargo_home / "registry/src").glob("*"))]
    if target.triple.endswith("musl"):
        # Without it musl targets are linked statically, and cargo leaves a shared library out.
        flags.append("-Ctarget-feature=-crt-static")
    env = dict(os.environ, RUSTFLAGS=" ".join(flags), CARGO_ZIGBUILD_ZIG_PATH=f"{tools}/bin/zig")
    env["PATH"] = f"{tools}/bin:{env['PATH']}"
    for name in ("CARGO_BUILD_TARGET", "CARGO_ENCODED_RUSTFLAGS"):
        env.pop(name, None)
    return env


def std_is_there(triple, env):
    folder = output(env.get("RUSTC", "rustc"), "--print", "target-libdir", "--target", triple, env=env)
    return any(Path(folder).glob("libstd-*.rlib"))


def with_std(target, env):
    """An environment whose rustc has the std of the target: this machine's; rustup's; Debian's."""
    if std_is_there(target.triple, env):
        return env
    why = []
    if shutil.which("rustup"):
        print(f"resq: no std for {target.triple} yet: rustup target add", flush=True)
        try:
            added = subprocess.run(["rustup", "target", "add", target.triple], capture_output=True, text=True, timeout=300)
            if added.returncode == 0 and std_is_there(target.triple, env):
                return env
            why.append(f"rustup: {last_line(added.stderr)}")
        except subprocess.TimeoutExpired:
            why.append("rustup: no answer in five minutes")
    else:
        why.append("no rustup")
    if target.name == "linux-arm64":
        script = ROOT / "tests" / "cross" / "toolchain.sh"
        made = subprocess.run(["bash", script, TARGET / "cross", "arm64"], stdout=subprocess.PIPE, text=True)
        if made.returncode == 0:
            values = output("sh", "-c", f'. "{made.stdout.strip()}"; echo "$RUSTC"')
            return dict(env, RUSTC=values)
        why.append("Debian: tests/cross/toolchain.sh failed")
    raise Missing("; ".join(why))


def apple_libraries():
    """A folder in the place of Apple's SDK: the list of what libSystem has, from zig, in the words that lld knows."""
    folder = WORK / "apple" / "usr" / "lib"
    found = next((WORK / "tools").rglob("libc/darwin/libSystem.tbd"), None)
    if not found:
        raise Missing("zig has no libSystem.tbd")

    def known(match):
        names = [name.replace("arm64e-", "arm64-") for name in re.split(r"[,\s]+", match[2].strip())]
        names = [name for name in dict.fromkeys(names) if name in ("x86_64-macos", "arm64-macos")]
        return f"{match[1]}[ {', '.join(names)} ]"

    text = re.sub(r"(targets: +)\[([^]]*)]", known, found.read_text())
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("libSystem", "libc", "libm"):
        (folder / f"{name}.tbd").write_text(text)
    return folder.parent.parent


def mingw():
    gcc, package = "x86_64-w64-mingw32-gcc", "gcc-mingw-w64-x86-64-posix"
    if not shutil.which(gcc) and shutil.which("apt-get") and os.geteuid() == 0:
        print(f"resq: apt-get install {package}", flush=True)
        subprocess.run(["apt-get", "-q", "update"], stdout=subprocess.DEVNULL)
        subprocess.run(["apt-get", "-q", "-y", "--no-install-recommends", "install", package], stdout=subprocess.DEVNULL)
    if not shutil.which(gcc):
        raise Missing(f"{gcc} is missing (Debian's package {package})")
    return gcc


def last_line(text):
    return (text.strip().splitlines() or ["no word"])[-1]


def objcopy(env, *arguments):
    """rustc's own, which knows every processor. It finds its libraries only when rustc starts it."""
    libraries = Path(output(env.get("RUSTC", "rustc"), "--print", "sysroot", env=env)) / "lib"
    run([rust_tools(env) / "rust-objcopy", *arguments], env=dict(env, LD_LIBRARY_PATH=str(libraries)))


def rust_tools(env):
    return Path(output(env.get("RUSTC", "rustc"), "--print", "target-libdir", env=env)).parent / "bin"


def build(target, source=ROOT, into=DIST, work=TARGET / "dist-build"):
    """Both files of one target, from the tree in `source`."""
    env = with_std(target, environment(target, source))
    env["CARGO_TARGET_DIR"] = str(work)
    cargo, wanted = "cargo-zigbuild", target.zig
    if target.name == "win32-x64":
        # zig would export its own functions too.
        cargo, wanted = "cargo", target.triple
        env["CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER"] = mingw()
    elif target.file.endswith(".dylib"):
        # zig exports the whole of std for Apple; rustc's own lld does not, and signs the file as Apple's wants it.
        cargo, wanted = "cargo", target.triple
        env[f"CARGO_TARGET_{target.triple.upper().replace('-', '_')}_LINKER"] = str(rust_tools(env) / "rust-lld")
        env["RUSTFLAGS"] += " -Clinker-flavor=ld64.lld -Clink-arg=-install_name -Clink-arg=@rpath/libresq.dylib"
        env["SDKROOT"] = str(apple_libraries())
    run([cargo, "rustc", "--release", "--locked", "--lib", "--crate-type", "cdylib,staticlib", "--target", wanted], cwd=source, env=env)
    made = work / target.triple / "release"
    folder = into / target.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(made / target.file, folder / target.file)
    if target.file.endswith(".so"):
        one_object(made / STATIC, folder / STATIC, env)
        shutil.copy(ROOT / "packages" / "c" / "resq.h", folder / "resq.h")


def one_object(archive, into, env):
    """The static library as one object that shows its entry point alone, so that it goes with another of Rust's."""
    linked = into.with_suffix(".o")
    run([rust_tools(env) / "gcc-ld" / "ld.lld", "-r", "--gc-sections", "-u", "sqlite3_resq_init", "-e", "sqlite3_resq_init", "-o", linked, archive])
    objcopy(env, "--keep-global-symbol=sqlite3_resq_init", "--strip-unneeded", linked)
    into.unlink(missing_ok=True)
    run([f"{output(TOOLS)}/bin/zig", "ar", "rcsD", into, linked])
    linked.unlink()


def sums():
    lines = []
    for file in sorted(DIST.rglob("*")):
        if file.is_file() and file.name != "SHA256SUMS":
            lines.append(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.relative_to(DIST).as_posix()}\n")
    (DIST / "SHA256SUMS").write_text("".join(lines))


def main():
    DIST.mkdir(parents=True, exist_ok=True)
    (DIST / "SHA256SUMS").unlink(missing_ok=True)
    missing = {}
    for target in chosen(sys.argv[1:]):
        print(f"resq: {target.name}", flush=True)
        try:
            build(target)
        except Missing as error:
            missing[target.name] = str(error)
        except subprocess.CalledProcessError as error:
            missing[target.name] = f"{Path(error.cmd[0]).name} failed, see above"
        if target.name in missing:
            shutil.rmtree(DIST / target.name, ignore_errors=True)
    sums()
    for line in (DIST / "SHA256SUMS").read_text().splitlines():
        print(line)
    for name, why in missing.items():
        print(f"resq: NOT BUILT: {name}: {why}")
    print(f"{len(chosen(sys.argv[1:])) - len(missing)} targets built, {len(missing)} not, in {DIST}")
    if missing and os.environ.get("RESQ_REQUIRE_TARGETS") == "1":
        sys.exit(1)


if __name__ == "__main__":
    main()
