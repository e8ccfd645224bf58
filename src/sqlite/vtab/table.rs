//! Table functions: SQLite's virtual table methods → the [`Table`] trait.
//!
//! An eponymous virtual table of one visible column. Its hidden columns are the function's arguments:
//! xBestIndex asks for those that are given, in order and without a gap.

use core::cell::Cell;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::fmt::Write;
use core::mem::size_of;
use core::ptr;
use core::slice;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use super::module::{self, VirtualTable};
use crate::buffer::{BufferError, Memory};
use crate::sqlite::bindings::{
    SQLITE_CONSTRAINT, SQLITE_ERROR, SQLITE_INDEX_CONSTRAINT_EQ, SQLITE_NOMEM, SQLITE_OK, sqlite3,
    sqlite3_context, sqlite3_index_info, sqlite3_int64, sqlite3_module, sqlite3_value, sqlite3_vtab,
    sqlite3_vtab_cursor,
};
use crate::sqlite::connection::{Api, ConnectionState, Host, Report, Reported};
use crate::sqlite::function::{Call, Name, Signature, terminated};
use crate::sqlite::value::Arguments;

/// A table function: a value of this type is one run of it.
pub trait Table: Sized + 'static {
    /// The SQL name.
    const NAME: &'static str;
    /// The visible column, as CREATE TABLE has it.
    const VISIBLE: &'static str;
    /// The names of the arguments that are needed. Others, named p1 and so on, may follow.
    const NAMED: &'static [&'static str];
    /// Begins a run, on its first row if there is one. At least the arguments that are needed are given.
    fn open(
        call: &TableCall,
        connection: &Rc<ConnectionState>,
        given: &Arguments<'_>,
    ) -> Result<Self, Reported>;
    /// Goes to the next row.
    fn next(&mut self, call: &TableCall, connection: &Rc<ConnectionState>) -> Result<(), Reported>;
    /// The row's text; nothing behind the last row.
    fn text(&self) -> Option<&[u8]>;
}

/// How many arguments a table function may have. Each is a hidden column of the table.
const MOST_ARGUMENTS: usize = 100;

/// The table as CREATE TABLE has it: the visible column, then a hidden one for each argument.
fn schema<T: Table>() -> Option<CString> {
    let mut sql = String::new();
    sql.try_reserve(2000).ok()?;
    write!(sql, "create table {}({}", T::NAME, T::VISIBLE).ok()?;
    for name in T::NAMED {
        write!(sql, ", {name} hidden").ok()?;
    }
    for number in 1..=MOST_ARGUMENTS - T::NAMED.len() {
        write!(sql, ", p{number} hidden").ok()?;
    }
    sql.push(')');
    CString::new(sql).ok()
}

#[repr(C)]
struct Cursor<T> {
    base: sqlite3_vtab_cursor,
    rowid: i64,
    run: Option<T>,
    hidden: Hidden,
}

/// Copies of the arguments of a run: what its hidden columns show, so that a condition on them that SQLite checks itself
/// holds.
struct Hidden {
    api: &'static Api,
    values: Vec<*mut sqlite3_value>,
}

impl Hidden {
    fn new(api: &'static Api) -> Self {
        Hidden { api, values: Vec::new() }
    }

    fn of(call: &TableCall, given: &Arguments<'_>) -> Result<Self, Reported> {
        let mut hidden = Hidden::new(call.host.api);
        let no_memory = || call.fail(BufferError::NoMemory);
        hidden.values.try_reserve_exact(given.values().len()).map_err(|_| no_memory())?;
        for &value in given.values() {
            // SAFETY: a protected value; the copy is freed when `hidden` is dropped.
            let copy = unsafe { (call.host.api.value_dup)(value) };
            if copy.is_null() {
                return Err(no_memory());
            }
            hidden.values.push(copy);
        }
        Ok(hidden)
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        for &value in &self.values {
            // SAFETY: a copy of ours that nobody uses any more.
            unsafe { (self.api.value_free)(value) };
        }
    }
}

/// One call of a virtual table's method.
pub struct TableCall {
    name: &'static str,
    host: Host,
    table: *mut sqlite3_vtab,
    code: Cell<c_int>,
}

impl Report for TableCall {
    fn name(&self) -> &'static str {
        self.name
    }

    fn host(&self) -> Host {
        self.host
    }

    fn raise(&self, code: c_int, message: Option<&[u8]>) -> Reported {
        self.code.set(code);
        // SAFETY: a live virtual table, whose message is null or in memory of the host's.
        unsafe {
            let old = (*self.table).zErrMsg;
            if !old.is_null() {
                (self.host.api.free)(old.cast());
            }
            (*self.table).zErrMsg = message.map_or(ptr::null_mut(), |text| host_text(self.host, text));
        }
        Reported(())
    }
}

