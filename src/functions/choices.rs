//! The first argument of every function whose name ends in `_with`: how the JSON is to differ from
//! the default.
//!
//! The choices are words in a text, separated by commas or white space: `'bigint-text, blob-url'`.
//! Functions without `_with` take none, so data is never taken for a choice. One table has all the
//! words, with the functions that each is for.

use crate::json::{BlobForm, Choices};
use crate::sqlite::{Report, Reported};

/// Who takes a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Takers(u8);

impl Takers {
    /// Functions that make an object of each row.
    pub(super) const OBJECTS: Takers = Takers(1);
    /// Functions that make other things of rows.
    pub(super) const OTHERS: Takers = Takers(2);
    /// `resq_map_with`.
    pub(super) const MAP: Takers = Takers(4);
    /// `resq_query_with`.
    pub(super) const QUERY: Takers = Takers(8);
    /// `resq_stream_with`.
    pub(super) const STREAM: Takers = Takers(16);

    const NESTED: Takers = Self::QUERY.and(Self::STREAM);
    const ALL: Takers = Self::OBJECTS.and(Self::OTHERS).and(Self::MAP).and(Self::NESTED);

    const fn and(self, other: Takers) -> Takers {
        Takers(self.0 | other.0)
    }

    const fn has(self, other: Takers) -> bool {
        self.0 & other.0 != 0
    }
}

/// What the rows of a nested query become (R26).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum RowsAs {
    #[default]
    Objects,
    Rows,
    Columns,
    Table,
    Values,
    One,
    Map,
    Ndjson,
    GeoJson,
}

/// What was chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Chosen {
    /// How values are written.
    pub(super) json: Choices,
    pub(super) rows_as: RowsAs,
    /// Columns declared BOOLEAN and JSON are taken for what they are declared as.
    pub(super) declared: bool,
    /// A point in a column's name means an object within the object.
    pub(super) nest: bool,
    /// The pieces of a stream make one array.
    pub(super) array: bool,
    /// The most bytes of a stream's piece.
    pub(super) piece: Option<usize>,
}

/// What a word does.
enum Set {
    BigIntegersAsText,
    Blobs(BlobForm),
    OmitNull,
    Ascii,
    UniqueKeys,
    RowsAs(RowsAs),
    Declared,
    Nest,
    Array,
    Piece,
}

/// The words, who takes each, and what it does. `piece` goes with a number: `piece=65536`.
const WORDS: [(&str, Takers, Set); 19] = [
    ("ascii", Takers::ALL, Set::Ascii),
    ("bigint-text", Takers::ALL, Set::BigIntegersAsText),
    ("blob-hex", Takers::ALL, Set::Blobs(BlobForm::Hex)),
    ("blob-tagged", Takers::ALL, Set::Blobs(BlobForm::Tagged)),
    ("blob-url", Takers::ALL, Set::Blobs(BlobForm::Base64Url)),
    ("omit-null", Takers::OBJECTS.and(Takers::NESTED), Set::OmitNull),
    ("unique-keys", Takers::MAP.and(Takers::QUERY), Set::UniqueKeys),
    ("declared", Takers::NESTED, Set::Declared),
    ("nest", Takers::NESTED, Set::Nest),
    ("rows", Takers::NESTED, Set::RowsAs(RowsAs::Rows)),
    ("columns", Takers::QUERY, Set::RowsAs(RowsAs::Columns)),
    ("table", Takers::QUERY, Set::RowsAs(RowsAs::Table)),
    ("values", Takers::NESTED, Set::RowsAs(RowsAs::Values)),
    ("one", Takers::QUERY, Set::RowsAs(RowsAs::One)),
    ("map", Takers::QUERY, Set::RowsAs(RowsAs::Map)),
    ("ndjson", Takers::NESTED, Set::RowsAs(RowsAs::Ndjson)),
    ("geojson", Takers::NESTED, Set::RowsAs(RowsAs::GeoJson)),
    ("array", Takers::STREAM, Set::Array),
    ("piece", Takers::STREAM, Set::Piece),
];

