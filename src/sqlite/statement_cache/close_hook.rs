//! The virtual table by which a connection's list of idle items is closed in time.
//!
//! A connection that has statements cannot be closed, so idle statements have to be finalized
//! before. `sqlite3_close` disconnects virtual tables first, and looks for statements then. So the
//! list is open only while this table is connected. The table has no rows, and no statement on it
//! can be prepared but the one that connects it; so nothing keeps it from being disconnected.

use core::ffi::{CStr, c_char, c_int, c_void};
use std::panic::AssertUnwindSafe;
use std::rc::Rc;

use crate::sqlite::bindings::{
    SQLITE_CONSTRAINT, SQLITE_ERROR, SQLITE_OK, sqlite3, sqlite3_index_info, sqlite3_module, sqlite3_vtab,
    sqlite3_vtab_cursor,
};
use crate::sqlite::connection::{Api, ConnectionState};
use crate::sqlite::vtab::{self, VirtualTable};

/// The name of the table.
const TABLE: &CStr = c"resq_kept";

static MODULE: sqlite3_module = sqlite3_module {
    xConnect: Some(connect),
    xBestIndex: Some(best_index),
    xDisconnect: Some(disconnect),
    xOpen: Some(open),
    ..vtab::MODULE
};

/// Registers the table with a share of `connection`. If SQLite refuses, no items wait.
///
/// # Safety
/// `db` is an open connection of the SQLite of `api`, which is the installed one.
pub(in crate::sqlite) unsafe fn define(
    api: &'static Api,
    db: *mut sqlite3,
    connection: &Rc<ConnectionState>,
) {
    // SAFETY: the caller gives an open connection. The module's xConnect is `connect`.
    unsafe { vtab::register(api, db, TABLE, &MODULE, connection) };
}

/// # Safety
/// For SQLite alone, as xConnect of the module registered by [`define`].
unsafe extern "C" fn connect(
    db: *mut sqlite3,
    share: *mut c_void,
    _count: c_int,
    _arguments: *const *const c_char,
    table: *mut *mut sqlite3_vtab,
    _message: *mut *mut c_char,
) -> c_int {
    // SAFETY: SQLite gives the arguments of an xConnect, and `register` has registered the module.
    let code = unsafe { vtab::connect(db, share, table, c"create table resq_kept(x)") };
    if code == SQLITE_OK as c_int {
        // SAFETY: `connect` has put the table there.
        let table = unsafe { table.read() };
        // SAFETY: `connect` has made it.
        unsafe { VirtualTable::of(table) }.connection.idle.opened();
    }
    code
}

/// # Safety
/// For SQLite alone, as xDisconnect.
unsafe extern "C" fn disconnect(table: *mut sqlite3_vtab) -> c_int {
    // SAFETY: SQLite gives a live table of ours.
    let connection = Rc::clone(&unsafe { VirtualTable::of(table) }.connection);
    // A panic must not reach SQLite. Items that are not freed then are leaked.
    core::mem::forget(std::panic::catch_unwind(AssertUnwindSafe(|| connection.idle.close())));
    // SAFETY: SQLite gives a live table of ours, and does not use it after this.
    unsafe { vtab::disconnect(table) }
}

/// # Safety
/// For SQLite alone, as xBestIndex.
unsafe extern "C" fn best_index(table: *mut sqlite3_vtab, _info: *mut sqlite3_index_info) -> c_int {
    // SAFETY: SQLite gives a live table of ours.
    let opening = unsafe { VirtualTable::of(table) }.connection.idle.is_opening();
    // With SQLITE_CONSTRAINT there is no plan, and so no statement.
    if opening { SQLITE_OK as c_int } else { SQLITE_CONSTRAINT as c_int }
}

/// # Safety
/// For SQLite alone, as xOpen.
unsafe extern "C" fn open(_table: *mut sqlite3_vtab, _cursor: *mut *mut sqlite3_vtab_cursor) -> c_int {
    SQLITE_ERROR as c_int
}
