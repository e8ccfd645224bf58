//! The SQLite libraries that the tests have at hand, and a connection through the C interface of one of them.
//!
//! One loaded extension serves one SQLite library in a process, so a process opens one of these; see `children.rs`.
#![allow(dead_code, unsafe_code, clippy::unwrap_used, clippy::expect_used)]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::ptr;

use rusqlite::ffi::{self, sqlite3, sqlite3_context, sqlite3_module, sqlite3_stmt, sqlite3_value};

/// What of the C interface the tests call: every function is in SQLite 3.25 already.
macro_rules! api {
    ($($name:ident = $symbol:ident: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        pub struct Api {
            $(pub $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Api {
            /// The library that is linked into the tests.
            fn linked() -> Api {
                Api { $($name: ffi::$symbol,)* }
            }

            fn opened(library: &libloading::Library) -> Result<Api, libloading::Error> {
                // SAFETY: the symbols of a SQLite library, which have had these types in every version.
                unsafe { Ok(Api { $($name: *library.get(stringify!($symbol).as_bytes())?,)* }) }
            }
        }
    };
}

type Free = Option<unsafe extern "C" fn(*mut c_void)>;
type Function = Option<unsafe extern "C" fn(*mut sqlite3_context, c_int, *mut *mut sqlite3_value)>;
type Final = Option<unsafe extern "C" fn(*mut sqlite3_context)>;
type Compare = Option<unsafe extern "C" fn(*mut c_void, c_int, *const c_void, c_int, *const c_void) -> c_int>;

api! {
    libversion = sqlite3_libversion: fn() -> *const c_char;
    open = sqlite3_open: fn(*const c_char, *mut *mut sqlite3) -> c_int;
    close = sqlite3_close: fn(*mut sqlite3) -> c_int;
    enable_load_extension = sqlite3_enable_load_extension: fn(*mut sqlite3, c_int) -> c_int;
    load_extension = sqlite3_load_extension: fn(*mut sqlite3, *const c_char, *const c_char, *mut *mut c_char) -> c_int;
    prepare = sqlite3_prepare_v2: fn(*mut sqlite3, *const c_char, c_int, *mut *mut sqlite3_stmt, *mut *const c_char) -> c_int;
    step = sqlite3_step: fn(*mut sqlite3_stmt) -> c_int;
    reset = sqlite3_reset: fn(*mut sqlite3_stmt) -> c_int;
    finalize = sqlite3_finalize: fn(*mut sqlite3_stmt) -> c_int;
    bind_null = sqlite3_bind_null: fn(*mut sqlite3_stmt, c_int) -> c_int;
    bind_int64 = sqlite3_bind_int64: fn(*mut sqlite3_stmt, c_int, i64) -> c_int;
    bind_double = sqlite3_bind_double: fn(*mut sqlite3_stmt, c_int, f64) -> c_int;
    bind_text = sqlite3_bind_text: fn(*mut sqlite3_stmt, c_int, *const c_char, c_int, Free) -> c_int;
    bind_blob = sqlite3_bind_blob: fn(*mut sqlite3_stmt, c_int, *const c_void, c_int, Free) -> c_int;
    column_count = sqlite3_column_count: fn(*mut sqlite3_stmt) -> c_int;
    column_name = sqlite3_column_name: fn(*mut sqlite3_stmt, c_int) -> *const c_char;
    column_type = sqlite3_column_type: fn(*mut sqlite3_stmt, c_int) -> c_int;
    column_int64 = sqlite3_column_int64: fn(*mut sqlite3_stmt, c_int) -> i64;
    column_double = sqlite3_column_double: fn(*mut sqlite3_stmt, c_int) -> f64;
    column_text = sqlite3_column_text: fn(*mut sqlite3_stmt, c_int) -> *const u8;
    column_blob = sqlite3_column_blob: fn(*mut sqlite3_stmt, c_int) -> *const c_void;
    column_bytes = sqlite3_column_bytes: fn(*mut sqlite3_stmt, c_int) -> c_int;
    next_stmt = sqlite3_next_stmt: fn(*mut sqlite3, *mut sqlite3_stmt) -> *mut sqlite3_stmt;
    sql = sqlite3_sql: fn(*mut sqlite3_stmt) -> *const c_char;
    errmsg = sqlite3_errmsg: fn(*mut sqlite3) -> *const c_char;
    extended_errcode = sqlite3_extended_errcode: fn(*mut sqlite3) -> c_int;
    get_autocommit = sqlite3_get_autocommit: fn(*mut sqlite3) -> c_int;
    progress_handler = sqlite3_progress_handler: fn(*mut sqlite3, c_int, Option<unsafe extern "C" fn(*mut c_void) -> c_int>, *mut c_void);
    create_collation = sqlite3_create_collation_v2: fn(*mut sqlite3, *const c_char, c_int, *mut c_void, Compare, Free) -> c_int;
    create_function = sqlite3_create_function_v2: fn(*mut sqlite3, *const c_char, c_int, c_int, *mut c_void, Function, Function, Final, Free) -> c_int;
    create_module = sqlite3_create_module_v2: fn(*mut sqlite3, *const c_char, *const sqlite3_module, *mut c_void, Free) -> c_int;
    declare_vtab = sqlite3_declare_vtab: fn(*mut sqlite3, *const c_char) -> c_int;
    user_data = sqlite3_user_data: fn(*mut sqlite3_context) -> *mut c_void;
    value_type = sqlite3_value_type: fn(*mut sqlite3_value) -> c_int;
    value_int64 = sqlite3_value_int64: fn(*mut sqlite3_value) -> i64;
    result_null = sqlite3_result_null: fn(*mut sqlite3_context);
    result_int64 = sqlite3_result_int64: fn(*mut sqlite3_context, i64);
    result_double = sqlite3_result_double: fn(*mut sqlite3_context, f64);
    result_text = sqlite3_result_text: fn(*mut sqlite3_context, *const c_char, c_int, Free);
    result_blob = sqlite3_result_blob: fn(*mut sqlite3_context, *const c_void, c_int, Free);
    result_value = sqlite3_result_value: fn(*mut sqlite3_context, *mut sqlite3_value);
    result_error = sqlite3_result_error: fn(*mut sqlite3_context, *const c_char, c_int);
    result_error_code = sqlite3_result_error_code: fn(*mut sqlite3_context, c_int);
    free = sqlite3_free: fn(*mut c_void);
}

/// The oldest SQLite that the extension loads into.
pub const OLDEST: Version = (3, 26, 0);

pub type Version = (u32, u32, u32);

pub fn version(text: &str) -> Version {
    let mut numbers = text.split(['.', '-']).map(|number| number.parse().unwrap());
    let mut next = || numbers.next().unwrap();
    (next(), next(), next())
}

/// The library that is linked into the tests.
pub const BUNDLED: &str = "bundled";
/// The library of the system, where it has one of a known name.
pub const SYSTEM: &str = "system";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("sqlite")
}

/// The names of the libraries at hand: those that `RESQ_SQLITES` names; else the bundled one, the system's, and those
/// that `tests/sqlite/build.sh` has built. Too old ones come only where they are named.
pub fn names() -> Vec<String> {
    if let Ok(names) = std::env::var("RESQ_SQLITES") {
        return names.split_whitespace().map(str::to_owned).collect();
    }
    let mut names = built();
    names.retain(|name| version(name) >= OLDEST);
    names.insert(0, BUNDLED.to_owned());
    match Library::open(SYSTEM) {
        Ok(_) => names.insert(1, SYSTEM.to_owned()),
        Err(why) => crate::support::skip("the system's SQLite library", &why),
    }
    names
}

/// The names of those that were built, the oldest first.
pub fn built() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).into_iter().flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().join("libsqlite3.so").exists())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort_by_key(|name| (version(name), name.len()));
    names
}

