//! The functions of SQLite that resq calls, as plain function pointers.
//!
//! SQLite gives an extension a table of function pointers, which only grows at its end. An older
//! SQLite than the one of the bindings has a shorter table. So there never is a reference to the
//! whole table: the version is read first, and then only fields that SQLite 3.26 has.

use core::ffi::{c_char, c_double, c_int, c_uchar, c_uint, c_void};
use core::fmt;
use core::mem::offset_of;
use std::sync::OnceLock;

use crate::sqlite::bindings::{
    sqlite3, sqlite3_api_routines, sqlite3_context, sqlite3_module, sqlite3_stmt, sqlite3_value,
};

/// The oldest SQLite that resq runs on (R24).
pub const OLDEST_SQLITE: c_int = 3_026_000;

/// What SQLite takes to free a result.
pub type Destructor = Option<unsafe extern "C" fn(*mut c_void)>;

type Callback = Option<unsafe extern "C" fn(*mut sqlite3_context, c_int, *mut *mut sqlite3_value)>;
type Ending = Option<unsafe extern "C" fn(*mut sqlite3_context)>;

macro_rules! api {
    ($($name:ident: fn($($argument:tt)*) $(-> $result:ty)?;)*) => {
        /// The functions, by their names without `sqlite3_`.
        pub struct Api {
            /// The address of the host's table: which SQLite this is.
            table: usize,
            /// `sqlite3_libversion_number()`, as 3040001.
            pub version: c_int,
            /// From 3.39 on.
            pub db_name: Option<unsafe extern "C" fn(*mut sqlite3, c_int) -> *const c_char>,
            /// Not in a build with SQLITE_OMIT_DECLTYPE.
            pub column_decltype: Option<unsafe extern "C" fn(*mut sqlite3_stmt, c_int) -> *const c_char>,
            $(pub $name: unsafe extern "C" fn($($argument)*) $(-> $result)?,)*
        }

        impl Api {
            /// Where the functions stand in the table, in bytes from its begin.
            const PLACES: &[u16] = &[$(offset_of!(sqlite3_api_routines, $name) as u16),*];
            /// Their names in the same order. They are one text, because an array of names would
            /// need a relocation for each.
            const NAMES: &str = concat!($(stringify!($name), " "),*);

            /// # Safety
            /// `routines` is the table of a SQLite of at least version [`OLDEST_SQLITE`].
            unsafe fn read(routines: *const sqlite3_api_routines, version: c_int) -> Result<Api, HostError> {
                let missing = |place: &u16| {
                    // SAFETY: the caller gives a table that is at least as long as that of
                    // `OLDEST_SQLITE`, which has all these places.
                    let function = unsafe { routines.byte_add(usize::from(*place)) }.cast::<*const c_void>();
                    // SAFETY: a function pointer or null stands there.
                    unsafe { function.read() }.is_null()
                };
                // Unrolled, the loop would be larger than the rest of loading.
                if let Some(index) = core::hint::black_box(Self::PLACES).iter().position(missing) {
                    return Err(HostError::Missing(Self::NAMES.split_ascii_whitespace().nth(index).unwrap_or_default()));
                }
                // `OLDEST_SQLITE` lacks this one.
                let db_name = match version >= 3_039_000 {
                    // SAFETY: a table of 3.39 or later has this field.
                    true => unsafe { (*routines).db_name },
                    false => None,
                };
                Ok(Api {
                    table: routines.addr(),
                    version,
                    db_name,
                    // SAFETY: `OLDEST_SQLITE` has this field, and so has every later version.
                    column_decltype: unsafe { (*routines).column_decltype },
                    $($name: {
                        // SAFETY: `OLDEST_SQLITE` has this field, and so has every later version.
                        let function = unsafe { (*routines).$name };
                        // SAFETY: none of the functions is missing, as was seen just now.
                        unsafe { function.unwrap_unchecked() }
                    },)*
                })
            }
        }
    };
}

