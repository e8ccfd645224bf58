//! The SQLite under measurement, all of it through function pointers, so that one code drives the bundled and the
//! system's library. Both give resq, the floors and the loops the same kind of call.

use std::ffi::{CStr, CString, c_char, c_int, c_uchar, c_uint, c_void};
use std::path::Path;
use std::ptr;
use std::sync::OnceLock;

pub use rusqlite::ffi;
use rusqlite::ffi::{sqlite3, sqlite3_context, sqlite3_stmt, sqlite3_value};

type Destructor = Option<unsafe extern "C" fn(*mut c_void)>;
pub type Step = unsafe extern "C" fn(*mut sqlite3_context, c_int, *mut *mut sqlite3_value);
pub type Final = unsafe extern "C" fn(*mut sqlite3_context);

macro_rules! api {
    ($($name:ident: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions of one SQLite library.
        pub struct Api {
            $(pub $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Api {
            fn bundled() -> Api {
                Api { $($name: ffi::$name,)* }
            }

            fn of(library: &'static libloading::Library) -> Api {
                // SAFETY: the types are those of sqlite3.h, which are the same in every SQLite 3.
                unsafe { Api { $($name: *library.get(concat!(stringify!($name), "\0").as_bytes()).unwrap(),)* } }
            }
        }
    };
}

api! {
    sqlite3_aggregate_context: fn(*mut sqlite3_context, c_int) -> *mut c_void;
    sqlite3_bind_blob64: fn(*mut sqlite3_stmt, c_int, *const c_void, u64, Destructor) -> c_int;
    sqlite3_bind_double: fn(*mut sqlite3_stmt, c_int, f64) -> c_int;
    sqlite3_bind_int64: fn(*mut sqlite3_stmt, c_int, i64) -> c_int;
    sqlite3_bind_null: fn(*mut sqlite3_stmt, c_int) -> c_int;
    sqlite3_bind_text64: fn(*mut sqlite3_stmt, c_int, *const c_char, u64, Destructor, c_uchar) -> c_int;
    sqlite3_close: fn(*mut sqlite3) -> c_int;
    sqlite3_column_blob: fn(*mut sqlite3_stmt, c_int) -> *const c_void;
    sqlite3_column_bytes: fn(*mut sqlite3_stmt, c_int) -> c_int;
    sqlite3_column_count: fn(*mut sqlite3_stmt) -> c_int;
    sqlite3_column_double: fn(*mut sqlite3_stmt, c_int) -> f64;
    sqlite3_column_int64: fn(*mut sqlite3_stmt, c_int) -> i64;
    sqlite3_column_name: fn(*mut sqlite3_stmt, c_int) -> *const c_char;
    sqlite3_column_text: fn(*mut sqlite3_stmt, c_int) -> *const c_uchar;
    sqlite3_column_type: fn(*mut sqlite3_stmt, c_int) -> c_int;
    sqlite3_create_function_v2: fn(*mut sqlite3, *const c_char, c_int, c_int, *mut c_void, Option<Step>, Option<Step>, Option<Final>, Destructor) -> c_int;
    sqlite3_enable_load_extension: fn(*mut sqlite3, c_int) -> c_int;
    sqlite3_errmsg: fn(*mut sqlite3) -> *const c_char;
    sqlite3_finalize: fn(*mut sqlite3_stmt) -> c_int;
    sqlite3_free: fn(*mut c_void);
    sqlite3_libversion: fn() -> *const c_char;
    sqlite3_load_extension: fn(*mut sqlite3, *const c_char, *const c_char, *mut *mut c_char) -> c_int;
    sqlite3_open: fn(*const c_char, *mut *mut sqlite3) -> c_int;
    sqlite3_prepare_v2: fn(*mut sqlite3, *const c_char, c_int, *mut *mut sqlite3_stmt, *mut *const c_char) -> c_int;
    sqlite3_realloc64: fn(*mut c_void, u64) -> *mut c_void;
    sqlite3_reset: fn(*mut sqlite3_stmt) -> c_int;
    sqlite3_result_int64: fn(*mut sqlite3_context, i64);
    sqlite3_result_text64: fn(*mut sqlite3_context, *const c_char, u64, Destructor, c_uchar);
    sqlite3_step: fn(*mut sqlite3_stmt) -> c_int;
    sqlite3_value_blob: fn(*mut sqlite3_value) -> *const c_void;
    sqlite3_value_bytes: fn(*mut sqlite3_value) -> c_int;
    sqlite3_value_double: fn(*mut sqlite3_value) -> f64;
    sqlite3_value_int64: fn(*mut sqlite3_value) -> i64;
    sqlite3_value_subtype: fn(*mut sqlite3_value) -> c_uint;
    sqlite3_value_text: fn(*mut sqlite3_value) -> *const c_uchar;
    sqlite3_value_type: fn(*mut sqlite3_value) -> c_int;
}

/// Which SQLite this process measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// The newest, built into this program.
    Bundled,
    /// The system's shared library.
    System,
}

impl Host {
    pub const ALL: [Host; 2] = [Host::Bundled, Host::System];

    pub fn word(self) -> &'static str {
        match self {
            Host::Bundled => "bundled",
            Host::System => "system",
        }
    }
}

static API: OnceLock<Api> = OnceLock::new();

/// Takes a SQLite for this process, or says why there is none.
pub fn install(host: Host) -> Result<(), String> {
    let api = match host {
        Host::Bundled => Api::bundled(),
        Host::System => {
            // SAFETY: SQLite's library does nothing at load.
            let library = unsafe { libloading::Library::new("libsqlite3.so.0") };
            Api::of(Box::leak(Box::new(library.map_err(|e| e.to_string())?)))
        }
    };
    API.set(api).map_err(|_| "a process measures one SQLite".to_owned())
}

/// The SQLite of this process.
#[inline]
pub fn api() -> &'static Api {
    API.get().expect("`install` comes first")
}

