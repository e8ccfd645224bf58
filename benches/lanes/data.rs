//! The lanes: tables of made-up rows, the same in every run, and one of a real database.

use std::path::{Path, PathBuf};

use super::host::{Cell, Connection};
use super::texts::{self, KINDS};

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn blob(&mut self, length: usize) -> Cell {
        Cell::Blob((0..length).map(|_| self.next() as u8).collect())
    }

    /// Words of small letters, `from` to `to` characters in all.
    fn words(&mut self, from: u64, to: u64) -> String {
        let length = from + self.below(to - from + 1);
        (0..length)
            .map(|_| match self.below(7) {
                0 => ' ',
                _ => (b'a' + self.below(26) as u8) as char,
            })
            .collect()
    }

    /// About 200 characters: one in fifty needs an escape, and half of the texts have a few letters beyond ASCII.
    fn long_text(&mut self) -> String {
        let beyond = self.below(2) == 0;
        (0..200)
            .map(|_| match self.below(100) {
                0 => '"',
                1 => '\n',
                2 | 3 if beyond => *['é', 'ž', 'ß', '☃', '漢'].get(self.below(5) as usize).unwrap(),
                4..=18 => ' ',
                _ => (b'a' + self.below(26) as u8) as char,
            })
            .collect()
    }

    fn decimals(&mut self, places: i32) -> Cell {
        Cell::Real(self.below(10_000_000) as f64 / 10f64.powi(places))
    }
}

/// What a lane's floor is, by what its target is stated in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Small,
    Mixed,
    Reals,
    Large,
    /// No target of its own.
    Real,
    /// Texts of one kind, for the table of tiers.
    Texts,
    /// A table as applications have it, for the same.
    Users,
}

impl Class {
    pub fn word(self) -> &'static str {
        match self {
            Class::Small => "small",
            Class::Mixed => "mixed",
            Class::Reals => "reals",
            Class::Large => "large",
            Class::Real => "real",
            Class::Texts => "texts",
            Class::Users => "users",
        }
    }
}

/// A table to turn into JSON.
pub struct Lane {
    pub name: &'static str,
    pub table: &'static str,
    pub class: Class,
    /// Rows at full size.
    pub rows: usize,
    columns: usize,
    cell: fn(&mut Random, usize, usize) -> Cell,
}

const fn lane(
    name: &'static str,
    table: &'static str,
    class: Class,
    rows: usize,
    columns: usize,
    cell: fn(&mut Random, usize, usize) -> Cell,
) -> Lane {
    Lane { name, table, class, rows, columns, cell }
}

/// The lanes with rows of our own.
pub const LANES: &[Lane] = &[
    lane("18-digit integers, 20 columns", "int18", Class::Small, 10_000, 20, |r, _, _| {
        Cell::Integer((100_000_000_000_000_000 + r.below(900_000_000_000_000_000)) as i64)
    }),
    lane("small integers, 20 columns", "int3", Class::Small, 10_000, 20, |r, _, _| {
        Cell::Integer(r.below(1000) as i64)
    }),
    lane("BLOBs of 4 KB, 2 columns", "blob4096", Class::Large, 1000, 2, |r, _, _| r.blob(4096)),
    lane("BLOBs of 128 B, 4 columns", "blob128", Class::Large, 10_000, 4, |r, _, _| r.blob(128)),
    lane("BLOBs of 16 B, 8 columns", "blob16", Class::Small, 10_000, 8, |r, _, _| r.blob(16)),
    lane("BLOBs of 3 B, 8 columns", "blob3", Class::Small, 10_000, 8, |r, _, _| r.blob(3)),
    lane("BLOBs of 3 B, 20 columns", "blob3x20", Class::Small, 10_000, 20, |r, _, _| r.blob(3)),
    lane("mixed, 8 columns", "mixed", Class::Mixed, 10_000, 8, |r, row, column| match column {
        0 => Cell::Integer(row as i64 + 1),
        1 => Cell::Real(r.unit()),
        2 => Cell::Text(r.words(10, 30)),
        3 => r.blob(16),
        4 => Cell::Null,
        5 => Cell::Real(r.below(100_000) as f64 / 100.0),
        6 => Cell::Integer(r.below(1_000_000_000) as i64),
        _ => Cell::Text(r.words(5, 12)),
    }),
    lane("short text, 8 columns", "text20", Class::Small, 10_000, 8, |r, _, _| Cell::Text(r.words(10, 30))),
    lane("text of 200 characters, 4 columns", "text200", Class::Large, 10_000, 4, |r, _, _| {
        Cell::Text(r.long_text())
    }),
    lane("reals, 8 columns", "reals", Class::Reals, 10_000, 8, |r, _, column| match column {
        0 | 1 => r.decimals(2),
        2 => r.decimals(0),
        3 => {
            let places = r.below(5) as i32;
            r.decimals(places)
        }
        4 | 5 => Cell::Real((r.below(360_000_000) as f64 - 180e6) / 1e6),
        _ => Cell::Real(r.unit()),
    }),
];