/// A SQLite library.
pub struct Library {
    pub name: String,
    pub api: Api,
}

impl Library {
    /// Opens one of [`names`] for the rest of the process.
    pub fn open(name: &str) -> Result<&'static Library, String> {
        let api = match name {
            BUNDLED => Api::linked(),
            _ => {
                let file = if name == SYSTEM {
                    PathBuf::from("libsqlite3.so.0")
                } else {
                    folder().join(name).join("libsqlite3.so")
                };
                // SAFETY: what a SQLite library does when it is loaded.
                let library =
                    unsafe { libloading::Library::new(&file) }.map_err(|error| error.to_string())?;
                let api = Api::opened(&library).map_err(|error| error.to_string())?;
                std::mem::forget(library);
                api
            }
        };
        Ok(Box::leak(Box::new(Library { name: name.to_owned(), api })))
    }

    /// As SQLite says it.
    pub fn version(&self) -> Version {
        // SAFETY: no duties; a NUL-terminated text.
        version(unsafe { CStr::from_ptr((self.api.libversion)()) }.to_str().unwrap())
    }

    /// A debug build checks itself.
    pub fn checks_itself(&self) -> bool {
        self.name.ends_with("-debug")
    }
}

/// A value with its class.
#[derive(Clone, Debug)]
pub enum Cell {
    Null,
    Integer(i64),
    Real(f64),
    Text(Vec<u8>),
    Blob(Vec<u8>),
}

