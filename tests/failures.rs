//! R22–R24: no memory, interrupts, denials, loading twice and from several threads. Nothing may crash, leak, or give
//! half a result.
//!
//! SQLite's allocator is replaced by one that fails when told, so these tests have a process of their own and run one
//! after the other.
#![allow(clippy::unwrap_used, clippy::expect_used, unsafe_code)]

mod support;

use std::ffi::{CString, c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, OnceLock};

use rusqlite::Connection;
use rusqlite::ffi::{self, sqlite3_mem_methods};
use support::{Encoding, error, text};

// ── an allocator that fails ─────────────────────────────────────────────────────────────────────────────────

type Malloc = unsafe extern "C" fn(c_int) -> *mut c_void;
type Realloc = unsafe extern "C" fn(*mut c_void, c_int) -> *mut c_void;

/// SQLite's own allocator.
static INNER: OnceLock<(Malloc, Realloc)> = OnceLock::new();
static ARMED: AtomicBool = AtomicBool::new(false);
/// Does every allocation fail after the first failure?
static FOR_GOOD: AtomicBool = AtomicBool::new(false);
/// Allocations until the first failure.
static LEFT: AtomicI64 = AtomicI64::new(0);

fn fails() -> bool {
    if !ARMED.load(SeqCst) {
        return false;
    }
    let left = LEFT.fetch_sub(1, SeqCst);
    left == 1 || (left < 1 && FOR_GOOD.load(SeqCst))
}

unsafe extern "C" fn malloc(size: c_int) -> *mut c_void {
    if fails() {
        return ptr::null_mut();
    }
    // SAFETY: SQLite's own allocator, called as SQLite would.
    unsafe { INNER.get().unwrap().0(size) }
}

unsafe extern "C" fn realloc(block: *mut c_void, size: c_int) -> *mut c_void {
    if fails() {
        return ptr::null_mut();
    }
    // SAFETY: SQLite's own allocator, called as SQLite would.
    unsafe { INNER.get().unwrap().1(block, size) }
}

/// Puts the allocator in place, before SQLite first runs, and keeps other tests away.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    let guard = ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    ARMED.store(false, SeqCst);
    INNER.get_or_init(|| {
        // SAFETY: SQLite is not initialised yet, and nobody else is using it. All zero is no methods.
        unsafe {
            let mut methods: sqlite3_mem_methods = std::mem::zeroed();
            assert_eq!(ffi::sqlite3_config(ffi::SQLITE_CONFIG_GETMALLOC, &raw mut methods), 0);
            let inner = (methods.xMalloc.unwrap(), methods.xRealloc.unwrap());
            methods.xMalloc = Some(malloc);
            methods.xRealloc = Some(realloc);
            assert_eq!(ffi::sqlite3_config(ffi::SQLITE_CONFIG_MALLOC, &raw mut methods), 0);
            // No pools of the connections' own, from which allocations could not fail.
            assert_eq!(ffi::sqlite3_config(ffi::SQLITE_CONFIG_LOOKASIDE, 0 as c_int, 0 as c_int), 0);
            inner
        }
    });
    guard
}

fn memory_used() -> i64 {
    // SAFETY: no duties.
    unsafe { ffi::sqlite3_memory_used() }
}

/// Runs `body` with the `n`th allocation failing, and says whether it came so far.
fn failing<R>(n: i64, for_good: bool, body: impl FnOnce() -> R) -> (R, bool) {
    LEFT.store(n, SeqCst);
    FOR_GOOD.store(for_good, SeqCst);
    ARMED.store(true, SeqCst);
    let result = body();
    ARMED.store(false, SeqCst);
    (result, LEFT.load(SeqCst) < 1)
}

type Rows = Vec<Vec<(c_int, Vec<u8>)>>;

