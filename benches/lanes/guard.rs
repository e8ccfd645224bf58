//! Instructions, counted by valgrind's callgrind: what the guard of the lanes compares with the numbers checked in.
//!
//! A process under callgrind fills the lanes' tables, runs each variant once, then once more between two marks that only
//! callgrind understands. Two counts come out for each: the instructions inside the extension's file, which are the same on every
//! x86-64 machine with AVX2 and the same compiler (callgrind hides AVX-512), and these with SQLite's, which also depend on
//! how SQLite was built. The C library's do not count: whether its `realloc` copies depends on what lies behind a block.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::host::{self, Host};
use super::{check, connect, data, extension, variants};

const VARIANTS: [&str; 3] = ["resq_json", "resq_query", "resq_rows"];
const ROWS: usize = 1000;
/// A count may rise by so much.
const RISE: f64 = 0.03;

/// Callgrind's own requests.
#[cfg(target_arch = "x86_64")]
mod request {
    const BASE: u64 = ((b'C' as u64) << 24) | ((b'T' as u64) << 16);
    pub const ZERO: u64 = BASE + 1;
    pub const DUMP_AT: u64 = BASE + 3;
    pub const START: u64 = BASE + 4;

    /// Does nothing outside of valgrind.
    pub fn ask(what: u64, argument: u64) {
        let words = [what, argument, 0, 0, 0, 0];
        // SAFETY: four rotations that add up to 128 bits, and an exchange of a register with itself: no effect, but
        // valgrind takes them as a request (valgrind.h). `rdi` is restored, `rdx` is written.
        unsafe {
            std::arch::asm!(
                "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
                in("rax") words.as_ptr(), inout("rdx") 0u64 => _,
            );
        }
    }
}

