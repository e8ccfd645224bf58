//! A statement of the host's connection: one that only reads, and its rows.

use core::ffi::{CStr, c_char, c_int};
use core::ptr;

use crate::buffer::BufferError;
use crate::sqlite::bindings::{
    SQLITE_DONE, SQLITE_OK, SQLITE_ROW, SQLITE_STMTSTATUS_MEMUSED, SQLITE_STMTSTATUS_REPREPARE, sqlite3_stmt,
    sqlite3_value,
};
use crate::sqlite::connection::{Host, Report, Reported};
use crate::sqlite::value::Arguments;

mod blank;
mod sink;

use blank::only_blank;
pub use blank::skip_blank;
pub use sink::{Ran, SINK_FUNCTION, Sink, SinkRows};

/// A prepared statement that returns columns and only reads (R17); finalized when dropped.
pub struct Statement {
    host: Host,
    raw: *mut sqlite3_stmt,
    columns: usize,
    /// Those of the row on show; room for one a column.
    values: Vec<*mut sqlite3_value>,
}

const OK: c_int = SQLITE_OK as c_int;
const ROW: c_int = SQLITE_ROW as c_int;
const DONE: c_int = SQLITE_DONE as c_int;

impl Statement {
    /// Prepares argument number `argument`, which is `sql`: exactly one statement, one that returns columns and only
    /// reads. `sqlite3_stmt_readonly` alone is true for COMMIT, SAVEPOINT and ATTACH too.
    /// With it comes its own text.
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
                (Some(statement), behind) => {
                    let text = rest.get(..rest.len() - behind.len()).unwrap_or_default();
                    rest = behind;
                    break (statement, text);
                }
                (None, []) => return Err(refuse("is empty: one SELECT is needed")),
                (None, behind) => rest = behind,
            }
        };
        // Preparing what is behind would be too much: SQLite carries out some PRAGMAs then.
        if !only_blank(rest) {
            return Err(refuse("holds more than one statement"));
        }
        let (api, raw) = (statement.host.api, statement.raw);
        // SAFETY: a live statement.
        if statement.columns == 0 || unsafe { (api.stmt_readonly)(raw) } == 0 {
            return Err(refuse("must be a statement that returns rows and only reads, such as a SELECT"));
        }
        Ok((statement, text))
    }

    /// Prepares a statement of our own; nothing if it does not prepare.
    pub fn try_prepare(report: &dyn Report, sql: &[u8]) -> Option<Statement> {
        let host = report.host();
        let mut raw = ptr::null_mut();
        let length = c_int::try_from(sql.len()).ok()?;
        // SAFETY: an open connection; `length` readable bytes.
        let code =
            unsafe { (host.api.prepare_v2)(host.db, sql.as_ptr().cast(), length, &mut raw, ptr::null_mut()) };
        (code == OK && !raw.is_null()).then_some(Statement { host, raw, columns: 1, values: Vec::new() })
    }

    /// The first statement of a text, if it holds any, and what is behind it.
    fn prepare_first<'a>(
        report: &dyn Report,
        sql: &'a [u8],
    ) -> Result<(Option<Statement>, &'a [u8]), Reported> {
        let host = report.host();
        let Ok(length) = c_int::try_from(sql.len()) else { return Err(report.fail(BufferError::TooBig)) };
        let (mut raw, mut tail) = (ptr::null_mut(), ptr::null());
        // SAFETY: an open connection; `length` readable bytes.
        let code =
            unsafe { (host.api.prepare_v2)(host.db, sql.as_ptr().cast(), length, &mut raw, &mut tail) };
        if code != OK {
            return Err(report.pass_on());
        }
        let read = tail.addr().saturating_sub(sql.as_ptr().addr());
        // A text without a statement may be left unread.
        let behind = if tail.is_null() || read == 0 { &[] } else { sql.get(read..).unwrap_or_default() };
        if raw.is_null() {
            return Ok((None, behind));
        }
        // SAFETY: the statement just made.
        let columns = usize::try_from(unsafe { (host.api.column_count)(raw) }).unwrap_or(0);
        let statement = Statement { host, raw, columns, values: Vec::new() };
        Ok((Some(statement), behind))
    }

    /// How many parameters it has.
    pub fn parameters(&self) -> usize {
        // SAFETY: a live statement.
        usize::try_from(unsafe { (self.host.api.bind_parameter_count)(self.raw) }).unwrap_or(0)
    }

    /// How many columns it returns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// How often SQLite has prepared it anew because the schema changed: columns may be others then.
    pub fn generation(&self) -> c_int {
        // SAFETY: a live statement; 0 leaves the counter.
        unsafe { (self.host.api.stmt_status)(self.raw, SQLITE_STMTSTATUS_REPREPARE as c_int, 0) }
    }

    /// How many bytes it takes.
    pub fn size(&self) -> usize {
        // SAFETY: a live statement; 0 resets nothing.
        let size = unsafe { (self.host.api.stmt_status)(self.raw, SQLITE_STMTSTATUS_MEMUSED as c_int, 0) };
        usize::try_from(size).unwrap_or(usize::MAX)
    }

    /// Counts the columns, before the first row and after SQLite has prepared the statement anew, and makes room for a row.
    pub fn recount(&mut self) -> Result<(), BufferError> {
        // SAFETY: a live statement.
        self.columns = usize::try_from(unsafe { (self.host.api.column_count)(self.raw) }).unwrap_or(0);
        self.values.clear();
        self.values.try_reserve_exact(self.columns).map_err(|_| BufferError::NoMemory)
    }

    /// The name of a column; `None` if there was no memory for it.
    pub fn name(&self, column: usize) -> Option<&[u8]> {
        let column = c_int::try_from(column).ok()?;
        // SAFETY: a live statement. A column's name lives until the statement is prepared anew or finalized; both
        // need it mutably.
        unsafe {
            let name: *const c_char = (self.host.api.column_name)(self.raw, column);
            (!name.is_null()).then(|| CStr::from_ptr(name).to_bytes())
        }
    }

    /// The declared type of the table's column that a column comes from, if it comes from one, and if
    /// this SQLite knows.
    pub fn declared_type(&self, column: usize) -> Option<&[u8]> {
        let (declared_type, column) = (self.host.api.column_decltype?, c_int::try_from(column).ok()?);
        // SAFETY: a live statement. The text is null or ends with NUL, and lives until the statement is
        // prepared anew or finalized; both need it mutably.
        unsafe {
            let text: *const c_char = declared_type(self.raw, column);
            (!text.is_null()).then(|| CStr::from_ptr(text).to_bytes())
        }
    }

    /// Binds the parameters.
    pub fn bind(&mut self, report: &dyn Report, parameters: &Arguments<'_>) -> Result<(), Reported> {
        for (index, &value) in parameters.values().iter().enumerate() {
            let index = c_int::try_from(index + 1).unwrap_or(0);
            // SAFETY: a live statement that is not running, and a protected value, which SQLite copies.
            if unsafe { (self.host.api.bind_value)(self.raw, index, value) } != OK {
                return Err(report.pass_on());
            }
        }
        Ok(())
    }

    /// Goes to the next row; false if there is none.
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
        // SAFETY: a live statement. What `reset` returns is the error that `step` has told already.
        unsafe {
            (self.host.api.reset)(self.raw);
            (self.host.api.clear_bindings)(self.raw);
        }
    }

    /// The row on which the statement stands. Its values are unprotected, which forbids their use by two threads: the
    /// connection's mutex is held by the statement that called us, and `step` needs this one mutably.
    #[inline]
    pub fn row(&mut self) -> Arguments<'_> {
        self.values.clear();
        for column in 0..self.columns.min(self.values.capacity()) {
            // SAFETY: a live statement; off a row SQLite gives a NULL value.
            let value =
                unsafe { (self.host.api.column_value)(self.raw, c_int::try_from(column).unwrap_or(0)) };
            self.values.push(value);
        }
        Arguments::of(self.host.api, &self.values)
    }
}

impl Drop for Statement {
    fn drop(&mut self) {
        // SAFETY: a live statement, not used any more.
        unsafe { (self.host.api.finalize)(self.raw) };
    }
}
