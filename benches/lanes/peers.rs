//! Other ways to the same JSON: a loop in C's manner, and loops of a Rust host.
//!
//! The loops write arrays of objects, BLOBs as base64, and reset their statement. The Rust host's rows come by rusqlite
//! where that drives the SQLite under measurement, and else by the calls that rusqlite makes.

use std::ptr;

use super::host::{Connection, Host, Statement, api, ffi};
use super::turns::Run;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

/// A malloc'd text as a C program keeps it.
pub struct Text {
    start: *mut u8,
    length: usize,
    capacity: usize,
}

static PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut i = 0;
    while i < 100 {
        pairs[i] = [b'0' + (i / 10) as u8, b'0' + (i % 10) as u8];
        i += 1;
    }
    pairs
};

/// Two base64 characters for each 12 bits.
static TWELVE: [[u8; 2]; 4096] = {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut table = [[0; 2]; 4096];
    let mut i = 0;
    while i < 4096 {
        table[i] = [ALPHABET[i >> 6], ALPHABET[i & 63]];
        i += 1;
    }
    table
};

impl Text {
    fn new() -> Text {
        Text { start: ptr::null_mut(), length: 0, capacity: 0 }
    }

    fn as_slice(&self) -> &[u8] {
        // SAFETY: `length` bytes are written.
        unsafe { std::slice::from_raw_parts(self.start, self.length) }
    }

    #[inline(always)]
    fn need(&mut self, extra: usize) {
        if self.capacity - self.length < extra {
            self.grow(extra);
        }
    }

    #[cold]
    fn grow(&mut self, extra: usize) {
        self.capacity = (self.length + extra).max(2 * self.capacity).max(512);
        // SAFETY: null or a block of this allocator.
        self.start = unsafe { libc::realloc(self.start.cast(), self.capacity) }.cast();
        assert!(!self.start.is_null());
    }

    /// # Safety
    /// There is room.
    #[inline(always)]
    unsafe fn put(&mut self, bytes: &[u8]) {
        // SAFETY: the caller's duty.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), self.start.add(self.length), bytes.len()) };
        self.length += bytes.len();
    }

    fn append(&mut self, bytes: &[u8]) {
        self.need(bytes.len());
        // SAFETY: there is room now.
        unsafe { self.put(bytes) };
    }

    /// Two digits a division, right to left.
    fn integer(&mut self, n: i64) {
        let mut bytes = [0u8; 20];
        let mut rest = n.unsigned_abs();
        let mut at = 20;
        while rest >= 100 {
            at -= 2;
            bytes[at..at + 2].copy_from_slice(&PAIRS[(rest % 100) as usize]);
            rest /= 100;
        }
        if rest >= 10 {
            at -= 2;
            bytes[at..at + 2].copy_from_slice(&PAIRS[rest as usize]);
        } else {
            at -= 1;
            bytes[at] = b'0' + rest as u8;
        }
        if n < 0 {
            at -= 1;
            bytes[at] = b'-';
        }
        self.append(&bytes[at..]);
    }

    fn base64(&mut self, bytes: &[u8]) {
        self.need(bytes.len() / 3 * 4 + 8);
        // SAFETY: room for 4 characters per 3 bytes, 4 of the tail, and the quotes; all indices are below the length or 4096.
        unsafe {
            self.put(b"\"");
            let mut to = self.start.add(self.length);
            let mut at = 0;
            while at + 3 <= bytes.len() {
                let [a, b, c] = [0, 1, 2].map(|i| *bytes.get_unchecked(at + i) as usize);
                to.cast::<[u8; 2]>().write(*TWELVE.get_unchecked((a << 4) | (b >> 4)));
                to.add(2).cast::<[u8; 2]>().write(*TWELVE.get_unchecked(((b & 15) << 8) | c));
                to = to.add(4);
                at += 3;
            }
            self.length = to.offset_from(self.start) as usize;
            match bytes[at..] {
                [a] => {
                    self.put(&TWELVE[(a as usize) << 4]);
                    self.put(b"==");
                }
                [a, b] => {
                    self.put(&TWELVE[((a as usize) << 4) | (b as usize >> 4)]);
                    self.put(&TWELVE[(b as usize & 15) << 8][..1]);
                    self.put(b"=");
                }
                _ => {}
            }
            self.put(b"\"");
        }
    }