/// The process under callgrind: each variant of each lane between two marks.
#[cfg(target_arch = "x86_64")]
pub fn count() {
    let db = connect(&extension());
    println!("{}", db.prepare("select resq_debug()").one(|text| String::from_utf8_lossy(text).into_owned()));
    request::ask(request::START, 0);
    for lane in data::LANES.iter().chain(data::TEXTS) {
        lane.fill(db, ROWS);
        let mut all = variants(db, Host::Bundled, lane);
        check(lane, &mut all);
        for variant in all.iter_mut().filter(|variant| VARIANTS.contains(&variant.name.as_str())) {
            let name = format!("{} {}\0", lane.table, variant.name);
            variant.output();
            request::ask(request::ZERO, 0);
            (variant.run)(&mut |bytes| _ = std::hint::black_box(bytes));
            request::ask(request::DUMP_AT, name.as_ptr() as u64);
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
pub fn count() {
    unimplemented!("instructions are counted on x86-64");
}

/// What one dump says: its name, instructions in the extension, and with SQLite's.
fn read(dump: &str, file: &str) -> Option<(String, [u64; 2])> {
    let name = dump.lines().find_map(|line| line.strip_prefix("desc: Trigger: Client Request: "))?;
    let (mut inside, mut total, mut ours, mut library, mut inclusive) = (0, 0, false, false, false);
    for line in dump.lines() {
        if let Some(object) = line.strip_prefix("ob=") {
            ours = object.ends_with(file);
            library = ["/libc.so", "/libc-", "/ld-"].iter().any(|name| object.contains(name));
        } else if line.starts_with("calls=") {
            inclusive = true;
        } else if line.starts_with(|first: char| first.is_ascii_digit()) {
            // A line behind `calls=` counts what the callee took.
            if !std::mem::take(&mut inclusive) {
                let cost: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
                if !library {
                    total += cost;
                }
                if ours {
                    inside += cost;
                }
            }
        }
    }
    Some((name.to_owned(), [inside, total]))
}

/// Counts of all lanes, or why there are none.
fn counts() -> Result<BTreeMap<String, [u64; 2]>, String> {
    if cfg!(not(target_arch = "x86_64")) {
        return Err("instructions are counted on x86-64 only".to_owned());
    }
    if Command::new("valgrind").arg("--version").output().is_err() {
        return Err("valgrind is missing (Debian: apt-get install valgrind)".to_owned());
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("guard");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let run = Command::new("valgrind")
        .args(["--tool=callgrind", "--instr-atstart=no", "--compress-strings=no", "--compress-pos=no"])
        .arg(format!("--callgrind-out-file={}", folder.join("out").display()))
        .arg(std::env::current_exe().unwrap())
        .args(["--host", "bundled", "count"])
        .env("RESQ_EXTENSION", extension())
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let debug = String::from_utf8_lossy(&run.stdout).into_owned();
    if !debug.to_lowercase().contains("avx2") {
        return Err(format!("the numbers are for AVX2, and this machine runs {}", debug.trim()));
    }
    let name = extension().file_name().unwrap().to_str().unwrap().to_owned();
    let mut counts = BTreeMap::new();
    for file in std::fs::read_dir(&folder).unwrap() {
        let dump = std::fs::read_to_string(file.unwrap().path()).unwrap();
        counts.extend(read(&dump, &name));
    }
    assert_eq!(counts.len(), VARIANTS.len() * (data::LANES.len() + data::TEXTS.len()));
    Ok(counts)
}

fn version(program: &str) -> String {
    let output = Command::new(program).arg("--version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.lines().next().unwrap_or("none").to_owned()
}

/// With what the code was made whose instructions are counted, inside the extension and all around it.
fn makers() -> [String; 2] {
    let compiler = std::env::var("CC").unwrap_or("cc".to_owned());
    [version("rustc"), format!("{}; SQLite {}", version(&compiler), host::version())]
}

fn numbers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/guard.txt")
}

/// Writes the numbers.
pub fn update() {
    let counts = counts().unwrap_or_else(|why| panic!("{why}"));
    let [inside, around] = makers();
    let mut text = format!(
        "# Instructions for {ROWS} rows of each lane, AVX2: inside the extension, and with SQLite. `make bench-guard` compares,\n\
         # `make bench-guard-update` writes. A rise of more than {:.0} % fails.\n\
         inside: {inside}\naround: {around}\n",
        RISE * 100.0
    );
    for (name, [inside, total]) in counts {
        writeln!(text, "{name} {inside} {total}").unwrap();
    }
    std::fs::write(numbers(), text).unwrap();
    println!("{}: written", numbers().display());
}

/// Says why nothing is compared; with `RESQ_REQUIRE_GUARD=1` that is a failure.
fn skip(why: &str) -> bool {
    eprintln!("skipped: guard: {why}");
    std::env::var_os("RESQ_REQUIRE_GUARD").is_none_or(|it| it != "1")
}

/// Compares with the numbers checked in; false if a lane takes more.
pub fn guard() -> bool {
    let counts = match counts() {
        Ok(counts) => counts,
        Err(why) => return skip(&why),
    };
    let text = std::fs::read_to_string(numbers()).expect("benches/guard.txt");
    let made =
        |key: &str| text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or("").trim().to_owned();
    let makers = makers();
    let same = [made("inside:") == makers[0], made("around:") == makers[1] && made("inside:") == makers[0]];
    if !same[0] {
        return skip(&format!("the numbers are for {}, this is {}", made("inside:"), makers[0]));
    }
    if !same[1] {
        println!("guard: SQLite was made otherwise here: only instructions inside resq count");
    }
    let mut good = true;
    let mut known = 0;
    for line in text.lines().filter(|line| !line.contains(['#', ':'])) {
        let words: Vec<_> = line.split_whitespace().collect();
        let [table, variant, inside, total] = words[..] else { panic!("{line}") };
        let name = format!("{table} {variant}");
        let now = counts.get(&name).unwrap_or_else(|| panic!("no lane {name}"));
        known += 1;
        for (at, (what, old)) in [("inside", inside), ("with SQLite", total)].into_iter().enumerate() {
            let old: u64 = old.parse().unwrap();
            let change = now[at] as f64 / old as f64 - 1.0;
            let bad = same[at] && change > RISE;
            good &= !bad;
            if bad || change.abs() > RISE {
                let word = if bad { "FAILED" } else { "note" };
                println!("{word}: {name}, {what}: {old} -> {} ({:+.1} %)", now[at], change * 100.0);
            }
        }
    }
    assert_eq!(known, counts.len(), "benches/guard.txt lacks lanes");
    println!(
        "guard: {}",
        if good { "no lane takes more instructions" } else { "a lane takes more than 3 % more" }
    );
    good
}
