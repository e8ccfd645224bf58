//! `sqlite3_value` → `Value`: the arguments of one call.

use core::ffi::c_int;
use core::slice;

use crate::sqlite::bindings::{SQLITE_BLOB, SQLITE_FLOAT, SQLITE_INTEGER, SQLITE_TEXT, sqlite3_value};
use crate::sqlite::connection::Api;
use crate::value::{Identity, Row, Value, Visitor};

/// The subtype by which SQLite's JSON functions know JSON text.
pub const JSON_SUBTYPE: u32 = b'J' as u32;

/// The columns of a query. Their JSON subtypes are not looked at, because the query plan decides
/// whether a column has one.
pub struct PlainText<'a>(pub Arguments<'a>);

impl Row for PlainText<'_> {
    #[inline]
    fn rest(&self, first: usize) -> Self {
        PlainText(self.0.rest(first))
    }

    #[inline]
    fn len(&self) -> usize {
        self.0.values.len()
    }

    #[inline]
    fn get(&self, index: usize) -> Option<Value<'_>> {
        self.visit(index, Identity)
    }

    #[inline(always)]
    fn visit<'v, T: Visitor<'v>>(&'v self, index: usize, visitor: T) -> Option<T::Output> {
        self.0.visit_plain(index, visitor)
    }
}

/// The arguments of one call, or the columns of one row.
#[derive(Clone, Copy)]
pub struct Arguments<'a> {
    api: &'static Api,
    values: &'a [*mut sqlite3_value],
}

impl<'a> Arguments<'a> {
    /// # Safety
    /// `values` holds `count` protected values, which live, and are converted by nobody else, for
    /// `'a`. It is not read if `count` is 0.
    pub(super) unsafe fn new(api: &'static Api, count: c_int, values: *mut *mut sqlite3_value) -> Self {
        let values = match usize::try_from(count) {
            Ok(count) if count > 0 && !values.is_null() => {
                // SAFETY: the caller gives so many values, which live for `'a`.
                unsafe { slice::from_raw_parts(values, count) }
            }
            _ => &[],
        };
        Arguments { api, values }
    }

    /// # Safety
    /// As for [`Arguments::new`]; unprotected values will do if the connection's mutex is held for
    /// `'a`.
    pub(super) unsafe fn of(api: &'static Api, values: &'a [*mut sqlite3_value]) -> Self {
        Arguments { api, values }
    }

    /// The values themselves.
    pub(super) fn values(&self) -> &'a [*mut sqlite3_value] {
        self.values
    }

    #[inline(always)]
    fn value(&self, index: usize) -> Option<Protected<'a>> {
        self.values.get(index).map(|&raw| Protected { api: self.api, raw })
    }
}

impl Row for Arguments<'_> {
    #[inline]
    fn rest(&self, first: usize) -> Self {
        Arguments { api: self.api, values: self.values.get(first..).unwrap_or_default() }
    }

    #[inline]
    fn len(&self) -> usize {
        self.values.len()
    }

    /// Out of line: `visit` is for where time counts.
    #[inline(never)]
    fn get(&self, index: usize) -> Option<Value<'_>> {
        match self.value(index) {
            Some(value) => value.read::<true, _>(Identity),
            None => Some(Value::Null),
        }
    }

    #[inline(always)]
    fn visit<'v, V: Visitor<'v>>(&'v self, index: usize, visitor: V) -> Option<V::Output> {
        match self.value(index) {
            Some(value) => value.read::<true, _>(visitor),
            None => Some(visitor.visit(Value::Null)),
        }
    }

    #[inline(always)]
    fn visit_plain<'v, V: Visitor<'v>>(&'v self, index: usize, visitor: V) -> Option<V::Output> {
        match self.value(index) {
            Some(value) => value.read::<false, _>(visitor),
            None => Some(visitor.visit(Value::Null)),
        }
    }
}

const INTEGER: c_int = SQLITE_INTEGER as c_int;
const FLOAT: c_int = SQLITE_FLOAT as c_int;
const TEXT: c_int = SQLITE_TEXT as c_int;
const BLOB: c_int = SQLITE_BLOB as c_int;

/// A protected value, which lives, and is converted by nobody else, for `'a`.
#[derive(Clone, Copy)]
struct Protected<'a> {
    api: &'a Api,
    raw: *mut sqlite3_value,
}