api! {
    aggregate_context: fn(*mut sqlite3_context, c_int) -> *mut c_void;
    bind_parameter_count: fn(*mut sqlite3_stmt) -> c_int;
    bind_pointer: fn(*mut sqlite3_stmt, c_int, *mut c_void, *const c_char, Destructor) -> c_int;
    bind_value: fn(*mut sqlite3_stmt, c_int, *const sqlite3_value) -> c_int;
    clear_bindings: fn(*mut sqlite3_stmt) -> c_int;
    column_bytes: fn(*mut sqlite3_stmt, c_int) -> c_int;
    column_count: fn(*mut sqlite3_stmt) -> c_int;
    column_name: fn(*mut sqlite3_stmt, c_int) -> *const c_char;
    column_text: fn(*mut sqlite3_stmt, c_int) -> *const c_uchar;
    column_value: fn(*mut sqlite3_stmt, c_int) -> *mut sqlite3_value;
    context_db_handle: fn(*mut sqlite3_context) -> *mut sqlite3;
    create_function_v2: fn(*mut sqlite3, *const c_char, c_int, c_int, *mut c_void, Callback, Callback, Ending, Destructor) -> c_int;
    create_module_v2: fn(*mut sqlite3, *const c_char, *const sqlite3_module, *mut c_void, Destructor) -> c_int;
    create_window_function: fn(*mut sqlite3, *const c_char, c_int, c_int, *mut c_void, Callback, Ending, Ending, Callback, Destructor) -> c_int;
    declare_vtab: fn(*mut sqlite3, *const c_char) -> c_int;
    errmsg: fn(*mut sqlite3) -> *const c_char;
    extended_errcode: fn(*mut sqlite3) -> c_int;
    finalize: fn(*mut sqlite3_stmt) -> c_int;
    free: fn(*mut c_void);
    get_auxdata: fn(*mut sqlite3_context, c_int) -> *mut c_void;
    libversion: fn() -> *const c_char;
    limit: fn(*mut sqlite3, c_int, c_int) -> c_int;
    prepare_v2: fn(*mut sqlite3, *const c_char, c_int, *mut *mut sqlite3_stmt, *mut *const c_char) -> c_int;
    realloc64: fn(*mut c_void, u64) -> *mut c_void;
    reset: fn(*mut sqlite3_stmt) -> c_int;
    result_blob64: fn(*mut sqlite3_context, *const c_void, u64, Destructor);
    result_error: fn(*mut sqlite3_context, *const c_char, c_int);
    result_error_code: fn(*mut sqlite3_context, c_int);
    result_error_nomem: fn(*mut sqlite3_context);
    result_error_toobig: fn(*mut sqlite3_context);
    result_null: fn(*mut sqlite3_context);
    result_subtype: fn(*mut sqlite3_context, c_uint);
    result_text: fn(*mut sqlite3_context, *const c_char, c_int, Destructor);
    result_text64: fn(*mut sqlite3_context, *const c_char, u64, Destructor, c_uchar);
    result_value: fn(*mut sqlite3_context, *mut sqlite3_value);
    set_auxdata: fn(*mut sqlite3_context, c_int, *mut c_void, Destructor);
    step: fn(*mut sqlite3_stmt) -> c_int;
    stmt_readonly: fn(*mut sqlite3_stmt) -> c_int;
    stmt_status: fn(*mut sqlite3_stmt, c_int, c_int) -> c_int;
    user_data: fn(*mut sqlite3_context) -> *mut c_void;
    value_blob: fn(*mut sqlite3_value) -> *const c_void;
    value_bytes: fn(*mut sqlite3_value) -> c_int;
    value_double: fn(*mut sqlite3_value) -> c_double;
    value_dup: fn(*const sqlite3_value) -> *mut sqlite3_value;
    value_free: fn(*mut sqlite3_value);
    value_int64: fn(*mut sqlite3_value) -> i64;
    value_pointer: fn(*mut sqlite3_value, *const c_char) -> *mut c_void;
    value_subtype: fn(*mut sqlite3_value) -> c_uint;
    value_text: fn(*mut sqlite3_value) -> *const c_uchar;
    value_type: fn(*mut sqlite3_value) -> c_int;
    vtab_config: fn(*mut sqlite3, c_int, ...) -> c_int;
}

/// Why resq cannot serve a SQLite.
#[derive(Debug, PartialEq, Eq)]
pub enum HostError {
    /// SQLite gave no table: it is built without extension loading.
    NoTable,
    /// It is older than [`OLDEST_SQLITE`]: its version number.
    TooOld(c_int),
    /// Another SQLite of this process is served already: that one's version number.
    OtherLibrary(c_int),
    /// A function is missing in its table.
    Missing(&'static str),
}

/// 3040001 as 3.40.1.
struct Version(c_int);

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0 / 1_000_000, self.0 / 1000 % 1000, self.0 % 1000)
    }
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HostError::NoTable => {
                f.write_str("resq: SQLite gave no API table; it is built without extension loading")
            }
            HostError::TooOld(version) => {
                write!(
                    f,
                    "resq: needs SQLite {} or newer, this is {}",
                    Version(OLDEST_SQLITE),
                    Version(*version)
                )
            }
            HostError::OtherLibrary(version) => write!(
                f,
                "resq: this file already serves another SQLite library ({}) in this process; load a copy of \
                 the file under another name here",
                Version(*version)
            ),
            HostError::Missing(name) => write!(f, "resq: this SQLite has no sqlite3_{name}"),
        }
    }
}

/// The only mutable global: the functions of the SQLite that loaded this file first. It is set
/// once.
static API: OnceLock<Result<Api, HostError>> = OnceLock::new();

impl Api {
    /// Takes the table of the SQLite that loads this file. An error if it is not the one that was
    /// first.
    ///
    /// # Safety
    /// `routines` is null or the table that SQLite passes to an entry point.
    pub unsafe fn install(routines: *const sqlite3_api_routines) -> Result<&'static Api, HostError> {
        if routines.is_null() {
            return Err(HostError::NoTable);
        }
        // SAFETY: the caller gives SQLite's table. Every SQLite 3 has this field.
        let version = unsafe { (*routines).libversion_number };
        // SAFETY: a function of SQLite's that takes no arguments.
        let version = version.map_or(0, |version| unsafe { version() });
        if version < OLDEST_SQLITE {
            return Err(HostError::TooOld(version));
        }
        let api = API.get_or_init(|| {
            // SAFETY: the caller gives SQLite's table, and its version was just checked.
            let api = unsafe { Api::read(routines, version)? };
            // SAFETY: the same table. Nothing of ours is registered before this, and only one
            // thread comes here.
            #[cfg(feature = "loadable")]
            unsafe {
                crate::sqlite::loadable::install(routines);
            }
            Ok(api)
        });
        match api {
            Ok(api) if api.table == routines.addr() => Ok(api),
            Ok(api) => Err(HostError::OtherLibrary(api.version)),
            Err(HostError::Missing(name)) => Err(HostError::Missing(name)),
            Err(_) => Err(HostError::NoTable),
        }
    }

    /// The functions of the SQLite that loaded this file. `None` before that; then SQLite has
    /// nothing of ours to call.
    #[inline]
    pub fn installed() -> Option<&'static Api> {
        API.get()?.as_ref().ok()
    }
}