/// What a query gives: the rows, and the code it ended with. Cells as SQLite has them, without a conversion, which
/// could fail too.
fn run(db: &Connection, sql: &CString) -> (Rows, c_int) {
    let mut rows = Rows::new();
    // SAFETY: an open connection, a statement that is finalized; a cell's bytes are read before the next step.
    unsafe {
        let mut statement = ptr::null_mut();
        let code = ffi::sqlite3_prepare_v2(db.handle(), sql.as_ptr(), -1, &mut statement, ptr::null_mut());
        if code != ffi::SQLITE_OK {
            return (rows, code);
        }
        let code = loop {
            match ffi::sqlite3_step(statement) {
                ffi::SQLITE_ROW => {}
                code => break code,
            }
            let count = ffi::sqlite3_column_count(statement);
            let cell = |i| {
                let class = ffi::sqlite3_column_type(statement, i);
                let start = ffi::sqlite3_column_blob(statement, i).cast::<u8>();
                let length = usize::try_from(ffi::sqlite3_column_bytes(statement, i)).unwrap();
                let bytes: &[u8] =
                    if start.is_null() { &[] } else { std::slice::from_raw_parts(start, length) };
                (class, bytes.to_vec())
            };
            rows.push((0..count).map(cell).collect());
        };
        ffi::sqlite3_finalize(statement);
        (rows, code)
    }
}

/// A table with values of every kind, long and short.
fn database(encoding: Encoding) -> Connection {
    let db = support::connection_in(encoding);
    db.execute_batch(
        "create table t(x integer primary key, k text, v, b);
         insert into t values(1, 'a', null, x''), (2, 'b', 'text \" ' || char(10, 228, 128512), x'00ff'), (3, 'a', 1.5, zeroblob(40)),
           (4, 'a', replace(hex(zeroblob(900)), '0', '\"'), null), (5, 'ä', replace(hex(zeroblob(300)), '0', 'ä'), zeroblob(2500)),
           (6, '', -12345678901, zeroblob(9)), (7, 'k', 'end', x'61');",
    )
    .unwrap();
    db
}

const QUERIES: &[&str] = &[
    "select resq_json('x', x, 'v', v, 'b', b) from t",
    "select resq_json(k, v, 'x', x) from t",
    "select resq_json(v), resq_json(b), resq_json('k', k) from t",
    "select k, resq_json(v) from t group by k",
    "select resq_json(distinct v) from t",
    "select resq_json('x', x, 'k', k order by v desc) filter (where x < 6) from t",
    "select resq_json(k, v) over (order by x rows 1 preceding) from t",
    "select resq_json('v', v) over (partition by k order by x rows between 1 preceding and 1 following exclude current row) from t",
    "select resq_json(x) from t where 0",
    "select resq_json('a', json_array(x, v), 'b', json(resq_json_text)) from (select x, v, '[\"' || k || '\"]' resq_json_text from t where x < 4)",
    "select resq_json_with('ascii, blob-url', k, v, 'b', b) from t",
    "select resq_ndjson('x', x, k, v) from t",
    "select resq_ndjson(v) over (order by x rows 2 preceding) from t",
    "select resq_rows(x, v, b) from t",
    "select resq_rows(x, v, b) over (order by x rows 1 preceding) from t",
    "select resq_columns('x', x, 'v', v, 'b', b) from t",
    "select resq_columns('x', x, 'v', v) over (order by x rows 1 preceding) from t",
    "select resq_object('x', x, k, v, 'b', b) from t",
    "select resq_object_with('omit-null', 'x', x, k, v, 'b', b) from t",
    "select resq_b64(b), resq_b64(b, 'url'), resq_b64(k) from t",
    "select resq_unb64(resq_b64(b)) from t",
    "select resq_raw('[1, \"' || k || '\"]'), resq_raw(resq_json('v', v)) from t group by x",
    "select resq_query('select x, k, v, b from t where x > ?', 2)",
    "select resq_query('select v as \"' || k || '\" from t where x = ?', x) from t where k <> ''",
    "select * from resq_stream_with('piece=500', 'select x, k, v, b from t')",
    "select sql, choices, piece from resq_stream_with('piece=90 ascii blob-url', 'select x, k as \"k\", v from t')",
    "select resq_version(), resq_debug()",
];

/// How a query finds the nested statements that the connection keeps.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kept {
    /// Its own are there.
    Own,
    /// Its own are there, and the schema has changed since.
    Old,
    /// Others are there, as many as are kept.
    Others,
    /// The connection is new each time, and has kept nothing yet.
    Nothing,
}

