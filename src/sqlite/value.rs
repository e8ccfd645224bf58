//! `sqlite3_value` → `Value`: the arguments of one call.

use core::ffi::c_int;
use core::slice;

use crate::sqlite::bindings::{SQLITE_BLOB, SQLITE_FLOAT, SQLITE_INTEGER, SQLITE_TEXT, sqlite3_value};
use crate::sqlite::connection::Api;
use crate::value::{Identity, Row, Value, Visitor};

/// The subtype by which SQLite's JSON functions know JSON text.
pub const JSON_SUBTYPE: u32 = b'J' as u32;

/// Arguments whose JSON subtypes are not looked at: whether a query's column has one depends on the query plan.
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
    /// `values` holds `count` protected values that live for `'a`; it is not read if `count` is 0.
    pub(super) unsafe fn new(api: &'static Api, count: c_int, values: *mut *mut sqlite3_value) -> Self {
        let values = match usize::try_from(count) {
            Ok(count) if count > 0 && !values.is_null() => {
                // SAFETY: the caller's duty.
                unsafe { slice::from_raw_parts(values, count) }
            }
            _ => &[],
        };
        Arguments { api, values }
    }

    /// The values of a row.
    pub(super) fn of(api: &'static Api, values: &'a [*mut sqlite3_value]) -> Self {
        Arguments { api, values }
    }

    /// The values themselves.
    pub(super) fn values(&self) -> &'a [*mut sqlite3_value] {
        self.values
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

    /// Out of line: who is in a hurry uses `hand`.
    #[inline(never)]
    fn get(&self, index: usize) -> Option<Value<'_>> {
        let Some(&value) = self.values.get(index) else { return Some(Value::Null) };
        // SAFETY: a protected value that outlives this borrow; its type was not yet changed by a conversion.
        unsafe { read::<true, _>(self.api, value, Identity) }
    }

    #[inline(always)]
    fn visit<'v, T: Visitor<'v>>(&'v self, index: usize, visitor: T) -> Option<T::Output> {
        let Some(&value) = self.values.get(index) else { return Some(visitor.visit(Value::Null)) };
        // SAFETY: as in `get`.
        unsafe { read::<true, _>(self.api, value, visitor) }
    }

    #[inline(always)]
    fn visit_plain<'v, T: Visitor<'v>>(&'v self, index: usize, visitor: T) -> Option<T::Output> {
        let Some(&value) = self.values.get(index) else { return Some(visitor.visit(Value::Null)) };
        // SAFETY: as in `get`.
        unsafe { read::<false, _>(self.api, value, visitor) }
    }
}

const INTEGER: c_int = SQLITE_INTEGER as c_int;
const FLOAT: c_int = SQLITE_FLOAT as c_int;
const TEXT: c_int = SQLITE_TEXT as c_int;
const BLOB: c_int = SQLITE_BLOB as c_int;

/// Type first, then text or blob, then bytes: any other order may convert in between. None: out of memory.
/// Whether text is JSON is asked if `SUBTYPE`. `visitor` gets the value, in one place for each class; see [`Row::visit`].
///
/// # Safety
/// `value` is a protected value; it lives, and nobody converts it, for `'a`.
#[inline(always)]
pub(super) unsafe fn read<'a, const SUBTYPE: bool, T: Visitor<'a>>(
    api: &Api,
    value: *mut sqlite3_value,
    visitor: T,
) -> Option<T::Output> {
    // SAFETY: the caller's duty; these functions only need a protected value.
    unsafe {
        Some(match (api.value_type)(value) {
            INTEGER => visitor.visit(Value::Integer((api.value_int64)(value))),
            TEXT => {
                let text = bytes((api.value_text)(value), (api.value_bytes)(value), false)?;
                if SUBTYPE && (api.value_subtype)(value) == JSON_SUBTYPE {
                    visitor.visit(Value::Json(text))
                } else {
                    visitor.visit(Value::Text(text))
                }
            }
            FLOAT => visitor.visit(Value::Real((api.value_double)(value))),
            BLOB => {
                let start = (api.value_blob)(value);
                visitor.visit(Value::Blob(bytes(start.cast(), (api.value_bytes)(value), true)?))
            }
            _ => visitor.visit(Value::Null),
        })
    }
}

/// `count` bytes at `start`. A null pointer is an empty BLOB, and else out of memory (R22).
///
/// # Safety
/// `start` is null or has `count` initialised bytes that live, unchanged, for `'a`.
#[inline]
unsafe fn bytes<'a>(start: *const u8, count: c_int, blob: bool) -> Option<&'a [u8]> {
    let count = usize::try_from(count).ok()?;
    if start.is_null() {
        return (blob && count == 0).then_some(&[]);
    }
    // SAFETY: the caller's duty.
    Some(unsafe { slice::from_raw_parts(start, count) })
}

#[cfg(test)]
mod tests {
    use super::bytes;

    /// SQLite fails a statement in which its own conversion ran out of memory, whatever a function makes of the null
    /// pointer, so that no SQL shows this.
    #[test]
    fn a_null_pointer_is_an_empty_blob_or_no_memory() {
        let null = core::ptr::null();
        // SAFETY: null needs no bytes, and the others are there.
        unsafe {
            assert_eq!(bytes(null, 0, true), Some(&[][..]));
            assert_eq!(bytes(null, 0, false), None);
            assert_eq!(bytes(null, 1, true), None);
            assert_eq!(bytes(null, 1, false), None);
            assert_eq!(bytes(b"ab".as_ptr(), 2, false), Some(&b"ab"[..]));
            assert_eq!(bytes(b"ab".as_ptr(), 0, false), Some(&[][..]));
            assert_eq!(bytes(b"ab".as_ptr(), -1, true), None);
        }
    }
}
