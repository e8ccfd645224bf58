"""The Python package, installed from its file into a clean virtual environment, without a registry."""

import re
import shutil
import subprocess
import sys

import pytest
from conftest import ANSWER, DIST, QUERY, ROOT, TARGETS, apt, call, each_target, file_of, hosts, install_host
from targets import WORK, version

import dist

PACKAGES = DIST / "packages"
LOCAL = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(PACKAGES), "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PYTHONPATH": None}


def wheel(target):
    file_of(target)
    return PACKAGES / f"sqlite_resq-{version()}-py3-none-{target.wheel}.whl"


@pytest.fixture(scope="module")
def python():
    folder = WORK / "tests" / "python"
    shutil.rmtree(folder, ignore_errors=True)
    call(hosts.python_with_extensions(), "-m", "venv", folder)
    # The line of the README, with the local files as the registry.
    call("sh", "-c", ". bin/activate && pip install sqlite-resq", cwd=folder, env=LOCAL)
    return folder / "bin" / "python"


@each_target
def test_the_wheel_holds_the_library_of_its_platform(target):
    import zipfile

    with zipfile.ZipFile(wheel(target)) as archive:
        names = archive.namelist()
        assert archive.read(f"sqlite_resq/{target.file}") == (DIST / target.name / target.file).read_bytes()
    assert "sqlite_resq/py.typed" in names
    assert [name for name in names if "LICENSE-MIT" in name]


@pytest.mark.parametrize("target", [t for t in TARGETS if t.name.startswith("linux")], ids=lambda t: t.name)
def test_auditwheel_agrees_with_the_tag(target):
    said = auditwheel(target)
    wanted = target.wheel.split(".")[0]
    if target.name.endswith("musl"):
        # auditwheel knows musl's libc by the name that Alpine gives it alone; "libc.so" is what musl's loader takes for
        # itself on every system. There must be nothing else.
        assert re.search(f"achieve the tag platform tag '{wanted}'|'{wanted}' the following", said), said
        assert re.search(r"eliminated:\s+libc\.so\s*$", said), said
    else:
        assert f'"{wanted}"' in said, said


def auditwheel(target):
    options = []
    if target.name.endswith("musl"):
        # It wants to look into musl's libc.so, and takes a text file of glibc's for it where it finds no other.
        if target.name != "linux-x64-musl":
            pytest.skip("auditwheel needs the libc.so of musl for ARM; test_dist.py looks at what the file needs")
        apt("musl")
        options = ["--ldpaths", "/usr/lib/x86_64-linux-musl"]
    python = f"{dist.output(dist.TOOLS)}/bin/python"
    return call(python, "-m", "auditwheel", "show", *options, wheel(target)).replace("\n", " ")


def test_load(python):
    assert call(python, "-c", f"""if True:
        import sqlite3, sqlite_resq
        db = sqlite3.connect(":memory:")
        sqlite_resq.load(db)
        print(db.execute(\"\"\"{QUERY}\"\"\").fetchone()[0])
    """).strip() == ANSWER


def test_the_docstring_is_true(python):
    call(python, "-c", "import doctest, sqlite_resq, sys; failed, tried = doctest.testmod(sqlite_resq); sys.exit(failed or tried < 4)")


def test_loading_is_left_as_it_was(python):
    assert call(python, "-c", """if True:
        import sqlite3, sqlite_resq
        def allowed(db):
            try:
                db.load_extension("no such file")
            except sqlite3.OperationalError as error:
                return "not authorized" not in str(error)
        for before in False, True:
            db = sqlite3.connect(":memory:")
            db.enable_load_extension(before)
            sqlite_resq.load(db)
            print(before, allowed(db))
    """) == "False False\nTrue True\n"


def test_what_is_no_connection_is_refused(python):
    said = call(python, "-c", """if True:
        import sqlite_resq
        class Without:
            def executescript(self, sql): pass
        for wrong in 5, Without():
            try:
                sqlite_resq.load(wrong)
            except (TypeError, RuntimeError) as error:
                print(type(error).__name__, error)
    """)
    assert "TypeError sqlite_resq.load: int is no connection" in said
    assert "RuntimeError sqlite_resq.load: this Python's sqlite3 is built without load_extension. `pip install apsw`" in said


