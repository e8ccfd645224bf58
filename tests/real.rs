//! Databases that people really use, cell by cell: what resq says against what rusqlite reads and serde_json writes.
//!
//! `make test-real` downloads them first (`tests/real/fetch.sh`). Of every table of every database under `target/real`:
//!
//! - `resq_json('column', column, …)`: each row parsed by serde_json and each member compared with the cell that
//!   rusqlite reads, types strict; then each row written by serde_json again, which gives the same bytes.
//! - `resq_json(column)` of each column, likewise.
//! - `resq_query` of the same columns: the same bytes as `resq_json`.
//! - `resq_b64` of each TEXT and BLOB, in both alphabets, and back by `resq_unb64`.
//!
//! The oracle shares no code with resq: the `base64` crate, `String::from_utf8_lossy`, serde_json, and `ryu` for a real's
//! shortest digits. (Where two of the same length are equally near, as for -78.951080322265625, `ryu` takes the even one
//! and Rust's own `{:e}` the other.)
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, Row, Rows, Statement};
use serde::de::{DeserializeSeed, Deserializer, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// How many columns one call gets: twice as many arguments fit into every SQLite.
const COLUMNS: usize = 60;

/// What was compared. A cell counts once in a row and once in its column.
#[derive(Default)]
struct Counts {
    databases: usize,
    tables: usize,
    rows: usize,
    cells: usize,
    nulls: usize,
    integers: usize,
    reals: usize,
    texts: usize,
    blobs: usize,
    base64: usize,
    bytes: usize,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} databases, {} tables, {} rows, {} cells ({} null, {} integer, {} real, {} text, {} blob), {} base64 texts, \
             {} bytes of JSON",
            self.databases,
            self.tables,
            self.rows,
            self.cells,
            self.nulls,
            self.integers,
            self.reals,
            self.texts,
            self.blobs,
            self.base64,
            self.bytes
        )
    }
}

/// The digits of a decimal without sign, point, exponent and the zeros around them.
fn digits(number: &str) -> String {
    let mantissa = number.split(['e', 'E']).next().unwrap_or_default();
    mantissa.chars().filter(char::is_ascii_digit).collect::<String>().trim_matches('0').to_string()
}

/// Is this JSON value the cell?
fn check(cell: ValueRef<'_>, json: &Value, counts: &mut Counts) -> Result<(), String> {
    counts.cells += 1;
    let same = match (cell, json) {
        (ValueRef::Null, Value::Null) => {
            counts.nulls += 1;
            true
        }
        (ValueRef::Integer(integer), Value::Number(number)) => {
            counts.integers += 1;
            number.as_str() == integer.to_string()
        }
        (ValueRef::Real(real), Value::Null) => !real.is_finite(),
        (ValueRef::Real(real), Value::Number(number)) => {
            counts.reals += 1;
            let text = number.as_str();
            text.contains(['.', 'e'])
                && text.parse::<f64>().is_ok_and(|read| read.to_bits() == real.to_bits())
                && digits(text) == digits(ryu::Buffer::new().format_finite(real))
        }
        (ValueRef::Text(bytes), Value::String(text)) => {
            counts.texts += 1;
            *text == String::from_utf8_lossy(bytes)
        }
        (ValueRef::Blob(bytes), Value::String(text)) => {
            counts.blobs += 1;
            *text == BASE64_STANDARD.encode(bytes)
        }
        _ => false,
    };
    if same { Ok(()) } else { Err(format!("{cell:?} became {json}")) }
}

/// An array that is compared with rows while it is read: one element, one row.
struct Against<'r, 's, F> {
    json: &'r str,
    rows: &'r mut Rows<'s>,
    check: F,
}

impl<'de, F: FnMut(&Row<'_>, &Value) -> Result<(), String>> Visitor<'de> for Against<'_, '_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array with an element for each row")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut elements: A) -> Result<(), A::Error> {
        let fail = serde::de::Error::custom::<String>;
        // Where in the text the next element begins, if it has no white space and serde_json's spelling.
        let mut at = 0;
        let mut number = 0;
        while let Some(element) = elements.next_element::<Value>()? {
            number += 1;
            let row = self.rows.next().map_err(|error| fail(error.to_string()))?;
            let row = row.ok_or_else(|| fail(format!("{number} elements, fewer rows")))?;
            (self.check)(row, &element).map_err(|why| fail(format!("row {number}: {why}")))?;
            let again = element.to_string();
            let open = if at == 0 { "[" } else { "," };
            let rest = self.json.get(at..).and_then(|rest| rest.strip_prefix(open));
            if !rest.is_some_and(|rest| rest.starts_with(&again)) {
                return Err(fail(format!("row {number} is not spelt {again}")));
            }
            at += 1 + again.len();
        }
        if self.rows.next().map_err(|error| fail(error.to_string()))?.is_some() {
            return Err(fail(format!("{number} elements, more rows")));
        }
        let end = if at == 0 { "[]" } else { "]" };
        if self.json.get(at..) == Some(end) { Ok(()) } else { Err(fail("another end than ]".to_string())) }
    }
}

