"""The libraries of target/dist: what the files say of themselves, and each run on its system where that can be had."""

import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

import lief
import pytest
from conftest import ANSWER, EXPECTED, QUERY, ROOT, answers, apt, call, each_target, file_of, sqlite_source
from targets import DIST, TARGET, TARGETS, WORK

import dist

ENTRY_POINTS = ["sqlite3_extension_init", "sqlite3_resq_init"]


@each_target
def test_exports_the_entry_points_alone(target):
    parsed = lief.parse(str(file_of(target)))
    if isinstance(parsed, lief.PE.Binary):
        names = [entry.name for entry in parsed.get_export().entries]
    elif isinstance(parsed, lief.MachO.Binary):
        names = [symbol.name.removeprefix("_") for symbol in parsed.symbols if symbol.has_export_info]
    else:
        names = [symbol.name for symbol in parsed.exported_symbols]
    assert sorted(names) == ENTRY_POINTS


@each_target
def test_is_small_and_stripped(target):
    file = file_of(target)
    # On Linux the unwinder is inside, which other builds take from libgcc_s: some 20 KB.
    assert file.stat().st_size <= (544 if target.name.startswith("linux") else 512) * 1024
    parsed = lief.parse(str(file))
    if isinstance(parsed, lief.ELF.Binary):
        assert not list(parsed.symtab_symbols)
        assert not [section.name for section in parsed.sections if section.name.startswith(".debug")]
    elif isinstance(parsed, lief.PE.Binary):
        assert not [section.name for section in parsed.sections if section.name.startswith((".debug", "/"))]


@each_target
def test_needs_what_every_system_has(target):
    parsed = lief.parse(str(file_of(target)))
    if isinstance(parsed, lief.PE.Binary):
        names = {entry.name.lower() for entry in parsed.imports}
        assert {name for name in names if not name.startswith("api-ms-win")} <= {"kernel32.dll", "msvcrt.dll", "ntdll.dll"}
        return
    if isinstance(parsed, lief.MachO.Binary):
        assert {library.name for library in parsed.libraries} == {"@rpath/libresq.dylib", "/usr/lib/libSystem.B.dylib"}
        # ARM Macs run nothing unsigned.
        assert parsed.has_code_signature or target.name == "darwin-x64"
        return
    names = set(parsed.libraries)
    if target.name.endswith("musl"):
        assert names == {"libc.so"}
    else:
        assert names <= {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}


@each_target
def test_stays_loaded_and_runs_on_old_glibc(target):
    if not target.name.startswith("linux"):
        pytest.skip("no ELF file")
    parsed = lief.parse(str(file_of(target)))
    flags = [entry for entry in parsed.dynamic_entries if isinstance(entry, lief.ELF.DynamicEntryFlags)]
    assert any(flag.has(lief.ELF.DynamicEntryFlags.FLAG.NODELETE) for flag in flags)
    versions = [auxiliary.name for need in parsed.symbols_version_requirement for auxiliary in need.get_auxiliary_symbols()]
    numbers = [tuple(map(int, name.removeprefix("GLIBC_").split("."))) for name in versions if re.match(r"GLIBC_\d", name)]
    assert all(number <= (2, 17) for number in numbers), versions
    if target.name.endswith("musl"):
        assert not numbers
    else:
        assert numbers


@each_target
def test_names_no_path_of_the_machine_that_built_it(target):
    file_of(target)
    home = os.environ.get("CARGO_HOME", str(Path.home() / ".cargo"))
    for file in (DIST / target.name).iterdir():
        for path in (str(ROOT), home, str(TARGET)):
            assert path.encode() not in file.read_bytes(), (file, path)


def test_sums():
    lines = (DIST / "SHA256SUMS").read_text().splitlines()
    assert len(lines) > 2
    for line in lines:
        total, name = line.split("  ")
        assert hashlib.sha256((DIST / name).read_bytes()).hexdigest() == total, name


@pytest.mark.slow
def test_two_builds_are_the_same(clean):
    """From a copy of the tree in another folder, with another target folder."""
    target = TARGETS[0]
    file_of(target)
    copy = clean / "elsewhere"
    for name in call("git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0"):
        if name and (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy / name)
    dist.build(target, into=clean / "first")
    dist.build(target, copy, clean / "second", clean / "build")
    files = list((clean / "first" / target.name).iterdir())
    assert len(files) == 3
    for file in files:
        assert file.read_bytes() == (clean / "second" / target.name / file.name).read_bytes(), file.name
    shutil.rmtree(clean)


@pytest.mark.parametrize("name", ["libresq", "resq", "resq0", "resq_linux_x64", "sqlite-resq"])
@pytest.mark.parametrize("ending", [True, False], ids=["with-ending", "without"])
def test_file_names_that_load(clean, name, ending):
    apt("sqlite3")
    shutil.copy(file_of(TARGETS[0]), clean / f"{name}.so")
    path = f"./{name}.so" if ending else f"./{name}"
    assert call("sqlite3", ":memory:", f".load {path}", QUERY, cwd=clean).strip() == ANSWER


def host_program(target, folder, compiler):
    """examples/c/main.c with SQLite compiled in, for a target."""
    source = sqlite_source()
    program = folder / ("host.exe" if target.name.startswith("win32") else "host")
    call(*compiler, "-O0", "-o", program, ROOT / "examples" / "c" / "main.c", source / "sqlite3.c", f"-I{source}")
    return program


@each_target
def test_runs_on_its_system(target, clean):
    file = file_of(target)
    if target.name == "linux-x64":
        apt("sqlite3")
        assert call("sqlite3", ":memory:", f".load '{file}'", QUERY).strip() == ANSWER
    elif target.name == "linux-arm64":
        # An ARM shell under qemu.
        made = call("bash", ROOT / "tests" / "cross" / "toolchain.sh", TARGET / "cross", "arm64").strip()
        debug = call("bash", "-c", f'. "{made}"; "$CROSS_SQLITE3" :memory: ".load {file}" "select resq_debug()" "{QUERY}"')
        assert debug.splitlines()[1] == ANSWER
        assert '"neon"' in debug
    elif target.name == "linux-x64-musl":
        apt("musl")
        zig = dist.output(dist.TOOLS) + "/bin/zig"
        program = host_program(target, clean, [zig, "cc", "-target", "x86_64-linux-musl", "-dynamic", "-fno-sanitize=all"])
        assert answers(call("/lib/ld-musl-x86_64.so.1", program, env={"RESQ_EXTENSION": str(file)})) == EXPECTED
    elif target.name == "win32-x64":
        wine = next((name for name in ("wine", "/usr/lib/wine/wine64") if shutil.which(name)), None)
        if not wine:
            apt("wine64")
            wine = "/usr/lib/wine/wine64"
        program = host_program(target, clean, ["x86_64-w64-mingw32-gcc"])
        shutil.copy(file, clean)
        env = {"RESQ_EXTENSION": "resq", "WINEDEBUG": "-all", "WINEPREFIX": str(clean / "wine"), "DISPLAY": None}
        assert answers(call(wine, program, cwd=clean, env=env).replace("\r\n", "\n")) == EXPECTED
    else:
        pytest.skip(f"{target.name}: no such system here; the file is looked at, it was never run")
