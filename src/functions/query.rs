//! `resq_query`: the rows of a SELECT, named by its columns (R17–R19).

use core::mem::MaybeUninit;
use std::rc::Rc;

use super::whole::{self, Outcome, Rows, Stop, Whole};
use super::{choices, names, pragma, text};
use crate::buffer::{Buffer, Failure};
use crate::json::{Choices, Fault, Record, Setting};
use crate::sqlite::{
    Arguments, Call, Failed, Keep, Nested, PlainText, Report, Session, SqliteMemory, Statement, cached,
    skip_blank,
};
use crate::value::Row;

/// `resq_query(sql, param, …)`, and with choices in front of that.
pub struct Query<const WITH: bool>;

/// A statement and what its rows become.
pub(super) struct Prepared {
    plain: Plain,
    /// The same to run in one step, where that is possible and good.
    whole: Option<Whole>,
    /// Was there a row in this run?
    begun: bool,
    /// It does not run as it could if it were prepared anew.
    odd: bool,
}

/// A statement as it was given.
pub(super) struct Plain {
    argument: usize,
    sql: Buffer<'static, SqliteMemory>,
    statement: Statement,
    choices: Choices,
    setting: Setting,
    /// The columns' keys, and which generation of the statement they belong to.
    record: Option<(i32, Record<SqliteMemory>)>,
}

/// The longest SQL that is kept beyond a run: it bounds what its statements take.
const LONGEST: usize = 16 << 10;

impl Keep for Prepared {
    const HOLDER: &'static str = "select 1 from resq_stream('')";

    /// SELECT, VALUES, WITH: a PRAGMA runs in part while it is prepared, and EXPLAIN shows an old plan as it was.
    fn lasts(&self) -> bool {
        !self.odd
            && self.plain.sql.len() <= LONGEST
            && matches!(skip_blank(self.plain.sql.as_slice()), [b'S' | b's' | b'V' | b'v' | b'W' | b'w', ..])
    }
}

impl<const WITH: bool> Nested for Query<WITH> {
    const NAME: &'static str = if WITH { "resq_query_with" } else { "resq_query" };

    fn call(call: &Call<'_>, session: &Rc<Session>, arguments: &Arguments<'_>) -> Result<(), Failed> {
        query(call, session, arguments, WITH)
    }
}

fn query(
    call: &Call<'_>,
    session: &Rc<Session>,
    arguments: &Arguments<'_>,
    with_choices: bool,
) -> Result<(), Failed> {
    let before = usize::from(with_choices);
    if arguments.len() <= before {
        return Err(call.error(format_args!("argument {} must be SQL, and there is none", before + 1)));
    }
    let choices = match with_choices {
        true => choices::read(call, 1, wanted(call, arguments, 0)?, true)?,
        false => Choices::DEFAULT,
    };
    let sql = wanted(call, arguments, before)?;
    let _level = session.enter(call)?;
    cached(
        call,
        session,
        i32::from(with_choices),
        |kept: &Prepared| kept.plain.sql.as_slice() == sql && kept.plain.choices == choices,
        || Prepared::new(call, before + 1, sql, choices, Setting::Element),
        |prepared| {
            let mut room = [MaybeUninit::uninit(); 512];
            let mut out = Buffer::within(&mut room, call.memory());
            prepared.run(call, &arguments.rest(before + 1), &mut out)?;
            close(&mut out);
            call.json(out.finish())
        },
    )
}

/// The bytes of an argument that must be TEXT.
#[inline(never)]
fn wanted<'a>(call: &Call<'_>, arguments: &'a Arguments<'_>, index: usize) -> Result<&'a [u8], Failed> {
    let found = text(call, arguments, index)?;
    found.ok_or_else(|| call.error(format_args!("argument {} must be TEXT, not NULL", index + 1)))
}

/// A statement that is reset when this is dropped, however the call ends.
struct Running<'p>(&'p mut Prepared);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.plain.statement.reset();
    }
}

/// Makes an array of elements that each have a comma in front.
fn close(out: &mut Buffer<'_, SqliteMemory>) {
    match out.as_mut_slice().first_mut() {
        Some(comma) => *comma = b'[',
        None => out.push(b'['),
    }
    out.push(b']');
}

impl Prepared {
    /// Prepares argument number `argument`.
    pub(super) fn new(
        report: &dyn Report,
        argument: usize,
        sql: &[u8],
        choices: Choices,
        setting: Setting,
    ) -> Result<Self, Failed> {
        if pragma::sets(sql) {
            return Err(
                report.error(format_args!("argument {argument} must only read, and this PRAGMA may not"))
            );
        }
        let (statement, text) = Statement::prepare(report, argument, sql)?;
        let whole = match setting {
            Setting::Element => whole::prepare(report, text, statement.columns(), statement.parameters()),
            Setting::Line => None,
        };
        let mut copy = Buffer::new(report.host().memory());
        whole::add(&mut copy, sql);
        match copy.failure() {
            Some(failure) => Err(report.fail(failure)),
            None => Ok(Prepared {
                plain: Plain { argument, sql: copy, statement, choices, setting, record: None },
                whole,
                begun: false,
                odd: false,
            }),
        }
    }

