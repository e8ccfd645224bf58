"""The archive, the static library, the .deb, the gem and sqlpkg's file."""

import json
import os
import shutil
import subprocess

import pytest
from conftest import ANSWER, DIST, EXPECTED, QUERY, ROOT, TARGETS, answers, apt, call, file_of, sqlite_source
from targets import version

PACKAGES = DIST / "packages"
NATIVE = TARGETS[0]


@pytest.fixture
def unpacked(clean):
    file_of(NATIVE)
    name = f"resq-{version()}-{NATIVE.name}"
    call("tar", "-xzf", PACKAGES / f"{name}.tar.gz", "-C", clean)
    return clean / name


def test_the_archive_in_the_shell(unpacked):
    apt("sqlite3")
    assert {"libresq.so", "libresq.a", "resq.h", "INSTALL.md", "LICENSE-MIT"} <= {file.name for file in unpacked.iterdir()}
    assert call("sqlite3", ":memory:", ".load ./libresq", QUERY, cwd=unpacked).strip() == ANSWER


def test_the_static_library_in_a_program_with_sqlite_compiled_in(unpacked):
    source = sqlite_source()
    program = unpacked / "program"
    call("cc", "-O0", "-DRESQ_STATIC", f"-I{unpacked}", f"-I{source}", "-o", program, ROOT / "examples" / "c" / "main.c",
         source / "sqlite3.c", unpacked / "libresq.a", "-lpthread", "-ldl", "-lm")
    assert answers(call(program, cwd=unpacked)) == EXPECTED


def test_the_static_library_shows_its_entry_point_alone(unpacked):
    apt("binutils")
    defined = call("nm", "--defined-only", "--extern-only", unpacked / "libresq.a").split()
    assert defined[-1] == "sqlite3_resq_init" and sum(word.isidentifier() and len(word) > 1 for word in defined) <= 1, defined


def test_the_deb():
    """Installed on this system for the test, and taken off again."""
    if os.geteuid() != 0 or not shutil.which("dpkg"):
        pytest.skip("installing a .deb needs root and dpkg")
    apt("sqlite3", "man-db")
    call("dpkg", "-i", PACKAGES / f"libresq_{version()}_{NATIVE.deb}.deb")
    try:
        assert call("sqlite3", ":memory:", ".load libresq", QUERY, cwd="/").strip() == ANSWER
        page = call("man", "-l", "/usr/share/man/man3/resq.3sql.gz", env={"MANWIDTH": "80", "MANPAGER": "cat"})
        assert "resq_stream" in page and "resq(3sql)" in page
    finally:
        call("dpkg", "-P", "libresq")


def test_the_gem(clean):
    file_of(NATIVE)
    apt("ruby", "ruby-sqlite3")
    gem = PACKAGES / f"sqlite-resq-{version()}-{NATIVE.gem}.gem"
    shutil.copy(gem, clean)
    call("gem", "install", "--local", "--no-document", "--install-dir", clean / "gems", gem.name, cwd=clean)
    said = call("ruby", "-e", f"""
        require 'sqlite3'; require 'sqlite_resq'
        db = SQLite3::Database.new(':memory:')
        SqliteResq.load(db)
        puts db.get_first_value(%q({QUERY}))
        begin; db.load_extension('x'); rescue => error; puts error.message; end
    """, env={"GEM_PATH": f"{clean / 'gems'}:{call('gem', 'environment', 'gempath').strip()}"})
    assert said.splitlines() == [ANSWER, "not authorized"]


def test_the_file_for_sqlpkg_names_archives_that_are_there():
    spec = json.loads((PACKAGES / "sqlpkg.json").read_text())
    assert spec["version"] == version() and spec["assets"]["files"]
    for name in spec["assets"]["files"].values():
        assert (PACKAGES / name).exists()
    registered = call("sqlite3", ":memory:", f".load '{file_of(NATIVE)}'",
                      "select distinct name from pragma_function_list where name like 'resq%' and name not like '%_with'").split()
    assert set(spec["symbols"]) == {"resq_stream", *registered} - {"resq_version", "resq_debug", "resq_sink"}
