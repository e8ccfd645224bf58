//! Table functions: SQLite's virtual table methods → the [`Table`] trait.
//!
//! A table function is an eponymous virtual table of one visible column. Its hidden columns are the
//! arguments. xBestIndex asks for those that are given, and tells xFilter by a bit each which they
//! are.

use core::cell::Cell;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::fmt::Write;
use core::mem::{self, MaybeUninit, size_of};
use core::ptr;
use core::slice;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use super::module::{self, VirtualTable};
use crate::buffer::{BufferError, Memory};
use crate::sqlite::bindings::{
    SQLITE_CONSTRAINT, SQLITE_ERROR, SQLITE_INDEX_CONSTRAINT_EQ, SQLITE_NOMEM, SQLITE_OK, sqlite3,
    sqlite3_context, sqlite3_index_info, sqlite3_index_info_sqlite3_index_constraint,
    sqlite3_index_info_sqlite3_index_constraint_usage, sqlite3_int64, sqlite3_module, sqlite3_value,
    sqlite3_vtab, sqlite3_vtab_cursor,
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
    /// Begins a run. It then is on its first row, if there is one. All arguments that are needed
    /// are given.
    fn open(
        call: &TableCall,
        connection: &Rc<ConnectionState>,
        given: &Arguments<'_>,
    ) -> Result<Self, Reported>;
    /// Goes to the next row.
    fn next(&mut self, call: &TableCall, connection: &Rc<ConnectionState>) -> Result<(), Reported>;
    /// The row's text; `None` after the last row.
    fn text(&self) -> Option<&[u8]>;
}

/// The most arguments of a table function. Each is a hidden column of the table, whose text has to stay
/// below a low limit on the length of SQL.
const MAX_ARGUMENTS: usize = 64;

/// The table as CREATE TABLE has it: the visible column, then a hidden one for each argument.
fn schema<T: Table>() -> Option<CString> {
    let mut sql = String::new();
    sql.try_reserve(2000).ok()?;
    write!(sql, "create table {}({}", T::NAME, T::VISIBLE).ok()?;
    for name in T::NAMED {
        write!(sql, ",{name} hidden").ok()?;
    }
    for number in 1..=MAX_ARGUMENTS - T::NAMED.len() {
        write!(sql, ",p{number} hidden").ok()?;
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

/// Copies of a run's arguments, which the hidden columns show: SQLite may check the conditions on
/// them itself.
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
            // SAFETY: a protected value. The copy is freed when `hidden` is dropped.
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
            // SAFETY: a copy that only this has.
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
        let text = message.map_or(ptr::null_mut(), |text| host_text(self.host, text));
        // SAFETY: a live virtual table, which SQLite does not use while it calls one of its
        // methods.
        let old = mem::replace(unsafe { &mut (*self.table).zErrMsg }, text);
        // SAFETY: null, or a message of SQLite's allocator, which nothing points to any more.
        unsafe { (self.host.api.free)(old.cast()) };
        Reported(())
    }
}

/// A copy with a NUL after it, in memory of SQLite's; null if there is no memory.
fn host_text(host: Host, text: &[u8]) -> *mut c_char {
    let Some(block) = host.memory().reallocate(None, text.len() + 1) else { return ptr::null_mut() };
    // SAFETY: a new block of that size.
    let bytes =
        unsafe { slice::from_raw_parts_mut(block.as_ptr().cast::<MaybeUninit<u8>>(), text.len() + 1) };
    let all = text.iter().chain(&[0]);
    for (to, &from) in bytes.iter_mut().zip(all) {
        to.write(from);
    }
    block.as_ptr().cast()
}

/// Runs `body` as one method of `table` and returns the result code for SQLite. A panic becomes an
/// error (R23).
///
/// # Safety
/// `table` is a live virtual table of ours.
unsafe fn guard(
    name: &'static str,
    table: *mut sqlite3_vtab,
    body: impl FnOnce(&TableCall, &Rc<ConnectionState>) -> Result<(), Reported>,
) -> c_int {
    // SAFETY: the caller gives a live table of ours.
    let VirtualTable { host, connection, .. } = unsafe { VirtualTable::of(table) };
    let (host, connection) = (*host, Rc::clone(connection));
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
/// `db` is an open connection of the SQLite of `api`, which is the installed one.
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
    // SAFETY: the caller gives an open connection. The module's xConnect is `connect`.
    unsafe { module::register(api, db, name, module, connection) }
}