impl<'a> Protected<'a> {
    #[inline(always)]
    fn class(self) -> c_int {
        // SAFETY: a protected value.
        unsafe { (self.api.value_type)(self.raw) }
    }

    #[inline(always)]
    fn integer(self) -> i64 {
        // SAFETY: a protected value.
        unsafe { (self.api.value_int64)(self.raw) }
    }

    #[inline(always)]
    fn real(self) -> f64 {
        // SAFETY: a protected value.
        unsafe { (self.api.value_double)(self.raw) }
    }

    /// Of the text or BLOB that SQLite was asked for last.
    #[inline(always)]
    fn byte_count(self) -> c_int {
        // SAFETY: a protected value.
        unsafe { (self.api.value_bytes)(self.raw) }
    }

    /// As UTF-8. `None`: out of memory.
    #[inline(always)]
    fn text(self) -> Option<&'a [u8]> {
        // SAFETY: a protected value.
        let start = unsafe { (self.api.value_text)(self.raw) };
        // SAFETY: the text has so many bytes, and stays until the value is converted or goes, not
        // before `'a` ends.
        unsafe { bytes(start, self.byte_count(), false) }
    }

    /// `None`: out of memory.
    #[inline(always)]
    fn blob(self) -> Option<&'a [u8]> {
        // SAFETY: a protected value.
        let start = unsafe { (self.api.value_blob)(self.raw) };
        // SAFETY: the BLOB has so many bytes, and stays until the value is converted or goes, not
        // before `'a` ends.
        unsafe { bytes(start.cast(), self.byte_count(), true) }
    }

    #[inline(always)]
    fn is_json(self) -> bool {
        // SAFETY: a protected value.
        (unsafe { (self.api.value_subtype)(self.raw) }) == JSON_SUBTYPE
    }

    /// Gives the value to `visitor`, each class in a place of its own; see [`Row::visit`]. SQLite
    /// is asked for the type first, then for the text or BLOB, then for the bytes: in another order
    /// it may convert the value in between. Whether text is JSON is asked only if `SUBTYPE`.
    /// `None`: out of memory.
    #[inline(always)]
    fn read<const SUBTYPE: bool, V: Visitor<'a>>(self, visitor: V) -> Option<V::Output> {
        Some(match self.class() {
            INTEGER => visitor.visit(Value::Integer(self.integer())),
            TEXT => {
                let text = self.text()?;
                if SUBTYPE && self.is_json() {
                    visitor.visit(Value::Json(text))
                } else {
                    visitor.visit(Value::Text(text))
                }
            }
            FLOAT => visitor.visit(Value::Real(self.real())),
            BLOB => visitor.visit(Value::Blob(self.blob()?)),
            _ => visitor.visit(Value::Null),
        })
    }
}

/// `count` bytes at `start`. A null pointer is an empty BLOB; anywhere else memory has run out
/// (R22).
///
/// # Safety
/// `start` is null, or has `count` initialised bytes that live and do not change for `'a`.
#[inline]
unsafe fn bytes<'a>(start: *const u8, count: c_int, blob: bool) -> Option<&'a [u8]> {
    let count = usize::try_from(count).ok()?;
    if start.is_null() {
        return (blob && count == 0).then_some(&[]);
    }
    // SAFETY: it is not null, so the caller gives that many bytes.
    Some(unsafe { slice::from_raw_parts(start, count) })
}

#[cfg(test)]
mod tests {
    use super::bytes;

    /// No SQL shows this: when SQLite runs out of memory in a conversion, the statement fails,
    /// whatever a function makes of the null pointer.
    #[test]
    fn a_null_pointer_is_an_empty_blob_or_no_memory() {
        let null = core::ptr::null();
        for (start, count, blob, expected) in [
            (null, 0, true, Some(&b""[..])),
            (null, 0, false, None),
            (null, 1, true, None),
            (null, 1, false, None),
            (b"ab".as_ptr(), 2, false, Some(&b"ab"[..])),
            (b"ab".as_ptr(), 0, false, Some(&b""[..])),
            (b"ab".as_ptr(), -1, true, None),
        ] {
            // SAFETY: null, or a text of two bytes.
            assert_eq!(unsafe { bytes(start, count, blob) }, expected);
        }
    }
}
