//! What our virtual tables have in common: a module that is registered with a share of the connection, and a table that holds
//! another. How a table is read is [`table`](super::table)'s, and [`holder`](crate::sqlite::statement_cache)'s is not read.

use core::ffi::{CStr, c_int, c_void};
use core::mem::size_of;
use core::ptr::{self, NonNull};
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

/// A module that implements nothing yet: an eponymous table needs xConnect, xBestIndex and xDisconnect, and more to be read.
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
/// `db` is an open connection of the SQLite behind `api`, which is the installed one. The module connects by [`connect`].
pub(in crate::sqlite) unsafe fn register(
    api: &'static Api,
    db: *mut sqlite3,
    name: &CStr,
    module: &'static sqlite3_module,
    connection: &Rc<ConnectionState>,
) -> bool {
    let share = connection.share();
    // SAFETY: an open connection, a NUL-terminated name that SQLite copies, a module that lives forever. `release` gets the
    // share back, once, also where SQLite refuses.
    let code =
        unsafe { (api.create_module_v2)(db, name.as_ptr(), module, share, Some(ConnectionState::release)) };
    code == SQLITE_OK as c_int
}

/// The body of xConnect: makes a table that is `schema`, not for use in a schema itself.
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
    // SAFETY: SQLite's connection and the share that was registered, which stays SQLite's. The block is fresh, of the right
    // size, and aligned to 8.
    unsafe {
        let code = (api.declare_vtab)(db, schema.as_ptr());
        if code != SQLITE_OK as c_int {
            return code;
        }
        if api.version >= 3_031_000 {
            (api.vtab_config)(db, DIRECTONLY);
        }
        let Some(block) = host.memory().reallocate(None, size_of::<VirtualTable>()) else {
            return SQLITE_NOMEM as c_int;
        };
        let connection = ConnectionState::shared(share);
        let base = sqlite3_vtab { pModule: ptr::null(), nRef: 0, zErrMsg: ptr::null_mut() };
        block.cast().write(VirtualTable { base, host, connection });
        *table = block.cast().as_ptr();
    }
    SQLITE_OK as c_int
}

/// The body of xDisconnect.
///
/// # Safety
/// For SQLite alone, as xDisconnect of a table made by [`connect`].
pub(in crate::sqlite) unsafe extern "C" fn disconnect(table: *mut sqlite3_vtab) -> c_int {
    if let Some(ours) = NonNull::new(table.cast::<VirtualTable>()) {
        // SAFETY: made by `connect`, and freed once.
        unsafe {
            let host = ours.as_ref().host;
            ours.drop_in_place();
            (host.api.free)(ours.as_ptr().cast());
        }
    }
    SQLITE_OK as c_int
}
