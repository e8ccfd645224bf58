//! Values as JSON, and the shapes that rows of them make.
//!
//! ```text
//!   value      one value                                R1–R7
//!   keys       the fragments ,"key": of an object, made once and checked on every row     R8, R9
//!   sequence   elements that come in at the end and leave at the front: a window's frame   R11, R12
//!   rows       the shapes: objects, values, rows, lines, columns
//!   map        one object of all rows, a member each
//!   row_template   rows whose form is known beforehand: a query's
//!   check      is a text JSON already?                    R7
//! ```
//!
//! This room knows nothing of SQLite: it reads [`Row`](crate::value::Row)s, writes [`Buffer`](crate::buffer::Buffer)s and says
//! what is wrong as a [`RowError`]; the caller words it.

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
    /// This many arguments make no row of this shape.
    Count(usize),
    /// The argument with this index is a key and not TEXT, but what is named.
    KeyType(usize, &'static str),
    /// The argument with this index is a key that differs from the first row's (R13).
    KeyChanged(usize),
    /// The column with this index is said to hold JSON, and does not.
    NotJson(usize, InvalidJson),
    /// The column with this index is said to hold truth values, and holds what is named.
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