    /// Eight bytes at a time are looked at for what needs an escape, and copied where there is nothing.
    fn string(&mut self, text: &[u8]) {
        const ONES: u64 = 0x0101_0101_0101_0101;
        const HIGHS: u64 = ONES << 7;
        let has_zero = |x: u64| x.wrapping_sub(ONES) & !x & HIGHS;
        self.need(6 * text.len() + 2);
        // SAFETY: room for six characters per byte and the quotes; eight bytes are read only where there are eight.
        unsafe {
            self.put(b"\"");
            let mut at = 0;
            while at < text.len() {
                if at + 8 <= text.len() {
                    let word = text.as_ptr().add(at).cast::<u64>().read_unaligned();
                    let special = (word.wrapping_sub(ONES * 0x20) & !word & HIGHS)
                        | has_zero(word ^ (ONES * u64::from(b'"')))
                        | has_zero(word ^ (ONES * u64::from(b'\\')));
                    if special == 0 {
                        self.start.add(self.length).cast::<u64>().write_unaligned(word);
                        self.length += 8;
                        at += 8;
                        continue;
                    }
                }
                let stop = (at + 8).min(text.len());
                while at < stop {
                    self.character(*text.get_unchecked(at));
                    at += 1;
                }
            }
            self.put(b"\"");
        }
    }

    /// # Safety
    /// There is room for six characters.
    #[inline(always)]
    unsafe fn character(&mut self, byte: u8) {
        // SAFETY: the caller's duty.
        unsafe {
            match byte {
                b'"' => self.put(b"\\\""),
                b'\\' => self.put(b"\\\\"),
                b'\n' => self.put(b"\\n"),
                b'\r' => self.put(b"\\r"),
                b'\t' => self.put(b"\\t"),
                8 => self.put(b"\\b"),
                12 => self.put(b"\\f"),
                0..0x20 => {
                    let hex = b"0123456789abcdef";
                    self.put(b"\\u00");
                    self.put(&[hex[usize::from(byte >> 4)], hex[usize::from(byte & 15)]]);
                }
                _ => self.put(&[byte]),
            }
        }
    }
}

impl Drop for Text {
    fn drop(&mut self) {
        // SAFETY: null or a block of this allocator.
        unsafe { libc::free(self.start.cast()) };
    }
}

/// Steps a statement and writes each column as a C program does.
pub fn c_style<R>(statement: &mut Statement, read: impl FnOnce(&[u8]) -> R) -> R {
    let mut fragments = Vec::new();
    for name in statement.names() {
        let mut text = Text::new();
        text.append(if fragments.is_empty() { b"{" } else { b"," });
        text.string(name.as_bytes());
        text.append(b":");
        fragments.push(text);
    }
    let mut out = Text::new();
    out.append(b"[");
    let (api, raw) = (api(), statement.raw);
    let mut first = true;
    while statement.step() {
        if !first {
            out.append(b",");
        }
        first = false;
        for (column, fragment) in (0..).zip(&fragments) {
            out.append(fragment.as_slice());
            // SAFETY: a live statement that stands on a row; type first, then text or BLOB, then its length.
            unsafe {
                match (api.sqlite3_column_type)(raw, column) {
                    ffi::SQLITE_INTEGER => out.integer((api.sqlite3_column_int64)(raw, column)),
                    ffi::SQLITE_FLOAT => out.append(
                        zmij::Buffer::new().format((api.sqlite3_column_double)(raw, column)).as_bytes(),
                    ),
                    ffi::SQLITE_TEXT => {
                        let start = (api.sqlite3_column_text)(raw, column);
                        let count = (api.sqlite3_column_bytes)(raw, column) as usize;
                        out.string(std::slice::from_raw_parts(start, count));
                    }
                    ffi::SQLITE_BLOB => {
                        let start = (api.sqlite3_column_blob)(raw, column);
                        let count = (api.sqlite3_column_bytes)(raw, column) as usize;
                        if count == 0 {
                            out.base64(&[]);
                        } else {
                            out.base64(std::slice::from_raw_parts(start.cast(), count));
                        }
                    }
                    _ => out.append(b"null"),
                }
            }
        }
        out.append(b"}");
    }
    out.append(b"]");
    statement.reset();
    read(out.as_slice())
}