def test_a_python_that_cannot_load_says_so():
    """On such a Python, where this machine has one."""
    can = "import sqlite3; sqlite3.connect(':memory:').enable_load_extension(True)"
    cannot = [name for name in ("python3", "/usr/bin/python3") if shutil.which(name) and subprocess.run([name, "-c", can], capture_output=True).returncode]
    if not cannot:
        pytest.skip("every Python here can load extensions")
    said = call(cannot[0], "-c", f"""if True:
        import sys; sys.path.insert(0, {str(ROOT / 'packages/python/sqlite-resq')!r})
        import sqlite3, sqlite_resq
        try:
            sqlite_resq.load(sqlite3.connect(":memory:"))
        except RuntimeError as error:
            print(error)
    """)
    assert "built without load_extension" in said and "pip install apsw" in said


# One library file serves one SQLite in a process: a process for each.
@pytest.mark.parametrize("code", [
    "import pysqlite3; db = pysqlite3.connect(':memory:'); sqlite_resq.load(db); print(db.execute(sql).fetchone()[0])",
    "import sqlean; db = sqlean.connect(':memory:'); sqlite_resq.load(db); print(db.execute(sql).fetchone()[0])",
    "import apsw; db = apsw.Connection(':memory:'); sqlite_resq.load(db); print(db.execute(sql).get); "
    "assert db.config(apsw.SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, -1) == 0",
    "import sqlalchemy\nwith sqlalchemy.create_engine('sqlite://').connect() as db:\n"
    "    sqlite_resq.load(db); print(db.exec_driver_sql(sql).scalar())",
    "import sqlalchemy; engine = sqlalchemy.create_engine('sqlite://')\n"
    "sqlalchemy.event.listen(engine, 'connect', lambda db, _: sqlite_resq.load(db))\n"
    "with engine.connect() as db: print(db.exec_driver_sql(sql).scalar())",
], ids=["pysqlite3", "sqlean", "apsw", "sqlalchemy", "sqlalchemy-event"])
def test_other_connections(clean, code):
    """Those of the hosts' environment."""
    python = install_host("apsw") / "bin" / "python"
    call(python, "-m", "pip", "install", "-q", "--target", clean, "sqlite-resq", env=LOCAL)
    said = call(python, "-c", f'import sqlite_resq\nsql = """{QUERY}"""\n{code}', env={"PYTHONPATH": str(clean)})
    assert said.strip() == ANSWER


def test_a_connection_that_is_awaited_says_so(clean):
    python = install_host("apsw") / "bin" / "python"
    call(python, "-m", "pip", "install", "-q", "--target", clean, "sqlite-resq", env=LOCAL)
    said = call(python, "-c", """if True:
        import aiosqlite, asyncio, sqlite_resq
        async def main():
            async with aiosqlite.connect(":memory:") as db:
                try:
                    sqlite_resq.load(db)
                except TypeError as error:
                    print(error)
        asyncio.run(main())""", env={"PYTHONPATH": str(clean)})
    assert "await db.load_extension(sqlite_resq.loadable_path())" in said


def test_plugins(clean):
    """Those of Datasette and sqlite-utils, found by their entry points in a copy of the hosts' environment."""
    folder = install_host("datasette")
    python = folder / "bin" / "python"
    call(python, "-m", "pip", "install", "-q", "--target", clean, "--no-deps", "sqlite-resq", "datasette-sqlite-resq",
         "sqlite-utils-sqlite-resq", env=LOCAL)
    env = {"PYTHONPATH": str(clean)}
    said = call(folder / "bin" / "sqlite-utils", "memory", QUERY, "--raw", env=env)
    assert said.strip() == ANSWER
    from urllib.parse import urlencode

    address = "/_memory.json?" + urlencode({"sql": QUERY, "_shape": "arrayfirst"})
    import json

    assert json.loads(call(python, "-m", "datasette", "--memory", "--get", address, env=env)) == [ANSWER]
