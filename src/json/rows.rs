//! The shapes that rows make: elements of an array, lines, columns.

use super::Fault;
use super::keys::{self, KeptKeys, KeyTaker, Keys};
use super::record::Setting;
use super::sequence::Sequence;
use super::value::{Before, Choices, Writer, write};
use crate::buffer::{Buffer, Failure, Finished, Memory};
use crate::value::{Row, Value};

/// What an aggregate makes of the rows it is given.
pub trait Shape<M: Memory + Clone>: Sized {
    /// What the next one may start with: keys, which are the same ones most of the time.
    type Kept: Default;
    /// No rows yet. `kept` is from a shape with the same choices.
    fn start(memory: M, choices: Choices, kept: Self::Kept) -> Self;
    /// A row comes in at the end.
    fn step(&mut self, row: &impl Row) -> Result<(), Fault>;
    /// The first row leaves.
    fn inverse(&mut self);
    /// Lets `read` see the text of the rows now inside.
    fn value<R>(&mut self, read: impl FnOnce(&[u8]) -> R) -> Result<R, Failure>;
    /// What can be kept, before it ends.
    fn keep(&mut self) -> Self::Kept {
        Self::Kept::default()
    }
    /// The text, for good.
    fn finish(self) -> Result<Finished<'static, M>, Failure>;
}

/// One element a row: an object of key–value pairs, or a bare value.
struct Elements<M: Memory> {
    sequence: Sequence<M>,
    keys: Keys<M>,
    choices: Choices,
    setting: Setting,
    /// Did an object come yet?
    begun: bool,
}

impl<M: Memory + Clone> Elements<M> {
    fn start(memory: M, choices: Choices, setting: Setting, kept: KeptKeys) -> Self {
        let keys = Keys::from_kept(memory.clone(), choices.ascii, kept);
        let choices = Choices { one_line: setting == Setting::Line, ..choices };
        Elements { sequence: Sequence::new(memory), keys, choices, setting, begun: false }
    }

    /// Out of line, so that all aggregates that make elements share it.
    #[inline(never)]
    fn step(&mut self, row: &impl Row) -> Result<(), Fault> {
        let begin = self.sequence.text().len();
        match row.len() {
            1 => {
                if self.setting == Setting::Element {
                    self.sequence.text().push(b',');
                }
                let value = row.get(0).ok_or(Failure::NoMemory)?;
                write(&value, self.choices, self.sequence.text());
            }
            count if count == 0 || count % 2 == 1 => return Err(Fault::Count(count)),
            _ if self.choices.any() => {
                self.sequence.text().extend(self.setting.brace());
                members(row, self.choices, self.sequence.text())?;
            }
            _ => self.object(row)?,
        }
        if self.setting == Setting::Line {
            self.sequence.text().push(b'\n');
        }
        Ok(self.sequence.end_element(begin)?)
    }

    #[inline]
    fn object(&mut self, row: &impl Row) -> Result<(), Fault> {
        if !self.begun {
            self.begin(row)?;
        }
        let one_line = &self.choices.one_line;
        let out = self.sequence.text();
        let mut rest = row.rest(0);
        for known in self.keys.iter() {
            let index = || row.len() - rest.len();
            if rest.len() < 2 {
                return Err(Fault::Count(row.len()));
            }
            let key = match rest.hand_plain(0, KeyTaker).ok_or(Failure::NoMemory)? {
                Ok(key) => key,
                Err(class) => return Err(Fault::KeyType(index(), class)),
            };
            let before = known.begin_as(key, || self.setting.before(index()), out);
            rest.hand(1, Writer { before, one_line, out }).ok_or(Failure::NoMemory)?;
            rest = rest.rest(2);
        }
        out.push(b'}');
        Ok(())
    }

    /// Learns the first object's keys, unless they are those that were kept.
    #[inline(never)]
    fn begin(&mut self, row: &impl Row) -> Result<(), Fault> {
        let count = row.len();
        let keys = || (0..count).step_by(2).map(|index| keys::text(row.get(index), index));
        let mut known = self.keys.len() == count / 2;
        for (key, found) in self.keys.iter().zip(keys()) {
            known = known && key.is(found?);
        }
        if !known {
            self.keys.clear();
            for (number, key) in keys().enumerate() {
                self.keys.learn(key?, self.setting.before(number), count / 2)?;
            }
        }
        self.begun = true;
        Ok(())
    }
}