pub fn version() -> String {
    // SAFETY: a constant NUL-terminated string.
    unsafe { CStr::from_ptr((api().sqlite3_libversion)()) }.to_string_lossy().into_owned()
}

/// One cell.
#[derive(Clone, Debug)]
pub enum Cell {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
    Blob(Vec<u8>),
}

/// An open connection; never closed, since statements of it live as long as the lanes.
#[derive(Clone, Copy)]
pub struct Connection(pub *mut sqlite3);

impl Connection {
    pub fn open(name: &str) -> Connection {
        let mut db = ptr::null_mut();
        let name = CString::new(name).unwrap();
        // SAFETY: a NUL-terminated name, a place for the connection.
        assert_eq!(unsafe { (api().sqlite3_open)(name.as_ptr(), &mut db) }, ffi::SQLITE_OK);
        Connection(db)
    }

    /// Loads an extension, or says what SQLite says.
    pub fn load(self, file: &Path) -> Result<(), String> {
        let file = CString::new(file.to_str().unwrap()).unwrap();
        let mut message = ptr::null_mut();
        // SAFETY: an open connection, NUL-terminated texts.
        unsafe {
            (api().sqlite3_enable_load_extension)(self.0, 1);
            match (api().sqlite3_load_extension)(self.0, file.as_ptr(), ptr::null(), &mut message) {
                ffi::SQLITE_OK => Ok(()),
                _ => Err(CStr::from_ptr(message).to_string_lossy().into_owned()),
            }
        }
    }

    /// Registers an aggregate that takes any number of arguments.
    pub fn aggregate(self, name: &str, step: Step, end: Final) {
        let name = CString::new(name).unwrap();
        // SAFETY: an open connection, a NUL-terminated name, callbacks of the right types.
        let code = unsafe {
            (api().sqlite3_create_function_v2)(
                self.0,
                name.as_ptr(),
                -1,
                ffi::SQLITE_UTF8 | ffi::SQLITE_DETERMINISTIC,
                ptr::null_mut(),
                None,
                Some(step),
                Some(end),
                None,
            )
        };
        assert_eq!(code, ffi::SQLITE_OK);
    }

