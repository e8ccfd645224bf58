//! Rows whose form is known beforehand: those of a query.
//!
//! A template is made once: it has the text before each value, and the one after the last value. So
//! an object, an array, or an object within objects all cost the same on a row.
//!
//! ```text
//!   ,{"id":  1  ,"user":{"name":  "Ada"  }}
//!   `----'      `--------------'         `'
//!    cell 0          cell 1              end
//! ```

use core::ops::Range;

use super::RowError;
use super::check::check;
use super::keys;
use super::value::{Choices, Prefix, ValueWriter, write};
use crate::buffer::{Buffer, BufferError, Memory};
use crate::value::{Row, Value};

/// What stands between a row and the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// With a comma before it: an element of an array.
    Element,
    /// With a line feed after it.
    Line,
    /// There is one row alone.
    Alone,
}

impl Framing {
    /// What stands before an object's members.
    pub(super) fn brace(self) -> &'static [u8] {
        match self {
            Framing::Element => b",{",
            Framing::Line | Framing::Alone => b"{",
        }
    }

    /// What stands before a value that is a row.
    fn comma(self) -> &'static [u8] {
        match self {
            Framing::Element => b",",
            Framing::Line | Framing::Alone => b"",
        }
    }

    /// What stands before the key with this index.
    #[inline]
    pub(super) fn before(self, index: usize) -> &'static [u8] {
        if index == 0 { self.brace() } else { b"," }
    }
}

/// What the values of a column are taken for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColumnKind {
    /// For what they are.
    #[default]
    Plain,
    /// Text, or the bytes of a BLOB, that is JSON and is written as it is; anything else is an
    /// error.
    Json,
    /// The same, but text or bytes that are not JSON are a string.
    JsonOrString,
    /// A number is a truth value: 0 is false.
    Bool,
}

/// One value of a row.
struct Cell {
    /// The text before it, if it is short.
    short: Prefix,
    /// Else where it lies in `RowTemplate::long`.
    long: Range<usize>,
    column: usize,
    kind: ColumnKind,
}

/// The form of a row.
pub struct RowTemplate<M: Memory> {
    cells: Vec<Cell>,
    /// The texts that are not short.
    long: Buffer<'static, M>,
    /// The text that no cell has taken yet; when all are there, what stands after the last value.
    pending: Buffer<'static, M>,
    /// With `omit_null`: what stands before the first member.
    start: Option<Range<usize>>,
    choices: Choices,
}

impl<M: Memory + Clone> RowTemplate<M> {
    /// Nothing yet.
    pub fn new(memory: M, choices: Choices, framing: Framing) -> Self {
        let choices = Choices { one_line: framing == Framing::Line, ..choices };
        let (long, mut pending) = (Buffer::new(memory.clone()), Buffer::new(memory));
        pending.extend(framing.comma());
        RowTemplate { cells: Vec::new(), long, pending, start: None, choices }
    }

    /// Text as it is.
    #[inline(never)]
    pub fn text(&mut self, text: &[u8]) {
        self.pending.extend(text);
    }

    /// A key, and the colon after it.
    #[inline(never)]
    pub fn key(&mut self, key: &[u8]) {
        keys::name(key, self.choices.ascii, &mut self.pending);
    }

    /// From here on members follow, whose keys are the text before each: a NULL takes its key away
    /// if that is wanted.
    #[inline(never)]
    pub fn members(&mut self) {
        if self.choices.omit_null {
            let begin = self.long.len();
            self.long.extend(self.pending.as_slice());
            self.pending.truncate(0);
            self.start = Some(begin..self.long.len());
        }
    }

    /// A comma between members, where the template is the one to write it.
    #[inline(never)]
    pub fn comma(&mut self) {
        if self.start.is_none() {
            self.pending.push(b',');
        }
    }