impl<T: Table> Cursor<T> {
    /// # Safety
    /// `cursor` was made by [`open`] for this `T` and is not closed. It is borrowed once at a time.
    unsafe fn of<'c>(cursor: *mut sqlite3_vtab_cursor) -> &'c mut Self {
        // SAFETY: the caller gives a cursor that begins with SQLite's part of it.
        unsafe { &mut *cursor.cast::<Self>() }
    }

    /// Runs `body` as one method of a cursor.
    ///
    /// # Safety
    /// As for [`Cursor::of`]: SQLite calls one method of a cursor at a time.
    unsafe fn guard(
        cursor: *mut sqlite3_vtab_cursor,
        body: impl FnOnce(&mut Self, &TableCall, &Rc<ConnectionState>) -> Result<(), Reported>,
    ) -> c_int {
        // SAFETY: the caller gives a cursor of ours that nobody else borrows.
        let cursor = unsafe { Self::of(cursor) };
        let table = cursor.base.pVtab;
        // SAFETY: `open` has set the table, which outlives its cursors.
        unsafe { guard(T::NAME, table, |call, connection| body(cursor, call, connection)) }
    }
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
    // SAFETY: SQLite gives the arguments of an xConnect, and `register` has registered the module.
    unsafe { module::connect(db, share, table, &schema) }
}

/// # Safety
/// For SQLite alone, as xBestIndex.
unsafe extern "C" fn best_index<T: Table>(table: *mut sqlite3_vtab, info: *mut sqlite3_index_info) -> c_int {
    let refuse = |argument: usize| {
        let missing = |call: &TableCall, _: &Rc<ConnectionState>| {
            Err(call.error(format_args!("argument {} is missing", argument + 1)))
        };
        // SAFETY: SQLite gives a live table of ours.
        unsafe { guard(T::NAME, table, missing) }
    };
    // SAFETY: SQLite gives its index info, which it does not use meanwhile.
    let info = unsafe { &mut *info };
    let count = usize::try_from(info.nConstraint).unwrap_or(0);
    if count == 0 {
        return refuse(0);
    }
    // SAFETY: SQLite gives an array of so many constraints.
    let constraints = unsafe { slice::from_raw_parts(info.aConstraint, count) };
    // SAFETY: SQLite gives an array of as many places, which are ours to write.
    let usages = unsafe { slice::from_raw_parts_mut(info.aConstraintUsage, count) };
    match ask_for(constraints, usages) {
        Plan::Unusable => return SQLITE_CONSTRAINT as c_int,
        Plan::Missing(argument) => return refuse(argument),
        Plan::Given(count) if count < T::NAMED.len() => return refuse(count),
        Plan::Given(_) => {}
    }
    info.estimatedCost = 1000.0;
    info.estimatedRows = 100;
    SQLITE_OK as c_int
}

/// What a plan gives a table function.
enum Plan {
    /// So many arguments, without a gap.
    Given(usize),
    /// This argument is missing before another one.
    Missing(usize),
    /// An argument depends on a table that this plan reads later. SQLite has to try another plan.
    Unusable,
}

/// Asks for the arguments that are given, in their order.
fn ask_for(
    constraints: &[sqlite3_index_info_sqlite3_index_constraint],
    usages: &mut [sqlite3_index_info_sqlite3_index_constraint_usage],
) -> Plan {
    let mut given = 0;
    for argument in 0..MAX_ARGUMENTS {
        // Column 0 is the visible one.
        let mut equal = constraints.iter().zip(usages.iter_mut()).filter(|(constraint, _)| {
            usize::try_from(constraint.iColumn) == Ok(argument + 1)
                && u32::from(constraint.op) == SQLITE_INDEX_CONSTRAINT_EQ
        });
        match equal.next() {
            Some((constraint, _)) if constraint.usable == 0 => return Plan::Unusable,
            Some(_) if given < argument => return Plan::Missing(given),
            Some((_, usage)) => {
                given += 1;
                usage.argvIndex = c_int::try_from(given).unwrap_or(0);
                usage.omit = 1;
            }
            None => {}
        }
    }
    Plan::Given(given)
}

/// # Safety
/// For SQLite alone, as xOpen.
unsafe extern "C" fn open<T: Table>(
    table: *mut sqlite3_vtab,
    cursor: *mut *mut sqlite3_vtab_cursor,
) -> c_int {
    // SAFETY: SQLite gives a live table of ours.
    let host = unsafe { VirtualTable::of(table) }.host;
    let Some(block) = host.memory().reallocate(None, size_of::<Cursor<T>>()) else {
        return SQLITE_NOMEM as c_int;
    };
    let block = block.cast::<Cursor<T>>();
    let base = sqlite3_vtab_cursor { pVtab: table };
    // SAFETY: a new block of this size, which SQLite aligns to 8.
    unsafe { block.write(Cursor { base, rowid: 0, run: None, hidden: Hidden::new(host.api) }) };
    // SAFETY: SQLite gives a place for the cursor.
    unsafe { cursor.write(block.as_ptr().cast()) };
    SQLITE_OK as c_int
}

