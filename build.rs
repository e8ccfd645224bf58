//! Tells the crate which target it is built for (`resq_debug()` shows it), and the linker to keep the library loaded.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if let Ok(target) = std::env::var("TARGET") {
        println!("cargo:rustc-env=RESQ_TARGET={target}");
    }
    // SQLite unloads an extension whose entry point fails. What was registered before the failure stays in the
    // connection, and busy functions cannot be taken back: their code must not go away. (Apple's loader never unloads
    // a library with thread-locals, as Rust's are.)
    let family = std::env::var("CARGO_CFG_TARGET_FAMILY").unwrap_or_default();
    let vendor = std::env::var("CARGO_CFG_TARGET_VENDOR").unwrap_or_default();
    if family == "unix" && vendor != "apple" {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
}