/// An array of objects or values.
pub struct Objects<M: Memory>(Elements<M>);

impl<M: Memory + Clone> Shape<M> for Objects<M> {
    type Kept = KeptKeys;

    fn start(memory: M, choices: Choices, kept: KeptKeys) -> Self {
        Objects(Elements::start(memory, choices, Setting::Element, kept))
    }

    fn keep(&mut self) -> KeptKeys {
        self.0.keys.keep()
    }

    #[inline]
    fn step(&mut self, row: &impl Row) -> Result<(), Fault> {
        self.0.step(row)
    }

    fn inverse(&mut self) {
        self.0.sequence.remove_first();
    }

    fn value<R>(&mut self, read: impl FnOnce(&[u8]) -> R) -> Result<R, Failure> {
        self.0.sequence.with_array(read)
    }

    fn finish(self) -> Result<Finished<'static, M>, Failure> {
        self.0.sequence.into_array()
    }
}

/// Objects or values, one a line.
pub struct Lines<M: Memory>(Elements<M>);

impl<M: Memory + Clone> Shape<M> for Lines<M> {
    type Kept = KeptKeys;

    fn start(memory: M, choices: Choices, kept: KeptKeys) -> Self {
        Lines(Elements::start(memory, choices, Setting::Line, kept))
    }

    fn keep(&mut self) -> KeptKeys {
        self.0.keys.keep()
    }

    #[inline]
    fn step(&mut self, row: &impl Row) -> Result<(), Fault> {
        self.0.step(row)
    }

    fn inverse(&mut self) {
        self.0.sequence.remove_first();
    }

    fn value<R>(&mut self, read: impl FnOnce(&[u8]) -> R) -> Result<R, Failure> {
        Ok(read(self.0.sequence.plain()))
    }

    fn finish(self) -> Result<Finished<'static, M>, Failure> {
        self.0.sequence.into_plain()
    }
}

/// An array of arrays, one a row.
pub struct Rows<M: Memory> {
    sequence: Sequence<M>,
    choices: Choices,
}

impl<M: Memory + Clone> Shape<M> for Rows<M> {
    type Kept = ();

    fn start(memory: M, choices: Choices, (): ()) -> Self {
        Rows { sequence: Sequence::new(memory), choices }
    }

    #[inline(never)]
    fn step(&mut self, row: &impl Row) -> Result<(), Fault> {
        if row.is_empty() {
            return Err(Fault::Count(0));
        }
        let text = self.sequence.text();
        let begin = text.len();
        let mut before = const { &Before::text(b",[") };
        for index in 0..row.len() {
            if self.choices.any() {
                text.extend_pieces(before);
                write(&row.get(index).ok_or(Failure::NoMemory)?, self.choices, text);
            } else {
                row.hand(index, Writer { before, one_line: &false, out: text }).ok_or(Failure::NoMemory)?;
            }
            before = const { &Before::text(b",") };
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
            self.keys.learn(keys::text(row.get(2 * column), 2 * column)?, before, count)?;
            self.columns.push(Sequence::new(self.memory.beside()));
        }
        Ok(())
    }

    fn assemble(&mut self) -> Result<Buffer<'static, M>, Failure> {
        let mut out = Buffer::new(self.memory.clone());
        if self.columns.first().is_none_or(Sequence::is_empty) {
            out.extend(b"{}");
            return Ok(out);
        }
        for (key, column) in self.keys.iter().zip(&mut self.columns) {
            let before = key.begin(&mut out);
            out.extend_pieces(before);
            column.with_array(|array| out.extend(array))?;
        }
        out.push(b'}');
        Ok(out)
    }
}

impl<M: Memory + Clone> Shape<M> for Columns<M> {
    type Kept = ();

    fn start(memory: M, choices: Choices, (): ()) -> Self {
        let keys = Keys::new(memory.clone(), choices.ascii);
        Columns { keys, columns: Vec::new(), memory, choices, total: 0 }
    }

    #[inline(never)]
    fn step(&mut self, row: &impl Row) -> Result<(), Fault> {
        let count = row.len();
        if count == 0 || count % 2 == 1 {
            return Err(Fault::Count(count));
        }
        if self.columns.is_empty() {
            self.learn(row)?;
        }
        for (number, (key, column)) in self.keys.iter().zip(&mut self.columns).enumerate() {
            let index = 2 * number;
            if !key.is(keys::text(row.get(index), index)?) {
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
