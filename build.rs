//! Tells the crate which target it is built for (`resq_debug()` shows it).

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if let Ok(target) = std::env::var("TARGET") {
        println!("cargo:rustc-env=RESQ_TARGET={target}");
    }
}
