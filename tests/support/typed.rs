//! What the differential test adds to a connection by itself, through the library's own interface: a virtual table whose
//! columns yield values of every class whatever they are declared, functions, collations.
#![allow(dead_code, unsafe_code, clippy::unwrap_used, clippy::expect_used)]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

use rusqlite::ffi::{
    self, sqlite3, sqlite3_context, sqlite3_index_info, sqlite3_module, sqlite3_value, sqlite3_vtab,
    sqlite3_vtab_cursor,
};

use super::library::{Api, Cell, Db};

/// The library of this process, for the callbacks.
static API: OnceLock<&'static Api> = OnceLock::new();

fn api() -> &'static Api {
    API.get().unwrap()
}

/// How often `nth()` was called.
static CALLS: AtomicI64 = AtomicI64::new(0);

pub fn forget_calls() {
    CALLS.store(0, Relaxed);
}

pub fn calls() -> i64 {
    CALLS.load(Relaxed)
}

/// What row and column hold: every class comes in every column. No two rows next to each other are alike.
pub fn value(row: i64, column: i64) -> Cell {
    match (row + column) % 7 {
        0 => Cell::Integer(9_007_199_254_740_993 + row),
        1 => Cell::Real(row as f64 + 0.5),
        2 => Cell::Text(format!("{}", row * 3).into_bytes()),
        3 => Cell::Integer(-row),
        4 => Cell::Blob(vec![0x31, 0xff, row as u8]),
        5 => Cell::Null,
        _ => Cell::Text(format!("t{row}e5").into_bytes()),
    }
}

/// A table, `base` first, as SQLite needs it.
#[repr(C)]
struct Table {
    base: sqlite3_vtab,
    rows: i64,
}

#[repr(C)]
struct Cursor {
    base: sqlite3_vtab_cursor,
    row: i64,
    rows: i64,
}

/// `create virtual table t using typed(rows, declaration)`; without arguments every declared type over 9 rows.
unsafe extern "C" fn connect(
    db: *mut sqlite3,
    _: *mut c_void,
    count: c_int,
    arguments: *const *const c_char,
    table: *mut *mut sqlite3_vtab,
    _: *mut *mut c_char,
) -> c_int {
    // SAFETY: SQLite's arguments: `count` NUL-terminated texts, the first three of which are names.
    unsafe {
        let argument = |index: usize| CStr::from_ptr(*arguments.add(index)).to_str().unwrap().to_owned();
        let list: Vec<String> = (3..count as usize).map(argument).collect();
        let rows = list.first().map_or(9, |rows| rows.trim().parse().unwrap());
        let columns = match list.get(1..) {
            Some(columns @ [_, ..]) => columns.join(","),
            _ => "i integer, r real, t text, n numeric, b blob, u, f float, d decimal(9,2), v varchar(5)"
                .to_owned(),
        };
        let sql = CString::new(format!("create table x({columns})")).unwrap();
        let code = (api().declare_vtab)(db, sql.as_ptr());
        if code == 0 {
            let base: sqlite3_vtab = std::mem::zeroed();
            *table = Box::into_raw(Box::new(Table { base, rows })).cast();
        }
        code
    }
}

unsafe extern "C" fn best_index(_: *mut sqlite3_vtab, info: *mut sqlite3_index_info) -> c_int {
    // SAFETY: SQLite's argument.
    unsafe { (*info).estimatedCost = 1000.0 };
    0
}

unsafe extern "C" fn disconnect(table: *mut sqlite3_vtab) -> c_int {
    // SAFETY: made by `connect`.
    drop(unsafe { Box::from_raw(table.cast::<Table>()) });
    0
}

unsafe extern "C" fn open(table: *mut sqlite3_vtab, cursor: *mut *mut sqlite3_vtab_cursor) -> c_int {
    // SAFETY: a table of ours, and a place for the cursor.
    unsafe {
        let rows = (*table.cast::<Table>()).rows;
        let base: sqlite3_vtab_cursor = std::mem::zeroed();
        *cursor = Box::into_raw(Box::new(Cursor { base, row: 0, rows })).cast();
    }
    0
}

unsafe extern "C" fn close(cursor: *mut sqlite3_vtab_cursor) -> c_int {
    // SAFETY: made by `open`.
    drop(unsafe { Box::from_raw(cursor.cast::<Cursor>()) });
    0
}

unsafe extern "C" fn filter(
    cursor: *mut sqlite3_vtab_cursor,
    _: c_int,
    _: *const c_char,
    _: c_int,
    _: *mut *mut sqlite3_value,
) -> c_int {
    // SAFETY: a cursor of ours.
    unsafe { (*cursor.cast::<Cursor>()).row = 0 };
    0
}

unsafe extern "C" fn next(cursor: *mut sqlite3_vtab_cursor) -> c_int {
    // SAFETY: a cursor of ours.
    unsafe { (*cursor.cast::<Cursor>()).row += 1 };
    0
}

unsafe extern "C" fn eof(cursor: *mut sqlite3_vtab_cursor) -> c_int {
    // SAFETY: a cursor of ours.
    let cursor = unsafe { &*cursor.cast::<Cursor>() };
    c_int::from(cursor.row >= cursor.rows)
}