/// Why a text of choices is refused.
#[derive(Debug, PartialEq)]
enum Refused<'t> {
    Unknown(&'t [u8]),
    /// A word that other functions take.
    NotHere(&'t [u8]),
    /// Two words for the same thing.
    Both(&'static str, &'static str),
    /// A word that needs objects, where none are made.
    NoObjects(&'static str),
    /// `unique-keys` without `map`.
    NoMap,
    Piece,
}

/// What argument number `argument`, `text`, chooses for the function that is `taker`.
#[inline(never)]
pub(super) fn read(
    report: &dyn Report,
    argument: usize,
    text: &[u8],
    taker: Takers,
) -> Result<Chosen, Reported> {
    let refused = match parse(text, taker) {
        Ok(chosen) => return Ok(chosen),
        Err(refused) => refused,
    };
    let known = Known(taker);
    Err(match refused {
        Refused::Unknown(word) => report.error(format_args!(
            "argument {argument}: unknown choice '{}', known are: {known}",
            word.escape_ascii()
        )),
        Refused::NotHere(word) => report.error(format_args!(
            "argument {argument}: the choice '{}' is not for this function, known are: {known}",
            word.escape_ascii()
        )),
        Refused::Both(one, other) => {
            report.error(format_args!("argument {argument}: '{one}' and '{other}' exclude each other"))
        }
        Refused::NoObjects(word) => {
            report.error(format_args!("argument {argument}: {word} is for objects, and this makes none"))
        }
        Refused::NoMap => report.error(format_args!("argument {argument}: unique-keys needs the choice map")),
        Refused::Piece => report.error(format_args!(
            "argument {argument}: piece needs a number of bytes, 1 or more, as in piece=65536"
        )),
    })
}

/// The words that a function takes, for messages.
struct Known(Takers);

impl core::fmt::Display for Known {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let words = WORDS.iter().filter(|(_, takers, _)| takers.has(self.0));
        for (index, (word, ..)) in words.enumerate() {
            f.write_str(if index == 0 { "" } else { ", " })?;
            f.write_str(word)?;
            f.write_str(if *word == "piece" { "=BYTES" } else { "" })?;
        }
        Ok(())
    }
}

#[inline(never)]
fn parse(text: &[u8], taker: Takers) -> Result<Chosen, Refused<'_>> {
    let mut chosen = Chosen::default();
    let (mut blobs, mut rows_as) = (None, None);
    let words = text.split(|byte| matches!(byte, b',' | b' ' | b'\t' | b'\n' | b'\r'));
    for word in words.filter(|word| !word.is_empty()) {
        let mut parts = word.splitn(2, |byte| *byte == b'=');
        let (name, value) = (parts.next().unwrap_or_default(), parts.next());
        let found = WORDS.iter().find(|(known, ..)| known.as_bytes() == name);
        let Some((name, takers, set)) = found else { return Err(Refused::Unknown(word)) };
        if value.is_some() && !matches!(set, Set::Piece) {
            return Err(Refused::Unknown(word));
        }
        if !takers.has(taker) {
            return Err(Refused::NotHere(word));
        }
        match *set {
            Set::BigIntegersAsText => chosen.json.big_integers_as_text = true,
            Set::OmitNull => chosen.json.omit_null = true,
            Set::Ascii => chosen.json.ascii = true,
            Set::UniqueKeys => chosen.json.unique_keys = true,
            Set::Declared => chosen.declared = true,
            Set::Nest => chosen.nest = true,
            Set::Array => chosen.array = true,
            Set::Piece => chosen.piece = Some(bytes(value).ok_or(Refused::Piece)?),
            Set::Blobs(form) => {
                chosen.json.blobs = form;
                only_one(&mut blobs, name)?;
            }
            Set::RowsAs(form) => {
                chosen.rows_as = form;
                only_one(&mut rows_as, name)?;
            }
        }
    }
    // What the words mean together.
    let makes_objects = matches!(chosen.rows_as, RowsAs::Objects | RowsAs::One | RowsAs::Ndjson);
    if chosen.json.omit_null && !makes_objects {
        return Err(Refused::NoObjects("omit-null"));
    }
    if chosen.nest && !(makes_objects || matches!(chosen.rows_as, RowsAs::Map | RowsAs::GeoJson)) {
        return Err(Refused::NoObjects("nest"));
    }
    if chosen.nest && chosen.json.omit_null {
        return Err(Refused::Both("nest", "omit-null"));
    }
    if chosen.array && matches!(chosen.rows_as, RowsAs::Ndjson) {
        return Err(Refused::Both("array", "ndjson"));
    }
    if chosen.array && matches!(chosen.rows_as, RowsAs::GeoJson) {
        return Err(Refused::Both("array", "geojson"));
    }
    if taker == Takers::QUERY && chosen.json.unique_keys && chosen.rows_as != RowsAs::Map {
        return Err(Refused::NoMap);
    }
    Ok(chosen)
}

