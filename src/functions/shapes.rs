//! The aggregates: `resq_json` and the shapes beside it, each a [`Shape`] of the `json` room.

use crate::json::{Choices, Fault, Objects, Shape};
use crate::sqlite::{Aggregate, Arguments, Call, Failed, SqliteMemory};

/// `resq_json(key, value, …)`, `resq_json(value)`: an array of objects or values.
pub struct Json(Objects<SqliteMemory>);

/// How many arguments a function takes, for the message when it got others.
const PAIRS_OR_ONE: &str = "takes key, value pairs or one value";

/// Words a fault of a row. Arguments are numbered from 1, as people count them.
#[cold]
pub(super) fn refuse(call: &Call<'_>, fault: Fault, takes: &str) -> Failed {
    match fault {
        Fault::Failure(failure) => call.fail(failure),
        Fault::Count(0) => call.error(format_args!("{takes}, not no arguments")),
        Fault::Count(count) => call.error(format_args!("{takes}, not {count} arguments")),
        Fault::KeyType(index, class) => {
            call.error(format_args!("argument {} is a key and must be TEXT, not {class}", index + 1))
        }
        Fault::KeyChanged(index) => call.error(format_args!(
            "argument {} is a key and must be the same in every row, since each key is a column",
            index + 1
        )),
    }
}

impl Aggregate for Json {
    const NAME: &'static str = "resq_json";

    fn start(call: &Call<'_>) -> Self {
        Json(Objects::start(call.memory(), Choices::DEFAULT))
    }

    fn step(&mut self, call: &Call<'_>, row: &Arguments<'_>) -> Result<(), Failed> {
        self.0.step(row).map_err(|fault| refuse(call, fault, PAIRS_OR_ONE))
    }

    fn inverse(&mut self, _call: &Call<'_>) -> Result<(), Failed> {
        self.0.inverse();
        Ok(())
    }

    fn value(&mut self, call: &Call<'_>) -> Result<(), Failed> {
        match self.0.value(|text| call.copied_text(text)) {
            Ok(done) => done.map(|()| call.mark_json()),
            Err(failure) => Err(call.fail(failure)),
        }
    }

    fn finish(self, call: &Call<'_>) -> Result<(), Failed> {
        call.json(self.0.finish())
    }
}