/// A cell as a host's row hands it out.
enum Borrowed<'a> {
    Null,
    Integer(i64),
    Real(f64),
    Text(&'a str),
    Blob(&'a [u8]),
}

impl Serialize for Borrowed<'_> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Borrowed::Null => serializer.serialize_unit(),
            Borrowed::Integer(n) => serializer.serialize_i64(n),
            Borrowed::Real(x) => serializer.serialize_f64(x),
            Borrowed::Text(text) => serializer.serialize_str(text),
            Borrowed::Blob(bytes) => serializer.serialize_str(&base64_simd::STANDARD.encode_to_string(bytes)),
        }
    }
}

/// A cell of a tree: serde_json's `Value`, but for its numbers, which the feature `arbitrary_precision` of this project's
/// tests makes slow.
enum Tree {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
}

impl Serialize for Tree {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Tree::Null => serializer.serialize_unit(),
            Tree::Integer(n) => serializer.serialize_i64(*n),
            Tree::Real(x) => serializer.serialize_f64(*x),
            Tree::Text(text) => serializer.serialize_str(text),
        }
    }
}

impl From<Borrowed<'_>> for Tree {
    fn from(cell: Borrowed<'_>) -> Tree {
        match cell {
            Borrowed::Null => Tree::Null,
            Borrowed::Integer(n) => Tree::Integer(n),
            Borrowed::Real(x) => Tree::Real(x),
            Borrowed::Text(text) => Tree::Text(text.to_owned()),
            Borrowed::Blob(bytes) => Tree::Text(base64_simd::STANDARD.encode_to_string(bytes)),
        }
    }
}

/// Rows of a statement, however they are read.
trait Source {
    fn names(&self) -> &[String];
    fn next(&mut self) -> bool;
    fn cell(&self, column: usize) -> Borrowed<'_>;
}

/// The current row of a source, as a map of borrowed cells.
struct Row<'a, S>(&'a S);

impl<S: Source> Serialize for Row<'_, S> {
    fn serialize<T: Serializer>(&self, serializer: T) -> Result<T::Ok, T::Error> {
        let names = self.0.names();
        let mut map = serializer.serialize_map(Some(names.len()))?;
        for (column, name) in names.iter().enumerate() {
            map.serialize_entry(name, &self.0.cell(column))?;
        }
        map.end()
    }
}

/// A row of a tree: its members own their names, as a serde_json `Map`'s do.
struct Members(Vec<(String, Tree)>);

impl Serialize for Members {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, cell)| (name, cell)))
    }
}

/// What a Rust host does with rows.
#[derive(Clone, Copy)]
pub enum Way {
    /// Serialises each row as it comes, without a tree: the best a host can do.
    Streams,
    /// Collects all rows, then serialises them: what most do.
    Collects,
}