/// A text of a kind.
fn text(random: &mut Random, kind: usize) -> Cell {
    Cell::Text(KINDS[kind].text(&mut texts::Random(random.next() | 1)))
}

/// A lane of texts of one kind; `$kind` is its place among all.
macro_rules! texts {
    ($($kind:literal)*) => {
        &[
            $(lane(KINDS[$kind].name, KINDS[$kind].table, Class::Texts, 10_000, 2, |r, _, _| text(r, $kind)),)*
            lane("users", "users", Class::Users, 20_000, 6, user),
        ]
    };
}

/// What the string kernels are held to, tier by tier: every kind of text, two columns, and a table as applications have it.
pub const TEXTS: &[Lane] = texts!(0 1 2 3 4 5 6 7 8 9 10);
const _: () = assert!(KINDS.len() == 11);

/// Id, name in one of several alphabets, e-mail address, time, settings as JSON text, balance.
fn user(r: &mut Random, row: usize, column: usize) -> Cell {
    const NAMES: [&str; 8] = [
        "Anna Schmidt",
        "Борис Иванов",
        "山田太郎",
        "José Muñoz",
        "John Miller",
        "Łukasz Wójcik",
        "محمد علي",
        "Zoë O'Brien",
    ];
    match column {
        0 => Cell::Integer(row as i64 + 1),
        1 => Cell::Text(NAMES[r.below(8) as usize].to_owned()),
        2 => Cell::Text(format!("user{}@example.org", r.below(1_000_000))),
        3 => Cell::Text(format!(
            "20{:02}-{:02}-{:02} {:02}:{:02}:{:02}",
            10 + r.below(16),
            1 + r.below(12),
            1 + r.below(28),
            r.below(24),
            r.below(60),
            r.below(60)
        )),
        4 => text(r, 8),
        _ => r.decimals(2),
    }
}

/// The lane on a real database: places of use of coordinate systems, from Debian's proj-data.
pub const REAL: Lane = lane("real: proj.db, table extent", "real", Class::Real, 0, 0, |_, _, _| Cell::Null);

/// Where proj.db may be.
pub fn real_database() -> Option<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let given = std::env::var_os("RESQ_PROJ_DB").map(PathBuf::from);
    let fetched = here.join("target/real/proj-data/usr/share/proj/proj.db");
    let places = given.into_iter().chain([fetched, "/usr/share/proj/proj.db".into()]);
    places.into_iter().find(|file| file.is_file())
}

impl Lane {
    /// The columns' names.
    pub fn names(&self) -> Vec<String> {
        match self.class {
            Class::Mixed => {
                ["id", "score", "name", "token", "note", "price", "serial", "city"].map(str::to_owned).into()
            }
            Class::Users => {
                ["id", "name", "email", "created", "settings", "balance"].map(str::to_owned).into()
            }
            _ => (0..self.columns).map(|i| format!("c{i}")).collect(),
        }
    }

    /// Fills the lane's table.
    pub fn fill(&self, db: Connection, rows: usize) {
        if self.class == Class::Real {
            let file = real_database().expect("a real database");
            db.run(&format!("attach '{}' as proj", file.display()));
            db.run("create table real as select * from proj.extent");
            db.run("detach proj");
            return;
        }
        let names = self.names();
        db.run(&format!("create table {} ({})", self.table, names.join(", ")));
        let marks = vec!["?"; names.len()].join(", ");
        let mut insert = db.prepare(&format!("insert into {} values ({marks})", self.table));
        db.run("begin");
        let mut random = Random(1);
        for row in 0..rows {
            let cells: Vec<_> =
                (0..self.columns).map(|column| (self.cell)(&mut random, row, column)).collect();
            insert.insert(&cells);
        }
        db.run("commit");
    }
}
