//! The table that holds a connection's [`Store`](super::store::Store) open.
//!
//! A connection with statements cannot be closed, so what waits in the store has to go first. `sqlite3_close` disconnects
//! virtual tables before it looks for statements; so the store is open only while this one is connected. It has nothing
//! to show, and no statement but the one that connects it can be prepared on it: nothing holds it back.

use core::ffi::{c_char, c_int, c_void};
use core::mem::size_of;
use core::ptr::{self, NonNull};
use std::panic::AssertUnwindSafe;
use std::rc::Rc;

use sqlite3ext_sys::{
    SQLITE_CONSTRAINT, SQLITE_ERROR, SQLITE_NOMEM, SQLITE_OK, sqlite3, sqlite3_index_info, sqlite3_module,
    sqlite3_vtab, sqlite3_vtab_cursor,
};

use super::api::Api;
use super::report::Host;
use super::scalar::release;
use super::session::Session;
use super::store::HOLDER;
use crate::buffer::Memory;

#[repr(C)]
struct Holder {
    base: sqlite3_vtab,
    api: &'static Api,
    session: Rc<Session>,
}

static MODULE: sqlite3_module = sqlite3_module {
    iVersion: 1,
    xCreate: None,
    xConnect: Some(connect),
    xBestIndex: Some(best_index),
    xDisconnect: Some(disconnect),
    xDestroy: None,
    xOpen: Some(open),
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

/// Registers the table with a share of `session`. If SQLite refuses, nothing is kept.
///
/// # Safety
/// `db` is an open connection of the SQLite behind `api`, which is the installed one.
pub(super) unsafe fn define(api: &'static Api, db: *mut sqlite3, session: &Rc<Session>) {
    let share = Rc::into_raw(Rc::clone(session)).cast_mut().cast();
    // SAFETY: an open connection, a NUL-terminated name, a module that lives forever. `release` gets the share back, once,
    // also where SQLite refuses.
    unsafe { (api.create_module_v2)(db, HOLDER.as_ptr(), &MODULE, share, Some(release)) };
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
    let Some(api) = Api::installed() else { return SQLITE_ERROR as c_int };
    // SAFETY: SQLite's connection and the share that was registered, which stays SQLite's. The block is fresh, of the right
    // size, and aligned to 8.
    unsafe {
        let code = (api.declare_vtab)(db, c"create table resq_kept(x)".as_ptr());
        if code != SQLITE_OK as c_int {
            return code;
        }
        let Some(block) = (Host { api, db }).memory().reallocate(None, size_of::<Holder>()) else {
            return SQLITE_NOMEM as c_int;
        };
        let share = share.cast::<Session>().cast_const();
        Rc::increment_strong_count(share);
        let session = Rc::from_raw(share);
        session.store.opened();
        let base = sqlite3_vtab { pModule: ptr::null(), nRef: 0, zErrMsg: ptr::null_mut() };
        block.cast().write(Holder { base, api, session });
        *table = block.cast().as_ptr();
    }
    SQLITE_OK as c_int
}

/// # Safety
/// For SQLite alone, as xDisconnect.
unsafe extern "C" fn disconnect(table: *mut sqlite3_vtab) -> c_int {
    if let Some(ours) = NonNull::new(table.cast::<Holder>()) {
        // SAFETY: made by `connect`, and freed once.
        unsafe {
            let api = ours.as_ref().api;
            let session = Rc::clone(&ours.as_ref().session);
            // A panic must not reach SQLite; what it leaves undone is leaked.
            core::mem::forget(std::panic::catch_unwind(AssertUnwindSafe(|| session.store.close())));
            ours.drop_in_place();
            (api.free)(ours.as_ptr().cast());
        }
    }
    SQLITE_OK as c_int
}

/// # Safety
/// For SQLite alone, as xBestIndex.
unsafe extern "C" fn best_index(table: *mut sqlite3_vtab, _info: *mut sqlite3_index_info) -> c_int {
    // SAFETY: a table of ours.
    let opening = unsafe { (&*table.cast::<Holder>()).session.store.is_opening() };
    // No plan will do, so that no statement is made.
    if opening { SQLITE_OK as c_int } else { SQLITE_CONSTRAINT as c_int }
}

/// # Safety
/// For SQLite alone, as xOpen.
unsafe extern "C" fn open(_table: *mut sqlite3_vtab, _cursor: *mut *mut sqlite3_vtab_cursor) -> c_int {
    SQLITE_ERROR as c_int
}