/// Each query, with a failure at each of its allocations.
fn out_of_memory(encoding: Encoding, for_good: bool) {
    for sql in QUERIES {
        for kept in [Kept::Own, Kept::Old, Kept::Others, Kept::Nothing] {
            if kept == Kept::Own || sql.contains("resq_query") {
                out_of_memory_in(encoding, for_good, sql, kept);
            }
        }
    }
}

fn out_of_memory_in(encoding: Encoding, for_good: bool, sql: &str, kept: Kept) {
    let nobody = memory_used();
    let mut db = database(encoding);
    let query = CString::new(sql).unwrap();
    let (expected, code) = run(&db, &query);
    assert_eq!(code, ffi::SQLITE_DONE, "{sql}: {}", error(&db, sql).1);
    assert!(!expected.is_empty());
    // It leaves a small block with the connection, which a failure may have freed.
    let after = CString::new("select resq_json(1)").unwrap();
    let change = |db: &Connection| {
        if kept == Kept::Old {
            db.execute_batch("create temp table other(x); drop table other").unwrap();
        }
    };
    let settle = |db: &Connection| match kept {
        Kept::Own | Kept::Old => assert_eq!(run(db, &query).1, ffi::SQLITE_DONE),
        Kept::Others => (0..8).for_each(|other| {
            let other = CString::new(format!("select resq_query('select {other}')")).unwrap();
            assert_eq!(run(db, &other).1, ffi::SQLITE_DONE);
        }),
        Kept::Nothing => {}
    };
    // Once with an error, so that what the connection keeps for messages is there.
    run(&db, &CString::new("select nothing").unwrap());
    run(&db, &after);
    change(&db);
    settle(&db);
    run(&db, &after);
    let before = memory_used();
    let mut n = 0;
    loop {
        n += 1;
        if kept == Kept::Nothing {
            db = database(encoding);
        }
        change(&db);
        let ((rows, code), came) = failing(n, for_good, || run(&db, &query));
        match code & 0xff {
            // A failure need not matter, as where a smaller block would do.
            ffi::SQLITE_DONE => assert!(rows == expected, "{sql}: wrong at {n}"),
            ffi::SQLITE_NOMEM => assert!(expected.starts_with(&rows), "{sql}: half a result at {n}"),
            _ if code == ffi::SQLITE_IOERR_NOMEM => assert!(expected.starts_with(&rows)),
            _ => panic!("{sql}: code {code} at {n}"),
        }
        assert_eq!(run(&db, &after).1, ffi::SQLITE_DONE, "{sql}: broken by a failure at {n}");
        settle(&db);
        run(&db, &after);
        if kept != Kept::Nothing {
            assert_eq!(memory_used(), before, "{sql}: leaks at {n}, {kept:?}");
        } else {
            // The connection works on, and keeps what it does then.
            assert!(run(&db, &query) == (expected.clone(), ffi::SQLITE_DONE));
            db.close().unwrap();
            assert_eq!(memory_used(), nobody, "{sql}: leaks at {n}, {kept:?}");
            db = support::plain(encoding);
        }
        if !came {
            assert_eq!(code, ffi::SQLITE_DONE);
            break;
        }
    }
    assert!(n > 10, "{sql}: only {n} allocations?");
}

#[test]
fn out_of_memory_once() {
    let _alone = alone();
    out_of_memory(Encoding::Utf8, false);
}

#[test]
fn out_of_memory_for_good() {
    let _alone = alone();
    out_of_memory(Encoding::Utf8, true);
}

/// Where text has to be converted before it can be read, and again before it is stored.
#[test]
fn out_of_memory_in_utf16() {
    let _alone = alone();
    out_of_memory(Encoding::Utf16le, false);
    out_of_memory(Encoding::Utf16le, true);
}

/// Loads the extension. (rusqlite takes it for granted that there is memory for an error's message.)
fn load(db: &Connection) -> bool {
    let file = CString::new(support::extension().to_str().unwrap()).unwrap();
    // SAFETY: an open connection, which only loads our extension.
    unsafe {
        db.load_extension_enable().unwrap();
        ffi::sqlite3_load_extension(db.handle(), file.as_ptr(), ptr::null(), ptr::null_mut())
            == ffi::SQLITE_OK
    }
}

