//! Values, keys and shapes, in memory that is there and in memory that runs out.

use core::cell::Cell;

use super::keys::Keys;
use super::*;
use crate::buffer::testing::{Heap, Scarce};
use crate::buffer::{Buffer, Finished, Memory};
use crate::value::{Row, Value};
use Value::{Blob, Integer, Json, Null, Real, Text};

struct Values<'a>(&'a [Value<'a>]);

impl Row for Values<'_> {
    fn rest(&self, first: usize) -> Self {
        Values(self.0.get(first..).unwrap_or_default())
    }
    fn len(&self) -> usize {
        self.0.len()
    }
    fn get(&self, index: usize) -> Option<Value<'_>> {
        self.0.get(index).copied()
    }
}

/// A row that fails, for want of memory, at the value with this index.
struct Lost<'a>(&'a [Value<'a>], usize);

impl Row for Lost<'_> {
    fn rest(&self, first: usize) -> Self {
        Lost(self.0.get(first..).unwrap_or_default(), self.1.wrapping_sub(first))
    }
    fn len(&self) -> usize {
        self.0.len()
    }
    fn get(&self, index: usize) -> Option<Value<'_>> {
        if index == self.1 { None } else { self.0.get(index).copied() }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn written(value: Value<'_>, choices: Choices) -> String {
    let mut out = Buffer::new(Heap(1 << 20));
    write(&value, choices, &mut out);
    assert_eq!(out.failure(), None);
    text(out.as_slice())
}

const ALL: Choices = Choices {
    big_integers_as_text: true,
    blobs: BlobForm::Base64Url,
    omit_null: true,
    ascii: true,
    ..Choices::DEFAULT
};

#[test]
fn every_value() {
    for (value, json, chosen) in [
        (Null, "null", "null"),
        (Integer(0), "0", "0"),
        (Integer(-7), "-7", "-7"),
        (Integer(9_007_199_254_740_991), "9007199254740991", "9007199254740991"),
        (Integer(9_007_199_254_740_992), "9007199254740992", "\"9007199254740992\""),
        (Integer(-9_007_199_254_740_991), "-9007199254740991", "-9007199254740991"),
        (Integer(-9_007_199_254_740_992), "-9007199254740992", "\"-9007199254740992\""),
        (Integer(i64::MAX), "9223372036854775807", "\"9223372036854775807\""),
        (Integer(i64::MIN), "-9223372036854775808", "\"-9223372036854775808\""),
        (Real(1.0), "1.0", "1.0"),
        (Real(-0.0), "-0.0", "-0.0"),
        (Real(0.1), "0.1", "0.1"),
        (Real(1e300), "1e300", "1e300"),
        (Real(f64::INFINITY), "null", "null"),
        (Real(f64::NEG_INFINITY), "null", "null"),
        (Real(f64::NAN), "null", "null"),
        (Text(b""), "\"\"", "\"\""),
        (Text("a\"ž\0".as_bytes()), "\"a\\\"ž\\u0000\"", "\"a\\\"\\u017e\\u0000\""),
        (Text(b"\xff"), "\"\u{fffd}\"", "\"\\ufffd\""),
        (Blob(b""), "\"\"", "\"\""),
        (Blob(b"\xfb\xff\xbf\xfe"), "\"+/+//g==\"", "\"-_-__g\""),
        (Json("[1, \"ž\"]".as_bytes()), "[1, \"ž\"]", "[1, \"\\u017e\"]"),
    ] {
        assert_eq!(written(value, Choices::DEFAULT), json, "{value:?}");
        assert_eq!(written(value, ALL), chosen, "{value:?}");
    }
}

#[test]
fn keys_are_compared_by_their_bytes() {
    let mut keys = Keys::new(Heap(1 << 20), false);
    let known: [&[u8]; 5] =
        [b"aa", b"", b"a\"a", b"bb", "a key that is too long for short stores".as_bytes()];
    for (index, key) in known.iter().enumerate() {
        assert_eq!(keys.learn(key, if index == 0 { b",{" } else { b"," }, 4), Ok(()));
    }
    assert_eq!(keys.len(), 5);
    for (index, (key, found)) in known.iter().zip(keys.iter()).enumerate() {
        let before = if index == 0 { ",{" } else { "," };
        for other in known {
            assert_eq!(found.is(other), *key == other);
            let mut out = Buffer::new(Heap(1 << 20));
            let rest = found.begin_as(other, || b"<", &mut out);
            out.extend_parts(rest);
            let before = if *key == other { before } else { "<" };
            let escaped = text(other).replace('"', "\\\"");
            assert_eq!(text(out.as_slice()), format!("{before}\"{escaped}\":"));
        }
        let mut out = Buffer::new(Heap(1 << 20));
        let rest = found.begin(&mut out);
        out.extend_parts(rest);
        let escaped = text(key).replace('"', "\\\"");
        assert_eq!(text(out.as_slice()), format!("{before}\"{escaped}\":"));
    }
}

/// Every length that is compared in its own way, and every byte of it.
#[test]
fn no_byte_of_a_key_is_overlooked() {
    for length in 0..40 {
        let key: Vec<u8> = (0..length).map(|at| b'a' + at as u8 % 26).collect();
        let mut keys = Keys::new(Heap(1 << 20), false);
        assert_eq!(keys.learn(&key, b",", 1), Ok(()));
        let Some(found) = keys.iter().next() else { panic!("no key") };
        assert!(found.is(&key));
        for at in 0..length {
            let mut other = key.clone();
            other[at] ^= 1;
            assert!(!found.is(&other), "byte {at} of {length}");
            assert!(!found.is(&key[..at]));
        }
        let mut longer = key.clone();
        longer.push(0);
        assert!(!found.is(&longer));
    }
}

/// Rows of pairs; the keys of the last differ.
const PAIRS: [&[Value<'static>]; 4] = [
    &[Text(b"a"), Integer(1), Text(b"b"), Blob(b"\x00")],
    &[Text(b"a"), Null, Text(b"b"), Text(b"x")],
    &[Text(b"a"), Real(0.5), Text(b"b"), Json(b"[]")],
    &[Text(b"c"), Integer(-1), Text(b"b"), Null],
];
const ROWS: [&str; 4] =
    [r#"{"a":1,"b":"AA=="}"#, r#"{"a":null,"b":"x"}"#, r#"{"a":0.5,"b":[]}"#, r#"{"c":-1,"b":null}"#];

fn finished<M: Memory>(result: Result<Finished<'_, M>, BufferError>) -> Result<String, BufferError> {
    Ok(match result? {
        Finished::Borrowed(bytes) => text(bytes),
        Finished::Owned(block) => text(block.as_slice()),
    })
}

/// Every stretch of the rows: steps, inverses, the value after each, and the end.
fn every_frame<S: Shape<Heap>>(rows: &[&[Value<'_>]], expected: impl Fn(usize, usize) -> String) {
    for begin in 0..=rows.len() {
        for end in begin..=rows.len() {
            let mut shape = S::start(Heap(1 << 20), Choices::DEFAULT, Default::default());
            for (number, row) in rows[..end].iter().enumerate() {
                assert_eq!(shape.step(&Values(row)), Ok(()));
                assert_eq!(shape.value(text), Ok(expected(0, number + 1)));
            }
            for number in 0..begin {
                shape.inverse();
                assert_eq!(shape.value(text), Ok(expected(number + 1, end)));
            }
            assert_eq!(finished(shape.finish()), Ok(expected(begin, end)));
        }
    }
}

#[test]
fn frames_of_every_shape() {
    every_frame::<Objects<Heap>>(&PAIRS, |begin, end| format!("[{}]", ROWS[begin..end].join(",")));
    every_frame::<Lines<Heap>>(&PAIRS, |begin, end| {
        ROWS[begin..end].iter().map(|row| format!("{row}\n")).collect()
    });
    every_frame::<Rows<Heap>>(&[&[Integer(1), Null], &[Integer(2), Text(b"x")]], |begin, end| {
        format!("[{}]", ["[1,null]", "[2,\"x\"]"][begin..end].join(","))
    });
    every_frame::<Columns<Heap>>(&PAIRS[..3], |begin, end| {
        let column = |cells: [&str; 3]| cells[begin..end].join(",");
        match begin == end {
            true => "{}".to_owned(),
            false => format!(
                r#"{{"a":[{}],"b":[{}]}}"#,
                column(["1", "null", "0.5"]),
                column(["\"AA==\"", "\"x\"", "[]"])
            ),
        }
    });
    let single: [&[Value<'_>]; 3] = [&[Integer(1)], &[Null], &[Text(b"x")]];
    every_frame::<Objects<Heap>>(&single, |begin, end| {
        format!("[{}]", ["1", "null", "\"x\""][begin..end].join(","))
    });
    every_frame::<Lines<Heap>>(&single, |begin, end| ["1\n", "null\n", "\"x\"\n"][begin..end].concat());
}

/// What one group has left serves a group with the same keys, and changes nothing for any other
/// (R9).
#[test]
fn keys_that_a_group_has_left() {
    const LONG: &[u8] = b"a key that is too long for short stores";
    let groups: [&[&[u8]]; 9] = [
        &[b"a"],
        &[b"b"],
        &[b"b", b"a"],
        &[b"b", b"aa"],
        &[b"b", b"a", b"c"],
        &[b"b"],
        &[LONG, b"a"],
        &[b"", b"a\""],
        &[b"a"],
    ];
    let object = |keys: &[&[u8]]| {
        let members: Vec<_> =
            keys.iter().map(|key| format!("\"{}\":1", text(key).replace('"', "\\\""))).collect();
        format!("{{{}}}", members.join(","))
    };
    for before in groups {
        for other in groups {
            let mut reusable = Default::default();
            for (round, keys) in [before, before, other, before, other].into_iter().enumerate() {
                let mut shape = Objects::start(Heap(1 << 20), Choices::DEFAULT, reusable);
                let row: Vec<_> = keys.iter().flat_map(|key| [Text(key), Integer(1)]).collect();
                for _ in 0..=round {
                    assert_eq!(shape.step(&Values(&row)), Ok(()));
                }
                reusable = shape.reusable();
                let expected = vec![object(keys); round + 1].join(",");
                assert_eq!(finished(shape.finish()), Ok(format!("[{expected}]")));
            }
            let mut shape = Objects::start(Heap(1 << 20), Choices::DEFAULT, reusable);
            assert_eq!(shape.step(&Values(&[Integer(1), Null])), Err(RowError::KeyType(0, "INTEGER")));
        }
    }
}

fn error<S: Shape<Heap>>(rows: &[&[Value<'_>]]) -> Option<RowError> {
    let mut shape = S::start(Heap(1 << 20), Choices::DEFAULT, Default::default());
    rows.iter().find_map(|row| shape.step(&Values(row)).err())
}

#[test]
fn faults() {
    type O = Objects<Heap>;
    type C = Columns<Heap>;
    let a = Text(b"a");
    assert_eq!(error::<O>(&[&[]]), Some(RowError::Count(0)));
    assert_eq!(error::<O>(&[&[a, Null, a]]), Some(RowError::Count(3)));
    assert_eq!(error::<C>(&[&[a]]), Some(RowError::Count(1)));
    assert_eq!(error::<C>(&[&[]]), Some(RowError::Count(0)));
    assert_eq!(error::<Rows<Heap>>(&[&[]]), Some(RowError::Count(0)));
    for (key, class) in [(Null, "NULL"), (Integer(1), "INTEGER"), (Real(1.0), "REAL"), (Blob(b"a"), "BLOB")] {
        for row in [[key, Null, a, Null], [a, Null, key, Null]] {
            let index = if row[0] == key { 0 } else { 2 };
            assert_eq!(error::<O>(&[&row]), Some(RowError::KeyType(index, class)));
            assert_eq!(error::<O>(&[&[a, Null, a, Null], &row]), Some(RowError::KeyType(index, class)));
            assert_eq!(error::<C>(&[&row]), Some(RowError::KeyType(index, class)));
        }
    }
    assert_eq!(
        error::<C>(&[&[a, Null, a, Null], &[a, Null, Text(b"b"), Null]]),
        Some(RowError::KeyChanged(2))
    );
}

#[test]
fn a_value_that_could_not_be_had() {
    for index in 0..4 {
        let lost = Err(RowError::Buffer(BufferError::NoMemory));
        let row = Lost(PAIRS[0], index);
        let memory = Heap(1 << 20);
        assert_eq!(Objects::start(memory, Choices::DEFAULT, Default::default()).step(&row), lost);
        assert_eq!(Lines::start(memory, ALL, Default::default()).step(&row), lost);
        assert_eq!(Rows::start(memory, Choices::DEFAULT, ()).step(&row), lost);
        assert_eq!(Columns::start(memory, Choices::DEFAULT, ()).step(&row), lost);
        assert_eq!(object(&row, Choices::DEFAULT, &mut Buffer::new(memory)), lost);
    }
}

/// Runs a shape with room for so many allocations; the text, or that memory ran out. No block may
/// be left.
fn scarce<'a, S: Shape<Scarce<'a>>>(
    left: &'a Cell<usize>,
    live: &'a Cell<usize>,
    rows: &[&[Value<'_>]],
) -> Result<String, RowError> {
    let mut shape =
        S::start(Scarce { left, live, largest: usize::MAX }, Choices::DEFAULT, Default::default());
    for round in 0..100 {
        for row in rows {
            shape.step(&Values(row))?;
        }
        if round % 2 == 0 {
            shape.inverse();
            shape.value(|_| ())?;
        }
    }
    Ok(finished(shape.finish())?)
}

#[test]
fn shapes_without_memory() {
    fn at_every_allocation(
        run: impl for<'a> Fn(&'a Cell<usize>, &'a Cell<usize>) -> Result<String, RowError>,
    ) {
        let live = Cell::new(0);
        let expected = run(&Cell::new(1_000_000), &live);
        assert!(expected.is_ok());
        let mut failures = 0;
        for allocations in 0.. {
            let result = run(&Cell::new(allocations), &live);
            assert_eq!(live.get(), 0, "a block is left");
            if result.is_ok() {
                assert_eq!(result, expected);
                break;
            }
            assert_eq!(result, Err(RowError::Buffer(BufferError::NoMemory)));
            failures += 1;
        }
        assert!(failures > 3);
    }
    at_every_allocation(|left, live| scarce::<Objects<Scarce<'_>>>(left, live, &PAIRS));
    at_every_allocation(|left, live| scarce::<Lines<Scarce<'_>>>(left, live, &PAIRS));
    at_every_allocation(|left, live| scarce::<Rows<Scarce<'_>>>(left, live, &PAIRS));
    at_every_allocation(|left, live| scarce::<Columns<Scarce<'_>>>(left, live, &PAIRS[..3]));
}
