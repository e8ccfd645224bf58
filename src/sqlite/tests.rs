//! The guard (R23): a panic in a function of ours becomes an SQL error, wherever it happens and
//! whatever it carries, and the connection works on. No SQL makes resq itself panic, so functions
//! that do are registered here.

use core::ffi::{c_char, c_int};
use std::rc::Rc;

use rusqlite::{Connection, ffi};

use super::{
    Aggregate, Arguments, Call, ConnectionState, Flags, Nested, Registration, Reported, Scalar, Variant,
};
use crate::value::{Row, Value};

/// What a panic carries.
fn panic_with(what: Option<Value<'_>>) -> Result<(), Reported> {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("a payload that panics when dropped");
        }
    }
    match what {
        Some(Value::Integer(number)) => panic!("number {number}"),
        Some(Value::Blob(_)) => std::panic::panic_any(Bomb),
        _ => panic!("plain words"),
    }
}

struct Now;

impl Scalar for Now {
    const NAME: &'static str = "panic_now";
    fn call(_call: &Call<'_>, arguments: &Arguments<'_>) -> Result<(), Reported> {
        panic_with(arguments.get(0))
    }
}

struct Inside;

impl Nested for Inside {
    const NAME: &'static str = "panic_nested";
    fn call(
        _call: &Call<'_>,
        _session: &Rc<ConnectionState>,
        arguments: &Arguments<'_>,
    ) -> Result<(), Reported> {
        panic_with(arguments.get(0))
    }
}

/// Panics in one of its calls. It owns memory, so that a leak checker sees whether it is dropped
/// once.
struct At<const WHERE: usize>(Vec<i64>);

const fn at(name: &'static str) -> Variant {
    Variant { name, with_choices: false }
}

impl<const WHERE: usize> At<WHERE> {
    fn here(place: usize) -> Result<(), Reported> {
        if WHERE == place { panic_with(None) } else { Ok(()) }
    }
}

impl<const WHERE: usize> Aggregate for At<WHERE> {
    type Reusable = ();

    fn reusable(&mut self) {}

    fn start(_call: &Call<'_>, (): ()) -> Self {
        let _ = Self::here(0);
        At(vec![0])
    }
    fn step(&mut self, _call: &Call<'_>, _row: &Arguments<'_>) -> Result<(), Reported> {
        self.0.push(1);
        if self.0.len() > 2 { Self::here(1) } else { Ok(()) }
    }
    fn inverse(&mut self, _call: &Call<'_>) -> Result<(), Reported> {
        self.0.pop();
        Self::here(2)
    }
    fn value(&mut self, call: &Call<'_>) -> Result<(), Reported> {
        Self::here(3)?;
        call.null()
    }
    fn finish(self, call: &Call<'_>) -> Result<(), Reported> {
        Self::here(4)?;
        call.null()
    }
}

const TABLE: &[Registration] = &[
    Registration::scalar::<Now>(-1, Flags::PLAIN),
    Registration::nested::<Inside>(-1),
    Registration::aggregate::<At<0>>(&const { at("panic_start") }, -1, Flags::PLAIN),
    Registration::aggregate::<At<1>>(&const { at("panic_step") }, -1, Flags::PLAIN),
    Registration::aggregate::<At<2>>(&const { at("panic_inverse") }, -1, Flags::PLAIN),
    Registration::aggregate::<At<3>>(&const { at("panic_value") }, -1, Flags::PLAIN),
    Registration::aggregate::<At<4>>(&const { at("panic_finish") }, -1, Flags::PLAIN),
];

unsafe extern "C" fn init(
    db: *mut ffi::sqlite3,
    message: *mut *mut c_char,
    routines: *const ffi::sqlite3_api_routines,
) -> c_int {
    // SAFETY: SQLite calls this as an entry point.
    unsafe { super::load(db.cast(), message, routines.cast(), TABLE) }
}

fn connection() -> rusqlite::Result<Connection> {
    // SAFETY: an entry point for every new connection of this process.
    let code = unsafe { ffi::sqlite3_auto_extension(Some(init)) };
    assert_eq!(code, ffi::SQLITE_OK);
    Connection::open_in_memory()
}

fn outcome(db: &Connection, sql: &str) -> Result<(), String> {
    let run = || {
        let mut statement = db.prepare(sql)?;
        let mut rows = statement.query([])?;
        while rows.next()?.is_some() {}
        Ok(())
    };
    run().map_err(|error: rusqlite::Error| error.to_string())
}

#[test]
fn a_panic_becomes_an_error() -> rusqlite::Result<()> {
    let db = connection()?;
    let rows = "from (values (1), (2), (3), (4))";
    for (sql, told) in [
        ("select panic_now()".to_owned(), "panic_now: internal error: plain words"),
        ("select panic_now(42)".to_owned(), "panic_now: internal error: number 42"),
        ("select panic_now(x'00')".to_owned(), "panic_now: internal error: unknown"),
        ("select panic_nested(7)".to_owned(), "panic_nested: internal error: number 7"),
        ("select panic_nested(x'00')".to_owned(), "panic_nested: internal error: unknown"),
        (format!("select panic_start(1) {rows}"), "panic_start: internal error: plain words"),
        (format!("select panic_start(1) {rows} where 0"), "panic_start: internal error: plain words"),
        (format!("select panic_step(1) {rows}"), "panic_step: internal error: plain words"),
        (
            format!("select panic_step(1) over (rows 1 preceding) {rows}"),
            "panic_step: internal error: plain words",
        ),
        (
            format!("select panic_inverse(1) over (rows 1 preceding) {rows}"),
            "panic_inverse: internal error: plain words",
        ),
        (
            format!("select panic_value(1) over (rows 1 preceding) {rows}"),
            "panic_value: internal error: plain words",
        ),
        (format!("select panic_finish(1) {rows}"), "panic_finish: internal error: plain words"),
        (
            format!("select panic_finish(1) {rows} group by column1"),
            "panic_finish: internal error: plain words",
        ),
        (
            format!("select panic_finish(1) over (rows 1 preceding exclude current row) {rows}"),
            "panic_finish: internal error: plain words",
        ),
    ] {
        for _ in 0..3 {
            assert_eq!(outcome(&db, &sql), Err(told.to_owned()), "{sql}");
        }
        assert_eq!(outcome(&db, "select 1"), Ok(()));
    }
    // Where nothing panics, the same functions work.
    assert_eq!(outcome(&db, "select panic_inverse(1), panic_value(1)"), Ok(()));
    Ok(())
}
