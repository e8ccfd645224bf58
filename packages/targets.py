"""What a release is built for, and what each kind of package calls it."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
DIST = TARGET / "dist"
WORK = TARGET / "packages"


@dataclass(frozen=True)
class Target:
    name: str
    triple: str
    file: str
    # What cargo-zigbuild is told: the triple, with the oldest glibc it is to run on.
    zig: str
    wheel: str
    npm: dict
    # The words of dpkg, gem and sqlpkg; None where such a package makes no sense.
    deb: str | None
    gem: str | None
    sqlpkg: str | None


TARGETS = [
    Target("linux-x64", "x86_64-unknown-linux-gnu", "libresq.so", "x86_64-unknown-linux-gnu.2.17",
           "manylinux_2_17_x86_64.manylinux2014_x86_64",
           {"os": ["linux"], "cpu": ["x64"], "libc": ["glibc"]}, "amd64", "x86_64-linux", "linux-amd64"),
    Target("linux-arm64", "aarch64-unknown-linux-gnu", "libresq.so", "aarch64-unknown-linux-gnu.2.17",
           "manylinux_2_17_aarch64.manylinux2014_aarch64",
           {"os": ["linux"], "cpu": ["arm64"], "libc": ["glibc"]}, "arm64", "aarch64-linux", "linux-arm64"),
    Target("linux-x64-musl", "x86_64-unknown-linux-musl", "libresq.so", "x86_64-unknown-linux-musl",
           "musllinux_1_2_x86_64",
           {"os": ["linux"], "cpu": ["x64"], "libc": ["musl"]}, None, "x86_64-linux-musl", None),
    Target("linux-arm64-musl", "aarch64-unknown-linux-musl", "libresq.so", "aarch64-unknown-linux-musl",
           "musllinux_1_2_aarch64",
           {"os": ["linux"], "cpu": ["arm64"], "libc": ["musl"]}, None, "aarch64-linux-musl", None),
    Target("win32-x64", "x86_64-pc-windows-gnu", "resq.dll", "x86_64-pc-windows-gnu",
           "win_amd64", {"os": ["win32"], "cpu": ["x64"]}, None, "x64-mingw-ucrt", "windows-amd64"),
    Target("darwin-arm64", "aarch64-apple-darwin", "libresq.dylib", "aarch64-apple-darwin",
           "macosx_11_0_arm64", {"os": ["darwin"], "cpu": ["arm64"]}, None, "arm64-darwin", "darwin-arm64"),
    Target("darwin-x64", "x86_64-apple-darwin", "libresq.dylib", "x86_64-apple-darwin",
           "macosx_10_12_x86_64", {"os": ["darwin"], "cpu": ["x64"]}, None, "x86_64-darwin", "darwin-amd64"),
]


def chosen(names):
    """The targets of these names; all where none is named."""
    known = {target.name: target for target in TARGETS}
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f"no such target: {' '.join(unknown)}; there are {' '.join(known)}")
    return [known[name] for name in names] or TARGETS


def version():
    """The one place that has the version is Cargo.toml."""
    text = (ROOT / "Cargo.toml").read_text()
    return re.search(r'^version = "(.*)"$', text, re.M).group(1)


def epoch():
    """The time that archives carry: that of the last commit, so that two builds of it are the same."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        return int(os.environ["SOURCE_DATE_EPOCH"])
    run = subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%ct"], capture_output=True, text=True)
    return int(run.stdout) if run.returncode == 0 and run.stdout.strip() else 1_700_000_000


def built():
    """The targets that `make dist` could build here."""
    return [target for target in TARGETS if (DIST / target.name / target.file).exists()]


def read_json(path):
    return json.loads(Path(path).read_text())