/// A load that runs out of memory fails or succeeds, and the next one succeeds.
#[test]
fn out_of_memory_while_loading() {
    let _alone = alone();
    for for_good in [false, true] {
        let mut refused = 0;
        for n in 1.. {
            let db = support::plain(Encoding::Utf8);
            let (loaded, came) = failing(n, for_good, || load(&db));
            if !loaded {
                refused += 1;
                unharmed(&db);
                support::load(&db, support::extension()).unwrap();
            }
            assert_eq!(text(&db, "select resq_json('a', resq_b64(x'00'))"), "[{\"a\":\"AA==\"}]");
            if !came {
                assert!(loaded);
                break;
            }
        }
        assert!(refused > 10, "{refused}");
    }
}

// ── interrupts, errors, denials ─────────────────────────────────────────────────────────────────────────────

/// Bytes that the C heap of this process has given out; resq's own memory, which SQLite does not count, among them.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn heap_used() -> usize {
    #[repr(C)]
    struct Mallinfo2 {
        /// arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost
        fields: [usize; 10],
    }
    unsafe extern "C" {
        safe fn mallinfo2() -> Mallinfo2;
    }
    let info = mallinfo2();
    // In blocks of the heap, and in blocks mapped on their own.
    info.fields[7] + info.fields[4]
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn heap_used() -> usize {
    0
}

/// A million rows in which row 2,000 calls `stop()`.
const LONG: &str = "(with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000000) select case i when 2000 then stop() else i end x from n)";

const AGGREGATES: &[&str] = &[
    "resq_json('x', x)",
    "resq_json(x)",
    "resq_json('x' || x, x)",
    "resq_json(distinct x)",
    "resq_json('x', x) over (order by x)",
    "resq_json('x', x) over (rows 50 preceding)",
    "resq_json('x', x) over (rows 50 preceding exclude ties)",
    "resq_ndjson(x)",
    "resq_rows(x, x)",
    "resq_columns('x', x, 'y', x)",
    "resq_columns('x', x, 'y', x) over (rows 50 preceding)",
    "resq_json_with('ascii', 'x', x)",
];

/// Runs each aggregate over rows that end in what `stop` does, again and again.
fn stops(db: &Connection, code: c_int, message: &str) {
    for call in AGGREGATES {
        let sql = format!("select count(j) from (select {call} j from {LONG})");
        let once = || assert_eq!(error(db, &sql), (code, message.to_owned()), "{call}");
        once();
        text(db, "select 'works on'");
        let (before, heap) = (memory_used(), heap_used());
        for _ in 0..50 {
            once();
        }
        text(db, "select 'works on'");
        assert_eq!(memory_used(), before, "{call} leaks");
        // A queue of 2,000 lengths that was left behind each time would be 400,000 bytes.
        let more = heap_used().saturating_sub(heap);
        assert!(more < 50_000, "{call} leaks {more} bytes");
    }
}

fn define_stop(db: &Connection, stop: impl Fn() -> rusqlite::Result<i64> + Send + 'static) {
    db.create_scalar_function("stop", 0, rusqlite::functions::FunctionFlags::SQLITE_UTF8, move |_| stop())
        .unwrap();
}

#[test]
fn an_interrupt() {
    let _alone = alone();
    let db = support::connection();
    let handle = db.get_interrupt_handle();
    define_stop(&db, move || {
        handle.interrupt();
        Ok(1)
    });
    stops(&db, ffi::SQLITE_INTERRUPT, "interrupted");
}

#[test]
fn an_error_in_a_row() {
    let _alone = alone();
    let db = support::connection();
    define_stop(&db, || Err(rusqlite::Error::UserFunctionError("that is enough".into())));
    stops(&db, ffi::SQLITE_ERROR, "that is enough");
}