fn only_one(place: &mut Option<&'static str>, name: &'static str) -> Result<(), Refused<'static>> {
    match place.replace(name) {
        Some(other) if other != name => Err(Refused::Both(other, name)),
        _ => Ok(()),
    }
}

fn bytes(value: Option<&[u8]>) -> Option<usize> {
    let number = std::str::from_utf8(value?).ok()?.parse().ok()?;
    (number > 0).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_any_order_and_spacing() {
        assert_eq!(parse(b"", Takers::OBJECTS), Ok(Chosen::default()));
        assert_eq!(parse(b" ,\n", Takers::OTHERS), Ok(Chosen::default()));
        let json = Choices {
            big_integers_as_text: true,
            blobs: BlobForm::Base64Url,
            omit_null: true,
            ascii: true,
            ..Choices::DEFAULT
        };
        let words = b"ascii,omit-null blob-url\tbigint-text, ascii";
        assert_eq!(parse(words, Takers::OBJECTS), Ok(Chosen { json, ..Chosen::default() }));
        let stream = Chosen { array: true, piece: Some(12), ..Chosen::default() };
        assert_eq!(parse(b"piece=12 array", Takers::STREAM), Ok(stream));
    }

    #[test]
    fn an_unknown_word_is_named() {
        for (text, word) in [
            (&b"ascii, ASCII"[..], &b"ASCII"[..]),
            (b"ascii;omit-null", b"ascii;omit-null"),
            (b"ascii=1", b"ascii=1"),
        ] {
            assert_eq!(parse(text, Takers::OBJECTS), Err(Refused::Unknown(word)));
        }
    }

    #[test]
    fn words_for_other_functions() {
        assert_eq!(parse(b"omit-null", Takers::OTHERS), Err(Refused::NotHere(b"omit-null")));
        assert_eq!(parse(b"rows", Takers::OBJECTS), Err(Refused::NotHere(b"rows")));
        assert_eq!(parse(b"table", Takers::STREAM), Err(Refused::NotHere(b"table")));
        assert_eq!(parse(b"piece=1", Takers::QUERY), Err(Refused::NotHere(b"piece=1")));
    }

    #[test]
    fn words_that_exclude_each_other() {
        let both = |text, one, other| {
            assert_eq!(parse(text, Takers::QUERY), Err(Refused::Both(one, other)));
        };
        both(b"rows columns", "rows", "columns");
        both(b"blob-hex blob-url", "blob-hex", "blob-url");
        both(b"nest omit-null", "nest", "omit-null");
        assert_eq!(parse(b"rows omit-null", Takers::QUERY), Err(Refused::NoObjects("omit-null")));
        assert_eq!(parse(b"values nest", Takers::QUERY), Err(Refused::NoObjects("nest")));
        assert_eq!(parse(b"rows rows", Takers::QUERY).map(|chosen| chosen.rows_as), Ok(RowsAs::Rows));
    }

    #[test]
    fn a_piece_is_a_number_of_bytes() {
        for text in [&b"piece"[..], b"piece=", b"piece=0", b"piece=-1", b"piece=x", b"piece=1=2"] {
            assert_eq!(parse(text, Takers::STREAM), Err(Refused::Piece), "{}", text.escape_ascii());
        }
    }
}