/// The rows of a statement.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    pub names: Vec<Vec<u8>>,
    pub rows: Vec<Vec<Cell>>,
    /// They are from a UTF-16 database.
    pub wide: bool,
}

impl Rows {
    /// The only text.
    pub fn text(&self) -> Option<&str> {
        match &self.rows[..] {
            [row] => match &row[..] {
                [Cell::Text(text)] => std::str::from_utf8(text).ok(),
                _ => None,
            },
            _ => None,
        }
    }
}

/// An error: its extended code and its message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub code: i32,
    pub message: String,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "error {}: {}", self.code, self.message)
    }
}

/// A connection to a database of its own in memory.
pub struct Db {
    pub library: &'static Library,
    pub raw: *mut sqlite3,
    /// Its text is UTF-16.
    pub wide: bool,
}

impl Drop for Db {
    fn drop(&mut self) {
        let api = &self.library.api;
        // SAFETY: an open connection; its statements are finalized. What is left over has an SQL text, which is
        // NUL-terminated.
        unsafe {
            if (api.close)(self.raw) != 0 && !std::thread::panicking() {
                let left = (api.next_stmt)(self.raw, ptr::null_mut());
                let sql = if left.is_null() { ptr::null() } else { (api.sql)(left) };
                let sql = if sql.is_null() { c"something without a text" } else { CStr::from_ptr(sql) };
                panic!("the connection does not close; left over: {sql:?}");
            }
        }
    }
}

impl Db {
    /// Without the extension.
    pub fn plain(library: &'static Library) -> Db {
        let mut raw = ptr::null_mut();
        // SAFETY: a NUL-terminated name and a place for the connection.
        let code = unsafe { (library.api.open)(c":memory:".as_ptr(), &mut raw) };
        assert_eq!(code, 0);
        Db { library, raw, wide: false }
    }

    /// With it.
    pub fn open(library: &'static Library, encoding: &str) -> Db {
        let mut db = Db::plain(library);
        db.wide = encoding != "UTF-8";
        db.run(&format!("pragma encoding = '{encoding}'"), &[]).unwrap();
        db.load(super::extension()).unwrap_or_else(|why| panic!("SQLite {}: {why}", library.name));
        db
    }

    pub fn load(&self, file: &Path) -> Result<(), String> {
        let api = &self.library.api;
        let file = CString::new(file.to_str().unwrap()).unwrap();
        let mut message = ptr::null_mut();
        // SAFETY: an open connection, NUL-terminated texts, and the extension under test. The message is copied, then freed.
        unsafe {
            (api.enable_load_extension)(self.raw, 1);
            let code = (api.load_extension)(self.raw, file.as_ptr(), ptr::null(), &mut message);
            (api.enable_load_extension)(self.raw, 0);
            let text = (!message.is_null()).then(|| CStr::from_ptr(message).to_string_lossy().into_owned());
            (api.free)(message.cast());
            if code == 0 { Ok(()) } else { Err(text.unwrap_or_default()) }
        }
    }

    /// The error of the last call.
    fn error(&self) -> Error {
        let api = &self.library.api;
        // SAFETY: an open connection; the message is NUL-terminated and lives until the next call.
        unsafe {
            let message = CStr::from_ptr((api.errmsg)(self.raw)).to_string_lossy().into_owned();
            Error { code: (api.extended_errcode)(self.raw), message }
        }
    }

