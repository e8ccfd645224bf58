//! Rows whose keys are known beforehand: the columns of a query.

use super::RowError;
use super::check::check;
use super::keys::Keys;
use super::value::{Choices, ValueWriter, write};
use crate::buffer::{Buffer, BufferError, Memory};
use crate::value::{Row, Value};

/// The keys of a query's rows, and which of its columns hold JSON text.
pub struct RowTemplate<M: Memory> {
    keys: Keys<M>,
    nested: Vec<bool>,
    choices: Choices,
    framing: Framing,
}

/// How a row is set off from its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// With a comma in front: an element of an array.
    Element,
    /// With a line feed behind.
    Line,
}

impl Framing {
    /// What stands in front of an object's members.
    pub(super) fn brace(self) -> &'static [u8] {
        match self {
            Framing::Element => b",{",
            Framing::Line => b"{",
        }
    }

    /// What stands in front of the key with this index.
    #[inline]
    pub(super) fn before(self, index: usize) -> &'static [u8] {
        if index == 0 { self.brace() } else { b"," }
    }
}

impl<M: Memory + Clone> RowTemplate<M> {
    /// No columns yet.
    pub fn new(memory: M, choices: Choices, framing: Framing) -> Self {
        let choices = Choices { one_line: framing == Framing::Line, ..choices };
        RowTemplate { keys: Keys::new(memory, choices.ascii), nested: Vec::new(), choices, framing }
    }

    /// The next column's key. `nested`: its text is JSON and is written as it is.
    pub fn column(&mut self, key: &[u8], nested: bool) -> Result<(), BufferError> {
        let before: &[u8] = match self.keys.len() {
            _ if self.choices.omit_null => b"",
            0 => self.framing.brace(),
            _ => b",",
        };
        self.nested.try_reserve(1).map_err(|_| BufferError::NoMemory)?;
        self.nested.push(nested);
        self.keys.learn(key, before, 1)
    }

    /// How many bytes its keys take.
    pub fn size(&self) -> usize {
        self.keys.size()
    }

    /// Appends a row.
    #[inline(never)]
    pub fn write(&self, row: &impl Row, out: &mut Buffer<'_, M>) -> Result<(), RowError> {
        if self.choices.omit_null {
            self.write_without_nulls(row, out)?;
        } else {
            for (index, (key, &nested)) in self.keys.iter().zip(&self.nested).enumerate() {
                let before = key.begin(out);
                if nested || self.choices.any() {
                    out.extend_parts(before);
                    self.write_chosen(row.get(index), nested, index, out)?;
                } else {
                    row.visit(index, ValueWriter { before, one_line: &false, out })
                        .ok_or(BufferError::NoMemory)?;
                }
            }
            out.push(b'}');
        }
        if self.framing == Framing::Line {
            out.push(b'\n');
        }
        Ok(())
    }

    fn write_without_nulls(&self, row: &impl Row, out: &mut Buffer<'_, M>) -> Result<(), RowError> {
        out.extend(self.framing.brace());
        let mut first = true;
        for (index, (key, &nested)) in self.keys.iter().zip(&self.nested).enumerate() {
            let value = row.get(index);
            if value == Some(Value::Null) {
                continue;
            }
            if !first {
                out.push(b',');
            }
            first = false;
            let before = key.begin(out);
            out.extend_parts(before);
            self.write_chosen(value, nested, index, out)?;
        }
        out.push(b'}');
        Ok(())
    }

    /// A value of a column that holds JSON text, or for which there are choices.
    #[inline(never)]
    fn write_chosen(
        &self,
        value: Option<Value<'_>>,
        nested: bool,
        index: usize,
        out: &mut Buffer<'_, M>,
    ) -> Result<(), RowError> {
        let mut value = value.ok_or(BufferError::NoMemory)?;
        if let (true, Value::Text(text)) = (nested, value) {
            check(text).map_err(|invalid| RowError::NotJson(index, invalid))?;
            value = Value::Json(text);
        }
        write(&value, self.choices, out);
        Ok(())
    }
}
