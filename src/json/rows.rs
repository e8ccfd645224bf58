//! The shapes that rows make: elements of an array, lines, columns.

use super::RowError;
use super::keys::{self, KeyVisitor, Keys, ReusableKeys};
use super::row_template::Framing;
use super::sequence::{Brackets, Sequence};
use super::value::{Choices, Prefix, ValueWriter, write};
use crate::buffer::{Buffer, BufferError, Finished, Memory};
use crate::value::{Row, Value};

/// What an aggregate makes of its rows.
pub trait Shape<M: Memory + Clone>: Sized {
    /// What one leaves for the next one to start with: keys, which are mostly the same.
    type Reusable: Default;
    /// No rows yet. `reusable` is from a shape with the same choices.
    fn start(memory: M, choices: Choices, reusable: Self::Reusable) -> Self;
    /// A row comes in at the end.
    fn step(&mut self, row: &impl Row) -> Result<(), RowError>;
    /// The first row leaves.
    fn inverse(&mut self);
    /// Gives the text of the rows that are in to `read`. More may come after that.
    fn value<R>(&mut self, read: impl FnOnce(&[u8]) -> R) -> Result<R, BufferError>;
    /// What the next one can start with. Called just before `finish`.
    fn reusable(&mut self) -> Self::Reusable {
        Self::Reusable::default()
    }
    /// Ends it: the text.
    fn finish(self) -> Result<Finished<'static, M>, BufferError>;
}

/// One element a row: an object of key–value pairs, or a value.
struct Elements<M: Memory> {
    sequence: Sequence<M>,
    keys: Keys<M>,
    choices: Choices,
    framing: Framing,
    /// Has an object come already?
    begun: bool,
}

impl<M: Memory + Clone> Elements<M> {
    fn start(memory: M, choices: Choices, framing: Framing, reusable: ReusableKeys) -> Self {
        let keys = Keys::with_reusable(memory.clone(), choices.ascii, reusable);
        let choices = Choices { one_line: framing == Framing::Line, ..choices };
        Elements { sequence: Sequence::new(memory, Brackets::ARRAY), keys, choices, framing, begun: false }
    }

    /// Not inlined, so that all aggregates that make elements share it.
    #[inline(never)]
    fn step(&mut self, row: &impl Row) -> Result<(), RowError> {
        let begin = self.sequence.text().len();
        match row.len() {
            1 => {
                let first = match self.framing {
                    Framing::Element => const { &Prefix::text(b",") },
                    Framing::Line | Framing::Alone => const { &Prefix::NONE },
                };
                values(row, first, self.choices, self.sequence.text())?;
            }
            count if count == 0 || count % 2 == 1 => return Err(RowError::Count(count)),
            _ if self.choices.any() => {
                self.sequence.text().extend(self.framing.brace());
                members(row, self.choices, self.sequence.text())?;
            }
            _ => self.object(row)?,
        }
        if self.framing == Framing::Line {
            self.sequence.text().push(b'\n');
        }
        Ok(self.sequence.end_element(begin)?)
    }

    #[inline]
    fn object(&mut self, row: &impl Row) -> Result<(), RowError> {
        if !self.begun {
            self.begin(row)?;
        }
        let one_line = &self.choices.one_line;
        let out = self.sequence.text();
        let mut rest = row.rest(0);
        for known in self.keys.iter() {
            let index = || row.len() - rest.len();
            if rest.len() < 2 {
                return Err(RowError::Count(row.len()));
            }
            let key = match rest.visit_plain(0, KeyVisitor).ok_or(BufferError::NoMemory)? {
                Ok(key) => key,
                Err(class) => return Err(RowError::KeyType(index(), class)),
            };
            let before = known.begin_as(key, || self.framing.before(index()), out);
            rest.visit(1, ValueWriter { before, one_line, out }).ok_or(BufferError::NoMemory)?;
            rest = rest.rest(2);
        }
        out.push(b'}');
        Ok(())
    }

