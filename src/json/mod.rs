//! Values as JSON, and the shapes that rows of them make.
//!
//! ```text
//!   value      one value                                R1–R7
//!   keys       the fragments ,"key": of objects, made once, compared on every row    R8, R9
//!   sequence   elements of a window's frame: they come in at the end and leave at the front
//!   rows       the shapes: objects, values, rows, lines, columns
//!   map        one object of all rows, a member each
//!   row_template   rows whose form is known beforehand: a query's
//!   check      is a text JSON already?                    R7
//! ```
//!
//! This room knows nothing of SQLite. It reads [`Row`](crate::value::Row)s and writes
//! [`Buffer`](crate::buffer::Buffer)s. If something is wrong it returns a [`RowError`], and its
//! caller writes the message.

mod check;
mod keys;
mod map;
mod row_template;
mod rows;
mod sequence;
#[cfg(test)]
mod tests;
mod value;

use crate::buffer::BufferError;

pub use check::{InvalidJson, check};
pub use map::{Map, SeenKeys};
pub use row_template::{ColumnKind, Framing, RowTemplate, truth, write_kind};
pub use rows::{Columns, Lines, Objects, Rows, Shape, object};
pub use sequence::{Brackets, Sequence};
pub use value::{BlobForm, Choices, write};

use crate::buffer::{Buffer, Memory};

/// Appends a key, and the colon after it.
#[inline(never)]
pub fn key<M: Memory>(key: &[u8], choices: Choices, out: &mut Buffer<'_, M>) {
    keys::name(key, choices.ascii, out);
}

/// What can be wrong with a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowError {
    /// The output does not fit, or there is no memory.
    Buffer(BufferError),
    /// A row of this shape cannot have this many arguments.
    Count(usize),
    /// The argument with this index is a key, but is not TEXT but of this class.
    KeyType(usize, &'static str),
    /// The argument with this index is a key that differs from the first row's (R13).
    KeyChanged(usize),
    /// The column with this index should hold JSON text, but does not.
    NotJson(usize, InvalidJson),
    /// The column with this index should hold truth values, but holds one of this class.
    NotBool(usize, &'static str),
    /// The argument with this index is a key that was there already.
    KeyRepeated(usize),
    /// There is a second row, where one is wanted.
    SecondRow,
}

impl From<BufferError> for RowError {
    fn from(failure: BufferError) -> Self {
        RowError::Buffer(failure)
    }
}
