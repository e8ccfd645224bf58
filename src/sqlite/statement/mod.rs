//! Statements of the connection: prepared, stepped through, or run in one step ([`sink`]).

use core::ffi::{CStr, c_int};
use core::ptr;

use crate::buffer::BufferError;
use crate::sqlite::bindings::{
    SQLITE_DONE, SQLITE_OK, SQLITE_ROW, SQLITE_STMTSTATUS_MEMUSED, SQLITE_STMTSTATUS_REPREPARE, sqlite3_stmt,
    sqlite3_value,
};
use crate::sqlite::connection::{Host, Report, Reported, text};
use crate::sqlite::value::Arguments;

mod blank;
mod sink;

use blank::only_blank;
pub use blank::skip_blank;
pub use sink::{Ran, SINK_FUNCTION, Sink, SinkRows};

/// A prepared statement, finalized when dropped.
pub struct Statement {
    host: Host,
    /// Alive until this is dropped.
    raw: *mut sqlite3_stmt,
    columns: usize,
    /// The values of the current row. There is room for one a column.
    values: Vec<*mut sqlite3_value>,
}

const OK: c_int = SQLITE_OK as c_int;
const ROW: c_int = SQLITE_ROW as c_int;
const DONE: c_int = SQLITE_DONE as c_int;

