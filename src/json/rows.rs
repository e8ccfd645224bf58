//! The shapes that rows make: elements of an array, lines, columns.

use super::Fault;
use super::keys::{self, Keys};
use super::sequence::Sequence;
use super::value::{Choices, write};
use crate::buffer::{Buffer, Failure, Finished, Memory};
use crate::value::{Row, Value};

/// What an aggregate makes of the rows it is given.
pub trait Shape<M: Memory + Clone>: Sized {
    /// No rows yet.
    fn start(memory: M, choices: Choices) -> Self;
    /// A row comes in at the end.
    fn step(&mut self, row: &impl Row) -> Result<(), Fault>;
    /// The first row leaves.
    fn inverse(&mut self);
    /// Lets `read` see the text of the rows now inside.
    fn value<R>(&mut self, read: impl FnOnce(&[u8]) -> R) -> Result<R, Failure>;
    /// The text, for good.
    fn finish(self) -> Result<Finished<'static, M>, Failure>;
}

/// How an element is set off from its neighbours.
pub trait Setting {
    /// In front of an object, its brace included.
    const OBJECT: &'static [u8];
    /// In front of an array, its bracket included.
    const ARRAY: &'static [u8];
    /// In front of a bare value.
    const VALUE: &'static [u8];
    /// Behind the element.
    const AFTER: Option<u8>;
}

/// Elements of an array. The sequence makes a bracket of the first comma.
pub struct InArray;
/// One JSON text a line.
pub struct OnLines;

impl Setting for InArray {
    const OBJECT: &'static [u8] = b",{";
    const ARRAY: &'static [u8] = b",[";
    const VALUE: &'static [u8] = b",";
    const AFTER: Option<u8> = None;
}

impl Setting for OnLines {
    const OBJECT: &'static [u8] = b"{";
    const ARRAY: &'static [u8] = b"[";
    const VALUE: &'static [u8] = b"";
    const AFTER: Option<u8> = Some(b'\n');
}

/// One element a row: an object of key–value pairs, or a bare value.
pub struct Elements<M: Memory, S> {
    sequence: Sequence<M>,
    keys: Keys<M>,
    choices: Choices,
    setting: core::marker::PhantomData<S>,
}

/// An array of objects or values.
pub type Objects<M> = Elements<M, InArray>;
/// Objects or values, one a line.
pub type Lines<M> = Elements<M, OnLines>;

impl<M: Memory + Clone, S: Setting> Elements<M, S> {
    fn object(&mut self, row: &impl Row) -> Result<(), Fault> {
        let count = row.len();
        if self.choices.omit_null {
            self.sequence.text().extend(S::OBJECT);
            return members(row, self.choices, self.sequence.text());
        }
        if self.keys.len() == 0 {
            for index in (0..count).step_by(2) {
                let before = if index == 0 { S::OBJECT } else { b"," };
                self.keys.learn(keys::text(row.get(index), index)?, before)?;
            }
        }
        for index in (0..count).step_by(2) {
            let key = keys::text(row.get(index), index)?;
            let value = row.get(index + 1).ok_or(Failure::NoMemory)?;
            let before = if index == 0 { S::OBJECT } else { b"," };
            self.keys.write(index / 2, key, before, self.sequence.text());
            write(&value, self.choices, self.sequence.text());
        }
        self.sequence.text().push(b'}');
        Ok(())
    }
}

impl<M: Memory + Clone, S: Setting> Shape<M> for Elements<M, S> {
    fn start(memory: M, choices: Choices) -> Self {
        Elements {
            sequence: Sequence::new(memory.clone()),
            keys: Keys::new(memory, choices.ascii),
            choices,
            setting: core::marker::PhantomData,
        }
    }

    #[inline]
    fn step(&mut self, row: &impl Row) -> Result<(), Fault> {
        let begin = self.sequence.text().len();
        match row.len() {
            1 => {
                self.sequence.text().extend(S::VALUE);
                let value = row.get(0).ok_or(Failure::NoMemory)?;
                write(&value, self.choices, self.sequence.text());
            }
            count if count == 0 || count % 2 == 1 => return Err(Fault::Count(count)),
            _ => self.object(row)?,
        }
        if let Some(after) = S::AFTER {
            self.sequence.text().push(after);
        }
        Ok(self.sequence.end_element(begin)?)
    }

    fn inverse(&mut self) {
        self.sequence.remove_first();
    }

    fn value<R>(&mut self, read: impl FnOnce(&[u8]) -> R) -> Result<R, Failure> {
        match S::AFTER {
            None => self.sequence.with_array(read),
            Some(_) => Ok(read(self.sequence.plain())),
        }
    }

