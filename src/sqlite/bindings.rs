// Types and constants of SQLite 3.39.4's sqlite3ext.h. Generated: do not edit. No function is declared here, so
// nothing can link to a SQLite by accident.
//
// 3.39.4 because sqlite-loadable fills sqlite3_module field by field, and later headers add a field. The API table
// only grows at its end, so this one is right for every later SQLite too. One before 3.39 has a shorter table, and
// `api.rs` reads no field that it may lack.
//
// Made with bindgen 0.73.2 (`cargo install bindgen-cli`) from the header in the folder `sqlite3` of the crate
// sqlite3ext-sys 0.0.1, then `cargo fmt`:
//
//     bindgen sqlite3ext.h --no-layout-tests --use-core --no-doc-comments --merge-extern-blocks \
//         --blocklist-function '.*' --allowlist-type 'sqlite3.*' --allowlist-var 'SQLITE_.*' \
//         --blocklist-type '__va_list_tag|va_list|__builtin_va_list|__gnuc_va_list' \
//         --raw-line '/// Never called from Rust: only its place in the table matters.' \
//         --raw-line '#[allow(non_camel_case_types)] pub type va_list = *mut ::core::ffi::c_void;' \
//         --raw-line '#[allow(non_camel_case_types)] pub type __va_list_tag = ::core::ffi::c_void;'
/// Never called from Rust: only its place in the table matters.
#[allow(non_camel_case_types)]
pub type va_list = *mut ::core::ffi::c_void;
#[allow(non_camel_case_types)]
pub type __va_list_tag = ::core::ffi::c_void;

pub const SQLITE_VERSION: &[u8; 7] = b"3.39.4\0";
pub const SQLITE_VERSION_NUMBER: u32 = 3039004;
pub const SQLITE_SOURCE_ID: &[u8; 85] =
    b"2022-09-29 15:55:41 a29f9949895322123f7c38fbe94c649a9d6e6c9cd0c3b41c96d694552f26b309\0";