unsafe extern "C" fn rowid(cursor: *mut sqlite3_vtab_cursor, rowid: *mut i64) -> c_int {
    // SAFETY: a cursor of ours and a place for the number.
    unsafe { *rowid = (*cursor.cast::<Cursor>()).row };
    0
}

unsafe extern "C" fn column(
    cursor: *mut sqlite3_vtab_cursor,
    context: *mut sqlite3_context,
    column: c_int,
) -> c_int {
    // SAFETY: a cursor of ours; SQLite copies what it is told to (transient).
    unsafe {
        let row = (*cursor.cast::<Cursor>()).row;
        let transient = ffi::SQLITE_TRANSIENT();
        match value(row, column.into()) {
            Cell::Null => (api().result_null)(context),
            Cell::Integer(integer) => (api().result_int64)(context, integer),
            Cell::Real(real) => (api().result_double)(context, real),
            Cell::Text(text) => {
                (api().result_text)(context, text.as_ptr().cast(), text.len() as c_int, transient);
            }
            Cell::Blob(blob) => {
                (api().result_blob)(context, blob.as_ptr().cast(), blob.len() as c_int, transient);
            }
        }
    }
    0
}

/// `nth()`: how often it was called.
unsafe extern "C" fn nth(context: *mut sqlite3_context, _: c_int, _: *mut *mut sqlite3_value) {
    // SAFETY: SQLite's context.
    unsafe { (api().result_int64)(context, CALLS.fetch_add(1, Relaxed)) };
}

/// `refuse(x)`: x, but an error where x is an integer that ends in 3.
unsafe extern "C" fn refuse(context: *mut sqlite3_context, _: c_int, values: *mut *mut sqlite3_value) {
    // SAFETY: SQLite's context and its one argument.
    unsafe {
        let value = *values;
        if (api().value_type)(value) == ffi::SQLITE_INTEGER && (api().value_int64)(value) % 10 == 3 {
            (api().result_error)(context, c"refused: it ends in 3".as_ptr(), -1);
            (api().result_error_code)(context, ffi::SQLITE_CONSTRAINT_FUNCTION);
        } else {
            (api().result_value)(context, value);
        }
    }
}

/// Texts compared from their ends.
unsafe extern "C" fn reverse(
    _: *mut c_void,
    length_a: c_int,
    a: *const c_void,
    length_b: c_int,
    b: *const c_void,
) -> c_int {
    let bytes = |pointer: *const c_void, length: c_int| match length {
        0 => &[][..],
        // SAFETY: SQLite's arguments.
        _ => unsafe { std::slice::from_raw_parts(pointer.cast::<u8>(), length as usize) },
    };
    bytes(a, length_a).iter().rev().cmp(bytes(b, length_b).iter().rev()) as c_int
}

pub fn add_to(db: &Db) {
    let api = &db.library.api;
    let _ = API.set(api);
    // SAFETY: a module is fields that may be empty; it lives for ever. The callbacks have the right types.
    unsafe {
        let mut module: sqlite3_module = std::mem::zeroed();
        module.xCreate = Some(connect);
        module.xConnect = Some(connect);
        module.xBestIndex = Some(best_index);
        module.xDisconnect = Some(disconnect);
        module.xDestroy = Some(disconnect);
        module.xOpen = Some(open);
        module.xClose = Some(close);
        module.xFilter = Some(filter);
        module.xNext = Some(next);
        module.xEof = Some(eof);
        module.xColumn = Some(column);
        module.xRowid = Some(rowid);
        let module = Box::leak(Box::new(module));
        let null = std::ptr::null_mut();
        assert_eq!((api.create_module)(db.raw, c"typed".as_ptr(), module, null, None), 0);
        let utf8 = ffi::SQLITE_UTF8;
        for (name, count, function) in
            [(c"nth", 0, nth as unsafe extern "C" fn(_, _, _)), (c"refuse", 1, refuse)]
        {
            let code = (api.create_function)(
                db.raw,
                name.as_ptr(),
                count,
                utf8,
                null,
                Some(function),
                None,
                None,
                None,
            );
            assert_eq!(code, 0);
        }
        let code = (api.create_collation)(db.raw, c"reverse".as_ptr(), utf8, null, Some(reverse), None);
        assert_eq!(code, 0);
    }
}

/// While it lives, a statement is interrupted after so many operations.
pub struct Limit<'d>(&'d Db);

unsafe extern "C" fn stop(_: *mut c_void) -> c_int {
    1
}

impl<'d> Limit<'d> {
    pub fn new(db: &'d Db, operations: c_int) -> Self {
        // SAFETY: an open connection.
        unsafe { (db.library.api.progress_handler)(db.raw, operations, Some(stop), std::ptr::null_mut()) };
        Limit(db)
    }
}

impl Drop for Limit<'_> {
    fn drop(&mut self) {
        // SAFETY: an open connection.
        unsafe { (self.0.library.api.progress_handler)(self.0.raw, 0, None, std::ptr::null_mut()) };
    }
}