/// # Safety
/// For SQLite alone, as xClose.
unsafe extern "C" fn close<T: Table>(cursor: *mut sqlite3_vtab_cursor) -> c_int {
    // The run goes under the guard, because dropping it may panic.
    let end = |cursor: &mut Cursor<T>, _: &TableCall, _: &Rc<ConnectionState>| {
        cursor.run = None;
        Ok(())
    };
    // SAFETY: SQLite gives a cursor of ours.
    let code = unsafe { Cursor::<T>::guard(cursor, end) };
    // SAFETY: SQLite gives a cursor of ours. Nobody uses it any more.
    let api = unsafe { Cursor::<T>::of(cursor) }.hidden.api;
    // SAFETY: `open` has made it, and SQLite closes it once.
    unsafe { ptr::drop_in_place(cursor.cast::<Cursor<T>>()) };
    // SAFETY: a block of SQLite's allocator, which nothing points to any more.
    unsafe { (api.free)(cursor.cast()) };
    code
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
    let begin = |cursor: &mut Cursor<T>, call: &TableCall, connection: &Rc<ConnectionState>| {
        cursor.run = None;
        cursor.rowid = 1;
        // SAFETY: SQLite gives `count` protected values, which live until the method ends.
        let given = unsafe { Arguments::new(call.host.api, count, values) };
        cursor.hidden = Hidden::of(call, &given)?;
        cursor.run = Some(T::open(call, connection, &given)?);
        Ok(())
    };
    // SAFETY: SQLite gives a cursor of ours.
    unsafe { Cursor::<T>::guard(cursor, begin) }
}

/// # Safety
/// For SQLite alone, as xNext.
unsafe extern "C" fn next<T: Table>(cursor: *mut sqlite3_vtab_cursor) -> c_int {
    let go_on = |cursor: &mut Cursor<T>, call: &TableCall, connection: &Rc<ConnectionState>| {
        cursor.rowid += 1;
        match &mut cursor.run {
            Some(run) => run.next(call, connection),
            None => Ok(()),
        }
    };
    // SAFETY: SQLite gives a cursor of ours.
    unsafe { Cursor::<T>::guard(cursor, go_on) }
}

/// # Safety
/// For SQLite alone, as xEof.
unsafe extern "C" fn at_end<T: Table>(cursor: *mut sqlite3_vtab_cursor) -> c_int {
    // SAFETY: SQLite gives a cursor of ours, and calls one method of it at a time.
    let run = unsafe { Cursor::<T>::of(cursor) }.run.as_ref();
    c_int::from(run.is_none_or(|run| run.text().is_none()))
}

/// # Safety
/// For SQLite alone, as xColumn.
unsafe extern "C" fn column<T: Table>(
    cursor: *mut sqlite3_vtab_cursor,
    context: *mut sqlite3_context,
    index: c_int,
) -> c_int {
    let show = |call: &Call<'_>| {
        // SAFETY: SQLite gives a cursor of ours, and calls one method of it at a time.
        let cursor = unsafe { Cursor::<T>::of(cursor) };
        if index == 0 {
            return match cursor.run.as_ref().and_then(T::text) {
                Some(text) => call.copied_text(text),
                None => call.null(),
            };
        }
        let hidden = usize::try_from(index - 1).ok().and_then(|index| cursor.hidden.values.get(index));
        match hidden {
            Some(&value) if !value.is_null() => {
                // SAFETY: a live context, and a protected value, which SQLite copies.
                unsafe { (call.api.result_value)(context, value) };
                Ok(())
            }
            _ => call.null(),
        }
    };
    // SAFETY: SQLite gives a live context.
    unsafe { Call::guard(context, Name::Fixed(T::NAME), show) };
    SQLITE_OK as c_int
}

/// # Safety
/// For SQLite alone, as xRowid.
unsafe extern "C" fn rowid<T: Table>(cursor: *mut sqlite3_vtab_cursor, rowid: *mut sqlite3_int64) -> c_int {
    // SAFETY: SQLite gives a cursor of ours, and calls one method of it at a time.
    let number = unsafe { Cursor::<T>::of(cursor) }.rowid;
    // SAFETY: SQLite gives a place for the number.
    unsafe { rowid.write(number) };
    SQLITE_OK as c_int
}
