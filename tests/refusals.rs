//! What is refused: hosts that cannot be served, results that are too long. In which words, and at what cost.
//!
//! The refusals of arguments are in `slt/errors.slt`.
#![allow(clippy::unwrap_used, clippy::expect_used, unsafe_code)]

#[allow(dead_code, non_camel_case_types, non_upper_case_globals, non_snake_case, clippy::all)]
#[path = "../src/sqlite/bindings.rs"]
mod bindings;
mod support;

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::ptr;

use bindings::{sqlite3, sqlite3_api_routines};
use libloading::Library;
use rusqlite::ffi;
use rusqlite::limits::Limit;
use support::{Encoding, alone, connection, connection_in, error, memory_used, one, text};

// ── hosts ───────────────────────────────────────────────────────────────────────────────────────────────────

type Entry = unsafe extern "C" fn(*mut sqlite3, *mut *mut c_char, *const sqlite3_api_routines) -> c_int;

/// A copy of the extension: a file of its own, which has not yet seen a host.
fn copy(name: &str) -> PathBuf {
    let file = support::folder(name).join(support::extension().file_name().unwrap());
    std::fs::copy(support::extension(), &file).unwrap();
    file
}

/// Calls the entry point as a host with that table would.
fn enter(file: &Path, table: Option<&sqlite3_api_routines>, want_message: bool) -> (c_int, Option<String>) {
    let mut message: *mut c_char = ptr::null_mut();
    let place = if want_message { &raw mut message } else { ptr::null_mut() };
    // SAFETY: the file is the extension; its entry point gets no connection because it has to refuse before using one.
    // The message is NUL-terminated; it is leaked.
    unsafe {
        let library = Library::new(file).unwrap();
        let entry = library.get::<Entry>(b"sqlite3_resq_init\0").unwrap();
        let code = entry(ptr::null_mut(), place, table.map_or(ptr::null(), ptr::from_ref));
        let text = (!message.is_null()).then(|| CStr::from_ptr(message).to_str().unwrap().to_owned());
        (code, text)
    }
}

unsafe extern "C" fn leaking_malloc(size: c_int) -> *mut c_void {
    let block = vec![0_u8; usize::try_from(size).unwrap()];
    Box::leak(block.into_boxed_slice()).as_mut_ptr().cast()
}

unsafe extern "C" fn no_malloc(_: c_int) -> *mut c_void {
    ptr::null_mut()
}

unsafe extern "C" fn version_3_25_3() -> c_int {
    3_025_003
}

unsafe extern "C" fn version_3_26_0() -> c_int {
    3_026_000
}

/// A table with nothing in it but what a refusal needs.
fn table(version: unsafe extern "C" fn() -> c_int) -> sqlite3_api_routines {
    // SAFETY: all fields are optional function pointers; all zero is none of them.
    let mut table: sqlite3_api_routines = unsafe { std::mem::zeroed() };
    table.libversion_number = Some(version);
    table.malloc = Some(leaking_malloc);
    table
}

#[test]
fn a_host_that_is_too_old() {
    let _alone = alone();
    let file = copy("too-old");
    let mut table = table(version_3_25_3);
    let told = Some("resq: needs SQLite 3.26.0 or newer, this is 3.25.3".to_owned());
    assert_eq!(enter(&file, Some(&table), true), (1, told));
    assert_eq!(enter(&file, Some(&table), false), (1, None));
    table.malloc = Some(no_malloc);
    assert_eq!(enter(&file, Some(&table), true), (1, None));
    table.malloc = None;
    assert_eq!(enter(&file, Some(&table), true), (1, None));
    // The refusal leaves nothing behind: the same file then serves a host that is new enough.
    let db = support::plain(Encoding::Utf8);
    support::load(&db, &file).unwrap();
    assert_eq!(text(&db, "select resq_json(1)"), "[1]");
}

#[test]
fn a_host_without_an_api_table() {
    let _alone = alone();
    assert_eq!(enter(&copy("no-table"), None, true), (1, None));
}

