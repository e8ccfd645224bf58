//! Floors: what any aggregate with these arguments costs, before it makes JSON.
//!
//! ```text
//!   nothing   is called
//!   reads     asks for its state and for every argument: type, then text or BLOB and its length, integer, real; of text
//!             the subtype too, since a value may be JSON already (R6)
//!   copies    the same, and appends as many bytes as come out: the value's own bytes, the rest from a constant
//! ```
//!
//! They call SQLite as resq does: through a pointer each, from a table found once.

use std::ffi::{c_char, c_int, c_void};
use std::hint::black_box;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::host::{Api, Connection, api, ffi};
use rusqlite::ffi::{sqlite3_context, sqlite3_value};

/// Bytes that one row is to append to the copies floor's text, on average.
pub static ROW_BYTES: AtomicUsize = AtomicUsize::new(0);

/// Where the bytes come from that are not a value's own.
static SOURCE: [u8; 1 << 16] = [b'x'; 1 << 16];

pub fn register(db: Connection) {
    db.aggregate("floor_nothing", nothing, nothing_final);
    db.aggregate("floor_reads", reads, reads_final);
    db.aggregate("floor_reads_again", reads, reads_final);
    db.aggregate("floor_copies", copies, copies_final);
}

unsafe extern "C" fn nothing(_: *mut sqlite3_context, _: c_int, _: *mut *mut sqlite3_value) {}

unsafe extern "C" fn nothing_final(context: *mut sqlite3_context) {
    // SAFETY: a live context.
    unsafe { (api().sqlite3_result_int64)(context, 0) };
}

/// What one argument is.
enum Seen<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

/// # Safety
/// A protected value.
#[inline(always)]
unsafe fn read<'a>(api: &Api, value: *mut sqlite3_value) -> Seen<'a> {
    // SAFETY: the caller's duty; SQLite's pointers live as long as the value is not converted.
    unsafe {
        match (api.sqlite3_value_type)(value) {
            ffi::SQLITE_INTEGER => Seen::Number((api.sqlite3_value_int64)(value) as u64),
            ffi::SQLITE_FLOAT => Seen::Number((api.sqlite3_value_double)(value).to_bits()),
            ffi::SQLITE_TEXT => {
                let start = (api.sqlite3_value_text)(value);
                let count = (api.sqlite3_value_bytes)(value) as usize;
                black_box((api.sqlite3_value_subtype)(value));
                Seen::Bytes(slice(start, count))
            }
            ffi::SQLITE_BLOB => {
                let start = (api.sqlite3_value_blob)(value).cast();
                let count = (api.sqlite3_value_bytes)(value) as usize;
                Seen::Bytes(slice(start, count))
            }
            _ => Seen::Number(0),
        }
    }
}

/// # Safety
/// `start` is null or has `count` bytes.
unsafe fn slice<'a>(start: *const u8, count: usize) -> &'a [u8] {
    // SAFETY: the caller's duty.
    if start.is_null() { &[] } else { unsafe { std::slice::from_raw_parts(start, count) } }
}

unsafe extern "C" fn reads(context: *mut sqlite3_context, count: c_int, values: *mut *mut sqlite3_value) {
    // SAFETY: SQLite calls with a live context and `count` values, and gives zeroed memory for a sum.
    unsafe {
        let api = api();
        let sum = (api.sqlite3_aggregate_context)(context, 8).cast::<u64>();
        let mut new = *sum;
        for index in 0..count as usize {
            new = new.wrapping_add(match read(api, *values.add(index)) {
                Seen::Number(bits) => bits,
                Seen::Bytes(bytes) => bytes.as_ptr() as u64 ^ bytes.len() as u64,
            });
        }
        *sum = new;
    }
}

unsafe extern "C" fn reads_final(context: *mut sqlite3_context) {
    // SAFETY: a live context.
    unsafe {
        let sum = (api().sqlite3_aggregate_context)(context, 8).cast::<u64>();
        (api().sqlite3_result_int64)(context, *sum as i64 & 1);
    }
}

/// The copies floor's text.
#[repr(C)]
struct Text {
    start: *mut u8,
    length: usize,
    capacity: usize,
    /// Bytes that came out of the average row and were not copied yet; negative where rows were longer.
    owed: isize,
}

impl Text {
    /// # Safety
    /// A text of this module's.
    #[cold]
    unsafe fn grow(&mut self, extra: usize) {
        self.capacity = (self.length + extra).max(2 * self.capacity).max(512);
        // SAFETY: null or a block of this allocator.
        self.start = unsafe { (api().sqlite3_realloc64)(self.start.cast(), self.capacity as u64 + 1) }.cast();
        assert!(!self.start.is_null());
    }

    /// # Safety
    /// There is room.
    #[inline(always)]
    unsafe fn append(&mut self, bytes: &[u8]) {
        // SAFETY: the caller's duty.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), self.start.add(self.length), bytes.len()) };
        self.length += bytes.len();
    }
}

unsafe extern "C" fn copies(context: *mut sqlite3_context, count: c_int, values: *mut *mut sqlite3_value) {
    // SAFETY: SQLite calls with a live context and `count` values, and gives memory that is zeroed at first.
    unsafe {
        let api = api();
        let text = &mut *(api.sqlite3_aggregate_context)(context, size_of::<Text>() as c_int).cast::<Text>();
        text.owed += ROW_BYTES.load(Ordering::Relaxed) as isize;
        for index in 0..count as usize {
            let bytes = match read(api, *values.add(index)) {
                Seen::Number(bits) => {
                    black_box(bits);
                    continue;
                }
                Seen::Bytes(bytes) => bytes,
            };
            // A key's bytes are in the constant part.
            if index % 2 == 1 {
                if text.capacity - text.length < bytes.len() {
                    text.grow(bytes.len());
                }
                text.append(bytes);
                text.owed -= bytes.len() as isize;
            }
        }
        let rest = text.owed.max(0) as usize;
        text.owed -= rest as isize;
        if text.capacity - text.length < rest {
            text.grow(rest);
        }
        text.append(&SOURCE[..rest]);
    }
}

unsafe extern "C" fn copies_final(context: *mut sqlite3_context) {
    // SAFETY: a live context; the block is SQLite's own, has room for a NUL, and is given away.
    unsafe {
        let text = (api().sqlite3_aggregate_context)(context, size_of::<Text>() as c_int).cast::<Text>();
        let Text { start, length, .. } = text.read();
        start.add(length).write(0);
        let free: unsafe extern "C" fn(*mut c_void) = api().sqlite3_free;
        (api().sqlite3_result_text64)(
            context,
            start.cast::<c_char>(),
            length as u64,
            Some(free),
            ffi::SQLITE_UTF8 as u8,
        );
    }
}
