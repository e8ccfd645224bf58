//! JSON text that becomes part of the output: `resq_raw(x)` against SQLite's own `json(x)`, both
//! within SQLite, by `cargo bench --bench embedded [-- OTHER.so]`.
//!
//! Each kind of document is a table in memory, and each turn one `select` over it, stepped to its
//! end. Numbers are nanoseconds a document, and behind each the ratio to `json(x)`: below 1 is
//! faster. `id` only reads the column.
#![allow(missing_docs, unsafe_code, clippy::unwrap_used)]

mod measure;

use measure::{Lane, nanoseconds};
use rusqlite::Connection;
use std::path::Path;
use std::time::Duration;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
    fn word(&mut self) -> String {
        let letters = 2 + self.below(9);
        (0..letters).map(|_| char::from(b'a' + self.below(26) as u8)).collect()
    }
    fn words(&mut self, length: usize) -> String {
        let mut text = self.word();
        while text.len() < length {
            text = text + " " + &self.word();
        }
        text
    }
    /// One of many values of its kind.
    fn scalar(&mut self) -> String {
        match self.below(8) {
            0 => "null".into(),
            1 => "true".into(),
            2 => self.below(1000).to_string(),
            3 => self.next().to_string(),
            4 => (self.below(1_000_000) as f64 / 100.0).to_string(),
            _ => {
                let length = 1 + self.below(30) as usize;
                format!("\"{}\"", self.words(length))
            }
        }
    }
    fn object(&mut self, length: usize) -> String {
        let mut text = format!("{{\"id\":{}", self.below(100_000));
        while text.len() < length {
            text += &match self.below(12) {
                0 => format!(",\"{}\":[{},{},{}]", self.word(), self.scalar(), self.scalar(), self.scalar()),
                1 => format!(",\"{}\":{{\"{}\":{}}}", self.word(), self.word(), self.scalar()),
                _ => format!(",\"{}\":{}", self.word(), self.scalar()),
            };
        }
        text + "}"
    }
}

/// Its name, how many documents, and what makes one.
type Kind = (&'static str, usize, fn(&mut Random) -> String);

const KINDS: &[Kind] = &[
    ("object, 80 bytes", 4000, |r| r.object(68)),
    ("object, 2 KB", 500, |r| r.object(2000)),
    ("the same, indented", 300, |r| {
        let value: serde_json::Value = serde_json::from_str(&r.object(2000)).unwrap();
        serde_json::to_string_pretty(&value).unwrap()
    }),
    ("integers, 100", 1000, |r| {
        let numbers: Vec<_> = (0..100).map(|_| (r.next() >> r.below(63)).to_string()).collect();
        format!("[{}]", numbers.join(","))
    }),
    ("reals, 100", 1000, |r| {
        let numbers: Vec<_> =
            (0..100).map(|_| (r.below(360_000_000) as f64 / 1e6 - 180.0).to_string()).collect();
        format!("[{}]", numbers.join(", "))
    }),
    ("strings of 1 to 12", 1000, |r| {
        let words: Vec<_> = (0..50).map(|_| format!("\"{}\"", r.word())).collect();
        format!("[{}]", words.join(","))
    }),
    ("a string of 4 KB", 500, |r| format!("\"{}\"", r.words(4000))),
    ("… with escapes", 500, |r| serde_json::to_string(&r.object(4000)).unwrap()),
    ("… beyond ASCII", 500, |r| format!("\"{}\"", r.words(3000).replace('e', "é").replace(" a", " 東"))),
    ("[[[…]]], 900 deep", 200, |_| format!("{}{}", "[".repeat(900), "]".repeat(900))),
    ("{\"a\":[…]}, 900 deep", 200, |_| format!("{}1{}", "{\"a\":[".repeat(450), "]}".repeat(450))),
    ("null", 4000, |_| "null".into()),
    ("a string of 20", 4000, |r| format!("\"{}\"", r.words(16))),
];

fn connect(extension: &Path) -> Connection {
    let db = Connection::open_in_memory().unwrap();
    // SAFETY: the extension is ours.
    unsafe {
        db.load_extension_enable().unwrap();
        db.load_extension(extension, None::<&str>).unwrap();
    }
    let mut random = Random(1);
    for (number, (_, count, make)) in KINDS.iter().enumerate() {
        db.execute_batch(&format!("create table t{number}(x); begin")).unwrap();
        let mut insert = db.prepare(&format!("insert into t{number} values (?1)")).unwrap();
        for _ in 0..*count {
            insert.execute([make(&mut random)]).unwrap();
        }
        db.execute_batch("commit").unwrap();
    }
    db
}

fn main() {
    let file = format!("{}resq{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let extension = std::env::var_os("RESQ_EXTENSION").map_or(here, Into::into);
    let mut connections = vec![("resq_raw", connect(&extension))];
    if let Some(other) = std::env::args().skip(1).find(|word| !word.starts_with('-')) {
        connections.push(("resq_raw of the other", connect(&std::path::absolute(other).unwrap())));
    }
    let (_, first) = &connections[0];
    println!("SQLite {}", rusqlite::version());
    for (number, &(title, count, _)) in KINDS.iter().enumerate() {
        let select = |db, what: &str| {
            let db: &Connection = db;
            db.prepare(&format!("select {what} from t{number}")).unwrap()
        };
        let mut statements = vec![("json", select(first, "json(x)")), ("id", select(first, "x"))];
        for (name, db) in &connections {
            statements.push((name, select(db, "resq_raw(x)")));
        }
        let mut lanes: Vec<_> = statements
            .iter_mut()
            .map(|(name, statement)| {
                Lane::new(name, move || {
                    let mut rows = statement.raw_query();
                    while rows.next().unwrap().is_some() {}
                })
            })
            .collect();
        let times = nanoseconds(&mut lanes, 41, Duration::from_micros(1000));
        print!("{title:<22}");
        for (lane, time) in lanes.iter().zip(&times) {
            print!("  {} {:.1} ({:.2})", lane.name, time / count as f64, time / times[0]);
        }
        println!();
    }
}