    /// The value of a column.
    #[inline(never)]
    pub fn value(&mut self, column: usize, kind: ColumnKind) -> Result<(), BufferError> {
        let text = self.pending.as_slice();
        let mut bytes = [0; _];
        let begin = self.long.len();
        let short = match bytes.get_mut(..text.len()) {
            Some(short) => {
                short.copy_from_slice(text);
                Prefix::new(bytes, text.len())
            }
            None => {
                self.long.extend(text);
                Prefix::NONE
            }
        };
        let long = begin..self.long.len();
        self.pending.truncate(0);
        self.cells.try_reserve(1).map_err(|_| BufferError::NoMemory)?;
        self.cells.push(Cell { short, long, column, kind });
        match self.failure() {
            Some(failure) => Err(failure),
            None => Ok(()),
        }
    }

    /// What has gone wrong with it.
    pub fn failure(&self) -> Option<BufferError> {
        self.pending.failure().or(self.long.failure())
    }

    /// How many bytes it takes.
    pub fn size(&self) -> usize {
        self.cells.capacity() * size_of::<Cell>() + self.long.capacity() + self.pending.capacity()
    }

    /// Appends a row.
    #[inline(never)]
    pub fn write(&self, row: &impl Row, out: &mut Buffer<'_, M>) -> Result<(), RowError> {
        if self.start.is_some() {
            self.write_without_nulls(row, out)?;
        } else {
            for cell in &self.cells {
                if !cell.long.is_empty() {
                    self.append_long(&cell.long, out);
                }
                if cell.kind != ColumnKind::Plain || self.choices.any() {
                    out.extend_parts(cell.short);
                    write_kind(cell.kind, cell.column, row.get(cell.column), self.choices, out)?;
                } else {
                    let writer = ValueWriter { before: &cell.short, one_line: &false, out };
                    row.visit(cell.column, writer).ok_or(BufferError::NoMemory)?;
                }
            }
        }
        match *self.pending.as_slice() {
            [] => {}
            [byte] => out.push(byte),
            ref text => out.extend(text),
        }
        Ok(())
    }

    #[inline(never)]
    fn append_long(&self, text: &Range<usize>, out: &mut Buffer<'_, M>) {
        out.extend(self.long.as_slice().get(text.clone()).unwrap_or_default());
    }

    #[inline(never)]
    fn write_without_nulls(&self, row: &impl Row, out: &mut Buffer<'_, M>) -> Result<(), RowError> {
        if let Some(start) = &self.start {
            self.append_long(start, out);
        }
        let mut first = true;
        for cell in &self.cells {
            let value = row.get(cell.column);
            if value == Some(Value::Null) {
                continue;
            }
            if !core::mem::take(&mut first) {
                out.push(b',');
            }
            self.append_long(&cell.long, out);
            out.extend_parts(cell.short);
            write_kind(cell.kind, cell.column, value, self.choices, out)?;
        }
        Ok(())
    }
}

/// Appends a value of column number `column`, of this kind, or for which there are choices.
#[inline(never)]
pub fn write_kind<M: Memory>(
    kind: ColumnKind,
    column: usize,
    value: Option<Value<'_>>,
    choices: Choices,
    out: &mut Buffer<'_, M>,
) -> Result<(), RowError> {
    let value = value.ok_or(BufferError::NoMemory)?;
    let value = match (kind, value) {
        (ColumnKind::Json, Value::Text(text) | Value::Blob(text)) => {
            check(text).map_err(|invalid| RowError::NotJson(column, invalid))?;
            Value::Json(text)
        }
        (ColumnKind::JsonOrString, Value::Text(text) | Value::Blob(text)) if check(text).is_ok() => {
            Value::Json(text)
        }
        (ColumnKind::Bool, value) => match truth(value) {
            Ok(value) => value,
            Err(class) => return Err(RowError::NotBool(column, class)),
        },
        (_, value) => value,
    };
    write(&value, choices, out);
    Ok(())
}

/// A number as a truth value, NULL as it is; the class of anything else.
pub fn truth(value: Value<'_>) -> Result<Value<'static>, &'static str> {
    match value {
        Value::Null => Ok(Value::Null),
        Value::Integer(0) => Ok(Value::Json(b"false")),
        Value::Real(0.0) => Ok(Value::Json(b"false")),
        Value::Integer(_) | Value::Real(_) => Ok(Value::Json(b"true")),
        other => Err(other.class()),
    }
}