/// A NUL-terminated copy in memory of the host's; null if there is none.
fn host_text(host: Host, text: &[u8]) -> *mut c_char {
    let Some(block) = host.memory().reallocate(None, text.len() + 1) else { return ptr::null_mut() };
    // SAFETY: a fresh block of that size.
    unsafe {
        ptr::copy_nonoverlapping(text.as_ptr(), block.as_ptr(), text.len());
        block.as_ptr().add(text.len()).write(0);
    }
    block.as_ptr().cast()
}

/// Runs `body` as one method of `table`; gives SQLite its result code. A panic becomes an error (R23).
///
/// # Safety
/// `table` is a live virtual table of ours.
unsafe fn guard(
    name: &'static str,
    table: *mut sqlite3_vtab,
    body: impl FnOnce(&TableCall, &Rc<ConnectionState>) -> Result<(), Reported>,
) -> c_int {
    // SAFETY: the caller's duty.
    let (host, connection) = unsafe {
        let ours = table.cast::<VirtualTable>();
        ((*ours).host, Rc::clone(&(*ours).connection))
    };
    let call = TableCall { name, host, table, code: Cell::new(SQLITE_ERROR as c_int) };
    match catch_unwind(AssertUnwindSafe(|| body(&call, &connection))) {
        Ok(Ok(())) => return SQLITE_OK as c_int,
        Ok(Err(_)) => {}
        Err(panic) => {
            core::mem::forget(panic);
            call.error(format_args!("internal error"));
        }
    }
    call.code.get()
}

/// Registers `T` with a share of `connection`; false if SQLite refused.
///
/// # Safety
/// `db` is an open connection of the SQLite behind `api`, which is the installed one.
pub(in crate::sqlite) unsafe fn define<T: Table>(
    api: &'static Api,
    db: *mut sqlite3,
    connection: &Rc<ConnectionState>,
    _signature: &Signature,
) -> bool {
    let module: &'static sqlite3_module = &const {
        sqlite3_module {
            xConnect: Some(connect::<T>),
            xBestIndex: Some(best_index::<T>),
            xDisconnect: Some(module::disconnect),
            xOpen: Some(open::<T>),
            xClose: Some(close::<T>),
            xFilter: Some(filter::<T>),
            xNext: Some(next::<T>),
            xEof: Some(at_end::<T>),
            xColumn: Some(column::<T>),
            xRowid: Some(rowid::<T>),
            ..module::MODULE
        }
    };
    let name = terminated(T::NAME);
    let Ok(name) = CStr::from_bytes_until_nul(&name) else { return false };
    // SAFETY: the caller's duty; see `connect`.
    unsafe { module::register(api, db, name, module, connection) }
}

/// # Safety
/// For SQLite alone, as xConnect of a module registered by [`define`].
unsafe extern "C" fn connect<T: Table>(
    db: *mut sqlite3,
    share: *mut c_void,
    _count: c_int,
    _arguments: *const *const c_char,
    table: *mut *mut sqlite3_vtab,
    _message: *mut *mut c_char,
) -> c_int {
    let Some(schema) = schema::<T>() else { return SQLITE_NOMEM as c_int };
    // SAFETY: SQLite's arguments of this xConnect, of a module that `define` registered.
    unsafe { module::connect(db, share, table, &schema) }
}

/// # Safety
/// For SQLite alone, as xBestIndex.
unsafe extern "C" fn best_index<T: Table>(table: *mut sqlite3_vtab, info: *mut sqlite3_index_info) -> c_int {
    // SAFETY: SQLite's index info, with two arrays of `nConstraint` entries, and a table of ours.
    unsafe {
        let info = &mut *info;
        let count = usize::try_from(info.nConstraint).unwrap_or(0);
        let refuse = |argument: usize| {
            guard(T::NAME, table, |call, _| {
                Err(call.error(format_args!("argument {} is missing", argument + 1)))
            })
        };
        if count == 0 {
            return refuse(0);
        }
        let constraints = slice::from_raw_parts(info.aConstraint, count);
        let usages = slice::from_raw_parts_mut(info.aConstraintUsage, count);
        let mut given = 0;
        // Argument by argument, so that xFilter gets them in this order. Column 0 is the visible one.
        for argument in 0..MOST_ARGUMENTS {
            let mut here = constraints.iter().zip(usages.iter_mut()).filter(|(constraint, _)| {
                usize::try_from(constraint.iColumn) == Ok(argument + 1)
                    && u32::from(constraint.op) == SQLITE_INDEX_CONSTRAINT_EQ
            });
            match here.next() {
                // One that waits for a table further out makes this plan useless, not wrong.
                Some((constraint, _)) if constraint.usable == 0 => return SQLITE_CONSTRAINT as c_int,
                Some(_) if given < argument => return refuse(given),
                Some((_, usage)) => {
                    given += 1;
                    usage.argvIndex = c_int::try_from(given).unwrap_or(0);
                    usage.omit = 1;
                }
                None => {}
            }
        }
        if given < T::NAMED.len() {
            return refuse(given);
        }
        info.estimatedCost = 1000.0;
        info.estimatedRows = 100;
    }
    SQLITE_OK as c_int
}

