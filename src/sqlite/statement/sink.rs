//! The rows of a statement, taken from inside: one step of SQLite hands all of them over.
//!
//! ```text
//!   select resq_sink(?2, c0, c1) from …      ?2: a pointer value, which SQL cannot make
//! ```
//!
//! `resq_sink` is an aggregate of ours that keeps nothing: its step gives each row to the sink. All
//! that the two sides have to agree on stands in this file.

use core::ffi::{CStr, c_int};
use core::ptr::NonNull;
use core::slice;

use crate::sqlite::bindings::{SQLITE_DONE, SQLITE_ROW, SQLITE_STMTSTATUS_REPREPARE, sqlite3_stmt};

use super::Statement;
use crate::sqlite::connection::{Report, Reported, SqlError};
use crate::sqlite::function::{Aggregate, Call, Variant};
use crate::sqlite::value::Arguments;
use crate::value::Row;

/// Takes the rows of a statement; see [`Statement::run_into`].
pub trait Sink {
    /// The first row is about to come, of a statement that SQLite has prepared anew so often; false
    /// if none is taken.
    fn begin(&mut self, generation: c_int) -> bool;
    /// A row; false if no more are taken.
    fn row(&mut self, row: &Arguments<'_>) -> bool;
}

/// The SQL name of the aggregate.
pub const SINK_FUNCTION: &str = "resq_sink";
/// The type of the pointer that it takes as its first argument.
const POINTER: &CStr = c"resq sink";
/// What it returns: the rows have gone to their sink.
const TAKEN: &[u8] = b"taken";

/// From a running statement to the sink of its rows.
struct SinkPointer<'s> {
    sink: &'s mut dyn Sink,
    statement: *mut sqlite3_stmt,
}

/// `resq_sink(pointer, value, …)`.
pub struct SinkRows {
    /// Known from the first row on.
    pointer: Option<NonNull<SinkPointer<'static>>>,
}

impl SinkRows {
    /// Its registration.
    pub const VARIANT: Variant = Variant { name: SINK_FUNCTION, with_choices: false };

    /// The sink that the first argument of the run's first row points to, ready for rows.
    #[cold]
    fn open(&mut self, call: &Call<'_>, row: &Arguments<'_>) -> Result<(), Reported> {
        let refused = || call.error(format_args!("only resq_query can use it"));
        let &value = row.values().first().ok_or_else(refused)?;
        // SAFETY: a protected value of this call, and a constant name.
        let pointer = unsafe { (call.api.value_pointer)(value, POINTER.as_ptr()) };
        let mut pointer = NonNull::new(pointer.cast::<SinkPointer<'static>>()).ok_or_else(refused)?;
        // SAFETY: `run_into` made it: only a pointer of this type bears that name. It lives until
        // the statement is reset, and this row is one of that statement's.
        let SinkPointer { sink, statement } = unsafe { pointer.as_mut() };
        // SAFETY: the running statement; 0 leaves the counter as it is.
        let generation =
            unsafe { (call.api.stmt_status)(*statement, SQLITE_STMTSTATUS_REPREPARE as c_int, 0) };
        if !sink.begin(generation) {
            return Err(closed(call));
        }
        self.pointer = Some(pointer);
        Ok(())
    }
}

/// The sink knows why, and tells.
#[cold]
fn closed(call: &Call<'_>) -> Reported {
    call.error(format_args!("the query takes no more rows"))
}

impl Aggregate for SinkRows {
    type Reusable = ();

    fn start(_call: &Call<'_>, (): ()) -> Self {
        SinkRows { pointer: None }
    }

    #[inline]
    fn step(&mut self, call: &Call<'_>, row: &Arguments<'_>) -> Result<(), Reported> {
        if self.pointer.is_none() {
            self.open(call, row)?;
        }
        // SAFETY: `run_into` made the pointer. It ends the statement, and with it this aggregate,
        // before the sink goes. The sink is used here alone, one row at a time.
        let taken =
            self.pointer.is_some_and(|mut pointer| unsafe { pointer.as_mut() }.sink.row(&row.rest(1)));
        if taken { Ok(()) } else { Err(closed(call)) }
    }

    fn inverse(&mut self, _call: &Call<'_>) -> Result<(), Reported> {
        Ok(())
    }

    fn value(&mut self, call: &Call<'_>) -> Result<(), Reported> {
        call.copied_text(TAKEN)
    }

    fn reusable(&mut self) {}

    fn finish(self, call: &Call<'_>) -> Result<(), Reported> {
        call.copied_text(TAKEN)
    }
}

/// How [`Statement::run_into`] ended.
#[allow(
    clippy::large_enum_variant,
    reason = "an error lies on the stack, since there may be no memory for it"
)]
pub enum Ran {
    /// The rows went to the sink.
    Done,
    /// Somebody else took the rows: SQLite called another function of that name.
    Elsewhere,
    /// For this reason.
    Failed(SqlError),
}

impl Statement {
    /// Runs a statement that gives its rows to [`SINK_FUNCTION`] and returns what that returns. Its
    /// last parameter, after `parameters`, is the pointer to `sink`.
    pub fn run_into(
        &mut self,
        report: &dyn Report,
        parameters: &Arguments<'_>,
        sink: &mut dyn Sink,
    ) -> Result<Ran, Reported> {
        let bound = self.bind(report, parameters);
        let index = c_int::try_from(parameters.values().len() + 1).unwrap_or(0);
        let (api, raw) = (self.host.api, self.raw);
        let mut pointer = SinkPointer { sink, statement: raw };
        // SAFETY: a live statement that is not running. It is reset and forgets the pointer below,
        // before the sink's borrow ends.
        unsafe { (api.bind_pointer)(raw, index, (&raw mut pointer).cast(), POINTER.as_ptr(), None) };
        // SAFETY: a live statement.
        let code = if bound.is_ok() { unsafe { (api.step)(raw) } } else { SQLITE_DONE as c_int };
        let ran = match code as u32 {
            SQLITE_ROW if self.first_column() == TAKEN => Ran::Done,
            SQLITE_ROW => Ran::Elsewhere,
            SQLITE_DONE => Ran::Elsewhere,
            _ => Ran::Failed(report.last_error()),
        };
        self.reset();
        bound.map(|()| ran)
    }

    /// The text of the first column, on a row.
    fn first_column(&mut self) -> &[u8] {
        let (api, raw) = (self.host.api, self.raw);
        // SAFETY: a live statement.
        let text = unsafe { (api.column_text)(raw, 0) };
        // SAFETY: a live statement, whose first column is text by now.
        let length = usize::try_from(unsafe { (api.column_bytes)(raw, 0) }).unwrap_or(0);
        if text.is_null() {
            return &[];
        }
        // SAFETY: the text has so many bytes, and stays until the next call for this statement.
        unsafe { slice::from_raw_parts(text, length) }
    }
}