impl Statement {
    /// Prepares argument number `argument`, which is `sql`: exactly one statement, which returns
    /// columns and only reads (R17). Gives its own part of the text, too.
    pub fn prepare<'a>(
        report: &dyn Report,
        argument: usize,
        sql: &'a [u8],
    ) -> Result<(Statement, &'a [u8]), Reported> {
        let refuse = |why: &str| report.error(format_args!("argument {argument} {why}"));
        if sql.contains(&0) {
            return Err(refuse("holds a NUL character"));
        }
        let mut rest = sql;
        let (statement, text) = loop {
            match Self::prepare_first(report, rest)? {
                (Some(statement), after) => {
                    let text = rest.get(..rest.len() - after.len()).unwrap_or_default();
                    rest = after;
                    break (statement, text);
                }
                (None, []) => return Err(refuse("is empty: one SELECT is needed")),
                (None, after) => rest = after,
            }
        };
        // The rest is only looked at. To prepare it would be too much: SQLite runs some PRAGMAs
        // while it does.
        if !only_blank(rest) {
            return Err(refuse("holds more than one statement"));
        }
        // COMMIT, SAVEPOINT and ATTACH count as statements that only read, but return no columns.
        if statement.columns == 0 || !statement.only_reads() {
            return Err(refuse("must be a statement that returns rows and only reads, such as a SELECT"));
        }
        Ok((statement, text))
    }

    /// Prepares a statement of our own. `None` if SQLite refuses it.
    pub fn try_prepare(report: &dyn Report, sql: &[u8]) -> Option<Statement> {
        let host = report.host();
        let mut raw = ptr::null_mut();
        let length = c_int::try_from(sql.len()).ok()?;
        let start = sql.as_ptr().cast();
        // SAFETY: an open connection, and a text of `length` bytes.
        let code = unsafe { (host.api.prepare_v2)(host.db, start, length, &mut raw, ptr::null_mut()) };
        (code == OK && !raw.is_null()).then_some(Statement { host, raw, columns: 1, values: Vec::new() })
    }

    /// The first statement of a text, if there is one, and the text after it.
    fn prepare_first<'a>(
        report: &dyn Report,
        sql: &'a [u8],
    ) -> Result<(Option<Statement>, &'a [u8]), Reported> {
        let host = report.host();
        let Ok(length) = c_int::try_from(sql.len()) else { return Err(report.fail(BufferError::TooBig)) };
        let (mut raw, mut tail) = (ptr::null_mut(), ptr::null());
        let start = sql.as_ptr().cast();
        // SAFETY: an open connection, and a text of `length` bytes.
        let code = unsafe { (host.api.prepare_v2)(host.db, start, length, &mut raw, &mut tail) };
        if code != OK {
            return Err(report.pass_on());
        }
        let read = tail.addr().saturating_sub(sql.as_ptr().addr());
        // SQLite need not read a text that holds no statement.
        let after = if tail.is_null() || read == 0 { &[] } else { sql.get(read..).unwrap_or_default() };
        if raw.is_null() {
            return Ok((None, after));
        }
        let mut statement = Statement { host, raw, columns: 0, values: Vec::new() };
        statement.columns = statement.count_columns();
        Ok((Some(statement), after))
    }

    /// How many parameters it has.
    pub fn parameters(&self) -> usize {
        // SAFETY: a live statement.
        usize::try_from(unsafe { (self.host.api.bind_parameter_count)(self.raw) }).unwrap_or(0)
    }

    fn only_reads(&self) -> bool {
        // SAFETY: a live statement.
        unsafe { (self.host.api.stmt_readonly)(self.raw) != 0 }
    }

    fn count_columns(&self) -> usize {
        // SAFETY: a live statement.
        usize::try_from(unsafe { (self.host.api.column_count)(self.raw) }).unwrap_or(0)
    }

    /// One of the statement's counters, which stays as it is.
    fn status(&self, counter: u32) -> c_int {
        // SAFETY: a live statement; 0 leaves the counter.
        unsafe { (self.host.api.stmt_status)(self.raw, counter as c_int, 0) }
    }

    /// How many columns it returns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// How often SQLite has prepared it anew, because the schema had changed. Its columns may be
    /// others then.
    pub fn generation(&self) -> c_int {
        self.status(SQLITE_STMTSTATUS_REPREPARE)
    }

    /// How many bytes it takes.
    pub fn size(&self) -> usize {
        usize::try_from(self.status(SQLITE_STMTSTATUS_MEMUSED)).unwrap_or(usize::MAX)
    }

    /// Counts the columns and makes room for a row. Needed before the first row, and after SQLite
    /// has prepared the statement anew.
    pub fn recount(&mut self) -> Result<(), BufferError> {
        self.columns = self.count_columns();
        self.values.clear();
        self.values.try_reserve_exact(self.columns).map_err(|_| BufferError::NoMemory)
    }

    /// The name of a column. `None`: out of memory.
    pub fn name(&self, column: usize) -> Option<&[u8]> {
        let column = c_int::try_from(column).ok()?;
        // SAFETY: a live statement.
        let name = unsafe { (self.host.api.column_name)(self.raw, column) };
        // SAFETY: null, or a text that ends with NUL and stays until the statement is prepared anew
        // or finalized; both need it mutably.
        unsafe { text(name) }.map(CStr::to_bytes)
    }

    /// The declared type of the table's column that a column comes from, if it comes from one, and
    /// if this SQLite knows.
    pub fn declared_type(&self, column: usize) -> Option<&[u8]> {
        let (declared_type, column) = (self.host.api.column_decltype?, c_int::try_from(column).ok()?);
        // SAFETY: a live statement.
        let name = unsafe { declared_type(self.raw, column) };
        // SAFETY: null, or a text that ends with NUL and stays until the statement is prepared anew
        // or finalized; both need it mutably.
        unsafe { text(name) }.map(CStr::to_bytes)
    }

    /// Binds the parameters.
    pub fn bind(&mut self, report: &dyn Report, parameters: &Arguments<'_>) -> Result<(), Reported> {
        for (index, &value) in parameters.values().iter().enumerate() {
            let index = c_int::try_from(index + 1).unwrap_or(0);
            // SAFETY: a live statement, and a protected value, which SQLite copies. On a running
            // statement this is an error.
            if unsafe { (self.host.api.bind_value)(self.raw, index, value) } != OK {
                return Err(report.pass_on());
            }
        }
        Ok(())
    }

    /// Goes to the next row. False if there is none.
    #[inline]
    pub fn step(&mut self, report: &dyn Report) -> Result<bool, Reported> {
        // SAFETY: a live statement.
        match unsafe { (self.host.api.step)(self.raw) } {
            ROW => Ok(true),
            DONE => Ok(false),
            _ => Err(report.pass_on()),
        }
    }

    /// Goes to the next row of a statement of our own; false if there is none, or on an error.
    pub fn try_step(&mut self) -> bool {
        // SAFETY: a live statement.
        (unsafe { (self.host.api.step)(self.raw) }) == ROW
    }

    /// Ends the run, which frees its locks and its parameters.
    pub fn reset(&mut self) {
        // SAFETY: a live statement. The result is the error that `step` has told already.
        unsafe { (self.host.api.reset)(self.raw) };
        // SAFETY: a live statement.
        unsafe { (self.host.api.clear_bindings)(self.raw) };
    }

    /// The row on which the statement stands.
    #[inline]
    pub fn row(&mut self) -> Arguments<'_> {
        self.values.clear();
        for column in 0..self.columns.min(self.values.capacity()) {
            let column = c_int::try_from(column).unwrap_or(0);
            // SAFETY: a live statement. Off a row SQLite gives a NULL value.
            self.values.push(unsafe { (self.host.api.column_value)(self.raw, column) });
        }
        // SAFETY: unprotected values must not be used by two threads; the statement that called us
        // holds the connection's mutex. They stay until the next `step` or `reset`, which need this
        // one mutably.
        unsafe { Arguments::of(self.host.api, &self.values) }
    }
}

impl Drop for Statement {
    fn drop(&mut self) {
        // SAFETY: a live statement, which nobody uses any more.
        unsafe { (self.host.api.finalize)(self.raw) };
    }
}