fn write<S: Source, R>(mut source: S, way: Way, read: impl FnOnce(&[u8]) -> R) -> R {
    let bytes = match way {
        Way::Streams => {
            let mut out = Vec::new();
            let mut serializer = serde_json::Serializer::new(&mut out);
            let mut rows = serializer.serialize_seq(None).unwrap();
            while source.next() {
                rows.serialize_element(&Row(&source)).unwrap();
            }
            SerializeSeq::end(rows).unwrap();
            out
        }
        Way::Collects => {
            let mut rows = Vec::new();
            while source.next() {
                let names = source.names().iter().enumerate();
                rows.push(Members(names.map(|(i, name)| (name.clone(), source.cell(i).into())).collect()));
            }
            serde_json::to_vec(&rows).unwrap()
        }
    };
    read(&bytes)
}

struct ByRusqlite<'s> {
    rows: rusqlite::Rows<'s>,
    names: Vec<String>,
}

impl Source for ByRusqlite<'_> {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn next(&mut self) -> bool {
        use rusqlite::fallible_streaming_iterator::FallibleStreamingIterator;
        self.rows.advance().unwrap();
        self.rows.get().is_some()
    }

    #[inline]
    fn cell(&self, column: usize) -> Borrowed<'_> {
        use rusqlite::fallible_streaming_iterator::FallibleStreamingIterator;
        use rusqlite::types::ValueRef;
        match self.rows.get().unwrap().get_ref_unwrap(column) {
            ValueRef::Null => Borrowed::Null,
            ValueRef::Integer(n) => Borrowed::Integer(n),
            ValueRef::Real(x) => Borrowed::Real(x),
            ValueRef::Text(text) => Borrowed::Text(std::str::from_utf8(text).unwrap()),
            ValueRef::Blob(bytes) => Borrowed::Blob(bytes),
        }
    }
}

struct ByColumns {
    statement: Statement,
    names: Vec<String>,
}

impl Source for &mut ByColumns {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn next(&mut self) -> bool {
        self.statement.step()
    }

    #[inline]
    fn cell(&self, column: usize) -> Borrowed<'_> {
        let (api, raw, column) = (api(), self.statement.raw, column as i32);
        // SAFETY: a live statement that stands on a row; type first, then text or BLOB, then its length.
        unsafe {
            let slice = |start: *const u8| {
                let count = (api.sqlite3_column_bytes)(raw, column) as usize;
                if start.is_null() { &[][..] } else { std::slice::from_raw_parts(start, count) }
            };
            match (api.sqlite3_column_type)(raw, column) {
                ffi::SQLITE_INTEGER => Borrowed::Integer((api.sqlite3_column_int64)(raw, column)),
                ffi::SQLITE_FLOAT => Borrowed::Real((api.sqlite3_column_double)(raw, column)),
                ffi::SQLITE_TEXT => {
                    let text = slice((api.sqlite3_column_text)(raw, column));
                    Borrowed::Text(std::str::from_utf8(text).unwrap())
                }
                ffi::SQLITE_BLOB => Borrowed::Blob(slice((api.sqlite3_column_blob)(raw, column).cast())),
                _ => Borrowed::Null,
            }
        }
    }
}

/// A Rust host's loop over `sql`, prepared once.
pub fn rust_host(host: Host, db: Connection, sql: &str, way: Way) -> Run {
    match host {
        Host::Bundled => {
            // SAFETY: an open connection of the SQLite that rusqlite drives; it is never closed.
            let db: &'static rusqlite::Connection =
                Box::leak(Box::new(unsafe { rusqlite::Connection::from_handle(db.0) }.unwrap()));
            let mut statement = db.prepare(sql).unwrap();
            let names: Vec<_> = statement.column_names().map(str::to_owned).collect();
            Box::new(move |read| {
                let source = ByRusqlite { rows: statement.query([]).unwrap(), names: names.clone() };
                write(source, way, read);
            })
        }
        Host::System => {
            let statement = db.prepare(sql);
            let mut source = ByColumns { names: statement.names(), statement };
            Box::new(move |read| {
                write(&mut source, way, read);
                source.statement.reset();
            })
        }
    }
}