/// # Safety
/// For SQLite alone, as xOpen.
unsafe extern "C" fn open<T: Table>(
    table: *mut sqlite3_vtab,
    cursor: *mut *mut sqlite3_vtab_cursor,
) -> c_int {
    // SAFETY: a table of ours; a fresh block of the right size, aligned to 8.
    unsafe {
        let host = (*table.cast::<VirtualTable>()).host;
        let Some(block) = host.memory().reallocate(None, size_of::<Cursor<T>>()) else {
            return SQLITE_NOMEM as c_int;
        };
        let base = sqlite3_vtab_cursor { pVtab: table };
        block.cast().write(Cursor::<T> { base, rowid: 0, run: None, hidden: Hidden::new(host.api) });
        *cursor = block.cast().as_ptr();
    }
    SQLITE_OK as c_int
}

/// # Safety
/// For SQLite alone, as xClose.
unsafe extern "C" fn close<T: Table>(cursor: *mut sqlite3_vtab_cursor) -> c_int {
    // SAFETY: made by `open`, and freed once.
    unsafe {
        let table = (*cursor).pVtab;
        let code = guard(T::NAME, table, |_, _| {
            (*cursor.cast::<Cursor<T>>()).run = None;
            Ok(())
        });
        ptr::drop_in_place(&raw mut (*cursor.cast::<Cursor<T>>()).hidden);
        let host = (*table.cast::<VirtualTable>()).host;
        (host.api.free)(cursor.cast());
        code
    }
}

/// # Safety
/// For SQLite alone, as xFilter.
unsafe extern "C" fn filter<T: Table>(
    cursor: *mut sqlite3_vtab_cursor,
    _number: c_int,
    _text: *const c_char,
    count: c_int,
    values: *mut *mut sqlite3_value,
) -> c_int {
    // SAFETY: a cursor of ours, used by one method at a time, and `count` values.
    unsafe {
        guard(T::NAME, (*cursor).pVtab, |call, connection| {
            let cursor = &mut *cursor.cast::<Cursor<T>>();
            cursor.run = None;
            cursor.rowid = 1;
            let given = Arguments::new(call.host.api, count, values);
            cursor.hidden = Hidden::of(call, &given)?;
            cursor.run = Some(T::open(call, connection, &given)?);
            Ok(())
        })
    }
}

/// # Safety
/// For SQLite alone, as xNext.
unsafe extern "C" fn next<T: Table>(cursor: *mut sqlite3_vtab_cursor) -> c_int {
    // SAFETY: a cursor of ours, used by one method at a time.
    unsafe {
        guard(T::NAME, (*cursor).pVtab, |call, connection| {
            let cursor = &mut *cursor.cast::<Cursor<T>>();
            cursor.rowid += 1;
            match &mut cursor.run {
                Some(run) => run.next(call, connection),
                None => Ok(()),
            }
        })
    }
}

/// # Safety
/// For SQLite alone, as xEof.
unsafe extern "C" fn at_end<T: Table>(cursor: *mut sqlite3_vtab_cursor) -> c_int {
    // SAFETY: a cursor of ours.
    let run = unsafe { &(*cursor.cast::<Cursor<T>>()).run };
    c_int::from(run.as_ref().is_none_or(|run| run.text().is_none()))
}

/// # Safety
/// For SQLite alone, as xColumn.
unsafe extern "C" fn column<T: Table>(
    cursor: *mut sqlite3_vtab_cursor,
    context: *mut sqlite3_context,
    index: c_int,
) -> c_int {
    // SAFETY: a cursor of ours and SQLite's live context; a copied value is a protected one, and SQLite copies it.
    unsafe {
        Call::guard(context, Name::Fixed(T::NAME), |call| {
            let cursor = &*cursor.cast::<Cursor<T>>();
            if index == 0 {
                return match cursor.run.as_ref().and_then(T::text) {
                    Some(text) => call.copied_text(text),
                    None => call.null(),
                };
            }
            let hidden = usize::try_from(index - 1).ok().and_then(|index| cursor.hidden.values.get(index));
            match hidden {
                Some(&value) if !value.is_null() => {
                    (call.api.result_value)(context, value);
                    Ok(())
                }
                _ => call.null(),
            }
        });
    }
    SQLITE_OK as c_int
}

/// # Safety
/// For SQLite alone, as xRowid.
unsafe extern "C" fn rowid<T: Table>(cursor: *mut sqlite3_vtab_cursor, rowid: *mut sqlite3_int64) -> c_int {
    // SAFETY: a cursor of ours and a place for the number.
    unsafe { *rowid = (*cursor.cast::<Cursor<T>>()).rowid };
    SQLITE_OK as c_int
}
