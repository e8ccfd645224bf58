//! The keys of a query's columns, and what their names say of their values (R19, R28).

use core::fmt::Write;

use crate::buffer::{Buffer, BufferError, Memory};
use crate::json::ColumnKind;

/// A column: its key, and what its values are taken for.
#[derive(Debug, PartialEq)]
pub(super) struct Column {
    pub(super) key: Vec<u8>,
    pub(super) kind: ColumnKind,
}

/// The marks, in any case of letters. The key is the name without its mark.
const MARKS: [(&[u8], ColumnKind); 3] =
    [(b":json", ColumnKind::Json), (b":json?", ColumnKind::JsonOrString), (b":bool", ColumnKind::Bool)];

/// A column's name without its mark, and what that says.
#[inline(never)]
fn unmarked(name: &[u8]) -> (&[u8], ColumnKind) {
    for (mark, kind) in MARKS {
        if let Some((rest, end)) = name.len().checked_sub(mark.len()).and_then(|at| name.split_at_checked(at))
            && end.eq_ignore_ascii_case(mark)
            && !rest.is_empty()
        {
            return (rest, kind);
        }
    }
    (name, ColumnKind::Plain)
}

/// What a column's declared type says of its values.
pub(super) fn declared(word: &[u8]) -> ColumnKind {
    let is = |name: &str| word.eq_ignore_ascii_case(name.as_bytes());
    if is("boolean") || is("bool") {
        ColumnKind::Bool
    } else if is("json") {
        ColumnKind::Json
    } else {
        ColumnKind::Plain
    }
}

fn room<T>(count: usize) -> Result<Vec<T>, BufferError> {
    let mut room = Vec::new();
    room.try_reserve_exact(count).map_err(|_| BufferError::NoMemory)?;
    Ok(room)
}

#[inline(never)]
fn copy(bytes: &[u8]) -> Result<Vec<u8>, BufferError> {
    let mut copy = room(bytes.len())?;
    copy.extend_from_slice(bytes);
    Ok(copy)
}

/// The columns that have these names. A name that was there before gets the first of the suffixes `_2`,
/// `_3`, … that makes it no other column's name. Names are compared as they are written: repaired (R4).
#[inline(never)]
pub(super) fn columns<M: Memory>(
    names: &[&[u8]],
    scratch: &mut Buffer<'_, M>,
) -> Result<Vec<Column>, BufferError> {
    let mut repaired = room(names.len())?;
    repaired.extend(names.iter().map(|name| String::from_utf8_lossy(name)));
    let mut sorted = room(names.len())?;
    for name in &repaired {
        let (name, _) = unmarked(name.as_bytes());
        let place = sorted.partition_point(|other| *other < name);
        sorted.insert(place, name);
    }
    // How often each name was there so far; counted where the name stands first in `sorted`.
    let mut counts = room(names.len())?;
    counts.resize(names.len(), 0_u64);
    let mut columns = room(names.len())?;
    for name in &repaired {
        let (name, kind) = unmarked(name.as_bytes());
        let first = sorted.partition_point(|other| *other < name);
        let Some(count) = counts.get_mut(first) else { continue };
        *count += 1;
        if *count == 1 {
            columns.push(Column { key: copy(name)?, kind });
            continue;
        }
        loop {
            scratch.truncate(0);
            scratch.extend(name);
            // Its only error is that of the buffer, which is sticky.
            let _ = write!(Text(scratch), "_{count}");
            if let Some(failure) = scratch.failure() {
                return Err(failure);
            }
            if sorted.binary_search(&scratch.as_slice()).is_err() {
                break;
            }
            *count += 1;
        }
        columns.push(Column { key: copy(scratch.as_slice())?, kind });
    }
    Ok(columns)
}

struct Text<'b, 'r, M: Memory>(&'b mut Buffer<'r, M>);

impl<M: Memory> Write for Text<'_, '_, M> {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        self.0.extend(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buffer::testing::Heap;

    fn made(names: &[&str]) -> Vec<String> {
        let names: Vec<&[u8]> = names.iter().map(|name| name.as_bytes()).collect();
        let columns = columns(&names, &mut Buffer::new(Heap(1000))).unwrap_or_default();
        let shown = columns.iter().map(|Column { key, kind }| {
            let mark = match kind {
                ColumnKind::Plain => "",
                ColumnKind::Json => "!",
                ColumnKind::JsonOrString => "!?",
                ColumnKind::Bool => "&",
            };
            format!("{}{mark}", String::from_utf8_lossy(key))
        });
        shown.collect()
    }

    #[test]
    fn repeated_names_get_suffixes_that_are_free() {
        assert_eq!(made(&["n", "n", "n"]), ["n", "n_2", "n_3"]);
        assert_eq!(made(&["n", "n", "n_2"]), ["n", "n_3", "n_2"]);
        assert_eq!(made(&["n_2", "n", "n", "n", "n_2"]), ["n_2", "n", "n_3", "n_4", "n_2_2"]);
        assert_eq!(made(&["", "", "_2"]), ["", "_3", "_2"]);
        assert_eq!(made(&["a", "A", "a"]), ["a", "A", "a_2"]);
    }

    #[test]
    fn names_that_become_the_same_by_repair() {
        let columns = columns(&[b"a\xff", b"a\xfe", "a\u{fffd}_2".as_bytes()], &mut Buffer::new(Heap(1000)));
        let keys: Vec<_> = columns
            .unwrap_or_default()
            .iter()
            .map(|c| String::from_utf8_lossy(&c.key).into_owned())
            .collect();
        assert_eq!(keys, ["a\u{fffd}", "a\u{fffd}_3", "a\u{fffd}_2"]);
    }

    #[test]
    fn the_mark_is_taken_off_first() {
        assert_eq!(made(&["n", "n:json", "n_2:json"]), ["n", "n_3!", "n_2!"]);
        assert_eq!(made(&[":json", "x:JSON", "x:json:json"]), [":json", "x!", "x:json!"]);
        assert_eq!(
            made(&["x:json?", "y:Bool", ":bool", "z:bools", "é:json"]),
            ["x!?", "y&", ":bool", "z:bools", "é!"]
        );
    }
}