    pub fn prepare(self, sql: &str) -> Statement {
        let text = CString::new(sql).unwrap();
        let mut raw = ptr::null_mut();
        // SAFETY: an open connection, a NUL-terminated text.
        unsafe {
            let code = (api().sqlite3_prepare_v2)(self.0, text.as_ptr(), -1, &mut raw, ptr::null_mut());
            assert_eq!(code, ffi::SQLITE_OK, "{:?} in {sql}", CStr::from_ptr((api().sqlite3_errmsg)(self.0)));
        }
        Statement { db: self, raw }
    }

    pub fn run(self, sql: &str) {
        self.prepare(sql).exhaust();
    }

    pub fn close(self) {
        // SAFETY: an open connection that has no statements any more.
        assert_eq!(unsafe { (api().sqlite3_close)(self.0) }, ffi::SQLITE_OK);
    }
}

/// A prepared statement.
pub struct Statement {
    db: Connection,
    pub raw: *mut sqlite3_stmt,
}

impl Statement {
    /// Is there another row?
    #[inline]
    pub fn step(&mut self) -> bool {
        // SAFETY: a live statement.
        match unsafe { (api().sqlite3_step)(self.raw) } {
            ffi::SQLITE_ROW => true,
            ffi::SQLITE_DONE => false,
            // SAFETY: an open connection.
            code => panic!("{code}: {:?}", unsafe { CStr::from_ptr((api().sqlite3_errmsg)(self.db.0)) }),
        }
    }

    pub fn reset(&mut self) {
        // SAFETY: a live statement.
        unsafe { (api().sqlite3_reset)(self.raw) };
    }

    fn exhaust(&mut self) {
        while self.step() {}
        self.reset();
    }

    /// Binds a row and runs.
    pub fn insert(&mut self, cells: &[Cell]) {
        for (index, cell) in (1..).zip(cells) {
            // SAFETY: a live statement; the bytes live until it has run.
            let code = unsafe {
                let (api, raw) = (api(), self.raw);
                match cell {
                    Cell::Null => (api.sqlite3_bind_null)(raw, index),
                    Cell::Integer(n) => (api.sqlite3_bind_int64)(raw, index, *n),
                    Cell::Real(x) => (api.sqlite3_bind_double)(raw, index, *x),
                    Cell::Text(text) => {
                        let (start, length) = (text.as_ptr().cast(), text.len() as u64);
                        (api.sqlite3_bind_text64)(raw, index, start, length, None, ffi::SQLITE_UTF8 as u8)
                    }
                    Cell::Blob(bytes) => {
                        (api.sqlite3_bind_blob64)(raw, index, bytes.as_ptr().cast(), bytes.len() as u64, None)
                    }
                }
            };
            assert_eq!(code, ffi::SQLITE_OK);
        }
        self.exhaust();
    }

    /// Runs the statement, lets `read` see the bytes of its one value as text, and makes it ready to run again.
    #[inline]
    pub fn one<R>(&mut self, read: impl FnOnce(&[u8]) -> R) -> R {
        assert!(self.step(), "a row");
        // SAFETY: a live statement that stands on a row; its text lives until the reset.
        let result = unsafe {
            let start = (api().sqlite3_column_text)(self.raw, 0);
            let count = (api().sqlite3_column_bytes)(self.raw, 0) as usize;
            read(if start.is_null() { &[] } else { std::slice::from_raw_parts(start, count) })
        };
        assert!(!self.step(), "one row");
        self.reset();
        result
    }

    /// The columns' names.
    pub fn names(&self) -> Vec<String> {
        // SAFETY: a live statement; names are NUL-terminated.
        unsafe {
            (0..(api().sqlite3_column_count)(self.raw))
                .map(|i| {
                    CStr::from_ptr((api().sqlite3_column_name)(self.raw, i)).to_str().unwrap().to_owned()
                })
                .collect()
        }
    }
}

impl Drop for Statement {
    fn drop(&mut self) {
        // SAFETY: a live statement.
        unsafe { (api().sqlite3_finalize)(self.raw) };
    }
}