    /// Appends all rows.
    fn run(
        &mut self,
        report: &dyn Report,
        parameters: &Arguments<'_>,
        out: &mut Buffer<'_, SqliteMemory>,
    ) -> Result<(), Failed> {
        if let Some(whole) = &mut self.whole {
            self.plain.count(report, parameters)?;
            self.plain.learn(report)?;
            let mut rows = Rows::new(&mut self.plain, report, &mut *out);
            let outcome = whole.run(report, parameters, &mut rows)?;
            match rows.stop {
                Some(Stop::Failed(failed)) => return Err(failed),
                Some(Stop::Fault(fault)) => return Err(self.plain.refuse(report, fault)),
                None => {}
            }
            match outcome {
                Outcome::Done => return Ok(()),
                Outcome::Failed(why) => return Err(report.fail_with(&why)),
                Outcome::Impossible => {
                    self.whole = None;
                    self.plain.record = None;
                    self.odd = true;
                    out.truncate(0);
                }
            }
        }
        let running = Running(self);
        running.0.start(report, parameters)?;
        while running.0.next(report, out)? {}
        Ok(())
    }

    /// Binds the parameters.
    pub(super) fn start(&mut self, report: &dyn Report, parameters: &Arguments<'_>) -> Result<(), Failed> {
        self.plain.count(report, parameters)?;
        self.begun = false;
        self.plain.statement.bind(report, parameters)
    }

    /// Appends the next row; false if there is none.
    #[inline]
    pub(super) fn next(
        &mut self,
        report: &dyn Report,
        out: &mut Buffer<'_, SqliteMemory>,
    ) -> Result<bool, Failed> {
        let plain = &mut self.plain;
        if !plain.statement.step(report)? {
            return Ok(false);
        }
        if !self.begun {
            self.begun = true;
            plain.learn(report)?;
        }
        let Some((_, record)) = &plain.record else { return Ok(false) };
        match record.write(&PlainText(&plain.statement.row()), out) {
            Ok(()) => match out.failure() {
                None => Ok(true),
                Some(failure) => Err(report.fail(failure)),
            },
            Err(fault) => Err(plain.refuse(report, fault)),
        }
    }
}

impl Plain {
    /// Prepares the query anew and makes its keys: the schema has changed since, and the columns may have other names.
    pub(super) fn renew(&mut self, report: &dyn Report) -> Result<(), Failed> {
        let (fresh, _) = Statement::prepare(report, self.argument, self.sql.as_slice())?;
        if fresh.columns() != self.statement.columns() {
            return Err(unexpected(report));
        }
        self.statement = fresh;
        self.record = None;
        self.learn(report)
    }

    /// The columns' keys.
    #[inline]
    pub(super) fn record(&self) -> Option<&Record<SqliteMemory>> {
        self.record.as_ref().map(|(_, record)| record)
    }

    /// Are there as many parameters as it takes?
    fn count(&self, report: &dyn Report, parameters: &Arguments<'_>) -> Result<(), Failed> {
        let (wanted, given) = (self.statement.parameters(), parameters.len());
        if wanted == given {
            return Ok(());
        }
        Err(report.error(format_args!("the statement takes {wanted} parameters, not {given}")))
    }

    /// Makes the columns' keys, if there are none yet or the first step has prepared the statement anew.
    #[inline(never)]
    fn learn(&mut self, report: &dyn Report) -> Result<(), Failed> {
        let generation = self.statement.generation();
        if self.record.as_ref().is_some_and(|(known, _)| *known == generation) {
            return Ok(());
        }
        self.statement.recount().map_err(|failure| report.fail(failure))?;
        let memory = report.host().memory();
        let mut record = Record::new(memory, self.choices, self.setting);
        let made = column_names(&self.statement).and_then(|names| {
            names::keys(&names, &mut Buffer::new(memory), |key, json| record.column(key, json))
        });
        made.map_err(|failure| report.fail(failure))?;
        self.record = Some((generation, record));
        Ok(())
    }

    #[cold]
    fn refuse(&self, report: &dyn Report, fault: Fault) -> Failed {
        match fault {
            Fault::NotJson(column, invalid) => {
                let name = self.statement.name(column).unwrap_or_default();
                report.error(format_args!("column {} is not JSON: {invalid}", String::from_utf8_lossy(name)))
            }
            Fault::Failure(failure) => report.fail(failure),
            // A record knows its keys and takes any number of values.
            Fault::Count(_) | Fault::KeyType(..) | Fault::KeyChanged(_) => unexpected(report),
        }
    }
}

#[cold]
fn unexpected(report: &dyn Report) -> Failed {
    report.error(format_args!("unexpected row"))
}

fn column_names(statement: &Statement) -> Result<Vec<&[u8]>, Failure> {
    let mut names = Vec::new();
    names.try_reserve_exact(statement.columns()).map_err(|_| Failure::NoMemory)?;
    for column in 0..statement.columns() {
        names.push(statement.name(column).ok_or(Failure::NoMemory)?);
    }
    Ok(names)
}