pub const SQLITE_OK: u32 = 0;
pub const SQLITE_ERROR: u32 = 1;
pub const SQLITE_INTERNAL: u32 = 2;
pub const SQLITE_PERM: u32 = 3;
pub const SQLITE_ABORT: u32 = 4;
pub const SQLITE_BUSY: u32 = 5;
pub const SQLITE_LOCKED: u32 = 6;
pub const SQLITE_NOMEM: u32 = 7;
pub const SQLITE_READONLY: u32 = 8;
pub const SQLITE_INTERRUPT: u32 = 9;
pub const SQLITE_IOERR: u32 = 10;
pub const SQLITE_CORRUPT: u32 = 11;
pub const SQLITE_NOTFOUND: u32 = 12;
pub const SQLITE_FULL: u32 = 13;
pub const SQLITE_CANTOPEN: u32 = 14;
pub const SQLITE_PROTOCOL: u32 = 15;
pub const SQLITE_EMPTY: u32 = 16;
pub const SQLITE_SCHEMA: u32 = 17;
pub const SQLITE_TOOBIG: u32 = 18;
pub const SQLITE_CONSTRAINT: u32 = 19;
pub const SQLITE_MISMATCH: u32 = 20;
pub const SQLITE_MISUSE: u32 = 21;
pub const SQLITE_NOLFS: u32 = 22;
pub const SQLITE_AUTH: u32 = 23;
pub const SQLITE_FORMAT: u32 = 24;
pub const SQLITE_RANGE: u32 = 25;
pub const SQLITE_NOTADB: u32 = 26;
pub const SQLITE_NOTICE: u32 = 27;
pub const SQLITE_WARNING: u32 = 28;
pub const SQLITE_ROW: u32 = 100;
pub const SQLITE_DONE: u32 = 101;
pub const SQLITE_ERROR_MISSING_COLLSEQ: u32 = 257;
pub const SQLITE_ERROR_RETRY: u32 = 513;
pub const SQLITE_ERROR_SNAPSHOT: u32 = 769;
pub const SQLITE_IOERR_READ: u32 = 266;
pub const SQLITE_IOERR_SHORT_READ: u32 = 522;
pub const SQLITE_IOERR_WRITE: u32 = 778;
pub const SQLITE_IOERR_FSYNC: u32 = 1034;
pub const SQLITE_IOERR_DIR_FSYNC: u32 = 1290;
pub const SQLITE_IOERR_TRUNCATE: u32 = 1546;
pub const SQLITE_IOERR_FSTAT: u32 = 1802;
pub const SQLITE_IOERR_UNLOCK: u32 = 2058;
pub const SQLITE_IOERR_RDLOCK: u32 = 2314;
pub const SQLITE_IOERR_DELETE: u32 = 2570;
pub const SQLITE_IOERR_BLOCKED: u32 = 2826;
pub const SQLITE_IOERR_NOMEM: u32 = 3082;
pub const SQLITE_IOERR_ACCESS: u32 = 3338;
pub const SQLITE_IOERR_CHECKRESERVEDLOCK: u32 = 3594;
pub const SQLITE_IOERR_LOCK: u32 = 3850;
pub const SQLITE_IOERR_CLOSE: u32 = 4106;
pub const SQLITE_IOERR_DIR_CLOSE: u32 = 4362;
pub const SQLITE_IOERR_SHMOPEN: u32 = 4618;
pub const SQLITE_IOERR_SHMSIZE: u32 = 4874;
pub const SQLITE_IOERR_SHMLOCK: u32 = 5130;
pub const SQLITE_IOERR_SHMMAP: u32 = 5386;
pub const SQLITE_IOERR_SEEK: u32 = 5642;
pub const SQLITE_IOERR_DELETE_NOENT: u32 = 5898;
pub const SQLITE_IOERR_MMAP: u32 = 6154;
pub const SQLITE_IOERR_GETTEMPPATH: u32 = 6410;
pub const SQLITE_IOERR_CONVPATH: u32 = 6666;
pub const SQLITE_IOERR_VNODE: u32 = 6922;
pub const SQLITE_IOERR_AUTH: u32 = 7178;
pub const SQLITE_IOERR_BEGIN_ATOMIC: u32 = 7434;
pub const SQLITE_IOERR_COMMIT_ATOMIC: u32 = 7690;
pub const SQLITE_IOERR_ROLLBACK_ATOMIC: u32 = 7946;
pub const SQLITE_IOERR_DATA: u32 = 8202;
pub const SQLITE_IOERR_CORRUPTFS: u32 = 8458;
pub const SQLITE_LOCKED_SHAREDCACHE: u32 = 262;
pub const SQLITE_LOCKED_VTAB: u32 = 518;
pub const SQLITE_BUSY_RECOVERY: u32 = 261;
pub const SQLITE_BUSY_SNAPSHOT: u32 = 517;
pub const SQLITE_BUSY_TIMEOUT: u32 = 773;
pub const SQLITE_CANTOPEN_NOTEMPDIR: u32 = 270;
pub const SQLITE_CANTOPEN_ISDIR: u32 = 526;
pub const SQLITE_CANTOPEN_FULLPATH: u32 = 782;
pub const SQLITE_CANTOPEN_CONVPATH: u32 = 1038;
pub const SQLITE_CANTOPEN_DIRTYWAL: u32 = 1294;
pub const SQLITE_CANTOPEN_SYMLINK: u32 = 1550;
pub const SQLITE_CORRUPT_VTAB: u32 = 267;
pub const SQLITE_CORRUPT_SEQUENCE: u32 = 523;
pub const SQLITE_CORRUPT_INDEX: u32 = 779;
pub const SQLITE_READONLY_RECOVERY: u32 = 264;
pub const SQLITE_READONLY_CANTLOCK: u32 = 520;
pub const SQLITE_READONLY_ROLLBACK: u32 = 776;
pub const SQLITE_READONLY_DBMOVED: u32 = 1032;
pub const SQLITE_READONLY_CANTINIT: u32 = 1288;
pub const SQLITE_READONLY_DIRECTORY: u32 = 1544;
pub const SQLITE_ABORT_ROLLBACK: u32 = 516;
pub const SQLITE_CONSTRAINT_CHECK: u32 = 275;
pub const SQLITE_CONSTRAINT_COMMITHOOK: u32 = 531;
pub const SQLITE_CONSTRAINT_FOREIGNKEY: u32 = 787;
pub const SQLITE_CONSTRAINT_FUNCTION: u32 = 1043;
pub const SQLITE_CONSTRAINT_NOTNULL: u32 = 1299;
pub const SQLITE_CONSTRAINT_PRIMARYKEY: u32 = 1555;
pub const SQLITE_CONSTRAINT_TRIGGER: u32 = 1811;
pub const SQLITE_CONSTRAINT_UNIQUE: u32 = 2067;
pub const SQLITE_CONSTRAINT_VTAB: u32 = 2323;
pub const SQLITE_CONSTRAINT_ROWID: u32 = 2579;
pub const SQLITE_CONSTRAINT_PINNED: u32 = 2835;
pub const SQLITE_CONSTRAINT_DATATYPE: u32 = 3091;
pub const SQLITE_NOTICE_RECOVER_WAL: u32 = 283;
pub const SQLITE_NOTICE_RECOVER_ROLLBACK: u32 = 539;
pub const SQLITE_WARNING_AUTOINDEX: u32 = 284;
pub const SQLITE_AUTH_USER: u32 = 279;
pub const SQLITE_OK_LOAD_PERMANENTLY: u32 = 256;
pub const SQLITE_OK_SYMLINK: u32 = 512;
pub const SQLITE_OPEN_READONLY: u32 = 1;
pub const SQLITE_OPEN_READWRITE: u32 = 2;
pub const SQLITE_OPEN_CREATE: u32 = 4;
pub const SQLITE_OPEN_DELETEONCLOSE: u32 = 8;
pub const SQLITE_OPEN_EXCLUSIVE: u32 = 16;
pub const SQLITE_OPEN_AUTOPROXY: u32 = 32;
pub const SQLITE_OPEN_URI: u32 = 64;
pub const SQLITE_OPEN_MEMORY: u32 = 128;
pub const SQLITE_OPEN_MAIN_DB: u32 = 256;
pub const SQLITE_OPEN_TEMP_DB: u32 = 512;
pub const SQLITE_OPEN_TRANSIENT_DB: u32 = 1024;
pub const SQLITE_OPEN_MAIN_JOURNAL: u32 = 2048;
pub const SQLITE_OPEN_TEMP_JOURNAL: u32 = 4096;
pub const SQLITE_OPEN_SUBJOURNAL: u32 = 8192;
pub const SQLITE_OPEN_SUPER_JOURNAL: u32 = 16384;
pub const SQLITE_OPEN_NOMUTEX: u32 = 32768;
pub const SQLITE_OPEN_FULLMUTEX: u32 = 65536;
pub const SQLITE_OPEN_SHAREDCACHE: u32 = 131072;
pub const SQLITE_OPEN_PRIVATECACHE: u32 = 262144;
pub const SQLITE_OPEN_WAL: u32 = 524288;
pub const SQLITE_OPEN_NOFOLLOW: u32 = 16777216;
pub const SQLITE_OPEN_EXRESCODE: u32 = 33554432;
pub const SQLITE_OPEN_MASTER_JOURNAL: u32 = 16384;
pub const SQLITE_IOCAP_ATOMIC: u32 = 1;
pub const SQLITE_IOCAP_ATOMIC512: u32 = 2;
pub const SQLITE_IOCAP_ATOMIC1K: u32 = 4;
pub const SQLITE_IOCAP_ATOMIC2K: u32 = 8;
pub const SQLITE_IOCAP_ATOMIC4K: u32 = 16;
pub const SQLITE_IOCAP_ATOMIC8K: u32 = 32;
pub const SQLITE_IOCAP_ATOMIC16K: u32 = 64;
pub const SQLITE_IOCAP_ATOMIC32K: u32 = 128;
pub const SQLITE_IOCAP_ATOMIC64K: u32 = 256;
pub const SQLITE_IOCAP_SAFE_APPEND: u32 = 512;
pub const SQLITE_IOCAP_SEQUENTIAL: u32 = 1024;
pub const SQLITE_IOCAP_UNDELETABLE_WHEN_OPEN: u32 = 2048;
pub const SQLITE_IOCAP_POWERSAFE_OVERWRITE: u32 = 4096;
pub const SQLITE_IOCAP_IMMUTABLE: u32 = 8192;
pub const SQLITE_IOCAP_BATCH_ATOMIC: u32 = 16384;
pub const SQLITE_LOCK_NONE: u32 = 0;
pub const SQLITE_LOCK_SHARED: u32 = 1;
pub const SQLITE_LOCK_RESERVED: u32 = 2;
pub const SQLITE_LOCK_PENDING: u32 = 3;
pub const SQLITE_LOCK_EXCLUSIVE: u32 = 4;
pub const SQLITE_SYNC_NORMAL: u32 = 2;
pub const SQLITE_SYNC_FULL: u32 = 3;
pub const SQLITE_SYNC_DATAONLY: u32 = 16;
pub const SQLITE_FCNTL_LOCKSTATE: u32 = 1;
pub const SQLITE_FCNTL_GET_LOCKPROXYFILE: u32 = 2;
pub const SQLITE_FCNTL_SET_LOCKPROXYFILE: u32 = 3;
pub const SQLITE_FCNTL_LAST_ERRNO: u32 = 4;
pub const SQLITE_FCNTL_SIZE_HINT: u32 = 5;
pub const SQLITE_FCNTL_CHUNK_SIZE: u32 = 6;
pub const SQLITE_FCNTL_FILE_POINTER: u32 = 7;
pub const SQLITE_FCNTL_SYNC_OMITTED: u32 = 8;
pub const SQLITE_FCNTL_WIN32_AV_RETRY: u32 = 9;
pub const SQLITE_FCNTL_PERSIST_WAL: u32 = 10;
pub const SQLITE_FCNTL_OVERWRITE: u32 = 11;
pub const SQLITE_FCNTL_VFSNAME: u32 = 12;
pub const SQLITE_FCNTL_POWERSAFE_OVERWRITE: u32 = 13;
pub const SQLITE_FCNTL_PRAGMA: u32 = 14;
pub const SQLITE_FCNTL_BUSYHANDLER: u32 = 15;
pub const SQLITE_FCNTL_TEMPFILENAME: u32 = 16;
pub const SQLITE_FCNTL_MMAP_SIZE: u32 = 18;
pub const SQLITE_FCNTL_TRACE: u32 = 19;
pub const SQLITE_FCNTL_HAS_MOVED: u32 = 20;
pub const SQLITE_FCNTL_SYNC: u32 = 21;
pub const SQLITE_FCNTL_COMMIT_PHASETWO: u32 = 22;
pub const SQLITE_FCNTL_WIN32_SET_HANDLE: u32 = 23;
pub const SQLITE_FCNTL_WAL_BLOCK: u32 = 24;
pub const SQLITE_FCNTL_ZIPVFS: u32 = 25;
pub const SQLITE_FCNTL_RBU: u32 = 26;
pub const SQLITE_FCNTL_VFS_POINTER: u32 = 27;
pub const SQLITE_FCNTL_JOURNAL_POINTER: u32 = 28;
pub const SQLITE_FCNTL_WIN32_GET_HANDLE: u32 = 29;
pub const SQLITE_FCNTL_PDB: u32 = 30;
pub const SQLITE_FCNTL_BEGIN_ATOMIC_WRITE: u32 = 31;
pub const SQLITE_FCNTL_COMMIT_ATOMIC_WRITE: u32 = 32;
pub const SQLITE_FCNTL_ROLLBACK_ATOMIC_WRITE: u32 = 33;
pub const SQLITE_FCNTL_LOCK_TIMEOUT: u32 = 34;
pub const SQLITE_FCNTL_DATA_VERSION: u32 = 35;
pub const SQLITE_FCNTL_SIZE_LIMIT: u32 = 36;
pub const SQLITE_FCNTL_CKPT_DONE: u32 = 37;
pub const SQLITE_FCNTL_RESERVE_BYTES: u32 = 38;
pub const SQLITE_FCNTL_CKPT_START: u32 = 39;
pub const SQLITE_FCNTL_EXTERNAL_READER: u32 = 40;
pub const SQLITE_FCNTL_CKSM_FILE: u32 = 41;
pub const SQLITE_GET_LOCKPROXYFILE: u32 = 2;
pub const SQLITE_SET_LOCKPROXYFILE: u32 = 3;
pub const SQLITE_LAST_ERRNO: u32 = 4;
pub const SQLITE_ACCESS_EXISTS: u32 = 0;
pub const SQLITE_ACCESS_READWRITE: u32 = 1;
pub const SQLITE_ACCESS_READ: u32 = 2;
pub const SQLITE_SHM_UNLOCK: u32 = 1;
pub const SQLITE_SHM_LOCK: u32 = 2;
pub const SQLITE_SHM_SHARED: u32 = 4;
pub const SQLITE_SHM_EXCLUSIVE: u32 = 8;
pub const SQLITE_SHM_NLOCK: u32 = 8;
pub const SQLITE_CONFIG_SINGLETHREAD: u32 = 1;
pub const SQLITE_CONFIG_MULTITHREAD: u32 = 2;
pub const SQLITE_CONFIG_SERIALIZED: u32 = 3;
pub const SQLITE_CONFIG_MALLOC: u32 = 4;
pub const SQLITE_CONFIG_GETMALLOC: u32 = 5;
pub const SQLITE_CONFIG_SCRATCH: u32 = 6;
pub const SQLITE_CONFIG_PAGECACHE: u32 = 7;
pub const SQLITE_CONFIG_HEAP: u32 = 8;
pub const SQLITE_CONFIG_MEMSTATUS: u32 = 9;
pub const SQLITE_CONFIG_MUTEX: u32 = 10;
pub const SQLITE_CONFIG_GETMUTEX: u32 = 11;
pub const SQLITE_CONFIG_LOOKASIDE: u32 = 13;
pub const SQLITE_CONFIG_PCACHE: u32 = 14;
pub const SQLITE_CONFIG_GETPCACHE: u32 = 15;
pub const SQLITE_CONFIG_LOG: u32 = 16;
pub const SQLITE_CONFIG_URI: u32 = 17;
pub const SQLITE_CONFIG_PCACHE2: u32 = 18;
pub const SQLITE_CONFIG_GETPCACHE2: u32 = 19;
pub const SQLITE_CONFIG_COVERING_INDEX_SCAN: u32 = 20;
pub const SQLITE_CONFIG_SQLLOG: u32 = 21;
pub const SQLITE_CONFIG_MMAP_SIZE: u32 = 22;
pub const SQLITE_CONFIG_WIN32_HEAPSIZE: u32 = 23;
pub const SQLITE_CONFIG_PCACHE_HDRSZ: u32 = 24;
pub const SQLITE_CONFIG_PMASZ: u32 = 25;
pub const SQLITE_CONFIG_STMTJRNL_SPILL: u32 = 26;
pub const SQLITE_CONFIG_SMALL_MALLOC: u32 = 27;
pub const SQLITE_CONFIG_SORTERREF_SIZE: u32 = 28;
pub const SQLITE_CONFIG_MEMDB_MAXSIZE: u32 = 29;
pub const SQLITE_DBCONFIG_MAINDBNAME: u32 = 1000;
pub const SQLITE_DBCONFIG_LOOKASIDE: u32 = 1001;
pub const SQLITE_DBCONFIG_ENABLE_FKEY: u32 = 1002;
pub const SQLITE_DBCONFIG_ENABLE_TRIGGER: u32 = 1003;
pub const SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER: u32 = 1004;
pub const SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION: u32 = 1005;
pub const SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE: u32 = 1006;
pub const SQLITE_DBCONFIG_ENABLE_QPSG: u32 = 1007;
pub const SQLITE_DBCONFIG_TRIGGER_EQP: u32 = 1008;
pub const SQLITE_DBCONFIG_RESET_DATABASE: u32 = 1009;
pub const SQLITE_DBCONFIG_DEFENSIVE: u32 = 1010;
pub const SQLITE_DBCONFIG_WRITABLE_SCHEMA: u32 = 1011;
pub const SQLITE_DBCONFIG_LEGACY_ALTER_TABLE: u32 = 1012;
pub const SQLITE_DBCONFIG_DQS_DML: u32 = 1013;
pub const SQLITE_DBCONFIG_DQS_DDL: u32 = 1014;
pub const SQLITE_DBCONFIG_ENABLE_VIEW: u32 = 1015;
pub const SQLITE_DBCONFIG_LEGACY_FILE_FORMAT: u32 = 1016;
pub const SQLITE_DBCONFIG_TRUSTED_SCHEMA: u32 = 1017;
pub const SQLITE_DBCONFIG_MAX: u32 = 1017;
pub const SQLITE_DENY: u32 = 1;
pub const SQLITE_IGNORE: u32 = 2;
pub const SQLITE_CREATE_INDEX: u32 = 1;
pub const SQLITE_CREATE_TABLE: u32 = 2;
pub const SQLITE_CREATE_TEMP_INDEX: u32 = 3;
pub const SQLITE_CREATE_TEMP_TABLE: u32 = 4;
pub const SQLITE_CREATE_TEMP_TRIGGER: u32 = 5;
pub const SQLITE_CREATE_TEMP_VIEW: u32 = 6;
pub const SQLITE_CREATE_TRIGGER: u32 = 7;
pub const SQLITE_CREATE_VIEW: u32 = 8;
pub const SQLITE_DELETE: u32 = 9;
pub const SQLITE_DROP_INDEX: u32 = 10;
pub const SQLITE_DROP_TABLE: u32 = 11;
pub const SQLITE_DROP_TEMP_INDEX: u32 = 12;
pub const SQLITE_DROP_TEMP_TABLE: u32 = 13;
pub const SQLITE_DROP_TEMP_TRIGGER: u32 = 14;
pub const SQLITE_DROP_TEMP_VIEW: u32 = 15;
pub const SQLITE_DROP_TRIGGER: u32 = 16;
pub const SQLITE_DROP_VIEW: u32 = 17;
pub const SQLITE_INSERT: u32 = 18;
pub const SQLITE_PRAGMA: u32 = 19;
pub const SQLITE_READ: u32 = 20;
pub const SQLITE_SELECT: u32 = 21;
pub const SQLITE_TRANSACTION: u32 = 22;
pub const SQLITE_UPDATE: u32 = 23;
pub const SQLITE_ATTACH: u32 = 24;
pub const SQLITE_DETACH: u32 = 25;
pub const SQLITE_ALTER_TABLE: u32 = 26;
pub const SQLITE_REINDEX: u32 = 27;
pub const SQLITE_ANALYZE: u32 = 28;
pub const SQLITE_CREATE_VTABLE: u32 = 29;
pub const SQLITE_DROP_VTABLE: u32 = 30;
pub const SQLITE_FUNCTION: u32 = 31;
pub const SQLITE_SAVEPOINT: u32 = 32;
pub const SQLITE_COPY: u32 = 0;
pub const SQLITE_RECURSIVE: u32 = 33;
pub const SQLITE_TRACE_STMT: u32 = 1;
pub const SQLITE_TRACE_PROFILE: u32 = 2;
pub const SQLITE_TRACE_ROW: u32 = 4;
pub const SQLITE_TRACE_CLOSE: u32 = 8;
pub const SQLITE_LIMIT_LENGTH: u32 = 0;
pub const SQLITE_LIMIT_SQL_LENGTH: u32 = 1;
pub const SQLITE_LIMIT_COLUMN: u32 = 2;
pub const SQLITE_LIMIT_EXPR_DEPTH: u32 = 3;
pub const SQLITE_LIMIT_COMPOUND_SELECT: u32 = 4;
pub const SQLITE_LIMIT_VDBE_OP: u32 = 5;
pub const SQLITE_LIMIT_FUNCTION_ARG: u32 = 6;
pub const SQLITE_LIMIT_ATTACHED: u32 = 7;
pub const SQLITE_LIMIT_LIKE_PATTERN_LENGTH: u32 = 8;
pub const SQLITE_LIMIT_VARIABLE_NUMBER: u32 = 9;
pub const SQLITE_LIMIT_TRIGGER_DEPTH: u32 = 10;
pub const SQLITE_LIMIT_WORKER_THREADS: u32 = 11;
pub const SQLITE_PREPARE_PERSISTENT: u32 = 1;
pub const SQLITE_PREPARE_NORMALIZE: u32 = 2;
pub const SQLITE_PREPARE_NO_VTAB: u32 = 4;
pub const SQLITE_INTEGER: u32 = 1;
pub const SQLITE_FLOAT: u32 = 2;
pub const SQLITE_BLOB: u32 = 4;
pub const SQLITE_NULL: u32 = 5;
pub const SQLITE_TEXT: u32 = 3;
pub const SQLITE_UTF8: u32 = 1;
pub const SQLITE_UTF16LE: u32 = 2;
pub const SQLITE_UTF16BE: u32 = 3;
pub const SQLITE_UTF16: u32 = 4;
pub const SQLITE_ANY: u32 = 5;
pub const SQLITE_UTF16_ALIGNED: u32 = 8;
pub const SQLITE_DETERMINISTIC: u32 = 2048;
pub const SQLITE_DIRECTONLY: u32 = 524288;
pub const SQLITE_SUBTYPE: u32 = 1048576;
pub const SQLITE_INNOCUOUS: u32 = 2097152;
pub const SQLITE_WIN32_DATA_DIRECTORY_TYPE: u32 = 1;
pub const SQLITE_WIN32_TEMP_DIRECTORY_TYPE: u32 = 2;
pub const SQLITE_TXN_NONE: u32 = 0;
pub const SQLITE_TXN_READ: u32 = 1;
pub const SQLITE_TXN_WRITE: u32 = 2;
pub const SQLITE_INDEX_SCAN_UNIQUE: u32 = 1;
pub const SQLITE_INDEX_CONSTRAINT_EQ: u32 = 2;
pub const SQLITE_INDEX_CONSTRAINT_GT: u32 = 4;
pub const SQLITE_INDEX_CONSTRAINT_LE: u32 = 8;
pub const SQLITE_INDEX_CONSTRAINT_LT: u32 = 16;
pub const SQLITE_INDEX_CONSTRAINT_GE: u32 = 32;
pub const SQLITE_INDEX_CONSTRAINT_MATCH: u32 = 64;
pub const SQLITE_INDEX_CONSTRAINT_LIKE: u32 = 65;
pub const SQLITE_INDEX_CONSTRAINT_GLOB: u32 = 66;
pub const SQLITE_INDEX_CONSTRAINT_REGEXP: u32 = 67;
pub const SQLITE_INDEX_CONSTRAINT_NE: u32 = 68;
pub const SQLITE_INDEX_CONSTRAINT_ISNOT: u32 = 69;
pub const SQLITE_INDEX_CONSTRAINT_ISNOTNULL: u32 = 70;
pub const SQLITE_INDEX_CONSTRAINT_ISNULL: u32 = 71;
pub const SQLITE_INDEX_CONSTRAINT_IS: u32 = 72;
pub const SQLITE_INDEX_CONSTRAINT_LIMIT: u32 = 73;
pub const SQLITE_INDEX_CONSTRAINT_OFFSET: u32 = 74;
pub const SQLITE_INDEX_CONSTRAINT_FUNCTION: u32 = 150;
pub const SQLITE_MUTEX_FAST: u32 = 0;
pub const SQLITE_MUTEX_RECURSIVE: u32 = 1;
pub const SQLITE_MUTEX_STATIC_MAIN: u32 = 2;
pub const SQLITE_MUTEX_STATIC_MEM: u32 = 3;
pub const SQLITE_MUTEX_STATIC_MEM2: u32 = 4;
pub const SQLITE_MUTEX_STATIC_OPEN: u32 = 4;
pub const SQLITE_MUTEX_STATIC_PRNG: u32 = 5;
pub const SQLITE_MUTEX_STATIC_LRU: u32 = 6;
pub const SQLITE_MUTEX_STATIC_LRU2: u32 = 7;
pub const SQLITE_MUTEX_STATIC_PMEM: u32 = 7;
pub const SQLITE_MUTEX_STATIC_APP1: u32 = 8;
pub const SQLITE_MUTEX_STATIC_APP2: u32 = 9;
pub const SQLITE_MUTEX_STATIC_APP3: u32 = 10;
pub const SQLITE_MUTEX_STATIC_VFS1: u32 = 11;
pub const SQLITE_MUTEX_STATIC_VFS2: u32 = 12;
pub const SQLITE_MUTEX_STATIC_VFS3: u32 = 13;
pub const SQLITE_MUTEX_STATIC_MASTER: u32 = 2;
pub const SQLITE_TESTCTRL_FIRST: u32 = 5;
pub const SQLITE_TESTCTRL_PRNG_SAVE: u32 = 5;
pub const SQLITE_TESTCTRL_PRNG_RESTORE: u32 = 6;
pub const SQLITE_TESTCTRL_PRNG_RESET: u32 = 7;
pub const SQLITE_TESTCTRL_BITVEC_TEST: u32 = 8;
pub const SQLITE_TESTCTRL_FAULT_INSTALL: u32 = 9;
pub const SQLITE_TESTCTRL_BENIGN_MALLOC_HOOKS: u32 = 10;
pub const SQLITE_TESTCTRL_PENDING_BYTE: u32 = 11;
pub const SQLITE_TESTCTRL_ASSERT: u32 = 12;
pub const SQLITE_TESTCTRL_ALWAYS: u32 = 13;
pub const SQLITE_TESTCTRL_RESERVE: u32 = 14;
pub const SQLITE_TESTCTRL_OPTIMIZATIONS: u32 = 15;
pub const SQLITE_TESTCTRL_ISKEYWORD: u32 = 16;
pub const SQLITE_TESTCTRL_SCRATCHMALLOC: u32 = 17;
pub const SQLITE_TESTCTRL_INTERNAL_FUNCTIONS: u32 = 17;
pub const SQLITE_TESTCTRL_LOCALTIME_FAULT: u32 = 18;
pub const SQLITE_TESTCTRL_EXPLAIN_STMT: u32 = 19;
pub const SQLITE_TESTCTRL_ONCE_RESET_THRESHOLD: u32 = 19;
pub const SQLITE_TESTCTRL_NEVER_CORRUPT: u32 = 20;
pub const SQLITE_TESTCTRL_VDBE_COVERAGE: u32 = 21;
pub const SQLITE_TESTCTRL_BYTEORDER: u32 = 22;
pub const SQLITE_TESTCTRL_ISINIT: u32 = 23;
pub const SQLITE_TESTCTRL_SORTER_MMAP: u32 = 24;
pub const SQLITE_TESTCTRL_IMPOSTER: u32 = 25;
pub const SQLITE_TESTCTRL_PARSER_COVERAGE: u32 = 26;
pub const SQLITE_TESTCTRL_RESULT_INTREAL: u32 = 27;
pub const SQLITE_TESTCTRL_PRNG_SEED: u32 = 28;
pub const SQLITE_TESTCTRL_EXTRA_SCHEMA_CHECKS: u32 = 29;
pub const SQLITE_TESTCTRL_SEEK_COUNT: u32 = 30;
pub const SQLITE_TESTCTRL_TRACEFLAGS: u32 = 31;
pub const SQLITE_TESTCTRL_TUNE: u32 = 32;
pub const SQLITE_TESTCTRL_LOGEST: u32 = 33;
pub const SQLITE_TESTCTRL_LAST: u32 = 33;
pub const SQLITE_STATUS_MEMORY_USED: u32 = 0;
pub const SQLITE_STATUS_PAGECACHE_USED: u32 = 1;
pub const SQLITE_STATUS_PAGECACHE_OVERFLOW: u32 = 2;
pub const SQLITE_STATUS_SCRATCH_USED: u32 = 3;
pub const SQLITE_STATUS_SCRATCH_OVERFLOW: u32 = 4;
pub const SQLITE_STATUS_MALLOC_SIZE: u32 = 5;
pub const SQLITE_STATUS_PARSER_STACK: u32 = 6;
pub const SQLITE_STATUS_PAGECACHE_SIZE: u32 = 7;
pub const SQLITE_STATUS_SCRATCH_SIZE: u32 = 8;
pub const SQLITE_STATUS_MALLOC_COUNT: u32 = 9;
pub const SQLITE_DBSTATUS_LOOKASIDE_USED: u32 = 0;
pub const SQLITE_DBSTATUS_CACHE_USED: u32 = 1;
pub const SQLITE_DBSTATUS_SCHEMA_USED: u32 = 2;
pub const SQLITE_DBSTATUS_STMT_USED: u32 = 3;
pub const SQLITE_DBSTATUS_LOOKASIDE_HIT: u32 = 4;
pub const SQLITE_DBSTATUS_LOOKASIDE_MISS_SIZE: u32 = 5;
pub const SQLITE_DBSTATUS_LOOKASIDE_MISS_FULL: u32 = 6;
pub const SQLITE_DBSTATUS_CACHE_HIT: u32 = 7;
pub const SQLITE_DBSTATUS_CACHE_MISS: u32 = 8;
pub const SQLITE_DBSTATUS_CACHE_WRITE: u32 = 9;
pub const SQLITE_DBSTATUS_DEFERRED_FKS: u32 = 10;
pub const SQLITE_DBSTATUS_CACHE_USED_SHARED: u32 = 11;
pub const SQLITE_DBSTATUS_CACHE_SPILL: u32 = 12;
pub const SQLITE_DBSTATUS_MAX: u32 = 12;
pub const SQLITE_STMTSTATUS_FULLSCAN_STEP: u32 = 1;
pub const SQLITE_STMTSTATUS_SORT: u32 = 2;
pub const SQLITE_STMTSTATUS_AUTOINDEX: u32 = 3;
pub const SQLITE_STMTSTATUS_VM_STEP: u32 = 4;
pub const SQLITE_STMTSTATUS_REPREPARE: u32 = 5;
pub const SQLITE_STMTSTATUS_RUN: u32 = 6;
pub const SQLITE_STMTSTATUS_FILTER_MISS: u32 = 7;
pub const SQLITE_STMTSTATUS_FILTER_HIT: u32 = 8;
pub const SQLITE_STMTSTATUS_MEMUSED: u32 = 99;
pub const SQLITE_CHECKPOINT_PASSIVE: u32 = 0;
pub const SQLITE_CHECKPOINT_FULL: u32 = 1;
pub const SQLITE_CHECKPOINT_RESTART: u32 = 2;
pub const SQLITE_CHECKPOINT_TRUNCATE: u32 = 3;
pub const SQLITE_VTAB_CONSTRAINT_SUPPORT: u32 = 1;
pub const SQLITE_VTAB_INNOCUOUS: u32 = 2;
pub const SQLITE_VTAB_DIRECTONLY: u32 = 3;
pub const SQLITE_ROLLBACK: u32 = 1;
pub const SQLITE_FAIL: u32 = 3;
pub const SQLITE_REPLACE: u32 = 5;
pub const SQLITE_SCANSTAT_NLOOP: u32 = 0;
pub const SQLITE_SCANSTAT_NVISIT: u32 = 1;
pub const SQLITE_SCANSTAT_EST: u32 = 2;
pub const SQLITE_SCANSTAT_NAME: u32 = 3;
pub const SQLITE_SCANSTAT_EXPLAIN: u32 = 4;
pub const SQLITE_SCANSTAT_SELECTID: u32 = 5;
pub const SQLITE_SERIALIZE_NOCOPY: u32 = 1;
pub const SQLITE_DESERIALIZE_FREEONCLOSE: u32 = 1;
pub const SQLITE_DESERIALIZE_RESIZEABLE: u32 = 2;
pub const SQLITE_DESERIALIZE_READONLY: u32 = 4;
#[repr(C)]
#[derive(Debug)]
pub struct sqlite3 {
    _unused: [u8; 0],
}
pub type sqlite_int64 = ::core::ffi::c_longlong;
pub type sqlite_uint64 = ::core::ffi::c_ulonglong;
pub type sqlite3_int64 = sqlite_int64;
pub type sqlite3_uint64 = sqlite_uint64;
pub type sqlite3_callback = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: *mut ::core::ffi::c_void,
        arg2: ::core::ffi::c_int,
        arg3: *mut *mut ::core::ffi::c_char,
        arg4: *mut *mut ::core::ffi::c_char,
    ) -> ::core::ffi::c_int,