#[test]
fn a_host_that_lacks_a_function() {
    let _alone = alone();
    let told = Some("resq: this SQLite has no sqlite3_aggregate_context".to_owned());
    assert_eq!(enter(&copy("lacking"), Some(&table(version_3_26_0)), true), (1, told));
}

/// The few functions of another SQLite library that the test needs.
struct Other {
    library: Library,
    db: *mut c_void,
}

impl Other {
    /// The system's SQLite, if there is one that loads extensions.
    fn open() -> Option<Other> {
        let names = ["libsqlite3.so.0", "libsqlite3.dylib", "/usr/lib/libsqlite3.dylib", "sqlite3.dll"];
        // SAFETY: SQLite libraries have no initialisers with duties; the functions are called as sqlite3.h has them.
        unsafe {
            let library = names.iter().find_map(|name| Library::new(name).ok())?;
            let mut db = ptr::null_mut();
            {
                let open = library
                    .get::<unsafe extern "C" fn(*const c_char, *mut *mut c_void) -> c_int>(b"sqlite3_open\0")
                    .ok()?;
                assert_eq!(open(c":memory:".as_ptr(), &mut db), 0);
                let enable = library
                    .get::<unsafe extern "C" fn(*mut c_void, c_int) -> c_int>(
                        b"sqlite3_enable_load_extension\0",
                    )
                    .ok()?;
                assert_eq!(enable(db, 1), 0);
            }
            Some(Other { library, db })
        }
    }

    fn load(&self, file: &Path) -> Result<(), String> {
        type Load =
            unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char, *mut *mut c_char) -> c_int;
        let file = CString::new(file.to_str().unwrap()).unwrap();
        let mut message = ptr::null_mut();
        // SAFETY: an open connection of this library; the message is NUL-terminated.
        unsafe {
            let load = self.library.get::<Load>(b"sqlite3_load_extension\0").unwrap();
            match load(self.db, file.as_ptr(), ptr::null(), &mut message) {
                0 => Ok(()),
                _ => Err(CStr::from_ptr(message).to_str().unwrap().to_owned()),
            }
        }
    }

    /// The first column of each row.
    fn run(&self, sql: &str) -> Vec<String> {
        unsafe extern "C" fn push(
            rows: *mut c_void,
            _: c_int,
            cells: *mut *mut c_char,
            _: *mut *mut c_char,
        ) -> c_int {
            // SAFETY: `rows` is what `run` passes; a row has one cell or more.
            unsafe {
                let text = CStr::from_ptr(*cells).to_str().unwrap().to_owned();
                rows.cast::<Vec<String>>().as_mut().unwrap().push(text);
            }
            0
        }
        type Callback = unsafe extern "C" fn(*mut c_void, c_int, *mut *mut c_char, *mut *mut c_char) -> c_int;
        type Exec = unsafe extern "C" fn(
            *mut c_void,
            *const c_char,
            Callback,
            *mut c_void,
            *mut *mut c_char,
        ) -> c_int;
        let sql = CString::new(sql).unwrap();
        let mut rows: Vec<String> = Vec::new();
        // SAFETY: an open connection of this library; the callback knows what it gets.
        unsafe {
            let exec = self.library.get::<Exec>(b"sqlite3_exec\0").unwrap();
            assert_eq!(exec(self.db, sql.as_ptr(), push, (&raw mut rows).cast(), ptr::null_mut()), 0);
        }
        rows
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        // SAFETY: an open connection of this library, used by nobody any more.
        unsafe {
            let close =
                self.library.get::<unsafe extern "C" fn(*mut c_void) -> c_int>(b"sqlite3_close\0").unwrap();
            assert_eq!(close(self.db), 0);
        }
    }
}