/// An error of our own, in a later row.
#[test]
fn a_refused_row_leaves_nothing_behind() {
    let _alone = alone();
    let db = support::connection();
    let rows = "(with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000) select i, iif(i < 2000, 'k', null) k from n)";
    for call in [
        "resq_json(k, i)",
        "resq_json(k, i) over (rows 3 preceding)",
        "resq_columns(k, i)",
        "resq_ndjson(k, i)",
    ] {
        let sql = format!("select count(j) from (select {call} j from {rows})");
        let once = || assert!(error(&db, &sql).1.contains("is a key and must be TEXT, not NULL"), "{call}");
        once();
        text(&db, "select 'works on'");
        let (before, heap) = (memory_used(), heap_used());
        (0..50).for_each(|_| once());
        text(&db, "select 'works on'");
        assert_eq!(memory_used(), before, "{call}");
        assert!(heap_used().saturating_sub(heap) < 50_000, "{call}");
    }
}

/// A statement that is reset or finalized in the middle of its rows.
#[test]
fn a_statement_that_is_dropped_half_way() {
    let _alone = alone();
    let db = database(Encoding::Utf8);
    let half = |sql: &str| {
        let mut statement = db.prepare(sql).unwrap();
        statement.query([]).unwrap().next().unwrap().unwrap().get_ref(0).map(|_| ()).unwrap();
    };
    let sqls = QUERIES.iter().filter(|sql| !sql.contains("where 0"));
    for sql in sqls {
        half(sql);
        let (before, heap) = (memory_used(), heap_used());
        (0..300).for_each(|_| half(sql));
        assert_eq!(memory_used(), before, "{sql}");
        assert!(heap_used().saturating_sub(heap) < 30_000, "{sql}");
    }
}