    /// Learns the first object's keys, unless they are those that it began with.
    #[inline(never)]
    fn begin(&mut self, row: &impl Row) -> Result<(), RowError> {
        let count = row.len();
        let keys = || (0..count).step_by(2).map(|index| keys::text(row.get(index), index));
        let mut known = self.keys.len() == count / 2;
        for (key, found) in self.keys.iter().zip(keys()) {
            known = known && key.is(found?);
        }
        if !known {
            self.keys.clear();
            for (number, key) in keys().enumerate() {
                self.keys.learn(key?, self.framing.before(number), count / 2)?;
            }
        }
        self.begun = true;
        Ok(())
    }
}

/// An array of objects or values.
pub struct Objects<M: Memory>(Elements<M>);

impl<M: Memory + Clone> Shape<M> for Objects<M> {
    type Reusable = ReusableKeys;

    fn start(memory: M, choices: Choices, reusable: ReusableKeys) -> Self {
        Objects(Elements::start(memory, choices, Framing::Element, reusable))
    }

    fn reusable(&mut self) -> ReusableKeys {
        self.0.keys.reusable()
    }

    #[inline]
    fn step(&mut self, row: &impl Row) -> Result<(), RowError> {
        self.0.step(row)
    }

    fn inverse(&mut self) {
        self.0.sequence.remove_first();
    }

    fn value<R>(&mut self, read: impl FnOnce(&[u8]) -> R) -> Result<R, BufferError> {
        self.0.sequence.with_brackets(read)
    }

    fn finish(self) -> Result<Finished<'static, M>, BufferError> {
        self.0.sequence.into_brackets()
    }
}

/// Objects or values, one a line.
pub struct Lines<M: Memory>(Elements<M>);

impl<M: Memory + Clone> Shape<M> for Lines<M> {
    type Reusable = ReusableKeys;

    fn start(memory: M, choices: Choices, reusable: ReusableKeys) -> Self {
        Lines(Elements::start(memory, choices, Framing::Line, reusable))
    }

    fn reusable(&mut self) -> ReusableKeys {
        self.0.keys.reusable()
    }

    #[inline]
    fn step(&mut self, row: &impl Row) -> Result<(), RowError> {
        self.0.step(row)
    }

    fn inverse(&mut self) {
        self.0.sequence.remove_first();
    }

    fn value<R>(&mut self, read: impl FnOnce(&[u8]) -> R) -> Result<R, BufferError> {
        Ok(read(self.0.sequence.plain()))
    }

    fn finish(self) -> Result<Finished<'static, M>, BufferError> {
        self.0.sequence.into_plain()
    }
}

/// An array of arrays, one a row.
pub struct Rows<M: Memory> {
    sequence: Sequence<M>,
    choices: Choices,
}

impl<M: Memory + Clone> Shape<M> for Rows<M> {
    type Reusable = ();

    fn start(memory: M, choices: Choices, (): ()) -> Self {
        Rows { sequence: Sequence::new(memory, Brackets::ARRAY), choices }
    }

    #[inline(never)]
    fn step(&mut self, row: &impl Row) -> Result<(), RowError> {
        if row.is_empty() {
            return Err(RowError::Count(0));
        }
        let text = self.sequence.text();
        let begin = text.len();
        values(row, const { &Prefix::text(b",[") }, self.choices, text)?;
        text.push(b']');
        Ok(self.sequence.end_element(begin)?)
    }

    fn inverse(&mut self) {
        self.sequence.remove_first();
    }

    fn value<R>(&mut self, read: impl FnOnce(&[u8]) -> R) -> Result<R, BufferError> {
        self.sequence.with_brackets(read)
    }

    fn finish(self) -> Result<Finished<'static, M>, BufferError> {
        self.sequence.into_brackets()
    }
}

/// Appends the values of a row, with commas between them. Each goes from SQLite to the buffer in one
/// place for its class: a value that is put into memory first costs a wait when it is read back.
#[inline(never)]
fn values<M: Memory>(
    row: &impl Row,
    first: &Prefix,
    choices: Choices,
    out: &mut Buffer<'_, M>,
) -> Result<(), RowError> {
    let mut before = first;
    for index in 0..row.len() {
        if choices.any() {
            out.extend_parts(before);
            write(&row.get(index).ok_or(BufferError::NoMemory)?, choices, out);
        } else {
            let one_line = &choices.one_line;
            row.visit(index, ValueWriter { before, one_line, out }).ok_or(BufferError::NoMemory)?;
        }
        before = const { &Prefix::text(b",") };
    }
    Ok(())
}