#[test]
fn a_second_sqlite_library_in_the_process() {
    let _alone = alone();
    let Some(other) = Other::open() else {
        return support::skip("a second SQLite library", "none of the usual names is here");
    };
    let file = copy("first-library");
    let db = support::plain(Encoding::Utf8);
    support::load(&db, &file).unwrap();
    let call = "select resq_json('a', 1, 'b', resq_b64(x'00ff'))";
    assert_eq!(text(&db, call), r#"[{"a":1,"b":"AP8="}]"#);

    // Refused, with a way out, and nothing registered.
    for _ in 0..2 {
        let refused = other.load(&file).unwrap_err();
        let told = format!(
            "resq: this file already serves another SQLite library ({}) in this process; load a copy of the file under another name here",
            rusqlite::version()
        );
        assert!(refused.contains(&told), "{refused}");
    }
    assert_eq!(other.run("select count(*) from pragma_function_list where name like 'resq%'"), ["0"]);

    // The way out works, and both go on side by side.
    other.load(&copy("second-library")).unwrap();
    for _ in 0..2 {
        assert_eq!(other.run(call), [r#"[{"a":1,"b":"AP8="}]"#]);
        assert_eq!(text(&db, call), r#"[{"a":1,"b":"AP8="}]"#);
    }
    // And the other way round: that copy is the second library's own.
    let copied =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("second-library").join(file.file_name().unwrap());
    let refused = support::load(&support::plain(Encoding::Utf8), &copied).unwrap_err().to_string();
    assert!(refused.contains("already serves another SQLite library"), "{refused}");
}

// ── R21: too long ───────────────────────────────────────────────────────────────────────────────────────────

/// Rows whose JSON would be 670 MB, if one let it.
const ENDLESS: &str = "(with recursive n(i) as (select 1 union all select i + 1 from n where i < 50000) select i, zeroblob(10000) b from n)";

/// Runs a query that is refused as too big; gives how far memory use rose in between.
fn peak_of_too_big(db: &rusqlite::Connection, sql: &str) -> i64 {
    let before = memory_used();
    // SAFETY: no duties.
    unsafe { ffi::sqlite3_memory_highwater(1) };
    assert_eq!(error(db, sql), (ffi::SQLITE_TOOBIG, "string or blob too big".to_owned()), "{sql}");
    // Of a window, a row with its other values may be what SQLite refuses: the aggregate then ends well, and the connection
    // keeps its block, one and no more, for the next large result, which a refusal gives up again.
    let kept = if sql.contains("over") { 1_100_000 } else { 0 };
    assert!(memory_used() <= before + kept, "memory was not given back; {sql}");
    // SAFETY: no duties.
    unsafe { ffi::sqlite3_memory_highwater(0) - before }
}

#[test]
fn too_big_is_told_early_and_memory_given_back() {
    let _alone = alone();
    for encoding in [Encoding::Utf8, Encoding::Utf16le] {
        let db = connection_in(encoding);
        // The first statement makes SQLite read the schema, which stays.
        one::<i64>(&db, "select count(*) from sqlite_master").unwrap();
        let limit = 1_000_000;
        db.set_limit(Limit::SQLITE_LIMIT_LENGTH, limit).unwrap();
        for sql in [
            "resq_json('i', i, 'b', b)",
            "resq_json(b)",
            "resq_json(replace(hex(b), '00', char(1)))",
            "resq_json(hex(b) || char(228))",
            "resq_json('b', b) over (order by i)",
            "resq_json('b', b) over (rows between 200 preceding and current row exclude current row)",
            "resq_ndjson(b)",
            "resq_rows(i, b)",
            "resq_columns('i', i, 'b', b, 'c', b)",
            "resq_json_with('blob-url', 'b', b)",
        ] {
            let peak = peak_of_too_big(&db, &format!("select {sql} from {ENDLESS}"));
            // Each column grows on its own. SQLite itself keeps a window's rows.
            let most = if sql.contains("columns") { 2 * limit } else { limit + limit / 2 };
            assert!(sql.contains("over") || peak < i64::from(most), "{peak} for {sql}");
        }
        for sql in [
            "resq_json(zeroblob(900000))",
            "resq_json('k', 1, 'b', zeroblob(900000))",
            "resq_b64(zeroblob(900000))",
            "resq_b64(zeroblob(900000), 'url')",
            "resq_object('b', zeroblob(900000))",
            "resq_json(replace(hex(zeroblob(100000)), '0', char(1)))",
        ] {
            let peak = peak_of_too_big(&db, &format!("select {sql}"));
            assert!(peak < i64::from(limit) * 7 / 2, "{peak} for {sql}");
        }
        assert_eq!(text(&db, "select resq_json(1)"), "[1]");
    }
}

/// The limit is one on the result's length, not a byte more or less, however the bytes came there.
#[test]
fn the_limit_is_exact() {
    let _alone = alone();
    let db = connection();
    db.set_limit(Limit::SQLITE_LIMIT_LENGTH, 3000).unwrap();
    for call in [
        "resq_json(?)",
        "resq_json('a', ?)",
        "resq_json('a', ?) over ()",
        "resq_json('a', 123456789, 'b', ?, 'c', 1.5, 'd', null, 'e', x'00')",
        "resq_json(?, zeroblob(7))",
        "resq_ndjson(?)",
        "resq_rows(?, -1)",
        "resq_object('a', ?)",
        "resq_columns('a', ?)",
    ] {
        let sql = format!("select {call}");
        let length = |count: usize| -> rusqlite::Result<usize> {
            let result: String = db.query_row(&sql, ["x".repeat(count)], |row| row.get(0))?;
            Ok(result.len())
        };
        let more = length(0).unwrap();
        assert_eq!(length(3000 - more), Ok(3000), "{sql}");
        let refused = length(3000 - more + 1).unwrap_err();
        assert_eq!(refused.sqlite_error_code(), Some(rusqlite::ErrorCode::TooBig), "{sql}");
    }
    for (bytes, fits) in [(2250, true), (2251, false)] {
        for call in [format!("resq_b64(zeroblob({bytes}))"), format!("resq_json(zeroblob({}))", bytes - 3)] {
            assert_eq!(one::<String>(&db, &format!("select {call}")).is_ok(), fits, "{call}");
        }
    }
}

/// A frame's limit is that of what is in it, not of what has passed through.
#[test]
fn rows_that_have_left_a_frame_do_not_count() {
    let _alone = alone();
    let db = connection();
    db.set_limit(Limit::SQLITE_LIMIT_LENGTH, 100_000).unwrap();
    for call in ["resq_json", "resq_ndjson", "resq_rows"] {
        let sql = format!(
            "select sum(length(j)) from (select {call}(printf('%030000d', i)) over (order by i rows 2 preceding) j
             from (with recursive n(i) as (select 1 union all select i + 1 from n where i < 60) select i from n))"
        );
        assert!(one::<i64>(&db, &sql).unwrap() > 59 * 90_000, "{call}");
    }
    let sql = "select length(resq_json(printf('%030000d', i)) over (order by i rows 3 preceding)) from (select 1 i union all select 2 union all select 3 union all select 4)";
    let mut lengths = db.prepare(sql).unwrap();
    let lengths: Vec<_> = lengths.query_map([], |row| row.get::<_, i64>(0)).unwrap().collect();
    assert_eq!(lengths.len(), 4);
    assert!(lengths[2].is_ok() && lengths[3].is_err(), "four are too many");
}

/// A long slide holds no more than its frame.
#[test]
fn a_sliding_frame_gives_memory_back() {
    let _alone = alone();
    let db = connection();
    // The first statement makes SQLite read the schema, which stays.
    one::<i64>(&db, "select count(*) from sqlite_master").unwrap();
    let before = memory_used();
    // SAFETY: no duties.
    unsafe { ffi::sqlite3_memory_highwater(1) };
    let sql = "select count(j) from (select resq_json('b', zeroblob(100)) over (order by i rows 10 preceding) j
         from (with recursive n(i) as (select 1 union all select i + 1 from n where i < 200000) select i from n))";
    assert_eq!(one::<i64>(&db, sql).unwrap(), 200_000);
    // SAFETY: no duties.
    let peak = unsafe { ffi::sqlite3_memory_highwater(0) } - before;
    // 200,000 elements of 146 bytes are 29 MB; SQLite's own cache for the rows is 2 MB.
    assert!(peak < 4_000_000, "{peak}");
    assert_eq!(memory_used(), before);
}
