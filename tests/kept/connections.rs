//! Connections that keep statements, by rusqlite and by the C interface, and some that keep none.

use std::ffi::CString;
use std::path::PathBuf;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::{Connection, ffi};

use crate::support::{self, error, one};

/// The statements of a connection, those of resq among them.
pub fn statements(db: &Connection) -> Vec<*mut ffi::sqlite3_stmt> {
    let mut all = Vec::new();
    let mut last = ptr::null_mut();
    loop {
        // SAFETY: an open connection, and a statement of it or none.
        last = unsafe { ffi::sqlite3_next_stmt(db.handle(), last) };
        if last.is_null() {
            return all;
        }
        all.push(last);
    }
}

pub const FILL: &str = "create table t(id integer primary key, s text);
    insert into t values(1, 'a'), (2, 'b'), (3, 'c')";

pub fn database() -> Connection {
    let db = support::connection();
    db.execute_batch(FILL).unwrap();
    db
}

pub fn file(name: &str) -> (Connection, PathBuf) {
    let file = support::folder(name).join("file.db");
    let db = Connection::open(&file).unwrap();
    support::load(&db, support::extension()).unwrap();
    db.execute_batch(FILL).unwrap();
    (db, file)
}

/// Counts how often a statement is prepared that reads a column `s`.
pub fn counting(db: &mut Connection) -> Arc<AtomicUsize> {
    let count = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&count);
    db.authorizer(Some(move |context: AuthContext<'_>| {
        if let AuthAction::Read { column_name: "s", .. } = context.action {
            counter.fetch_add(1, SeqCst);
        }
        Authorization::Allow
    }))
    .unwrap();
    count
}

/// What `sql` gives, or its error, on a connection of its own that `prepare` has made the same.
pub fn fresh(prepare: &str, sql: &str) -> Result<String, (i32, String)> {
    let db = support::connection();
    db.execute_batch(prepare).unwrap();
    outcome(&db, sql)
}

pub fn outcome(db: &Connection, sql: &str) -> Result<String, (i32, String)> {
    one::<String>(db, sql).map_err(|_| error(db, sql))
}

/// A connection that keeps nothing, since our table is not there.
pub fn keeping_nothing() -> Connection {
    let db = support::connection();
    // SAFETY: an open connection, and no list of modules that stay.
    assert_eq!(unsafe { ffi::sqlite3_drop_modules(db.handle(), ptr::null_mut()) }, ffi::SQLITE_OK);
    db
}

pub const ALL: &str = "select resq_query('select * from t')";
pub const ROWS: &str = r#"[{"id":1,"s":"a"},{"id":2,"s":"b"},{"id":3,"s":"c"}]"#;

unsafe extern "C" {
    /// As in sqlite3.h.
    fn sqlite3_close_v2(db: *mut ffi::sqlite3) -> i32;
}

/// A connection by SQLite's own means: as a C host has it.
pub struct Raw(pub *mut ffi::sqlite3);

impl Raw {
    pub fn open() -> Raw {
        let mut db = ptr::null_mut();
        let file = CString::new(support::extension().to_str().unwrap()).unwrap();
        // SAFETY: places to write to; a new connection, which only loads our extension.
        unsafe {
            assert_eq!(ffi::sqlite3_open(c":memory:".as_ptr(), &mut db), ffi::SQLITE_OK);
            ffi::sqlite3_db_config(db, ffi::SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, ptr::null_mut::<i32>());
            let code = ffi::sqlite3_load_extension(db, file.as_ptr(), ptr::null(), ptr::null_mut());
            assert_eq!(code, ffi::SQLITE_OK);
        }
        Raw(db)
    }

    pub fn prepare(&self, sql: &str) -> *mut ffi::sqlite3_stmt {
        let sql = CString::new(sql).unwrap();
        let mut statement = ptr::null_mut();
        // SAFETY: an open connection.
        let code =
            unsafe { ffi::sqlite3_prepare_v2(self.0, sql.as_ptr(), -1, &mut statement, ptr::null_mut()) };
        assert_eq!(code, ffi::SQLITE_OK);
        statement
    }

    pub fn run(&self, sql: &str) {
        let statement = self.prepare(sql);
        step(statement);
        finalize(statement);
    }

    pub fn batch(&self, sql: &str) {
        let sql = CString::new(sql).unwrap();
        // SAFETY: an open connection.
        let code = unsafe { ffi::sqlite3_exec(self.0, sql.as_ptr(), None, ptr::null_mut(), ptr::null_mut()) };
        assert_eq!(code, ffi::SQLITE_OK);
    }

    pub fn close(&self) -> i32 {
        // SAFETY: an open connection; it is not used again if this succeeds.
        unsafe { ffi::sqlite3_close(self.0) }
    }

    pub fn close_v2(self) {
        // SAFETY: an open connection.
        assert_eq!(unsafe { sqlite3_close_v2(self.0) }, ffi::SQLITE_OK);
    }

    pub fn statements(&self) -> usize {
        let mut last = ptr::null_mut();
        let mut count = 0;
        loop {
            // SAFETY: an open connection, and a statement of it or none.
            last = unsafe { ffi::sqlite3_next_stmt(self.0, last) };
            if last.is_null() {
                return count;
            }
            count += 1;
        }
    }
}

pub fn step(statement: *mut ffi::sqlite3_stmt) {
    // SAFETY: a live statement.
    assert_eq!(unsafe { ffi::sqlite3_step(statement) }, ffi::SQLITE_ROW);
}

pub fn finalize(statement: *mut ffi::sqlite3_stmt) {
    // SAFETY: a live statement, not used again.
    unsafe { ffi::sqlite3_finalize(statement) };
}

pub const SOME: &[&str] = &[
    "select resq_query('select 1 a')",
    "select resq_query('select 1 a order by 1')",
    "select resq_query('select name from pragma_database_list')",
    "select resq_query('select resq_query(''select ?1 b'', a) c from (select 1 a)')",
    "select resq_query('select * from resq_stream(''select 1 a'')')",
    "select piece from resq_stream('select 1 a')",
    "select resq_query('select value from json_each(''[1,2]'')')",
];