/// One array a column, in an object.
pub struct Columns<M: Memory> {
    keys: Keys<M>,
    columns: Vec<Sequence<M>>,
    memory: M,
    choices: Choices,
    /// Bytes in all columns together.
    total: usize,
}

impl<M: Memory + Clone> Columns<M> {
    fn learn(&mut self, row: &impl Row) -> Result<(), RowError> {
        let count = row.len() / 2;
        self.columns.try_reserve_exact(count).map_err(|_| BufferError::NoMemory)?;
        for column in 0..count {
            let before: &[u8] = if column == 0 { b"{" } else { b"," };
            self.keys.learn(keys::text(row.get(2 * column), 2 * column)?, before, count)?;
            self.columns.push(Sequence::new(self.memory.beside(), Brackets::ARRAY));
        }
        Ok(())
    }

    fn assemble(&mut self) -> Result<Buffer<'static, M>, BufferError> {
        let mut out = Buffer::new(self.memory.clone());
        if self.columns.first().is_none_or(Sequence::is_empty) {
            out.extend(b"{}");
            return Ok(out);
        }
        for (key, column) in self.keys.iter().zip(&mut self.columns) {
            let before = key.begin(&mut out);
            out.extend_parts(before);
            column.with_brackets(|array| out.extend(array))?;
        }
        out.push(b'}');
        Ok(out)
    }
}

impl<M: Memory + Clone> Shape<M> for Columns<M> {
    type Reusable = ();

    fn start(memory: M, choices: Choices, (): ()) -> Self {
        let keys = Keys::new(memory.clone(), choices.ascii);
        Columns { keys, columns: Vec::new(), memory, choices, total: 0 }
    }

    #[inline(never)]
    fn step(&mut self, row: &impl Row) -> Result<(), RowError> {
        let count = row.len();
        if count == 0 || count % 2 == 1 {
            return Err(RowError::Count(count));
        }
        if self.columns.is_empty() {
            self.learn(row)?;
        }
        for (number, (key, column)) in self.keys.iter().zip(&mut self.columns).enumerate() {
            let index = 2 * number;
            if !key.is(keys::text(row.get(index), index)?) {
                return Err(RowError::KeyChanged(index));
            }
            let begin = column.text().len();
            column.text().push(b',');
            write(&row.get(index + 1).ok_or(BufferError::NoMemory)?, self.choices, column.text());
            column.end_element(begin)?;
            self.total += column.text().len() - begin;
        }
        if self.total > self.memory.limit() {
            return Err(RowError::Buffer(BufferError::TooBig));
        }
        Ok(())
    }

    fn inverse(&mut self) {
        for column in &mut self.columns {
            self.total -= column.remove_first();
        }
    }

    fn value<R>(&mut self, read: impl FnOnce(&[u8]) -> R) -> Result<R, BufferError> {
        let text = self.assemble()?;
        match text.failure() {
            Some(failure) => Err(failure),
            None => Ok(read(text.as_slice())),
        }
    }

    fn finish(mut self) -> Result<Finished<'static, M>, BufferError> {
        self.assemble()?.finish()
    }
}

/// Appends an object. Its keys are not known from an earlier row.
pub fn object<M: Memory>(row: &impl Row, choices: Choices, out: &mut Buffer<'_, M>) -> Result<(), RowError> {
    let count = row.len();
    if count == 0 || count % 2 == 1 {
        return Err(RowError::Count(count));
    }
    out.push(b'{');
    members(row, choices, out)
}

/// Appends the members of an object and its closing brace.
fn members<M: Memory>(row: &impl Row, choices: Choices, out: &mut Buffer<'_, M>) -> Result<(), RowError> {
    let mut first = true;
    for index in (0..row.len()).step_by(2) {
        let key = keys::text(row.get(index), index)?;
        let value = row.get(index + 1).ok_or(BufferError::NoMemory)?;
        if choices.omit_null && value == Value::Null {
            continue;
        }
        if !first {
            out.push(b',');
        }
        first = false;
        keys::name(key, choices.ascii, out);
        write(&value, choices, out);
    }
    out.push(b'}');
    Ok(())
}
