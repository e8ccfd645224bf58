//! The host's functions that resq calls, as plain function pointers.
//!
//! SQLite hands an extension a table of function pointers that only grows at its end. A host older than the
//! bindings has a shorter table, so no reference to the whole is ever made: the version is read first, then
//! only fields that SQLite 3.26 has.

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
            /// Where the functions stand in the table, and their names in the same order: one text, since a table of names
            /// would need a relocation for each.
            const PLACES: &[u16] = &[$(offset_of!(sqlite3_api_routines, $name) as u16),*];
            const NAMES: &str = concat!($(stringify!($name), " "),*);

            /// # Safety
            /// `routines` is the table of a SQLite of at least version [`OLDEST_SQLITE`].
            unsafe fn read(routines: *const sqlite3_api_routines, version: c_int) -> Result<Api, HostError> {
                // SAFETY: the caller's duty; every place stands in the table of `OLDEST_SQLITE`, and has a function or null.
                let missing = |place: &u16| unsafe {
                    routines.byte_add(usize::from(*place)).cast::<*const c_void>().read().is_null()
                };
                // Unrolled, the loop would be larger than the rest of loading.
                if let Some(index) = core::hint::black_box(Self::PLACES).iter().position(missing) {
                    return Err(HostError::Missing(Self::NAMES.split_ascii_whitespace().nth(index).unwrap_or_default()));
                }
                // SAFETY: as above, and none is null. The one that `OLDEST_SQLITE` lacks is read where it is there.
                unsafe {
                    let newer = version >= 3_039_000;
                    Ok(Api {
                        table: routines.addr(),
                        version,
                        column_decltype: (&raw const (*routines).column_decltype).read(),
                        db_name: newer.then(|| (&raw const (*routines).db_name).read()).flatten(),
                        $($name: (&raw const (*routines).$name).read().unwrap_unchecked(),)*
                    })
                }
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

/// Why a host cannot be served.
#[derive(Debug, PartialEq, Eq)]
pub enum HostError {
    /// No table was given: a build of SQLite without extension loading.
    NoTable,
    /// The host's version number.
    TooOld(c_int),
    /// The first SQLite's version number: this one is a second.
    OtherLibrary(c_int),
    /// A function that the table lacks.
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

/// The one mutable global: the API table of the SQLite that loaded this file, set once.
static API: OnceLock<Result<Api, HostError>> = OnceLock::new();

impl Api {
    /// Takes the table of the host that loads this file, if it is the first or the same as before.
    ///
    /// # Safety
    /// `routines` is null or the table that SQLite passes to an entry point.
    pub unsafe fn install(routines: *const sqlite3_api_routines) -> Result<&'static Api, HostError> {
        if routines.is_null() {
            return Err(HostError::NoTable);
        }
        // SAFETY: the caller's duty; every SQLite 3 has this field.
        let version = unsafe { (&raw const (*routines).libversion_number).read() };
        // SAFETY: a function of the host, without arguments.
        let version = version.map_or(0, |version| unsafe { version() });
        if version < OLDEST_SQLITE {
            return Err(HostError::TooOld(version));
        }
        let api = API.get_or_init(|| {
            // SAFETY: the caller gives SQLite's table, and its version was just checked.
            let api = unsafe { Api::read(routines, version)? };
            // SAFETY: the same table. Nothing of ours is registered before this, and only one thread comes here.
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

    /// The installed table. None only before the first load, when SQLite has nothing of ours to call.
    #[inline]
    pub fn installed() -> Option<&'static Api> {
        API.get()?.as_ref().ok()
    }
}
