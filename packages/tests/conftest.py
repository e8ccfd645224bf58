"""What the tests of packages share: commands, the hosts' installer, the lines that every example prints."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "packages"), str(ROOT / "tests" / "hosts")]

import run as hosts  # noqa: E402
import table  # noqa: E402
from targets import DIST, TARGET, TARGETS, WORK  # noqa: E402

EXPECTED = hosts.EXPECTED
QUERY = "select resq_json('id', 1, 'photo', x'89504e47')"
ANSWER = '[{"id":1,"photo":"iVBORw=="}]'


def call(*command, **options):
    """The standard output; the test fails with all that was said when the command fails."""
    env = dict(os.environ, PYTHONIOENCODING="utf-8", LC_ALL="C.UTF-8", **options.pop("env", {}))
    env = {name: value for name, value in env.items() if value is not None}
    run = subprocess.run(list(map(str, command)), capture_output=True, text=True, env=env, errors="replace", **options)
    assert run.returncode == 0, f"{command}\n{run.stdout}\n{run.stderr}"
    return run.stdout


def install_host(name):
    """What `make test-hosts` installs for this host; its folder under target/hosts."""
    host = next(host for host in table.HOSTS if host.name == name)
    env = hosts.environment()
    hosts.apt(host.apt, env)
    stamp = hosts.INSTALLED / f"{host.install_name}.installed"
    hosts.INSTALLED.mkdir(parents=True, exist_ok=True)
    if not stamp.exists() or stamp.read_text() != host.install:
        hosts.shell(host.install, env, ROOT)
        stamp.write_text(host.install)
    return hosts.INSTALLED / host.install_name


def apt(*packages):
    hosts.apt(packages, dict(os.environ))


def answers(output):
    """The lines of an example, after the first, which names its SQLite."""
    first, _, rest = output.partition("\n")
    assert first.startswith("SQLite 3."), output
    return rest


def each_target(function):
    """The test for every target; one that was not built here is skipped with a word."""
    return pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)(function)


def file_of(target):
    file = DIST / target.name / target.file
    if not file.exists():
        pytest.skip(f"{target.name} was not built here")
    return file


@pytest.fixture
def clean(request):
    """A folder of this test's own, emptied, under the target folder."""
    import shutil

    folder = WORK / "tests" / request.node.name.replace("[", "-").rstrip("]")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def sqlite_source():
    """The folder of the sqlite3.c that the dev-dependencies bring."""
    import json

    metadata = json.loads(call("cargo", "metadata", "--format-version", "1", "--all-features", cwd=ROOT))
    manifest = next(package["manifest_path"] for package in metadata["packages"] if package["name"] == "libsqlite3-sys")
    return Path(manifest).parent / "sqlite3"
