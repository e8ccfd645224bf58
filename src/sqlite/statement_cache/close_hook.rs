//! The table that holds a connection's [`IdleStatements`](crate::sqlite::connection::IdleStatements) open.
//!
//! A connection with statements cannot be closed, so what waits in the store has to go first. `sqlite3_close` disconnects
//! virtual tables before it looks for statements; so the store is open only while this one is connected. It has nothing
//! to show, and no statement but the one that connects it can be prepared on it: nothing holds it back.

use core::ffi::{CStr, c_char, c_int, c_void};
use std::panic::AssertUnwindSafe;
use std::rc::Rc;

use crate::sqlite::bindings::{
    SQLITE_CONSTRAINT, SQLITE_ERROR, SQLITE_OK, sqlite3, sqlite3_index_info, sqlite3_module, sqlite3_vtab,
    sqlite3_vtab_cursor,
};
use crate::sqlite::connection::{Api, ConnectionState};
use crate::sqlite::vtab::{self, VirtualTable};

/// The name of the table that holds it open.
const TABLE: &CStr = c"resq_kept";

static MODULE: sqlite3_module = sqlite3_module {
    xConnect: Some(connect),
    xBestIndex: Some(best_index),
    xDisconnect: Some(disconnect),
    xOpen: Some(open),
    ..vtab::MODULE
};

/// Registers the table with a share of `connection`. If SQLite refuses, nothing is kept.
///
/// # Safety
/// `db` is an open connection of the SQLite behind `api`, which is the installed one.
pub(in crate::sqlite) unsafe fn define(
    api: &'static Api,
    db: *mut sqlite3,
    connection: &Rc<ConnectionState>,
) {
    // SAFETY: the caller's duty; see `connect`.
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
    // SAFETY: the caller's duty; a table that was connected is ours.
    unsafe {
        let code = vtab::connect(db, share, table, c"create table resq_kept(x)");
        if code == SQLITE_OK as c_int {
            (&*(*table).cast::<VirtualTable>()).connection.idle.opened();
        }
        code
    }
}

/// # Safety
/// For SQLite alone, as xDisconnect.
unsafe extern "C" fn disconnect(table: *mut sqlite3_vtab) -> c_int {
    // SAFETY: a table of ours, which stays until its share of the state has been cloned.
    let connection = unsafe { Rc::clone(&(&*table.cast::<VirtualTable>()).connection) };
    // A panic must not reach SQLite; what it leaves undone is leaked.
    core::mem::forget(std::panic::catch_unwind(AssertUnwindSafe(|| connection.idle.close())));
    // SAFETY: the caller's duty.
    unsafe { vtab::disconnect(table) }
}

/// # Safety
/// For SQLite alone, as xBestIndex.
unsafe extern "C" fn best_index(table: *mut sqlite3_vtab, _info: *mut sqlite3_index_info) -> c_int {
    // SAFETY: a table of ours.
    let opening = unsafe { (&*table.cast::<VirtualTable>()).connection.idle.is_opening() };
    // No plan will do, so that no statement is made.
    if opening { SQLITE_OK as c_int } else { SQLITE_CONSTRAINT as c_int }
}

/// # Safety
/// For SQLite alone, as xOpen.
unsafe extern "C" fn open(_table: *mut sqlite3_vtab, _cursor: *mut *mut sqlite3_vtab_cursor) -> c_int {
    SQLITE_ERROR as c_int
}