impl<'de, F: FnMut(&Row<'_>, &Value) -> Result<(), String>> DeserializeSeed<'de> for Against<'_, '_, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

fn compare(
    json: &str,
    oracle: &mut Statement<'_>,
    check: impl FnMut(&Row<'_>, &Value) -> Result<(), String>,
) -> Result<(), String> {
    let mut rows = oracle.query([]).map_err(|error| error.to_string())?;
    let mut deserializer = serde_json::Deserializer::from_str(json);
    Against { json, rows: &mut rows, check }
        .deserialize(&mut deserializer)
        .map_err(|error| error.to_string())?;
    deserializer.end().map_err(|error| error.to_string())
}

fn name(identifier: &str) -> String {
    format!("\"{}\"", identifier.replace('"', "\"\""))
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn one_table(db: &Connection, table: &str, counts: &mut Counts) -> Result<(), String> {
    let sql = |error: rusqlite::Error| error.to_string();
    let from = name(table);
    let columns: Vec<String> = db
        .prepare("select name from pragma_table_info(?1)")
        .and_then(|mut columns| columns.query_map([table], |row| row.get(0))?.collect())
        .map_err(sql)?;
    counts.tables += 1;
    let rows: u32 =
        db.query_row(&format!("select count(*) from {from}"), [], |row| row.get(0)).map_err(sql)?;
    counts.rows += rows as usize;

    for columns in columns.chunks(COLUMNS) {
        let names: Vec<String> = columns.iter().map(|column| name(column)).collect();
        let pairs: Vec<String> =
            columns.iter().map(|column| format!("{}, {}", literal(column), name(column))).collect();
        let select = names.join(", ");
        let mut oracle = db.prepare(&format!("select {select} from {from}")).map_err(sql)?;

        let json: String = db
            .query_row(&format!("select resq_json({}) from {from}", pairs.join(", ")), [], |row| row.get(0))
            .map_err(sql)?;
        counts.bytes += json.len();
        compare(&json, &mut oracle, |row, element| {
            let object: &Map<String, Value> = element.as_object().ok_or("not an object")?;
            if !object.keys().eq(columns) {
                return Err(format!("keys {:?}", object.keys().collect::<Vec<_>>()));
            }
            object.values().enumerate().try_for_each(|(index, value)| {
                let cell = row.get_ref(index).map_err(sql)?;
                check(cell, value, counts).map_err(|why| format!("{}: {why}", columns[index]))
            })
        })?;

        // The same rows by way of a nested query: the same bytes.
        let query = literal(&format!("select {select} from {from}"));
        let same = db.query_row(&format!("select resq_query({query})"), [], |row| {
            Ok(row.get_ref(0)? == ValueRef::Text(json.as_bytes()))
        });
        if !same.map_err(sql)? {
            return Err("resq_query gives other bytes than resq_json".to_string());
        }

        for (index, column) in names.iter().enumerate() {
            // All columns again, so that SQLite takes the same way through the table.
            let json: String = db
                .query_row(
                    &format!("select resq_json({column}) from (select {select} from {from})"),
                    [],
                    |row| row.get(0),
                )
                .map_err(sql)?;
            counts.bytes += json.len();
            let mut cells =
                db.prepare(&format!("select {column} from (select {select} from {from})")).map_err(sql)?;
            compare(&json, &mut cells, |row, element| check(row.get_ref(0).map_err(sql)?, element, counts))
                .map_err(|why| format!("{}: {why}", columns[index]))?;

            let mut texts = db
                .prepare(&format!(
                    "select {column}, resq_b64({column}), resq_b64({column}, 'url'),
                            resq_unb64(resq_b64({column})) is cast({column} as blob) from {from}
                     where typeof({column}) in ('text', 'blob')"
                ))
                .map_err(sql)?;
            let mut rows = texts.query([]).map_err(sql)?;
            while let Some(row) = rows.next().map_err(sql)? {
                let bytes = match row.get_ref(0).map_err(sql)? {
                    ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes,
                    other => return Err(format!("{other:?} is neither text nor blob")),
                };
                for (index, engine) in [(1, &BASE64_STANDARD), (2, &BASE64_URL_SAFE_NO_PAD)] {
                    let want = engine.encode(bytes);
                    if row.get_ref(index).map_err(sql)? != ValueRef::Text(want.as_bytes()) {
                        return Err(format!("{column}: base64 of {bytes:?} is not {want}"));
                    }
                    counts.base64 += 1;
                }
                if row.get_ref(3).map_err(sql)? != ValueRef::Integer(1) {
                    return Err(format!("{column}: {bytes:?} does not come back from base64"));
                }
            }
        }
    }
    Ok(())
}

/// Every SQLite database under a folder.
fn databases(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            databases(&path, found);
        } else {
            let mut head = [0; 16];
            let read = std::fs::File::open(&path).and_then(|mut file| file.read_exact(&mut head));
            if read.is_ok() && &head == b"SQLite format 3\0" {
                found.push(path);
            }
        }
    }
}

