"""The crate as it would be published, used by programs outside of this tree: neither its patch nor libclang is there."""

import shutil

import pytest
from conftest import EXPECTED, ROOT, answers, call
from targets import TARGET, version


@pytest.fixture(scope="module")
def crate(tmp_path_factory):
    """Unpacked from the file that cargo would send, outside of the repository."""
    call("cargo", "package", "--allow-dirty", "--no-verify", "--quiet", cwd=ROOT, env={"CARGO_TARGET_DIR": str(TARGET / "packages" / "crate")})
    folder = tmp_path_factory.mktemp("crate")
    call("tar", "-xzf", TARGET / "packages" / "crate" / "package" / f"resq-{version()}.crate", "-C", folder)
    return folder / f"resq-{version()}"


# Each brings a libsqlite3-sys of another version.
@pytest.mark.slow
@pytest.mark.parametrize("host", ["static", "diesel", "sqlx"])
def test_a_program_links_it(crate, host):
    source = ROOT / "examples" / f"rust-{host}"
    folder = crate.parent / host
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("Cargo.lock"))
    manifest, program = folder / "Cargo.toml", folder / "src" / "main.rs"
    if host == "sqlx":
        # The example loads the library; here it is linked in.
        text = manifest.read_text().replace('"sqlite-load-extension", ', "").replace(
            "[dependencies]\n", '[dependencies]\nresq = { path = "../..", default-features = false, features = ["static"] }\n')
        manifest.write_text(text)
        text = program.read_text()
        begin, end = text.index("    let extension"), text.index("\n    db.execute(SETUP)")
        program.write_text(text[:begin] + '''    resq::auto_extension().expect("memory");
    let mut db = SqliteConnectOptions::new().in_memory(true).connect().await?;
''' + text[end:])
    manifest.write_text(manifest.read_text().replace('path = "../.."', f'path = "{crate}"'))
    # What these share with `make test-hosts` is compiled already.
    said = call("cargo", "run", "--quiet", cwd=folder, env={"CARGO_TARGET_DIR": str(TARGET / "hosts" / "rust"), "CARGO_BUILD_TARGET": None})
    assert answers(said) == EXPECTED
