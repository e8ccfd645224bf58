//! What the virtual tables of resq have in common: SQLite keeps a share of the connection's state
//! for the module, and the table holds another.

use core::ffi::{CStr, c_int, c_void};
use core::mem::size_of;
use core::ptr;
use std::rc::Rc;

use crate::buffer::Memory;
use crate::sqlite::bindings::{SQLITE_ERROR, SQLITE_NOMEM, SQLITE_OK, sqlite3, sqlite3_module, sqlite3_vtab};
use crate::sqlite::connection::{Api, ConnectionState, Host};

/// A virtual table of a connection.
#[repr(C)]
pub(in crate::sqlite) struct VirtualTable {
    base: sqlite3_vtab,
    pub(in crate::sqlite) host: Host,
    pub(in crate::sqlite) connection: Rc<ConnectionState>,
}

impl VirtualTable {
    /// # Safety
    /// `table` was made by [`connect`] and is not disconnected yet. It is borrowed only while
    /// SQLite is not in it.
    pub(in crate::sqlite) unsafe fn of<'t>(table: *mut sqlite3_vtab) -> &'t Self {
        // SAFETY: the caller gives a live table, which begins with SQLite's part of it, and SQLite
        // does not change that meanwhile.
        unsafe { &*table.cast::<VirtualTable>() }
    }
}

/// A module without methods. An eponymous table needs xConnect, xBestIndex and xDisconnect, and
/// more to be read.
pub(in crate::sqlite) const MODULE: sqlite3_module = sqlite3_module {
    iVersion: 1,
    xCreate: None,
    xConnect: None,
    xBestIndex: None,
    xDisconnect: None,
    xDestroy: None,
    xOpen: None,
    xClose: None,
    xFilter: None,
    xNext: None,
    xEof: None,
    xColumn: None,
    xRowid: None,
    xUpdate: None,
    xBegin: None,
    xSync: None,
    xCommit: None,
    xRollback: None,
    xFindFunction: None,
    xRename: None,
    xSavepoint: None,
    xRelease: None,
    xRollbackTo: None,
    xShadowName: None,
};

/// 3.31's SQLITE_VTAB_DIRECTONLY.
const DIRECTONLY: c_int = 3;

/// Registers a module with a share of `connection`; false if SQLite refused.
///
/// # Safety
/// `db` is an open connection of the SQLite of `api`, which is the installed one. The module
/// connects by [`connect`].
pub(in crate::sqlite) unsafe fn register(
    api: &'static Api,
    db: *mut sqlite3,
    name: &CStr,
    module: &'static sqlite3_module,
    connection: &Rc<ConnectionState>,
) -> bool {
    let share = connection.share();
    // SAFETY: the caller gives an open connection. SQLite copies the name; the module lives
    // forever. SQLite gives the share to `release` once, also if it refuses the module.
    let code =
        unsafe { (api.create_module_v2)(db, name.as_ptr(), module, share, Some(ConnectionState::release)) };
    code == SQLITE_OK as c_int
}

/// The body of xConnect: makes a table with the columns of `schema`. Views and triggers cannot use
/// it.
///
/// # Safety
/// The arguments are those of an xConnect of a module registered by [`register`].
pub(in crate::sqlite) unsafe fn connect(
    db: *mut sqlite3,
    share: *mut c_void,
    table: *mut *mut sqlite3_vtab,
    schema: &CStr,
) -> c_int {
    let Some(api) = Api::installed() else { return SQLITE_ERROR as c_int };
    let host = Host { api, db };
    // SAFETY: SQLite's connection, and a text that ends with NUL.
    let code = unsafe { (api.declare_vtab)(db, schema.as_ptr()) };
    if code != SQLITE_OK as c_int {
        return code;
    }
    if api.version >= 3_031_000 {
        // SAFETY: SQLite's connection, in an xConnect. This option has no arguments.
        unsafe { (api.vtab_config)(db, DIRECTONLY) };
    }
    let Some(block) = host.memory().reallocate(None, size_of::<VirtualTable>()) else {
        return SQLITE_NOMEM as c_int;
    };
    let block = block.cast::<VirtualTable>();
    // SAFETY: `register` has given this share to SQLite, which still has it.
    let connection = unsafe { ConnectionState::shared(share) };
    let base = sqlite3_vtab { pModule: ptr::null(), nRef: 0, zErrMsg: ptr::null_mut() };
    // SAFETY: a new block of this size, which SQLite aligns to 8.
    unsafe { block.write(VirtualTable { base, host, connection }) };
    // SAFETY: SQLite gives a place for the table.
    unsafe { table.write(block.as_ptr().cast()) };
    SQLITE_OK as c_int
}

/// The body of xDisconnect.
///
/// # Safety
/// For SQLite alone, as xDisconnect of a table made by [`connect`].
pub(in crate::sqlite) unsafe extern "C" fn disconnect(table: *mut sqlite3_vtab) -> c_int {
    // SAFETY: SQLite gives a table that `connect` has made.
    let api = unsafe { VirtualTable::of(table) }.host.api;
    // SAFETY: it is disconnected once, and nobody uses it any more.
    unsafe { ptr::drop_in_place(table.cast::<VirtualTable>()) };
    // SAFETY: a block of SQLite's allocator, which nothing points to any more.
    unsafe { (api.free)(table.cast()) };
    SQLITE_OK as c_int
}