/// Compares the tables of one database. A virtual table whose module this SQLite lacks is told and left out.
fn one_database(path: &Path, counts: &mut Counts, wrong: &mut Vec<String>) {
    // Immutable, so that a database in WAL mode opens without its companions, and stays as it was downloaded.
    let uri =
        format!("file:{}?immutable=1", path.display().to_string().replace('%', "%25").replace('?', "%3f"));
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let db = Connection::open_with_flags(uri, flags).expect("a database");
    support::load(&db, support::extension()).expect("the extension");
    let tables: Vec<String> = db
        .prepare("select 'sqlite_master' union all select name from sqlite_master where type = 'table'")
        .and_then(|mut tables| tables.query_map([], |row| row.get(0))?.collect())
        .expect("the schema");
    counts.databases += 1;
    for table in tables {
        match one_table(&db, &table, counts) {
            Err(why) if why.starts_with("no such module") => println!("  {table} is left out: {why}"),
            Err(why) => wrong.push(format!("{}: {table}: {why}", path.display())),
            Ok(()) => {}
        }
    }
}

#[test]
#[ignore = "needs databases from package registries: make test-real"]
fn every_cell() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("real");
    let mut packages: Vec<PathBuf> = std::fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.join(".complete").exists())
        .collect();
    packages.sort();
    assert!(
        packages.len() >= 3,
        "{} packages under {}, at least 3 are wanted: run `make test-real` where the registries can be reached",
        packages.len(),
        folder.display()
    );
    let (mut total, mut wrong) = (Counts::default(), Vec::new());
    for package in packages {
        let mut counts = Counts::default();
        let mut found = Vec::new();
        databases(&package, &mut found);
        for path in found {
            one_database(&path, &mut counts, &mut wrong);
        }
        println!("{}: {counts}", package.file_name().unwrap_or_default().display());
        assert!(counts.cells > 0, "nothing was compared in {}", package.display());
        for (sum, part) in [
            (&mut total.databases, counts.databases),
            (&mut total.tables, counts.tables),
            (&mut total.rows, counts.rows),
            (&mut total.cells, counts.cells),
            (&mut total.nulls, counts.nulls),
            (&mut total.integers, counts.integers),
            (&mut total.reals, counts.reals),
            (&mut total.texts, counts.texts),
            (&mut total.blobs, counts.blobs),
            (&mut total.base64, counts.base64),
            (&mut total.bytes, counts.bytes),
        ] {
            *sum += part;
        }
    }
    println!("in all: {total}; {} tables differ", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        total.reals > 0 && total.blobs > 0 && total.texts > 0 && total.integers > 0 && total.nulls > 0,
        "{total}"
    );
}

/// The comparison can fail: each kind of wrong answer is seen.
#[test]
fn the_oracle_is_strict() {
    let right = [
        (ValueRef::Null, "null"),
        (ValueRef::Integer(i64::MIN), "-9223372036854775808"),
        (ValueRef::Real(1.0), "1.0"),
        (ValueRef::Real(-0.0), "-0.0"),
        (ValueRef::Real(1e21), "1e21"),
        (ValueRef::Real(-78.951_080_322_265_62), "-78.95108032226562"),
        (ValueRef::Real(f64::INFINITY), "null"),
        (ValueRef::Text(b"a\xff"), "\"a\u{fffd}\""),
        (ValueRef::Blob(b"\x00\xff"), "\"AP8=\""),
    ];
    let wrong = [
        (ValueRef::Null, "0"),
        (ValueRef::Integer(1), "1.0"),
        (ValueRef::Integer(1), "\"1\""),
        (ValueRef::Real(1.0), "1"),
        (ValueRef::Real(0.0), "-0.0"),
        (ValueRef::Real(0.1), "0.10000000000000001"),
        (ValueRef::Real(0.1), "0.2"),
        (ValueRef::Text(b"a"), "\"b\""),
        (ValueRef::Blob(b"\x00\xff"), "\"AP8\""),
        (ValueRef::Blob(b""), "null"),
    ];
    let check = |(cell, json): &(ValueRef<'_>, &str)| {
        check(*cell, &serde_json::from_str(json).unwrap(), &mut Counts::default()).is_ok()
    };
    assert!(right.iter().all(check));
    assert!(!wrong.iter().any(check));

    let db = Connection::open_in_memory().unwrap();
    let verdict = |json: &str| {
        let mut oracle = db.prepare("select 1 union all select 2").unwrap();
        compare(json, &mut oracle, |row, element| {
            self::check(row.get_ref(0).unwrap(), element, &mut Counts::default())
        })
    };
    assert_eq!(verdict("[1,2]"), Ok(()));
    for json in ["[1, 2]", "[1]", "[1,2,3]", "[2,1]", "[1,2] ", "[1,2]x", "[]", "{}"] {
        assert!(verdict(json).is_err(), "{json}");
    }
}
