//! The built file: what it exports, its size, and what it registers.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::collections::BTreeSet;

use object::Object as _;
use rusqlite::Connection;

#[test]
fn it_exports_the_entry_points_alone() {
    let bytes = std::fs::read(support::extension()).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let names: BTreeSet<_> =
        file.exports().unwrap().iter().map(|e| String::from_utf8_lossy(e.name()).into_owned()).collect();
    let names: Vec<_> = names.iter().map(|name| name.trim_start_matches('_')).collect();
    assert_eq!(names, ["sqlite3_extension_init", "sqlite3_resq_init"]);
}

#[test]
fn it_is_small_and_stripped() {
    let bytes = std::fs::read(support::extension()).unwrap();
    assert!(bytes.len() <= 512 * 1024, "{} bytes", bytes.len());
    let file = object::File::parse(&*bytes).unwrap();
    assert!(!file.has_debug_symbols());
    if file.format() == object::BinaryFormat::Elf {
        assert_eq!(file.symbols().count(), 0, "a symbol table");
    }
}

/// The feature that lets a bench choose the tier is not in the library that people get.
#[test]
fn nobody_chooses_its_tier() {
    let bytes = std::fs::read(support::extension()).unwrap();
    assert!(!bytes.windows(9).any(|bytes| bytes == b"RESQ_TIER"));
}

// As in sqlite3.h.
const DETERMINISTIC: u32 = 0x800;
const DIRECTONLY: u32 = 0x8_0000;
const SUBTYPE: u32 = 0x10_0000;
const INNOCUOUS: u32 = 0x20_0000;
const PURE: u32 = DETERMINISTIC | INNOCUOUS;

/// Name, argument count (-1: any), `w` for an aggregate that is a window function or `s` for a scalar, flags.
///
/// SQLite does not list RESULT_SUBTYPE; a build with SQLITE_STRICT_SUBTYPE shows its lack.
const FUNCTIONS: &[(&str, i32, &str, u32)] = &[
    ("resq_b64", 1, "s", PURE),
    ("resq_b64", 2, "s", PURE),
    ("resq_columns", -1, "w", PURE | SUBTYPE),
    ("resq_columns", 0, "w", PURE),
    ("resq_columns_with", -1, "w", PURE | SUBTYPE),
    ("resq_columns_with", 0, "w", PURE),
    ("resq_debug", 0, "s", INNOCUOUS),
    ("resq_json", -1, "w", PURE | SUBTYPE),
    ("resq_json", 0, "w", PURE),
    ("resq_json_with", -1, "w", PURE | SUBTYPE),
    ("resq_json_with", 0, "w", PURE),
    ("resq_ndjson", -1, "w", PURE | SUBTYPE),
    ("resq_ndjson", 0, "w", PURE),
    ("resq_ndjson_with", -1, "w", PURE | SUBTYPE),
    ("resq_ndjson_with", 0, "w", PURE),
    ("resq_object", -1, "s", PURE | SUBTYPE),
    ("resq_object_with", -1, "s", PURE | SUBTYPE),
    ("resq_query", -1, "s", DIRECTONLY),
    ("resq_query_with", -1, "s", DIRECTONLY),
    ("resq_raw", 1, "s", PURE | SUBTYPE),
    // Not for use by hand: what resq_query gets its rows by.
    ("resq_sink", -1, "w", DIRECTONLY),
    ("resq_bool", 1, "s", PURE | SUBTYPE),
    ("resq_map", -1, "w", PURE | SUBTYPE),
    ("resq_map", 0, "w", PURE),
    ("resq_map_with", -1, "w", PURE | SUBTYPE),
    ("resq_map_with", 0, "w", PURE),
    ("resq_rows", -1, "w", PURE | SUBTYPE),
    ("resq_rows", 0, "w", PURE),
    ("resq_rows_with", -1, "w", PURE | SUBTYPE),
    ("resq_rows_with", 0, "w", PURE),
    ("resq_unb64", 1, "s", PURE),
    ("resq_version", 0, "s", INNOCUOUS),
];

type Function = (String, i32, String, u32, String, bool);

fn functions(db: &Connection) -> BTreeSet<Function> {
    let mut list =
        db.prepare("select name, narg, type, flags, enc, builtin from pragma_function_list").unwrap();
    let rows = list
        .query_map([], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?, r.get(3)?, r.get(4)?, r.get(5)?)))
        .unwrap();
    rows.map(Result::unwrap).collect()
}

#[test]
fn it_registers_what_is_documented() {
    let db = support::plain(support::Encoding::Utf8);
    let before = functions(&db);
    support::load(&db, support::extension()).unwrap();
    let after = functions(&db);
    assert!(before.is_subset(&after), "a function of SQLite's is gone");
    let new: Vec<_> = after.difference(&before).collect();
    let documented: Vec<_> = FUNCTIONS
        .iter()
        .map(|&(name, count, kind, flags)| {
            (name.to_owned(), count, kind.to_owned(), flags, "utf8".to_owned(), false)
        })
        .collect();
    let mut documented: Vec<_> = documented.iter().collect();
    documented.sort();
    assert_eq!(new, documented);
}

/// A file of any name loads: SQLite then looks for the other entry point.
#[test]
fn it_loads_under_another_name() {
    let copy = support::folder("another-name").join("Any-Name.1.bin");
    std::fs::copy(support::extension(), &copy).unwrap();
    let db = support::plain(support::Encoding::Utf8);
    support::load(&db, &copy).unwrap();
    assert_eq!(support::text(&db, "select resq_json('a', 1, 'b', x'00ff')"), r#"[{"a":1,"b":"AP8="}]"#);
}

/// The table function, and the table that lets kept statements go.
#[test]
fn it_registers_the_documented_modules() {
    let modules = |db: &Connection| -> BTreeSet<String> {
        let mut list = db.prepare("select name from pragma_module_list").unwrap();
        list.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let db = support::plain(support::Encoding::Utf8);
    // Asking makes one, of the PRAGMA itself.
    modules(&db);
    let before = modules(&db);
    support::load(&db, support::extension()).unwrap();
    let after = modules(&db);
    assert!(before.is_subset(&after), "a module of SQLite's is gone");
    assert_eq!(
        after.difference(&before).collect::<Vec<_>>(),
        ["resq_kept", "resq_stream", "resq_stream_with"]
    );
    for (table, first) in [
        ("resq_stream", "piece 0, sql 1, p1 1, p2 1"),
        ("resq_stream_with", "piece 0, choices 1, sql 1, p1 1"),
    ] {
        let columns = format!(
            "select group_concat(name || ' ' || hidden, ', ') from pragma_table_xinfo('{table}') where cid < 4"
        );
        assert_eq!(support::text(&db, &columns), first);
        let count = format!("select count(*) || '' from pragma_table_xinfo('{table}')");
        assert_eq!(support::text(&db, &count), "65");
    }
}