    /// Runs every statement of a text; gives what the last one that has columns gives. The parameters are for each.
    pub fn run(&self, sql: &str, parameters: &[Cell]) -> Result<Rows, Error> {
        let api = &self.library.api;
        let bytes = sql.as_bytes();
        let (mut at, mut last) = (0, Rows::default());
        while at < bytes.len() {
            let rest = &bytes[at..];
            let (mut raw, mut tail) = (ptr::null_mut(), ptr::null());
            let length = c_int::try_from(rest.len()).unwrap();
            // SAFETY: an open connection and `length` readable bytes.
            let code = unsafe { (api.prepare)(self.raw, rest.as_ptr().cast(), length, &mut raw, &mut tail) };
            if code != 0 {
                return Err(self.error());
            }
            at += (tail.addr() - rest.as_ptr().addr()).max(1);
            if raw.is_null() {
                continue;
            }
            let statement = Statement { db: self, raw };
            let rows = statement.rows(parameters)?;
            if !rows.names.is_empty() {
                last = rows;
            }
        }
        Ok(last)
    }

    /// The one integer that a statement gives.
    pub fn integer(&self, sql: &str) -> Result<i64, Error> {
        match self.run(sql, &[])?.rows[..] {
            [ref row] if matches!(row[..], [Cell::Integer(_)]) => match row[0] {
                Cell::Integer(integer) => Ok(integer),
                _ => unreachable!(),
            },
            ref other => panic!("{sql}: {other:?}"),
        }
    }
}

struct Statement<'d> {
    db: &'d Db,
    raw: *mut sqlite3_stmt,
}

impl Drop for Statement<'_> {
    fn drop(&mut self) {
        // SAFETY: a live statement, which nobody uses from now on.
        unsafe { (self.db.library.api.finalize)(self.raw) };
    }
}

impl Statement<'_> {
    fn rows(&self, parameters: &[Cell]) -> Result<Rows, Error> {
        let api = &self.db.library.api;
        let mut found = Rows { wide: self.db.wide, ..Rows::default() };
        // SAFETY: a live statement. Bound texts and BLOBs live until it is finalized. A column is read in its own class,
        // its bytes before the next call; a name lives until the next step at least.
        unsafe {
            for (index, cell) in parameters.iter().enumerate() {
                let index = c_int::try_from(index + 1).unwrap();
                let code = match cell {
                    Cell::Null => (api.bind_null)(self.raw, index),
                    Cell::Integer(integer) => (api.bind_int64)(self.raw, index, *integer),
                    Cell::Real(real) => (api.bind_double)(self.raw, index, *real),
                    Cell::Text(text) => {
                        (api.bind_text)(self.raw, index, text.as_ptr().cast(), text.len() as c_int, None)
                    }
                    Cell::Blob(blob) => {
                        (api.bind_blob)(self.raw, index, blob.as_ptr().cast(), blob.len() as c_int, None)
                    }
                };
                if code != 0 {
                    return Err(self.db.error());
                }
            }
            loop {
                let code = (api.step)(self.raw);
                if found.names.is_empty() {
                    let count = (api.column_count)(self.raw);
                    found.names = (0..count)
                        .map(|column| CStr::from_ptr((api.column_name)(self.raw, column)).to_bytes().to_vec())
                        .collect();
                }
                match code {
                    ffi::SQLITE_ROW => {}
                    ffi::SQLITE_DONE => return Ok(found),
                    _ => return Err(self.db.error()),
                }
                let bytes = |pointer: *const u8, column| {
                    let length = usize::try_from((api.column_bytes)(self.raw, column)).unwrap();
                    match length {
                        0 => Vec::new(),
                        _ => std::slice::from_raw_parts(pointer, length).to_vec(),
                    }
                };
                let row = (0..found.names.len() as c_int)
                    .map(|column| match (api.column_type)(self.raw, column) {
                        ffi::SQLITE_INTEGER => Cell::Integer((api.column_int64)(self.raw, column)),
                        ffi::SQLITE_FLOAT => Cell::Real((api.column_double)(self.raw, column)),
                        ffi::SQLITE_TEXT => Cell::Text(bytes((api.column_text)(self.raw, column), column)),
                        ffi::SQLITE_BLOB => {
                            Cell::Blob(bytes((api.column_blob)(self.raw, column).cast(), column))
                        }
                        _ => Cell::Null,
                    })
                    .collect();
                found.rows.push(row);
            }
        }
    }
}
