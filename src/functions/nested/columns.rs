//! The keys of a query's columns (R19).

use core::fmt::Write;

use crate::buffer::{Buffer, BufferError, Memory};

/// A column whose name ends so holds JSON text; the key is the name without it.
const JSON_MARK: &[u8] = b":json";

/// A column's name without the mark, and whether it bore the mark.
fn unmarked(name: &[u8]) -> (&[u8], bool) {
    match name.strip_suffix(JSON_MARK) {
        Some(rest) if !rest.is_empty() => (rest, true),
        _ => (name, false),
    }
}

/// Calls `take` with the key of each column and whether it holds JSON text. A name that was there before gets the first of
/// the suffixes `_2`, `_3`, … that makes it no other column's name. Names are compared as they are written: repaired (R4).
pub(super) fn keys<M: Memory>(
    names: &[&[u8]],
    scratch: &mut Buffer<'_, M>,
    mut take: impl FnMut(&[u8], bool) -> Result<(), BufferError>,
) -> Result<(), BufferError> {
    let mut repaired = Vec::new();
    repaired.try_reserve_exact(names.len()).map_err(|_| BufferError::NoMemory)?;
    repaired.extend(names.iter().map(|name| String::from_utf8_lossy(name)));
    let mut sorted = Vec::new();
    sorted.try_reserve_exact(names.len()).map_err(|_| BufferError::NoMemory)?;
    for name in &repaired {
        let (name, _) = unmarked(name.as_bytes());
        let place = sorted.partition_point(|other| *other < name);
        sorted.insert(place, name);
    }
    // How often each name was there so far; counted where the name stands first in `sorted`.
    let mut counts = Vec::new();
    counts.try_reserve_exact(names.len()).map_err(|_| BufferError::NoMemory)?;
    counts.resize(names.len(), 0_u64);
    for name in &repaired {
        let (name, json) = unmarked(name.as_bytes());
        let first = sorted.partition_point(|other| *other < name);
        let Some(count) = counts.get_mut(first) else { continue };
        *count += 1;
        if *count == 1 {
            take(name, json)?;
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
        take(scratch.as_slice(), json)?;
    }
    Ok(())
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
        let mut made = Vec::new();
        let result = keys(&names, &mut Buffer::new(Heap(1000)), |key, json| {
            let mark = if json { "!" } else { "" };
            made.push(format!("{}{mark}", String::from_utf8_lossy(key)));
            Ok(())
        });
        assert_eq!(result, Ok(()));
        made
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
        let mut made = Vec::new();
        let result =
            keys(&[b"a\xff", b"a\xfe", "a\u{fffd}_2".as_bytes()], &mut Buffer::new(Heap(1000)), |key, _| {
                made.push(String::from_utf8_lossy(key).into_owned());
                Ok(())
            });
        assert_eq!(result, Ok(()));
        assert_eq!(made, ["a\u{fffd}", "a\u{fffd}_3", "a\u{fffd}_2"]);
    }

    #[test]
    fn the_mark_is_taken_off_first() {
        assert_eq!(made(&["n", "n:json", "n_2:json"]), ["n", "n_3!", "n_2!"]);
        assert_eq!(made(&[":json", "x:JSON", "x:json:json"]), [":json", "x:JSON", "x:json!"]);
    }
}