#[test]
fn an_authorizer_that_denies() {
    use rusqlite::hooks::{AuthAction, Authorization};
    let _alone = alone();
    let mut db = support::connection();
    db.authorizer(Some(|context: rusqlite::hooks::AuthContext<'_>| match context.action {
        AuthAction::Function { function_name: "resq_json" | "resq_b64" } => Authorization::Deny,
        _ => Authorization::Allow,
    }))
    .unwrap();
    for name in ["resq_json", "resq_b64"] {
        let (code, message) = error(&db, &format!("select {name}(x'00')"));
        assert_eq!((code, message), (ffi::SQLITE_ERROR, format!("not authorized to use function: {name}")));
    }
    assert_eq!(text(&db, "select resq_rows(1)"), "[[1]]");

    // One that denies everything does not keep resq from loading.
    let mut db = support::plain(Encoding::Utf8);
    db.authorizer(Some(|_: rusqlite::hooks::AuthContext<'_>| Authorization::Deny)).unwrap();
    support::load(&db, support::extension()).unwrap();
    support::load(&db, support::extension()).unwrap();
    db.authorizer(None::<fn(rusqlite::hooks::AuthContext<'_>) -> Authorization>).unwrap();
    assert_eq!(text(&db, "select resq_json(1)"), "[1]");
}

// ── R24: loading ────────────────────────────────────────────────────────────────────────────────────────────

/// What the connection says of its last call.
fn last_error(db: &Connection) -> (c_int, String) {
    // SAFETY: an open connection, whose message lives until the next call.
    unsafe {
        let message = std::ffi::CStr::from_ptr(ffi::sqlite3_errmsg(db.handle()));
        (ffi::sqlite3_errcode(db.handle()), message.to_str().unwrap().to_owned())
    }
}

#[test]
fn loading_twice() {
    let _alone = alone();
    let db = support::connection();
    assert_eq!(last_error(&db), (0, "not an error".to_owned()));
    support::load(&db, support::extension()).unwrap();
    assert_eq!(text(&db, "select resq_json(1)"), "[1]");

    // While a statement of ours runs
    let mut statement =
        db.prepare("select resq_json(column1) over (rows 1 preceding) from (values (1), (2), (3))").unwrap();
    let mut rows = statement.query([]).unwrap();
    let next = |rows: &mut rusqlite::Rows<'_>| rows.next().unwrap().unwrap().get::<_, String>(0).unwrap();
    assert_eq!(next(&mut rows), "[1]");
    support::load(&db, support::extension()).unwrap();
    assert_eq!(next(&mut rows), "[1,2]");
    // A copy of the file is another library, of the same version.
    let copy = support::folder("loading-twice").join("libresq_copy.so");
    std::fs::copy(support::extension(), &copy).unwrap();
    support::load(&db, &copy).unwrap();
    assert_eq!(next(&mut rows), "[2,3]");
    assert!(rows.next().unwrap().is_none());
}

/// By SQL, as the shell's `.load` or a host's user does it.
#[test]
fn loading_by_sql_within_a_statement() {
    let _alone = alone();
    let db = support::plain(Encoding::Utf8);
    // SAFETY: the only extension loaded is ours.
    unsafe { db.load_extension_enable().unwrap() };
    let file = support::extension().to_str().unwrap();
    let load = |with: &str| db.query_row(&format!("select load_extension(?){with}"), [file], |_| Ok(()));
    load("").unwrap();
    load("").unwrap();
    assert_eq!(text(&db, "select resq_json(x) from (select 1 x union all select 2)"), "[1,2]");
    let both: String = db
        .query_row(
            "select resq_json(a) from (select load_extension(?) is null a union all select 2)",
            [file],
            |r| r.get(0),
        )
        .unwrap();
    assert_eq!(both, "[1,2]");
}

/// After a failed load, a function of ours works or is not there.
fn unharmed(db: &Connection) {
    for name in ["resq_json", "resq_b64", "resq_version"] {
        let argument = if name == "resq_version" { "" } else { "x'00'" };
        match support::one::<String>(db, &format!("select {name}({argument})")) {
            Ok(result) => {
                assert!(["[\"AA==\"]", "AA==", env!("CARGO_PKG_VERSION")].contains(&result.as_str()))
            }
            Err(error) => assert!(error.to_string().starts_with("no such function"), "{error}"),
        }
    }
}

/// A failing load tells which function could not be registered.
#[test]
fn a_failed_registration_is_named() {
    let _alone = alone();
    let db = support::plain(Encoding::Utf8);
    db.create_scalar_function("resq_rows", -1, rusqlite::functions::FunctionFlags::SQLITE_UTF8, |_| Ok(1))
        .unwrap();
    let mut statement = db.prepare("select resq_rows(1) union all select 2").unwrap();
    let mut rows = statement.query([]).unwrap();
    rows.next().unwrap().unwrap();
    let refused = support::load(&db, support::extension()).unwrap_err().to_string();
    assert!(
        refused.contains(
            "resq: cannot register resq_rows: unable to delete/modify user-function due to active statements"
        ),
        "{refused}"
    );
    // SQLite has unloaded the file: what was registered before the failure must not be left without its code.
    unharmed(&db);
    drop(rows);
    drop(statement);
    unharmed(&db);
    support::load(&db, support::extension()).unwrap();
    assert_eq!(text(&db, "select resq_rows(1)"), "[[1]]");
}

#[test]
fn loading_from_several_threads() {
    let _alone = alone();
    // A copy that has not been loaded: the first loads race.
    let copy = support::folder("threads").join("libresq_threads.so");
    std::fs::copy(support::extension(), &copy).unwrap();
    let barrier = std::sync::Barrier::new(8);
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (barrier, copy) = (&barrier, &copy);
            scope.spawn(move || {
                barrier.wait();
                for round in 0..20 {
                    let db = support::plain(Encoding::Utf8);
                    support::load(&db, copy).unwrap();
                    let sql = format!("select resq_json('t', {thread}, 'b', resq_b64(x'0{}'))", round % 10);
                    assert!(text(&db, &sql).starts_with(&format!("[{{\"t\":{thread},\"b\":\"")));
                }
            });
        }
    });
}

/// Connections come and go: loading leaves nothing behind.
#[test]
fn loading_again_and_again_does_not_leak() {
    let _alone = alone();
    let once = || {
        let db = support::connection();
        assert_eq!(text(&db, "select resq_json(1)"), "[1]");
    };
    let measure = |kept: &str| {
        (0..100).for_each(|_| once());
        let (before, heap) = (memory_used(), heap_used());
        (0..2000).for_each(|_| once());
        assert_eq!(memory_used(), before);
        let more = heap_used().saturating_sub(heap);
        assert!(more < 50_000, "{more} bytes in 2000 loads, {kept}");
    };
    measure("when the last connection goes, and the file with it");
    let _keeper = support::connection();
    measure("while another connection has it");
}