    fn finish(self) -> Result<Finished<'static, M>, Failure> {
        match S::AFTER {
            None => self.sequence.into_array(),
            Some(_) => self.sequence.into_plain(),
        }
    }
}

/// An array of arrays, one a row.
pub struct Rows<M: Memory> {
    sequence: Sequence<M>,
    choices: Choices,
}

impl<M: Memory + Clone> Shape<M> for Rows<M> {
    fn start(memory: M, choices: Choices) -> Self {
        Rows { sequence: Sequence::new(memory), choices }
    }

    #[inline]
    fn step(&mut self, row: &impl Row) -> Result<(), Fault> {
        if row.is_empty() {
            return Err(Fault::Count(0));
        }
        let text = self.sequence.text();
        let begin = text.len();
        for index in 0..row.len() {
            text.extend(if index == 0 { InArray::ARRAY } else { b"," });
            write(&row.get(index).ok_or(Failure::NoMemory)?, self.choices, text);
        }
        text.push(b']');
        Ok(self.sequence.end_element(begin)?)
    }

    fn inverse(&mut self) {
        self.sequence.remove_first();
    }

    fn value<R>(&mut self, read: impl FnOnce(&[u8]) -> R) -> Result<R, Failure> {
        self.sequence.with_array(read)
    }

    fn finish(self) -> Result<Finished<'static, M>, Failure> {
        self.sequence.into_array()
    }
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
    fn learn(&mut self, row: &impl Row) -> Result<(), Fault> {
        let count = row.len() / 2;
        self.columns.try_reserve_exact(count).map_err(|_| Failure::NoMemory)?;
        for column in 0..count {
            let before: &[u8] = if column == 0 { b"{" } else { b"," };
            self.keys.learn(keys::text(row.get(2 * column), 2 * column)?, before)?;
            self.columns.push(Sequence::new(self.memory.clone()));
        }
        Ok(())
    }

    fn assemble(&mut self) -> Result<Buffer<'static, M>, Failure> {
        let mut out = Buffer::new(self.memory.clone());
        if self.columns.first().is_none_or(Sequence::is_empty) {
            out.extend(b"{}");
            return Ok(out);
        }
        for (index, column) in self.columns.iter_mut().enumerate() {
            out.extend(self.keys.fragment(index));
            column.with_array(|array| out.extend(array))?;
        }
        out.push(b'}');
        Ok(out)
    }
}

impl<M: Memory + Clone> Shape<M> for Columns<M> {
    fn start(memory: M, choices: Choices) -> Self {
        let keys = Keys::new(memory.clone(), choices.ascii);
        Columns { keys, columns: Vec::new(), memory, choices, total: 0 }
    }

    fn step(&mut self, row: &impl Row) -> Result<(), Fault> {
        let count = row.len();
        if count == 0 || count % 2 == 1 {
            return Err(Fault::Count(count));
        }
        if self.columns.is_empty() {
            self.learn(row)?;
        }
        for (number, column) in self.columns.iter_mut().enumerate() {
            let index = 2 * number;
            if !self.keys.is(number, keys::text(row.get(index), index)?) {
                return Err(Fault::KeyChanged(index));
            }
            let begin = column.text().len();
            column.text().push(b',');
            write(&row.get(index + 1).ok_or(Failure::NoMemory)?, self.choices, column.text());
            column.end_element(begin)?;
            self.total += column.text().len() - begin;
        }
        if self.total > self.memory.limit() {
            return Err(Fault::Failure(Failure::TooBig));
        }
        Ok(())
    }

    fn inverse(&mut self) {
        for column in &mut self.columns {
            self.total -= column.remove_first();
        }
    }

    fn value<R>(&mut self, read: impl FnOnce(&[u8]) -> R) -> Result<R, Failure> {
        let text = self.assemble()?;
        match text.failure() {
            Some(failure) => Err(failure),
            None => Ok(read(text.as_slice())),
        }
    }

    fn finish(mut self) -> Result<Finished<'static, M>, Failure> {
        self.assemble()?.finish()
    }
}

/// One object, its keys not known from a row before.
pub fn object<M: Memory>(row: &impl Row, choices: Choices, out: &mut Buffer<'_, M>) -> Result<(), Fault> {
    let count = row.len();
    if count == 0 || count % 2 == 1 {
        return Err(Fault::Count(count));
    }
    out.push(b'{');
    members(row, choices, out)
}

/// The members of an object and its closing brace.
fn members<M: Memory>(row: &impl Row, choices: Choices, out: &mut Buffer<'_, M>) -> Result<(), Fault> {
    let mut first = true;
    for index in (0..row.len()).step_by(2) {
        let key = keys::text(row.get(index), index)?;
        let value = row.get(index + 1).ok_or(Failure::NoMemory)?;
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
