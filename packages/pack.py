#!/usr/bin/env python3
"""pack.py: every kind of package from target/dist, into target/dist/packages. `make packages` calls it after dist.py.

A package that cannot be made here is named with its reason at the end, and the rest goes on; with
RESQ_REQUIRE_TARGETS=1 that is a failure.
"""

import gzip
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import dist
from targets import DIST, ROOT, WORK, built, epoch, version

PACKAGES = ROOT / "packages"
OUT = DIST / "packages"
VERSION = version()
LICENCES = ["LICENSE", "LICENSE-MIT", "LICENSE-APACHE"]


class Missing(Exception):
    """Why a package cannot be made on this machine."""


def run(*command, **options):
    env = dict(os.environ, SOURCE_DATE_EPOCH=str(epoch()), RESQ_VERSION=VERSION, **options.pop("env", {}))
    subprocess.run(list(map(str, command)), check=True, env=env, **options)


def stage(name, source=None):
    """An empty folder, or a copy of one of the tree, with the licences."""
    folder = WORK / "stage" / name
    shutil.rmtree(folder, ignore_errors=True)
    if source:
        shutil.copytree(source, folder, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        folder.mkdir(parents=True)
    return folder


def licences(folder):
    for name in LICENCES:
        shutil.copy(ROOT / name, folder / name)


def library(target, folder):
    shutil.copy(DIST / target.name / target.file, folder / target.file)


def apt(*tools):
    """Debian's packages of the same names as these tools."""
    missing = [tool for tool in tools if not shutil.which(tool)]
    if missing and shutil.which("apt-get") and os.geteuid() == 0:
        print(f"resq: apt-get install {' '.join(missing)}", flush=True)
        install = ["apt-get", "-q", "-y", "--no-install-recommends", "install", *missing]
        if subprocess.run(install, stdout=subprocess.DEVNULL).returncode != 0:
            subprocess.run(["apt-get", "-q", "update"], stdout=subprocess.DEVNULL)
            subprocess.run(install, stdout=subprocess.DEVNULL)
    if still := [tool for tool in missing if not shutil.which(tool)]:
        raise Missing(f"{' '.join(still)} is missing, and apt-get cannot install it here")


def wheels():
    hatchling = f"{dist.output(dist.TOOLS)}/bin/hatchling"
    for target in built():
        folder = stage(f"wheel-{target.name}", PACKAGES / "python" / "sqlite-resq")
        licences(folder)
        library(target, folder / "sqlite_resq")
        run(hatchling, "build", "-t", "wheel", "-d", OUT, cwd=folder, env={"RESQ_WHEEL_PLATFORM": target.wheel})
    for plugin in ("datasette-sqlite-resq", "sqlite-utils-sqlite-resq"):
        folder = stage(plugin, PACKAGES / "python" / plugin)
        licences(folder)
        run(hatchling, "build", "-t", "wheel", "-d", OUT, cwd=folder)


def npm():
    apt("npm")
    own = json.loads((PACKAGES / "npm" / "sqlite-resq" / "package.json").read_text())
    own["version"] = VERSION
    own["optionalDependencies"] = {}
    for target in built():
        name = f"sqlite-resq-{target.name}"
        folder = stage(f"npm-{target.name}")
        library(target, folder)
        licences(folder)
        (folder / "README.md").write_text(f"The library of sqlite-resq for {target.name}. Install sqlite-resq, which brings it.\n")
        manifest = {"name": name, "version": VERSION, "description": f"resq for SQLite, {target.name}", "license": own["license"],
                    **target.npm, "exports": {f"./{target.file}": f"./{target.file}"}, "files": [target.file, *LICENCES]}
        (folder / "package.json").write_text(json.dumps(manifest, indent=2) + "\n")
        run("npm", "pack", "--silent", "--pack-destination", OUT, cwd=folder, stdout=subprocess.DEVNULL)
        own["optionalDependencies"][name] = VERSION
    folder = stage("npm", PACKAGES / "npm" / "sqlite-resq")
    licences(folder)
    (folder / "package.json").write_text(json.dumps(own, indent=2) + "\n")
    run("npm", "pack", "--silent", "--pack-destination", OUT, cwd=folder, stdout=subprocess.DEVNULL)


def archives():
    """For the shell and for C: library, static library, header, how to install."""
    for target in built():
        name = f"resq-{VERSION}-{target.name}"
        files = {f"{name}/{file.name}": file.read_bytes() for file in sorted((DIST / target.name).iterdir())}
        files[f"{name}/INSTALL.md"] = (PACKAGES / "shell" / "INSTALL.md").read_bytes()
        files[f"{name}/CHANGELOG.md"] = (ROOT / "CHANGELOG.md").read_bytes()
        files.update({f"{name}/{licence}": (ROOT / licence).read_bytes() for licence in LICENCES})
        if target.name.startswith("win32"):
            with zipfile.ZipFile(OUT / f"{name}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
                for path, data in files.items():
                    archive.writestr(zipfile.ZipInfo(path), data, zipfile.ZIP_DEFLATED)
            continue
        tar = io.BytesIO()
        with tarfile.open(fileobj=tar, mode="w") as archive:
            for path, data in files.items():
                entry = tarfile.TarInfo(path)
                entry.size, entry.mtime, entry.mode = len(data), epoch(), 0o644
                archive.addfile(entry, io.BytesIO(data))
        (OUT / f"{name}.tar.gz").write_bytes(gzip.compress(tar.getvalue(), mtime=0))


def debs():
    apt("dpkg-deb", "lowdown")
    page = WORK / "resq.3sql"
    run("lowdown", "-s", "-tman", "-M", "title=resq", "-M", "section=3sql", "-M", f"source=resq {VERSION}", "-M", "volume=SQL functions",
        "-o", page, ROOT / "docs" / "reference.md")
    for target in built():
        if not target.deb:
            continue
        folder = stage(f"deb-{target.name}")
        put = lambda path, data: ((folder / path).parent.mkdir(parents=True, exist_ok=True), (folder / path).write_bytes(data))
        cpu = target.triple.split("-")[0]
        # A folder where the loader looks, so that `.load libresq` does.
        put(f"usr/lib/{cpu}-linux-gnu/libresq.so", (DIST / target.name / "libresq.so").read_bytes())
        put("usr/share/man/man3/resq.3sql.gz", gzip.compress(page.read_bytes(), mtime=0))
        put("usr/share/doc/libresq/copyright", b"".join((ROOT / name).read_bytes() for name in LICENCES[:2]))
        put("usr/share/doc/libresq/changelog.gz", gzip.compress((ROOT / "CHANGELOG.md").read_bytes(), mtime=0))
        size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) // 1024
        control = (PACKAGES / "deb" / "control").read_text()
        put("DEBIAN/control", control.format(version=VERSION, architecture=target.deb, size=size).encode())
        for path in [folder, *folder.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)
        run("dpkg-deb", "--root-owner-group", "-Zxz", "--build", folder, OUT / f"libresq_{VERSION}_{target.deb}.deb", stdout=subprocess.DEVNULL)


def gems():
    apt("gem") if shutil.which("gem") else apt("ruby")
    for target in built():
        folder = stage(f"gem-{target.name}", PACKAGES / "ruby")
        licences(folder)
        library(target, folder / "lib")
        name = f"sqlite-resq-{VERSION}-{target.gem}.gem"
        run("gem", "build", "--silent", "sqlite-resq.gemspec", "--output", OUT / name, cwd=folder, env={"RESQ_GEM_PLATFORM": target.gem})


def sqlpkg():
    """The file that sqlpkg reads. Where the archives lie is the releaser's to say: RESQ_RELEASE_URL."""
    spec = json.loads((PACKAGES / "sqlpkg" / "sqlpkg.json").read_text())
    spec["version"] = VERSION
    spec["assets"]["path"] = os.environ.get("RESQ_RELEASE_URL", str(OUT))
    for target in built():
        if target.sqlpkg:
            ending = "zip" if target.name.startswith("win32") else "tar.gz"
            spec["assets"]["files"][target.sqlpkg] = f"resq-{VERSION}-{target.name}.{ending}"
    (OUT / "sqlpkg.json").write_text(json.dumps(spec, indent=2) + "\n")


def main():
    if not built():
        sys.exit("resq: target/dist is empty; make dist fills it")
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    missing = {}
    for make in (wheels, npm, archives, debs, gems, sqlpkg):
        print(f"resq: {make.__name__}", flush=True)
        try:
            make()
        except Missing as error:
            missing[make.__name__] = str(error)
        except subprocess.CalledProcessError as error:
            missing[make.__name__] = f"{error.cmd[0]} failed, see above"
    dist.sums()
    for file in sorted(OUT.iterdir()):
        print(f"{file.stat().st_size:>9}  {file.name}")
    for name, why in missing.items():
        print(f"resq: NOT PACKED: {name}: {why}")
    if missing and os.environ.get("RESQ_REQUIRE_TARGETS") == "1":
        sys.exit(1)


if __name__ == "__main__":
    main()