>;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct sqlite3_file {
    pub pMethods: *const sqlite3_io_methods,
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct sqlite3_io_methods {
    pub iVersion: ::core::ffi::c_int,
    pub xClose: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_file) -> ::core::ffi::c_int>,
    pub xRead: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_file,
            arg2: *mut ::core::ffi::c_void,
            iAmt: ::core::ffi::c_int,
            iOfst: sqlite3_int64,
        ) -> ::core::ffi::c_int,
    >,
    pub xWrite: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_file,
            arg2: *const ::core::ffi::c_void,
            iAmt: ::core::ffi::c_int,
            iOfst: sqlite3_int64,
        ) -> ::core::ffi::c_int,
    >,
    pub xTruncate: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_file, size: sqlite3_int64) -> ::core::ffi::c_int,
    >,
    pub xSync: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_file, flags: ::core::ffi::c_int) -> ::core::ffi::c_int,
    >,
    pub xFileSize: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_file, pSize: *mut sqlite3_int64) -> ::core::ffi::c_int,
    >,
    pub xLock: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_file, arg2: ::core::ffi::c_int) -> ::core::ffi::c_int,
    >,
    pub xUnlock: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_file, arg2: ::core::ffi::c_int) -> ::core::ffi::c_int,
    >,
    pub xCheckReservedLock: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_file, pResOut: *mut ::core::ffi::c_int) -> ::core::ffi::c_int,
    >,
    pub xFileControl: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_file,
            op: ::core::ffi::c_int,
            pArg: *mut ::core::ffi::c_void,
        ) -> ::core::ffi::c_int,
    >,
    pub xSectorSize:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_file) -> ::core::ffi::c_int>,
    pub xDeviceCharacteristics:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_file) -> ::core::ffi::c_int>,
    pub xShmMap: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_file,
            iPg: ::core::ffi::c_int,
            pgsz: ::core::ffi::c_int,
            arg2: ::core::ffi::c_int,
            arg3: *mut *mut ::core::ffi::c_void,
        ) -> ::core::ffi::c_int,
    >,
    pub xShmLock: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_file,
            offset: ::core::ffi::c_int,
            n: ::core::ffi::c_int,
            flags: ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub xShmBarrier: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_file)>,
    pub xShmUnmap: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_file, deleteFlag: ::core::ffi::c_int) -> ::core::ffi::c_int,
    >,
    pub xFetch: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_file,
            iOfst: sqlite3_int64,
            iAmt: ::core::ffi::c_int,
            pp: *mut *mut ::core::ffi::c_void,
        ) -> ::core::ffi::c_int,
    >,
    pub xUnfetch: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_file,
            iOfst: sqlite3_int64,
            p: *mut ::core::ffi::c_void,
        ) -> ::core::ffi::c_int,
    >,
}
#[repr(C)]
#[derive(Debug)]
pub struct sqlite3_mutex {
    _unused: [u8; 0],
}
pub type sqlite3_syscall_ptr = ::core::option::Option<unsafe extern "C" fn()>;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct sqlite3_vfs {
    pub iVersion: ::core::ffi::c_int,
    pub szOsFile: ::core::ffi::c_int,
    pub mxPathname: ::core::ffi::c_int,
    pub pNext: *mut sqlite3_vfs,
    pub zName: *const ::core::ffi::c_char,
    pub pAppData: *mut ::core::ffi::c_void,
    pub xOpen: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_vfs,
            zName: *const ::core::ffi::c_char,
            arg2: *mut sqlite3_file,
            flags: ::core::ffi::c_int,
            pOutFlags: *mut ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub xDelete: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_vfs,
            zName: *const ::core::ffi::c_char,
            syncDir: ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub xAccess: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_vfs,
            zName: *const ::core::ffi::c_char,
            flags: ::core::ffi::c_int,
            pResOut: *mut ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub xFullPathname: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_vfs,
            zName: *const ::core::ffi::c_char,
            nOut: ::core::ffi::c_int,
            zOut: *mut ::core::ffi::c_char,
        ) -> ::core::ffi::c_int,
    >,
    pub xDlOpen: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_vfs,
            zFilename: *const ::core::ffi::c_char,
        ) -> *mut ::core::ffi::c_void,
    >,
    pub xDlError: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_vfs,
            nByte: ::core::ffi::c_int,
            zErrMsg: *mut ::core::ffi::c_char,
        ),
    >,
    pub xDlSym: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_vfs,
            arg2: *mut ::core::ffi::c_void,
            zSymbol: *const ::core::ffi::c_char,
        ) -> ::core::option::Option<
            unsafe extern "C" fn(
                arg1: *mut sqlite3_vfs,
                arg2: *mut ::core::ffi::c_void,
                zSymbol: *const ::core::ffi::c_char,
            ),
        >,
    >,
    pub xDlClose:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_vfs, arg2: *mut ::core::ffi::c_void)>,
    pub xRandomness: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_vfs,
            nByte: ::core::ffi::c_int,
            zOut: *mut ::core::ffi::c_char,
        ) -> ::core::ffi::c_int,
    >,
    pub xSleep: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_vfs, microseconds: ::core::ffi::c_int) -> ::core::ffi::c_int,
    >,
    pub xCurrentTime: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_vfs, arg2: *mut f64) -> ::core::ffi::c_int,
    >,
    pub xGetLastError: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_vfs,
            arg2: ::core::ffi::c_int,
            arg3: *mut ::core::ffi::c_char,
        ) -> ::core::ffi::c_int,
    >,
    pub xCurrentTimeInt64: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_vfs, arg2: *mut sqlite3_int64) -> ::core::ffi::c_int,
    >,
    pub xSetSystemCall: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_vfs,
            zName: *const ::core::ffi::c_char,
            arg2: sqlite3_syscall_ptr,
        ) -> ::core::ffi::c_int,
    >,
    pub xGetSystemCall: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_vfs,
            zName: *const ::core::ffi::c_char,
        ) -> sqlite3_syscall_ptr,
    >,
    pub xNextSystemCall: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_vfs,
            zName: *const ::core::ffi::c_char,
        ) -> *const ::core::ffi::c_char,
    >,
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct sqlite3_mem_methods {
    pub xMalloc:
        ::core::option::Option<unsafe extern "C" fn(arg1: ::core::ffi::c_int) -> *mut ::core::ffi::c_void>,
    pub xFree: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void)>,
    pub xRealloc: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut ::core::ffi::c_void,
            arg2: ::core::ffi::c_int,
        ) -> *mut ::core::ffi::c_void,
    >,
    pub xSize:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void) -> ::core::ffi::c_int>,
    pub xRoundup:
        ::core::option::Option<unsafe extern "C" fn(arg1: ::core::ffi::c_int) -> ::core::ffi::c_int>,
    pub xInit:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void) -> ::core::ffi::c_int>,
    pub xShutdown: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void)>,
    pub pAppData: *mut ::core::ffi::c_void,
}
#[repr(C)]
#[derive(Debug)]
pub struct sqlite3_stmt {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Debug)]
pub struct sqlite3_value {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Debug)]
pub struct sqlite3_context {
    _unused: [u8; 0],
}
pub type sqlite3_destructor_type =
    ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void)>;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct sqlite3_module {
    pub iVersion: ::core::ffi::c_int,
    pub xCreate: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            pAux: *mut ::core::ffi::c_void,
            argc: ::core::ffi::c_int,
            argv: *const *const ::core::ffi::c_char,
            ppVTab: *mut *mut sqlite3_vtab,
            arg2: *mut *mut ::core::ffi::c_char,
        ) -> ::core::ffi::c_int,
    >,
    pub xConnect: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            pAux: *mut ::core::ffi::c_void,
            argc: ::core::ffi::c_int,
            argv: *const *const ::core::ffi::c_char,
            ppVTab: *mut *mut sqlite3_vtab,
            arg2: *mut *mut ::core::ffi::c_char,
        ) -> ::core::ffi::c_int,
    >,
    pub xBestIndex: ::core::option::Option<
        unsafe extern "C" fn(pVTab: *mut sqlite3_vtab, arg1: *mut sqlite3_index_info) -> ::core::ffi::c_int,
    >,
    pub xDisconnect:
        ::core::option::Option<unsafe extern "C" fn(pVTab: *mut sqlite3_vtab) -> ::core::ffi::c_int>,
    pub xDestroy:
        ::core::option::Option<unsafe extern "C" fn(pVTab: *mut sqlite3_vtab) -> ::core::ffi::c_int>,
    pub xOpen: ::core::option::Option<
        unsafe extern "C" fn(
            pVTab: *mut sqlite3_vtab,
            ppCursor: *mut *mut sqlite3_vtab_cursor,
        ) -> ::core::ffi::c_int,
    >,
    pub xClose:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_vtab_cursor) -> ::core::ffi::c_int>,
    pub xFilter: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_vtab_cursor,
            idxNum: ::core::ffi::c_int,
            idxStr: *const ::core::ffi::c_char,
            argc: ::core::ffi::c_int,
            argv: *mut *mut sqlite3_value,
        ) -> ::core::ffi::c_int,
    >,
    pub xNext:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_vtab_cursor) -> ::core::ffi::c_int>,
    pub xEof:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_vtab_cursor) -> ::core::ffi::c_int>,
    pub xColumn: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_vtab_cursor,
            arg2: *mut sqlite3_context,
            arg3: ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub xRowid: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_vtab_cursor,
            pRowid: *mut sqlite3_int64,
        ) -> ::core::ffi::c_int,
    >,
    pub xUpdate: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_vtab,
            arg2: ::core::ffi::c_int,
            arg3: *mut *mut sqlite3_value,
            arg4: *mut sqlite3_int64,
        ) -> ::core::ffi::c_int,
    >,
    pub xBegin: ::core::option::Option<unsafe extern "C" fn(pVTab: *mut sqlite3_vtab) -> ::core::ffi::c_int>,
    pub xSync: ::core::option::Option<unsafe extern "C" fn(pVTab: *mut sqlite3_vtab) -> ::core::ffi::c_int>,
    pub xCommit: ::core::option::Option<unsafe extern "C" fn(pVTab: *mut sqlite3_vtab) -> ::core::ffi::c_int>,
    pub xRollback:
        ::core::option::Option<unsafe extern "C" fn(pVTab: *mut sqlite3_vtab) -> ::core::ffi::c_int>,
    pub xFindFunction: ::core::option::Option<
        unsafe extern "C" fn(
            pVtab: *mut sqlite3_vtab,
            nArg: ::core::ffi::c_int,
            zName: *const ::core::ffi::c_char,
            pxFunc: *mut ::core::option::Option<
                unsafe extern "C" fn(
                    arg1: *mut sqlite3_context,
                    arg2: ::core::ffi::c_int,
                    arg3: *mut *mut sqlite3_value,
                ),
            >,
            ppArg: *mut *mut ::core::ffi::c_void,
        ) -> ::core::ffi::c_int,
    >,
    pub xRename: ::core::option::Option<
        unsafe extern "C" fn(
            pVtab: *mut sqlite3_vtab,
            zNew: *const ::core::ffi::c_char,
        ) -> ::core::ffi::c_int,
    >,
    pub xSavepoint: ::core::option::Option<
        unsafe extern "C" fn(pVTab: *mut sqlite3_vtab, arg1: ::core::ffi::c_int) -> ::core::ffi::c_int,
    >,
    pub xRelease: ::core::option::Option<
        unsafe extern "C" fn(pVTab: *mut sqlite3_vtab, arg1: ::core::ffi::c_int) -> ::core::ffi::c_int,
    >,
    pub xRollbackTo: ::core::option::Option<
        unsafe extern "C" fn(pVTab: *mut sqlite3_vtab, arg1: ::core::ffi::c_int) -> ::core::ffi::c_int,
    >,
    pub xShadowName:
        ::core::option::Option<unsafe extern "C" fn(arg1: *const ::core::ffi::c_char) -> ::core::ffi::c_int>,
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct sqlite3_index_info {
    pub nConstraint: ::core::ffi::c_int,
    pub aConstraint: *mut sqlite3_index_info_sqlite3_index_constraint,
    pub nOrderBy: ::core::ffi::c_int,
    pub aOrderBy: *mut sqlite3_index_info_sqlite3_index_orderby,
    pub aConstraintUsage: *mut sqlite3_index_info_sqlite3_index_constraint_usage,
    pub idxNum: ::core::ffi::c_int,
    pub idxStr: *mut ::core::ffi::c_char,
    pub needToFreeIdxStr: ::core::ffi::c_int,
    pub orderByConsumed: ::core::ffi::c_int,
    pub estimatedCost: f64,
    pub estimatedRows: sqlite3_int64,
    pub idxFlags: ::core::ffi::c_int,
    pub colUsed: sqlite3_uint64,
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct sqlite3_index_info_sqlite3_index_constraint {
    pub iColumn: ::core::ffi::c_int,
    pub op: ::core::ffi::c_uchar,
    pub usable: ::core::ffi::c_uchar,
    pub iTermOffset: ::core::ffi::c_int,
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct sqlite3_index_info_sqlite3_index_orderby {
    pub iColumn: ::core::ffi::c_int,
    pub desc: ::core::ffi::c_uchar,
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct sqlite3_index_info_sqlite3_index_constraint_usage {
    pub argvIndex: ::core::ffi::c_int,
    pub omit: ::core::ffi::c_uchar,
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct sqlite3_vtab {
    pub pModule: *const sqlite3_module,
    pub nRef: ::core::ffi::c_int,
    pub zErrMsg: *mut ::core::ffi::c_char,
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct sqlite3_vtab_cursor {
    pub pVtab: *mut sqlite3_vtab,
}
#[repr(C)]
#[derive(Debug)]
pub struct sqlite3_blob {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct sqlite3_mutex_methods {
    pub xMutexInit: ::core::option::Option<unsafe extern "C" fn() -> ::core::ffi::c_int>,
    pub xMutexEnd: ::core::option::Option<unsafe extern "C" fn() -> ::core::ffi::c_int>,
    pub xMutexAlloc:
        ::core::option::Option<unsafe extern "C" fn(arg1: ::core::ffi::c_int) -> *mut sqlite3_mutex>,
    pub xMutexFree: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_mutex)>,
    pub xMutexEnter: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_mutex)>,
    pub xMutexTry:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_mutex) -> ::core::ffi::c_int>,
    pub xMutexLeave: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_mutex)>,
    pub xMutexHeld:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_mutex) -> ::core::ffi::c_int>,
    pub xMutexNotheld:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_mutex) -> ::core::ffi::c_int>,
}
#[repr(C)]
#[derive(Debug)]
pub struct sqlite3_str {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Debug)]
pub struct sqlite3_pcache {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct sqlite3_pcache_page {
    pub pBuf: *mut ::core::ffi::c_void,
    pub pExtra: *mut ::core::ffi::c_void,
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct sqlite3_pcache_methods2 {
    pub iVersion: ::core::ffi::c_int,
    pub pArg: *mut ::core::ffi::c_void,
    pub xInit:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void) -> ::core::ffi::c_int>,
    pub xShutdown: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void)>,
    pub xCreate: ::core::option::Option<
        unsafe extern "C" fn(
            szPage: ::core::ffi::c_int,
            szExtra: ::core::ffi::c_int,
            bPurgeable: ::core::ffi::c_int,
        ) -> *mut sqlite3_pcache,
    >,
    pub xCachesize: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_pcache, nCachesize: ::core::ffi::c_int),
    >,
    pub xPagecount:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_pcache) -> ::core::ffi::c_int>,
    pub xFetch: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_pcache,
            key: ::core::ffi::c_uint,
            createFlag: ::core::ffi::c_int,
        ) -> *mut sqlite3_pcache_page,
    >,
    pub xUnpin: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_pcache,
            arg2: *mut sqlite3_pcache_page,
            discard: ::core::ffi::c_int,
        ),
    >,
    pub xRekey: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_pcache,
            arg2: *mut sqlite3_pcache_page,
            oldKey: ::core::ffi::c_uint,
            newKey: ::core::ffi::c_uint,
        ),
    >,
    pub xTruncate:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_pcache, iLimit: ::core::ffi::c_uint)>,
    pub xDestroy: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_pcache)>,
    pub xShrink: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_pcache)>,
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct sqlite3_pcache_methods {
    pub pArg: *mut ::core::ffi::c_void,
    pub xInit:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void) -> ::core::ffi::c_int>,
    pub xShutdown: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void)>,
    pub xCreate: ::core::option::Option<
        unsafe extern "C" fn(
            szPage: ::core::ffi::c_int,
            bPurgeable: ::core::ffi::c_int,
        ) -> *mut sqlite3_pcache,
    >,
    pub xCachesize: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_pcache, nCachesize: ::core::ffi::c_int),
    >,
    pub xPagecount:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_pcache) -> ::core::ffi::c_int>,
    pub xFetch: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_pcache,
            key: ::core::ffi::c_uint,
            createFlag: ::core::ffi::c_int,
        ) -> *mut ::core::ffi::c_void,
    >,
    pub xUnpin: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_pcache,
            arg2: *mut ::core::ffi::c_void,
            discard: ::core::ffi::c_int,
        ),
    >,
    pub xRekey: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_pcache,
            arg2: *mut ::core::ffi::c_void,
            oldKey: ::core::ffi::c_uint,
            newKey: ::core::ffi::c_uint,
        ),
    >,
    pub xTruncate:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_pcache, iLimit: ::core::ffi::c_uint)>,
    pub xDestroy: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_pcache)>,
}
#[repr(C)]
#[derive(Debug)]
pub struct sqlite3_backup {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct sqlite3_snapshot {
    pub hidden: [::core::ffi::c_uchar; 48usize],
}
pub type sqlite3_rtree_dbl = f64;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct sqlite3_rtree_geometry {
    pub pContext: *mut ::core::ffi::c_void,
    pub nParam: ::core::ffi::c_int,
    pub aParam: *mut sqlite3_rtree_dbl,
    pub pUser: *mut ::core::ffi::c_void,
    pub xDelUser: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void)>,
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct sqlite3_rtree_query_info {
    pub pContext: *mut ::core::ffi::c_void,
    pub nParam: ::core::ffi::c_int,
    pub aParam: *mut sqlite3_rtree_dbl,
    pub pUser: *mut ::core::ffi::c_void,
    pub xDelUser: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void)>,
    pub aCoord: *mut sqlite3_rtree_dbl,
    pub anQueue: *mut ::core::ffi::c_uint,
    pub nCoord: ::core::ffi::c_int,
    pub iLevel: ::core::ffi::c_int,
    pub mxLevel: ::core::ffi::c_int,
    pub iRowid: sqlite3_int64,
    pub rParentScore: sqlite3_rtree_dbl,
    pub eParentWithin: ::core::ffi::c_int,
    pub eWithin: ::core::ffi::c_int,
    pub rScore: sqlite3_rtree_dbl,
    pub apSqlParam: *mut *mut sqlite3_value,
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct sqlite3_api_routines {
    pub aggregate_context: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_context,
            nBytes: ::core::ffi::c_int,
        ) -> *mut ::core::ffi::c_void,
    >,
    pub aggregate_count:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_context) -> ::core::ffi::c_int>,
    pub bind_blob: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_stmt,
            arg2: ::core::ffi::c_int,
            arg3: *const ::core::ffi::c_void,
            n: ::core::ffi::c_int,
            arg4: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void)>,
        ) -> ::core::ffi::c_int,
    >,
    pub bind_double: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_stmt,
            arg2: ::core::ffi::c_int,
            arg3: f64,
        ) -> ::core::ffi::c_int,
    >,
    pub bind_int: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_stmt,
            arg2: ::core::ffi::c_int,
            arg3: ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub bind_int64: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_stmt,
            arg2: ::core::ffi::c_int,
            arg3: sqlite_int64,
        ) -> ::core::ffi::c_int,
    >,
    pub bind_null: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_stmt, arg2: ::core::ffi::c_int) -> ::core::ffi::c_int,
    >,
    pub bind_parameter_count:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_stmt) -> ::core::ffi::c_int>,
    pub bind_parameter_index: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_stmt,
            zName: *const ::core::ffi::c_char,
        ) -> ::core::ffi::c_int,
    >,
    pub bind_parameter_name: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_stmt, arg2: ::core::ffi::c_int) -> *const ::core::ffi::c_char,
    >,
    pub bind_text: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_stmt,
            arg2: ::core::ffi::c_int,
            arg3: *const ::core::ffi::c_char,
            n: ::core::ffi::c_int,
            arg4: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void)>,
        ) -> ::core::ffi::c_int,
    >,
    pub bind_text16: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_stmt,
            arg2: ::core::ffi::c_int,
            arg3: *const ::core::ffi::c_void,
            arg4: ::core::ffi::c_int,
            arg5: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void)>,
        ) -> ::core::ffi::c_int,
    >,
    pub bind_value: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_stmt,
            arg2: ::core::ffi::c_int,
            arg3: *const sqlite3_value,
        ) -> ::core::ffi::c_int,
    >,
    pub busy_handler: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: ::core::option::Option<
                unsafe extern "C" fn(
                    arg1: *mut ::core::ffi::c_void,
                    arg2: ::core::ffi::c_int,
                ) -> ::core::ffi::c_int,
            >,
            arg3: *mut ::core::ffi::c_void,
        ) -> ::core::ffi::c_int,
    >,
    pub busy_timeout: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3, ms: ::core::ffi::c_int) -> ::core::ffi::c_int,
    >,
    pub changes: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3) -> ::core::ffi::c_int>,
    pub close: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3) -> ::core::ffi::c_int>,
    pub collation_needed: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: *mut ::core::ffi::c_void,
            arg3: ::core::option::Option<
                unsafe extern "C" fn(
                    arg1: *mut ::core::ffi::c_void,
                    arg2: *mut sqlite3,
                    eTextRep: ::core::ffi::c_int,
                    arg3: *const ::core::ffi::c_char,
                ),
            >,
        ) -> ::core::ffi::c_int,
    >,
    pub collation_needed16: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: *mut ::core::ffi::c_void,
            arg3: ::core::option::Option<
                unsafe extern "C" fn(
                    arg1: *mut ::core::ffi::c_void,
                    arg2: *mut sqlite3,
                    eTextRep: ::core::ffi::c_int,
                    arg3: *const ::core::ffi::c_void,
                ),
            >,
        ) -> ::core::ffi::c_int,
    >,
    pub column_blob: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_stmt, iCol: ::core::ffi::c_int) -> *const ::core::ffi::c_void,
    >,
    pub column_bytes: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_stmt, iCol: ::core::ffi::c_int) -> ::core::ffi::c_int,
    >,
    pub column_bytes16: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_stmt, iCol: ::core::ffi::c_int) -> ::core::ffi::c_int,
    >,
    pub column_count:
        ::core::option::Option<unsafe extern "C" fn(pStmt: *mut sqlite3_stmt) -> ::core::ffi::c_int>,
    pub column_database_name: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_stmt, arg2: ::core::ffi::c_int) -> *const ::core::ffi::c_char,
    >,
    pub column_database_name16: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_stmt, arg2: ::core::ffi::c_int) -> *const ::core::ffi::c_void,
    >,
    pub column_decltype: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_stmt, i: ::core::ffi::c_int) -> *const ::core::ffi::c_char,
    >,
    pub column_decltype16: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_stmt, arg2: ::core::ffi::c_int) -> *const ::core::ffi::c_void,
    >,
    pub column_double: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_stmt, iCol: ::core::ffi::c_int) -> f64,
    >,
    pub column_int: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_stmt, iCol: ::core::ffi::c_int) -> ::core::ffi::c_int,
    >,
    pub column_int64: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_stmt, iCol: ::core::ffi::c_int) -> sqlite_int64,
    >,
    pub column_name: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_stmt, arg2: ::core::ffi::c_int) -> *const ::core::ffi::c_char,
    >,
    pub column_name16: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_stmt, arg2: ::core::ffi::c_int) -> *const ::core::ffi::c_void,
    >,
    pub column_origin_name: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_stmt, arg2: ::core::ffi::c_int) -> *const ::core::ffi::c_char,
    >,
    pub column_origin_name16: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_stmt, arg2: ::core::ffi::c_int) -> *const ::core::ffi::c_void,
    >,
    pub column_table_name: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_stmt, arg2: ::core::ffi::c_int) -> *const ::core::ffi::c_char,
    >,
    pub column_table_name16: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_stmt, arg2: ::core::ffi::c_int) -> *const ::core::ffi::c_void,
    >,
    pub column_text: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_stmt,
            iCol: ::core::ffi::c_int,
        ) -> *const ::core::ffi::c_uchar,
    >,
    pub column_text16: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_stmt, iCol: ::core::ffi::c_int) -> *const ::core::ffi::c_void,
    >,
    pub column_type: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_stmt, iCol: ::core::ffi::c_int) -> ::core::ffi::c_int,
    >,
    pub column_value: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_stmt, iCol: ::core::ffi::c_int) -> *mut sqlite3_value,
    >,
    pub commit_hook: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: ::core::option::Option<
                unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void) -> ::core::ffi::c_int,
            >,
            arg3: *mut ::core::ffi::c_void,
        ) -> *mut ::core::ffi::c_void,
    >,
    pub complete:
        ::core::option::Option<unsafe extern "C" fn(sql: *const ::core::ffi::c_char) -> ::core::ffi::c_int>,
    pub complete16:
        ::core::option::Option<unsafe extern "C" fn(sql: *const ::core::ffi::c_void) -> ::core::ffi::c_int>,
    pub create_collation: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: *const ::core::ffi::c_char,
            arg3: ::core::ffi::c_int,
            arg4: *mut ::core::ffi::c_void,
            arg5: ::core::option::Option<
                unsafe extern "C" fn(
                    arg1: *mut ::core::ffi::c_void,
                    arg2: ::core::ffi::c_int,
                    arg3: *const ::core::ffi::c_void,
                    arg4: ::core::ffi::c_int,
                    arg5: *const ::core::ffi::c_void,
                ) -> ::core::ffi::c_int,
            >,
        ) -> ::core::ffi::c_int,
    >,
    pub create_collation16: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: *const ::core::ffi::c_void,
            arg3: ::core::ffi::c_int,
            arg4: *mut ::core::ffi::c_void,
            arg5: ::core::option::Option<
                unsafe extern "C" fn(
                    arg1: *mut ::core::ffi::c_void,
                    arg2: ::core::ffi::c_int,
                    arg3: *const ::core::ffi::c_void,
                    arg4: ::core::ffi::c_int,
                    arg5: *const ::core::ffi::c_void,
                ) -> ::core::ffi::c_int,
            >,
        ) -> ::core::ffi::c_int,
    >,
    pub create_function: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: *const ::core::ffi::c_char,
            arg3: ::core::ffi::c_int,
            arg4: ::core::ffi::c_int,
            arg5: *mut ::core::ffi::c_void,
            xFunc: ::core::option::Option<
                unsafe extern "C" fn(
                    arg1: *mut sqlite3_context,
                    arg2: ::core::ffi::c_int,
                    arg3: *mut *mut sqlite3_value,
                ),
            >,
            xStep: ::core::option::Option<
                unsafe extern "C" fn(
                    arg1: *mut sqlite3_context,
                    arg2: ::core::ffi::c_int,
                    arg3: *mut *mut sqlite3_value,
                ),
            >,
            xFinal: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_context)>,
        ) -> ::core::ffi::c_int,
    >,
    pub create_function16: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: *const ::core::ffi::c_void,
            arg3: ::core::ffi::c_int,
            arg4: ::core::ffi::c_int,
            arg5: *mut ::core::ffi::c_void,
            xFunc: ::core::option::Option<
                unsafe extern "C" fn(
                    arg1: *mut sqlite3_context,
                    arg2: ::core::ffi::c_int,
                    arg3: *mut *mut sqlite3_value,
                ),
            >,
            xStep: ::core::option::Option<
                unsafe extern "C" fn(
                    arg1: *mut sqlite3_context,
                    arg2: ::core::ffi::c_int,
                    arg3: *mut *mut sqlite3_value,
                ),
            >,
            xFinal: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_context)>,
        ) -> ::core::ffi::c_int,
    >,
    pub create_module: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: *const ::core::ffi::c_char,
            arg3: *const sqlite3_module,
            arg4: *mut ::core::ffi::c_void,
        ) -> ::core::ffi::c_int,
    >,
    pub data_count:
        ::core::option::Option<unsafe extern "C" fn(pStmt: *mut sqlite3_stmt) -> ::core::ffi::c_int>,
    pub db_handle: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_stmt) -> *mut sqlite3>,
    pub declare_vtab: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3, arg2: *const ::core::ffi::c_char) -> ::core::ffi::c_int,
    >,
    pub enable_shared_cache:
        ::core::option::Option<unsafe extern "C" fn(arg1: ::core::ffi::c_int) -> ::core::ffi::c_int>,
    pub errcode: ::core::option::Option<unsafe extern "C" fn(db: *mut sqlite3) -> ::core::ffi::c_int>,
    pub errmsg:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3) -> *const ::core::ffi::c_char>,
    pub errmsg16:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3) -> *const ::core::ffi::c_void>,
    pub exec: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: *const ::core::ffi::c_char,
            arg3: sqlite3_callback,
            arg4: *mut ::core::ffi::c_void,
            arg5: *mut *mut ::core::ffi::c_char,
        ) -> ::core::ffi::c_int,
    >,
    pub expired: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_stmt) -> ::core::ffi::c_int>,
    pub finalize:
        ::core::option::Option<unsafe extern "C" fn(pStmt: *mut sqlite3_stmt) -> ::core::ffi::c_int>,
    pub free: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void)>,
    pub free_table: ::core::option::Option<unsafe extern "C" fn(result: *mut *mut ::core::ffi::c_char)>,
    pub get_autocommit:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3) -> ::core::ffi::c_int>,
    pub get_auxdata: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_context,
            arg2: ::core::ffi::c_int,
        ) -> *mut ::core::ffi::c_void,
    >,
    pub get_table: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: *const ::core::ffi::c_char,
            arg3: *mut *mut *mut ::core::ffi::c_char,
            arg4: *mut ::core::ffi::c_int,
            arg5: *mut ::core::ffi::c_int,
            arg6: *mut *mut ::core::ffi::c_char,
        ) -> ::core::ffi::c_int,
    >,
    pub global_recover: ::core::option::Option<unsafe extern "C" fn() -> ::core::ffi::c_int>,
    pub interruptx: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3)>,
    pub last_insert_rowid: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3) -> sqlite_int64>,
    pub libversion: ::core::option::Option<unsafe extern "C" fn() -> *const ::core::ffi::c_char>,
    pub libversion_number: ::core::option::Option<unsafe extern "C" fn() -> ::core::ffi::c_int>,
    pub malloc:
        ::core::option::Option<unsafe extern "C" fn(arg1: ::core::ffi::c_int) -> *mut ::core::ffi::c_void>,
    pub mprintf: ::core::option::Option<
        unsafe extern "C" fn(arg1: *const ::core::ffi::c_char, ...) -> *mut ::core::ffi::c_char,
    >,
    pub open: ::core::option::Option<
        unsafe extern "C" fn(arg1: *const ::core::ffi::c_char, arg2: *mut *mut sqlite3) -> ::core::ffi::c_int,
    >,
    pub open16: ::core::option::Option<
        unsafe extern "C" fn(arg1: *const ::core::ffi::c_void, arg2: *mut *mut sqlite3) -> ::core::ffi::c_int,
    >,
    pub prepare: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: *const ::core::ffi::c_char,
            arg3: ::core::ffi::c_int,
            arg4: *mut *mut sqlite3_stmt,
            arg5: *mut *const ::core::ffi::c_char,
        ) -> ::core::ffi::c_int,
    >,
    pub prepare16: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: *const ::core::ffi::c_void,
            arg3: ::core::ffi::c_int,
            arg4: *mut *mut sqlite3_stmt,
            arg5: *mut *const ::core::ffi::c_void,
        ) -> ::core::ffi::c_int,
    >,
    pub profile: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: ::core::option::Option<
                unsafe extern "C" fn(
                    arg1: *mut ::core::ffi::c_void,
                    arg2: *const ::core::ffi::c_char,
                    arg3: sqlite_uint64,
                ),
            >,
            arg3: *mut ::core::ffi::c_void,
        ) -> *mut ::core::ffi::c_void,
    >,
    pub progress_handler: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: ::core::ffi::c_int,
            arg3: ::core::option::Option<
                unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void) -> ::core::ffi::c_int,
            >,
            arg4: *mut ::core::ffi::c_void,
        ),
    >,
    pub realloc: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut ::core::ffi::c_void,
            arg2: ::core::ffi::c_int,
        ) -> *mut ::core::ffi::c_void,
    >,
    pub reset: ::core::option::Option<unsafe extern "C" fn(pStmt: *mut sqlite3_stmt) -> ::core::ffi::c_int>,
    pub result_blob: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_context,
            arg2: *const ::core::ffi::c_void,
            arg3: ::core::ffi::c_int,
            arg4: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void)>,
        ),
    >,
    pub result_double: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_context, arg2: f64)>,
    pub result_error: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_context,
            arg2: *const ::core::ffi::c_char,
            arg3: ::core::ffi::c_int,
        ),
    >,
    pub result_error16: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_context,
            arg2: *const ::core::ffi::c_void,
            arg3: ::core::ffi::c_int,
        ),
    >,
    pub result_int:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_context, arg2: ::core::ffi::c_int)>,
    pub result_int64:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_context, arg2: sqlite_int64)>,
    pub result_null: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_context)>,
    pub result_text: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_context,
            arg2: *const ::core::ffi::c_char,
            arg3: ::core::ffi::c_int,
            arg4: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void)>,
        ),
    >,
    pub result_text16: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_context,
            arg2: *const ::core::ffi::c_void,
            arg3: ::core::ffi::c_int,
            arg4: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void)>,
        ),
    >,
    pub result_text16be: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_context,
            arg2: *const ::core::ffi::c_void,
            arg3: ::core::ffi::c_int,
            arg4: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void)>,
        ),
    >,
    pub result_text16le: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_context,
            arg2: *const ::core::ffi::c_void,
            arg3: ::core::ffi::c_int,
            arg4: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void)>,
        ),
    >,
    pub result_value:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_context, arg2: *mut sqlite3_value)>,
    pub rollback_hook: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void)>,
            arg3: *mut ::core::ffi::c_void,
        ) -> *mut ::core::ffi::c_void,
    >,
    pub set_authorizer: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: ::core::option::Option<
                unsafe extern "C" fn(
                    arg1: *mut ::core::ffi::c_void,
                    arg2: ::core::ffi::c_int,
                    arg3: *const ::core::ffi::c_char,
                    arg4: *const ::core::ffi::c_char,
                    arg5: *const ::core::ffi::c_char,
                    arg6: *const ::core::ffi::c_char,
                ) -> ::core::ffi::c_int,
            >,
            arg3: *mut ::core::ffi::c_void,
        ) -> ::core::ffi::c_int,
    >,
    pub set_auxdata: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_context,
            arg2: ::core::ffi::c_int,
            arg3: *mut ::core::ffi::c_void,
            arg4: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void)>,
        ),
    >,
    pub xsnprintf: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: ::core::ffi::c_int,
            arg2: *mut ::core::ffi::c_char,
            arg3: *const ::core::ffi::c_char,
            ...
        ) -> *mut ::core::ffi::c_char,
    >,
    pub step: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_stmt) -> ::core::ffi::c_int>,
    pub table_column_metadata: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: *const ::core::ffi::c_char,
            arg3: *const ::core::ffi::c_char,
            arg4: *const ::core::ffi::c_char,
            arg5: *mut *const ::core::ffi::c_char,
            arg6: *mut *const ::core::ffi::c_char,
            arg7: *mut ::core::ffi::c_int,
            arg8: *mut ::core::ffi::c_int,
            arg9: *mut ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub thread_cleanup: ::core::option::Option<unsafe extern "C" fn()>,
    pub total_changes: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3) -> ::core::ffi::c_int>,
    pub trace: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            xTrace: ::core::option::Option<
                unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void, arg2: *const ::core::ffi::c_char),
            >,
            arg2: *mut ::core::ffi::c_void,
        ) -> *mut ::core::ffi::c_void,
    >,
    pub transfer_bindings: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_stmt, arg2: *mut sqlite3_stmt) -> ::core::ffi::c_int,
    >,
    pub update_hook: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: ::core::option::Option<
                unsafe extern "C" fn(
                    arg1: *mut ::core::ffi::c_void,
                    arg2: ::core::ffi::c_int,
                    arg3: *const ::core::ffi::c_char,
                    arg4: *const ::core::ffi::c_char,
                    arg5: sqlite_int64,
                ),
            >,
            arg3: *mut ::core::ffi::c_void,
        ) -> *mut ::core::ffi::c_void,
    >,
    pub user_data:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_context) -> *mut ::core::ffi::c_void>,
    pub value_blob:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_value) -> *const ::core::ffi::c_void>,
    pub value_bytes:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_value) -> ::core::ffi::c_int>,
    pub value_bytes16:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_value) -> ::core::ffi::c_int>,
    pub value_double: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_value) -> f64>,
    pub value_int:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_value) -> ::core::ffi::c_int>,
    pub value_int64: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_value) -> sqlite_int64>,
    pub value_numeric_type:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_value) -> ::core::ffi::c_int>,
    pub value_text:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_value) -> *const ::core::ffi::c_uchar>,
    pub value_text16:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_value) -> *const ::core::ffi::c_void>,
    pub value_text16be:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_value) -> *const ::core::ffi::c_void>,
    pub value_text16le:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_value) -> *const ::core::ffi::c_void>,
    pub value_type:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_value) -> ::core::ffi::c_int>,
    pub vmprintf: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *const ::core::ffi::c_char,
            arg2: *mut __va_list_tag,
        ) -> *mut ::core::ffi::c_char,
    >,
    pub overload_function: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            zFuncName: *const ::core::ffi::c_char,
            nArg: ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub prepare_v2: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: *const ::core::ffi::c_char,
            arg3: ::core::ffi::c_int,
            arg4: *mut *mut sqlite3_stmt,
            arg5: *mut *const ::core::ffi::c_char,
        ) -> ::core::ffi::c_int,
    >,
    pub prepare16_v2: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: *const ::core::ffi::c_void,
            arg3: ::core::ffi::c_int,
            arg4: *mut *mut sqlite3_stmt,
            arg5: *mut *const ::core::ffi::c_void,
        ) -> ::core::ffi::c_int,
    >,
    pub clear_bindings:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_stmt) -> ::core::ffi::c_int>,
    pub create_module_v2: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: *const ::core::ffi::c_char,
            arg3: *const sqlite3_module,
            arg4: *mut ::core::ffi::c_void,
            xDestroy: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void)>,
        ) -> ::core::ffi::c_int,
    >,
    pub bind_zeroblob: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_stmt,
            arg2: ::core::ffi::c_int,
            arg3: ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub blob_bytes:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_blob) -> ::core::ffi::c_int>,
    pub blob_close:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_blob) -> ::core::ffi::c_int>,
    pub blob_open: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: *const ::core::ffi::c_char,
            arg3: *const ::core::ffi::c_char,
            arg4: *const ::core::ffi::c_char,
            arg5: sqlite3_int64,
            arg6: ::core::ffi::c_int,
            arg7: *mut *mut sqlite3_blob,
        ) -> ::core::ffi::c_int,
    >,
    pub blob_read: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_blob,
            arg2: *mut ::core::ffi::c_void,
            arg3: ::core::ffi::c_int,
            arg4: ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub blob_write: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_blob,
            arg2: *const ::core::ffi::c_void,
            arg3: ::core::ffi::c_int,
            arg4: ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub create_collation_v2: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: *const ::core::ffi::c_char,
            arg3: ::core::ffi::c_int,
            arg4: *mut ::core::ffi::c_void,
            arg5: ::core::option::Option<
                unsafe extern "C" fn(
                    arg1: *mut ::core::ffi::c_void,
                    arg2: ::core::ffi::c_int,
                    arg3: *const ::core::ffi::c_void,
                    arg4: ::core::ffi::c_int,
                    arg5: *const ::core::ffi::c_void,
                ) -> ::core::ffi::c_int,
            >,
            arg6: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void)>,
        ) -> ::core::ffi::c_int,
    >,
    pub file_control: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: *const ::core::ffi::c_char,
            arg3: ::core::ffi::c_int,
            arg4: *mut ::core::ffi::c_void,
        ) -> ::core::ffi::c_int,
    >,
    pub memory_highwater:
        ::core::option::Option<unsafe extern "C" fn(arg1: ::core::ffi::c_int) -> sqlite3_int64>,
    pub memory_used: ::core::option::Option<unsafe extern "C" fn() -> sqlite3_int64>,
    pub mutex_alloc:
        ::core::option::Option<unsafe extern "C" fn(arg1: ::core::ffi::c_int) -> *mut sqlite3_mutex>,
    pub mutex_enter: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_mutex)>,
    pub mutex_free: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_mutex)>,
    pub mutex_leave: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_mutex)>,
    pub mutex_try:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_mutex) -> ::core::ffi::c_int>,
    pub open_v2: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *const ::core::ffi::c_char,
            arg2: *mut *mut sqlite3,
            arg3: ::core::ffi::c_int,
            arg4: *const ::core::ffi::c_char,
        ) -> ::core::ffi::c_int,
    >,
    pub release_memory:
        ::core::option::Option<unsafe extern "C" fn(arg1: ::core::ffi::c_int) -> ::core::ffi::c_int>,
    pub result_error_nomem: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_context)>,
    pub result_error_toobig: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_context)>,
    pub sleep: ::core::option::Option<unsafe extern "C" fn(arg1: ::core::ffi::c_int) -> ::core::ffi::c_int>,
    pub soft_heap_limit: ::core::option::Option<unsafe extern "C" fn(arg1: ::core::ffi::c_int)>,
    pub vfs_find:
        ::core::option::Option<unsafe extern "C" fn(arg1: *const ::core::ffi::c_char) -> *mut sqlite3_vfs>,
    pub vfs_register: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_vfs, arg2: ::core::ffi::c_int) -> ::core::ffi::c_int,
    >,
    pub vfs_unregister:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_vfs) -> ::core::ffi::c_int>,
    pub xthreadsafe: ::core::option::Option<unsafe extern "C" fn() -> ::core::ffi::c_int>,
    pub result_zeroblob:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_context, arg2: ::core::ffi::c_int)>,
    pub result_error_code:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_context, arg2: ::core::ffi::c_int)>,
    pub test_control:
        ::core::option::Option<unsafe extern "C" fn(arg1: ::core::ffi::c_int, ...) -> ::core::ffi::c_int>,
    pub randomness: ::core::option::Option<
        unsafe extern "C" fn(arg1: ::core::ffi::c_int, arg2: *mut ::core::ffi::c_void),
    >,
    pub context_db_handle:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_context) -> *mut sqlite3>,
    pub extended_result_codes: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3, arg2: ::core::ffi::c_int) -> ::core::ffi::c_int,
    >,
    pub limit: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: ::core::ffi::c_int,
            arg3: ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub next_stmt: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3, arg2: *mut sqlite3_stmt) -> *mut sqlite3_stmt,
    >,
    pub sql:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_stmt) -> *const ::core::ffi::c_char>,
    pub status: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: ::core::ffi::c_int,
            arg2: *mut ::core::ffi::c_int,
            arg3: *mut ::core::ffi::c_int,
            arg4: ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub backup_finish:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_backup) -> ::core::ffi::c_int>,
    pub backup_init: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: *const ::core::ffi::c_char,
            arg3: *mut sqlite3,
            arg4: *const ::core::ffi::c_char,
        ) -> *mut sqlite3_backup,
    >,
    pub backup_pagecount:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_backup) -> ::core::ffi::c_int>,
    pub backup_remaining:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_backup) -> ::core::ffi::c_int>,
    pub backup_step: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_backup, arg2: ::core::ffi::c_int) -> ::core::ffi::c_int,
    >,
    pub compileoption_get:
        ::core::option::Option<unsafe extern "C" fn(arg1: ::core::ffi::c_int) -> *const ::core::ffi::c_char>,
    pub compileoption_used:
        ::core::option::Option<unsafe extern "C" fn(arg1: *const ::core::ffi::c_char) -> ::core::ffi::c_int>,
    pub create_function_v2: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: *const ::core::ffi::c_char,
            arg3: ::core::ffi::c_int,
            arg4: ::core::ffi::c_int,
            arg5: *mut ::core::ffi::c_void,
            xFunc: ::core::option::Option<
                unsafe extern "C" fn(
                    arg1: *mut sqlite3_context,
                    arg2: ::core::ffi::c_int,
                    arg3: *mut *mut sqlite3_value,
                ),
            >,
            xStep: ::core::option::Option<
                unsafe extern "C" fn(
                    arg1: *mut sqlite3_context,
                    arg2: ::core::ffi::c_int,
                    arg3: *mut *mut sqlite3_value,
                ),
            >,
            xFinal: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_context)>,
            xDestroy: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void)>,
        ) -> ::core::ffi::c_int,
    >,
    pub db_config: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3, arg2: ::core::ffi::c_int, ...) -> ::core::ffi::c_int,
    >,
    pub db_mutex: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3) -> *mut sqlite3_mutex>,
    pub db_status: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: ::core::ffi::c_int,
            arg3: *mut ::core::ffi::c_int,
            arg4: *mut ::core::ffi::c_int,
            arg5: ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub extended_errcode:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3) -> ::core::ffi::c_int>,
    pub log: ::core::option::Option<
        unsafe extern "C" fn(arg1: ::core::ffi::c_int, arg2: *const ::core::ffi::c_char, ...),
    >,
    pub soft_heap_limit64: ::core::option::Option<unsafe extern "C" fn(arg1: sqlite3_int64) -> sqlite3_int64>,
    pub sourceid: ::core::option::Option<unsafe extern "C" fn() -> *const ::core::ffi::c_char>,
    pub stmt_status: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_stmt,
            arg2: ::core::ffi::c_int,
            arg3: ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub strnicmp: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *const ::core::ffi::c_char,
            arg2: *const ::core::ffi::c_char,
            arg3: ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub unlock_notify: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: ::core::option::Option<
                unsafe extern "C" fn(arg1: *mut *mut ::core::ffi::c_void, arg2: ::core::ffi::c_int),
            >,
            arg3: *mut ::core::ffi::c_void,
        ) -> ::core::ffi::c_int,
    >,
    pub wal_autocheckpoint: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3, arg2: ::core::ffi::c_int) -> ::core::ffi::c_int,
    >,
    pub wal_checkpoint: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3, arg2: *const ::core::ffi::c_char) -> ::core::ffi::c_int,
    >,
    pub wal_hook: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: ::core::option::Option<
                unsafe extern "C" fn(
                    arg1: *mut ::core::ffi::c_void,
                    arg2: *mut sqlite3,
                    arg3: *const ::core::ffi::c_char,
                    arg4: ::core::ffi::c_int,
                ) -> ::core::ffi::c_int,
            >,
            arg3: *mut ::core::ffi::c_void,
        ) -> *mut ::core::ffi::c_void,
    >,
    pub blob_reopen: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_blob, arg2: sqlite3_int64) -> ::core::ffi::c_int,
    >,
    pub vtab_config: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3, op: ::core::ffi::c_int, ...) -> ::core::ffi::c_int,
    >,
    pub vtab_on_conflict:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3) -> ::core::ffi::c_int>,
    pub close_v2: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3) -> ::core::ffi::c_int>,
    pub db_filename: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: *const ::core::ffi::c_char,
        ) -> *const ::core::ffi::c_char,
    >,
    pub db_readonly: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3, arg2: *const ::core::ffi::c_char) -> ::core::ffi::c_int,
    >,
    pub db_release_memory:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3) -> ::core::ffi::c_int>,
    pub errstr:
        ::core::option::Option<unsafe extern "C" fn(arg1: ::core::ffi::c_int) -> *const ::core::ffi::c_char>,
    pub stmt_busy:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_stmt) -> ::core::ffi::c_int>,
    pub stmt_readonly:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_stmt) -> ::core::ffi::c_int>,
    pub stricmp: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *const ::core::ffi::c_char,
            arg2: *const ::core::ffi::c_char,
        ) -> ::core::ffi::c_int,
    >,
    pub uri_boolean: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *const ::core::ffi::c_char,
            arg2: *const ::core::ffi::c_char,
            arg3: ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub uri_int64: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *const ::core::ffi::c_char,
            arg2: *const ::core::ffi::c_char,
            arg3: sqlite3_int64,
        ) -> sqlite3_int64,
    >,
    pub uri_parameter: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *const ::core::ffi::c_char,
            arg2: *const ::core::ffi::c_char,
        ) -> *const ::core::ffi::c_char,
    >,
    pub xvsnprintf: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: ::core::ffi::c_int,
            arg2: *mut ::core::ffi::c_char,
            arg3: *const ::core::ffi::c_char,
            arg4: *mut __va_list_tag,
        ) -> *mut ::core::ffi::c_char,
    >,
    pub wal_checkpoint_v2: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: *const ::core::ffi::c_char,
            arg3: ::core::ffi::c_int,
            arg4: *mut ::core::ffi::c_int,
            arg5: *mut ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub auto_extension: ::core::option::Option<
        unsafe extern "C" fn(arg1: ::core::option::Option<unsafe extern "C" fn()>) -> ::core::ffi::c_int,
    >,
    pub bind_blob64: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_stmt,
            arg2: ::core::ffi::c_int,
            arg3: *const ::core::ffi::c_void,
            arg4: sqlite3_uint64,
            arg5: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void)>,
        ) -> ::core::ffi::c_int,
    >,
    pub bind_text64: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_stmt,
            arg2: ::core::ffi::c_int,
            arg3: *const ::core::ffi::c_char,
            arg4: sqlite3_uint64,
            arg5: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void)>,
            arg6: ::core::ffi::c_uchar,
        ) -> ::core::ffi::c_int,
    >,
    pub cancel_auto_extension: ::core::option::Option<
        unsafe extern "C" fn(arg1: ::core::option::Option<unsafe extern "C" fn()>) -> ::core::ffi::c_int,
    >,
    pub load_extension: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: *const ::core::ffi::c_char,
            arg3: *const ::core::ffi::c_char,
            arg4: *mut *mut ::core::ffi::c_char,
        ) -> ::core::ffi::c_int,
    >,
    pub malloc64:
        ::core::option::Option<unsafe extern "C" fn(arg1: sqlite3_uint64) -> *mut ::core::ffi::c_void>,
    pub msize: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void) -> sqlite3_uint64>,
    pub realloc64: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut ::core::ffi::c_void,
            arg2: sqlite3_uint64,
        ) -> *mut ::core::ffi::c_void,
    >,
    pub reset_auto_extension: ::core::option::Option<unsafe extern "C" fn()>,
    pub result_blob64: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_context,
            arg2: *const ::core::ffi::c_void,
            arg3: sqlite3_uint64,
            arg4: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void)>,
        ),
    >,
    pub result_text64: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_context,
            arg2: *const ::core::ffi::c_char,
            arg3: sqlite3_uint64,
            arg4: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void)>,
            arg5: ::core::ffi::c_uchar,
        ),
    >,
    pub strglob: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *const ::core::ffi::c_char,
            arg2: *const ::core::ffi::c_char,
        ) -> ::core::ffi::c_int,
    >,
    pub value_dup:
        ::core::option::Option<unsafe extern "C" fn(arg1: *const sqlite3_value) -> *mut sqlite3_value>,
    pub value_free: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_value)>,
    pub result_zeroblob64: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_context, arg2: sqlite3_uint64) -> ::core::ffi::c_int,
    >,
    pub bind_zeroblob64: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_stmt,
            arg2: ::core::ffi::c_int,
            arg3: sqlite3_uint64,
        ) -> ::core::ffi::c_int,
    >,
    pub value_subtype:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_value) -> ::core::ffi::c_uint>,
    pub result_subtype:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_context, arg2: ::core::ffi::c_uint)>,
    pub status64: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: ::core::ffi::c_int,
            arg2: *mut sqlite3_int64,
            arg3: *mut sqlite3_int64,
            arg4: ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub strlike: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *const ::core::ffi::c_char,
            arg2: *const ::core::ffi::c_char,
            arg3: ::core::ffi::c_uint,
        ) -> ::core::ffi::c_int,
    >,
    pub db_cacheflush: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3) -> ::core::ffi::c_int>,
    pub system_errno: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3) -> ::core::ffi::c_int>,
    pub trace_v2: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: ::core::ffi::c_uint,
            arg3: ::core::option::Option<
                unsafe extern "C" fn(
                    arg1: ::core::ffi::c_uint,
                    arg2: *mut ::core::ffi::c_void,
                    arg3: *mut ::core::ffi::c_void,
                    arg4: *mut ::core::ffi::c_void,
                ) -> ::core::ffi::c_int,
            >,
            arg4: *mut ::core::ffi::c_void,
        ) -> ::core::ffi::c_int,
    >,
    pub expanded_sql:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_stmt) -> *mut ::core::ffi::c_char>,
    pub set_last_insert_rowid:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3, arg2: sqlite3_int64)>,
    pub prepare_v3: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: *const ::core::ffi::c_char,
            arg3: ::core::ffi::c_int,
            arg4: ::core::ffi::c_uint,
            arg5: *mut *mut sqlite3_stmt,
            arg6: *mut *const ::core::ffi::c_char,
        ) -> ::core::ffi::c_int,
    >,
    pub prepare16_v3: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: *const ::core::ffi::c_void,
            arg3: ::core::ffi::c_int,
            arg4: ::core::ffi::c_uint,
            arg5: *mut *mut sqlite3_stmt,
            arg6: *mut *const ::core::ffi::c_void,
        ) -> ::core::ffi::c_int,
    >,
    pub bind_pointer: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_stmt,
            arg2: ::core::ffi::c_int,
            arg3: *mut ::core::ffi::c_void,
            arg4: *const ::core::ffi::c_char,
            arg5: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void)>,
        ) -> ::core::ffi::c_int,
    >,
    pub result_pointer: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_context,
            arg2: *mut ::core::ffi::c_void,
            arg3: *const ::core::ffi::c_char,
            arg4: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void)>,
        ),
    >,
    pub value_pointer: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_value,
            arg2: *const ::core::ffi::c_char,
        ) -> *mut ::core::ffi::c_void,
    >,
    pub vtab_nochange:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_context) -> ::core::ffi::c_int>,
    pub value_nochange:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_value) -> ::core::ffi::c_int>,
    pub vtab_collation: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_index_info,
            arg2: ::core::ffi::c_int,
        ) -> *const ::core::ffi::c_char,
    >,
    pub keyword_count: ::core::option::Option<unsafe extern "C" fn() -> ::core::ffi::c_int>,
    pub keyword_name: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: ::core::ffi::c_int,
            arg2: *mut *const ::core::ffi::c_char,
            arg3: *mut ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub keyword_check: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *const ::core::ffi::c_char,
            arg2: ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub str_new: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3) -> *mut sqlite3_str>,
    pub str_finish:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_str) -> *mut ::core::ffi::c_char>,
    pub str_appendf: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_str, zFormat: *const ::core::ffi::c_char, ...),
    >,
    pub str_vappendf: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_str,
            zFormat: *const ::core::ffi::c_char,
            arg2: *mut __va_list_tag,
        ),
    >,
    pub str_append: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_str, zIn: *const ::core::ffi::c_char, N: ::core::ffi::c_int),
    >,
    pub str_appendall:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_str, zIn: *const ::core::ffi::c_char)>,
    pub str_appendchar: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_str, N: ::core::ffi::c_int, C: ::core::ffi::c_char),
    >,
    pub str_reset: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_str)>,
    pub str_errcode:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_str) -> ::core::ffi::c_int>,
    pub str_length:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_str) -> ::core::ffi::c_int>,
    pub str_value:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_str) -> *mut ::core::ffi::c_char>,
    pub create_window_function: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: *const ::core::ffi::c_char,
            arg3: ::core::ffi::c_int,
            arg4: ::core::ffi::c_int,
            arg5: *mut ::core::ffi::c_void,
            xStep: ::core::option::Option<
                unsafe extern "C" fn(
                    arg1: *mut sqlite3_context,
                    arg2: ::core::ffi::c_int,
                    arg3: *mut *mut sqlite3_value,
                ),
            >,
            xFinal: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_context)>,
            xValue: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_context)>,
            xInv: ::core::option::Option<
                unsafe extern "C" fn(
                    arg1: *mut sqlite3_context,
                    arg2: ::core::ffi::c_int,
                    arg3: *mut *mut sqlite3_value,
                ),
            >,
            xDestroy: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void)>,
        ) -> ::core::ffi::c_int,
    >,
    pub normalized_sql:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_stmt) -> *const ::core::ffi::c_char>,
    pub stmt_isexplain:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_stmt) -> ::core::ffi::c_int>,
    pub value_frombind:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_value) -> ::core::ffi::c_int>,
    pub drop_modules: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3, arg2: *mut *const ::core::ffi::c_char) -> ::core::ffi::c_int,
    >,
    pub hard_heap_limit64: ::core::option::Option<unsafe extern "C" fn(arg1: sqlite3_int64) -> sqlite3_int64>,
    pub uri_key: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *const ::core::ffi::c_char,
            arg2: ::core::ffi::c_int,
        ) -> *const ::core::ffi::c_char,
    >,
    pub filename_database: ::core::option::Option<
        unsafe extern "C" fn(arg1: *const ::core::ffi::c_char) -> *const ::core::ffi::c_char,
    >,
    pub filename_journal: ::core::option::Option<
        unsafe extern "C" fn(arg1: *const ::core::ffi::c_char) -> *const ::core::ffi::c_char,
    >,
    pub filename_wal: ::core::option::Option<
        unsafe extern "C" fn(arg1: *const ::core::ffi::c_char) -> *const ::core::ffi::c_char,
    >,
    pub create_filename: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *const ::core::ffi::c_char,
            arg2: *const ::core::ffi::c_char,
            arg3: *const ::core::ffi::c_char,
            arg4: ::core::ffi::c_int,
            arg5: *mut *const ::core::ffi::c_char,
        ) -> *mut ::core::ffi::c_char,
    >,
    pub free_filename: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_char)>,
    pub database_file_object:
        ::core::option::Option<unsafe extern "C" fn(arg1: *const ::core::ffi::c_char) -> *mut sqlite3_file>,
    pub txn_state: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3, arg2: *const ::core::ffi::c_char) -> ::core::ffi::c_int,
    >,
    pub changes64: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3) -> sqlite3_int64>,
    pub total_changes64: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3) -> sqlite3_int64>,
    pub autovacuum_pages: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: ::core::option::Option<
                unsafe extern "C" fn(
                    arg1: *mut ::core::ffi::c_void,
                    arg2: *const ::core::ffi::c_char,
                    arg3: ::core::ffi::c_uint,
                    arg4: ::core::ffi::c_uint,
                    arg5: ::core::ffi::c_uint,
                ) -> ::core::ffi::c_uint,
            >,
            arg3: *mut ::core::ffi::c_void,
            arg4: ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void)>,
        ) -> ::core::ffi::c_int,
    >,
    pub error_offset: ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3) -> ::core::ffi::c_int>,
    pub vtab_rhs_value: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_index_info,
            arg2: ::core::ffi::c_int,
            arg3: *mut *mut sqlite3_value,
        ) -> ::core::ffi::c_int,
    >,
    pub vtab_distinct:
        ::core::option::Option<unsafe extern "C" fn(arg1: *mut sqlite3_index_info) -> ::core::ffi::c_int>,
    pub vtab_in: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3_index_info,
            arg2: ::core::ffi::c_int,
            arg3: ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub vtab_in_first: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_value, arg2: *mut *mut sqlite3_value) -> ::core::ffi::c_int,
    >,
    pub vtab_in_next: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3_value, arg2: *mut *mut sqlite3_value) -> ::core::ffi::c_int,
    >,
    pub deserialize: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: *const ::core::ffi::c_char,
            arg3: *mut ::core::ffi::c_uchar,
            arg4: sqlite3_int64,
            arg5: sqlite3_int64,
            arg6: ::core::ffi::c_uint,
        ) -> ::core::ffi::c_int,
    >,
    pub serialize: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: *mut sqlite3,
            arg2: *const ::core::ffi::c_char,
            arg3: *mut sqlite3_int64,
            arg4: ::core::ffi::c_uint,
        ) -> *mut ::core::ffi::c_uchar,
    >,
    pub db_name: ::core::option::Option<
        unsafe extern "C" fn(arg1: *mut sqlite3, arg2: ::core::ffi::c_int) -> *const ::core::ffi::c_char,
    >,
}
pub type sqlite3_loadext_entry = ::core::option::Option<
    unsafe extern "C" fn(
        db: *mut sqlite3,
        pzErrMsg: *mut *mut ::core::ffi::c_char,
        pThunk: *const sqlite3_api_routines,
    ) -> ::core::ffi::c_int,
>;
