#!/usr/bin/env python3
"""run.py [--quick] [NAME...]: each host's example on the real host, and docs/hosts.md from what came out.

Every example makes the same tables, asks the same four things and prints the same lines after the version of its
SQLite. What a host needs is installed under target/hosts; compilers and runtimes by apt-get, where this runs as root.
A host that cannot be had is a failure that says why: nothing is skipped. --quick takes those that install in seconds.
A run of all hosts writes docs/hosts.md.
"""

import datetime
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from table import CANNOT, HOSTS

ROOT = Path(__file__).resolve().parent.parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
INSTALLED = TARGET / "hosts"
EXTENSION = Path(os.environ.get("RESQ_EXTENSION", ROOT / "libresq.so")).resolve()

EXPECTED = """\
[{"id":1,"name":"Ada","photo":"AP8Q"},{"id":2,"name":"Борис","photo":null}]
["Ada"]
["Ada","Борис"]
[{"id":2,"name":"Борис","orders":[{"item":"tea"},{"item":"cup"}]}]
{"id":1,"name":"Ada"}
{"id":2,"name":"Борис"}
"""


class Failed(Exception):
    pass


def environment():
    env = dict(
        os.environ,
        RESQ_EXTENSION=str(EXTENSION),
        ROOT=str(ROOT),
        HOSTS=str(INSTALLED),
        PYTHON_WITH_EXTENSIONS=python_with_extensions(),
        # One build folder for all Rust hosts: what they share is compiled once.
        CARGO_TARGET_DIR=str(INSTALLED / "rust"),
        PIP_DISABLE_PIP_VERSION_CHECK="1",
        PYTHONIOENCODING="utf-8",
        LC_ALL="C.UTF-8",
    )
    env.pop("CARGO_BUILD_TARGET", None)
    return env


def python_with_extensions():
    can = "import sqlite3; sqlite3.connect(':memory:').enable_load_extension(True)"
    for python in (os.environ.get("RESQ_PYTHON"), "python3", "/usr/bin/python3"):
        if python and shutil.which(python) and subprocess.run([python, "-c", can], capture_output=True).returncode == 0:
            return python
    sys.exit("resq: no Python here whose sqlite3 can load extensions (Debian's can: apt-get install python3 python3-venv)")


def shell(script, env, folder):
    run = subprocess.run(["sh", "-eu", "-c", script], env=env, cwd=folder, capture_output=True, text=True, errors="replace", timeout=3000)
    if run.returncode != 0:
        raise Failed(f"`{script.strip()}` ended with {run.returncode}: {(run.stderr + run.stdout).strip()[-600:]}")
    return run


def apt(packages, env):
    """Debian's packages; "npm:npm" is one that is wanted only where there is no such program from elsewhere."""
    missing = []
    for name in packages:
        program, colon, package = name.rpartition(":")
        if not (shutil.which(program) if colon else subprocess.run(["dpkg", "-s", name], capture_output=True).returncode == 0):
            missing.append(package)
    if not missing:
        return
    print(f"resq: apt-get install {' '.join(missing)}", flush=True)
    if not shutil.which("apt-get") or os.geteuid() != 0:
        raise Failed(f"needs the Debian packages {' '.join(missing)}, which root can install")
    install = "DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install " + " ".join(missing)
    try:
        shell(install, env, ROOT)
    except Failed:
        shell("apt-get -q update", env, ROOT)
        shell(install, env, ROOT)


def check(host, env):
    """The version of the host's SQLite; Failed with what went wrong."""
    apt(host.apt, env)
    INSTALLED.mkdir(parents=True, exist_ok=True)
    stamp = INSTALLED / f"{host.install_name}.installed"
    if host.install and (not stamp.exists() or stamp.read_text() != host.install):
        print(f"resq: installing {host.install_name} under target/hosts ({host.takes})", flush=True)
        shell(host.install, env, ROOT)
        stamp.write_text(host.install)
    run = shell(host.run, env, ROOT / "examples" / host.folder)
    first, _, rest = run.stdout.partition("\n")
    found = re.fullmatch(r"SQLite (3\.\d+\.\d+)", first)
    if not found:
        raise Failed(f"the first line is {first!r}, not its SQLite's version")
    if rest != EXPECTED:
        raise Failed(f"expected\n{EXPECTED}found\n{rest}{run.stderr[-600:]}")
    return found.group(1)


def refused(case, env):
    """A host that cannot must still refuse, by the words that the document gives."""
    apt(case.apt, env)
    INSTALLED.mkdir(parents=True, exist_ok=True)
    shell(case.install, env, ROOT)
    run = subprocess.run(["sh", "-c", case.run], env=env, cwd=ROOT, capture_output=True, text=True)
    said = re.search(case.says, run.stdout + run.stderr)
    if not said:
        raise Failed(f"does not say {case.says!r}: {run.stdout}{run.stderr}")
    return said.group()


def document(versions):
    date = datetime.date.today().isoformat()
    lines = [
        "# Hosts",
        "",
        f"Written by `make test-hosts` on {date}: each example ran on its host and printed the same lines. Where a recipe says",
        "`./libresq`, give the file's path, without or with its ending; `sqlite_resq.loadable_path()` of the Python package and",
        "`getLoadablePath()` of the npm package give it.",
        "",
        "| host | its SQLite | recipe | example | result |",
        "|---|---|---|---|---|",
    ]
    for host in HOSTS:
        recipe = "<br>".join(f"`{line}`" if not line.startswith("(") else line[1:-1] for line in host.recipe)
        lines.append(f"| {host.title} | {versions[host.name]} | {recipe} | [{host.folder}](../examples/{host.folder}) | works |")
    lines += ["", "## Hosts that cannot", "", "| host | what it says | the way round |", "|---|---|---|"]
    for case in CANNOT:
        lines.append(f"| {case.title} | {case.shown} | {case.instead} |")
    return "\n".join(lines) + "\n"


def main():
    names = [word for word in sys.argv[1:] if not word.startswith("-")]
    quick = "--quick" in sys.argv
    known = {case.name for case in HOSTS} | {case.name for case in CANNOT}
    if unknown := [name for name in names if name not in known]:
        sys.exit(f"no such host: {' '.join(unknown)}; there are {' '.join(sorted(known))}")
    env = environment()
    wanted = lambda case: case.name in names if names else (case.quick or not quick)
    versions, failed = {}, 0
    for case in [*HOSTS, *CANNOT]:
        if not wanted(case):
            continue
        try:
            if case in CANNOT:
                versions[case.name] = refused(case, env)
                print(f"  ok    {case.name}: cannot, and says: {versions[case.name]}", flush=True)
            else:
                versions[case.name] = check(case, env)
                print(f"  ok    {case.name}: SQLite {versions[case.name]}", flush=True)
        except (Failed, OSError, subprocess.TimeoutExpired) as error:
            failed += 1
            print(f"  FAIL  {case.name}: {error}", flush=True)
    if not names and not quick and not failed:
        (ROOT / "docs" / "hosts.md").write_text(document(versions), encoding="utf-8")
        print("docs/hosts.md is written")
    print(f"{len(versions)} passed, {failed} failed")
    sys.exit(1 if failed or not versions else 0)


if __name__ == "__main__":
    main()
