//! A nested query as it was given, and the keys that its columns make.

use core::ops::Range;

use super::super::plural;
use super::{columns, pragma};
use crate::buffer::{Buffer, BufferError};
use crate::json::{Choices, Framing, RowError, RowTemplate};
use crate::sqlite::{Arguments, PlainText, Report, Reported, SqliteMemory, Statement};
use crate::value::Row;

/// A statement as it was given.
pub(super) struct Plain {
    argument: usize,
    sql: Buffer<'static, SqliteMemory>,
    /// Where in `sql` the statement's own text is.
    text: Range<usize>,
    statement: Statement,
    choices: Choices,
    framing: Framing,
    /// The columns' keys, and which generation of the statement they belong to.
    record: Option<(i32, RowTemplate<SqliteMemory>)>,
    /// Was there a row in this run?
    begun: bool,
}

impl Plain {
    /// Prepares argument number `argument`.
    pub(super) fn prepare(
        report: &dyn Report,
        argument: usize,
        sql: &[u8],
        choices: Choices,
        framing: Framing,
    ) -> Result<Self, Reported> {
        if pragma::sets(sql) {
            return Err(
                report.error(format_args!("argument {argument} must only read, and this PRAGMA may not"))
            );
        }
        let (statement, text) = Statement::prepare(report, argument, sql)?;
        let mut copy = Buffer::new(report.host().memory());
        copy.extend(sql);
        match copy.failure() {
            Some(failure) => Err(report.fail(failure)),
            None => {
                let begin = text.as_ptr().addr() - sql.as_ptr().addr();
                let (sql, text) = (copy, begin..begin + text.len());
                Ok(Plain { argument, sql, text, statement, choices, framing, record: None, begun: false })
            }
        }
    }

    /// Its SQL.
    pub(super) fn sql(&self) -> &[u8] {
        self.sql.as_slice()
    }

    /// The statement's own text: without what comes before and after it.
    pub(super) fn text(&self) -> &[u8] {
        self.sql().get(self.text.clone()).unwrap_or_default()
    }

    /// Is it this SQL with these choices?
    pub(super) fn is(&self, sql: &[u8], choices: Choices) -> bool {
        self.sql() == sql && self.choices == choices
    }

    /// The statement itself.
    pub(super) fn statement(&self) -> &Statement {
        &self.statement
    }

    /// How many columns it returns.
    pub(super) fn columns(&self) -> usize {
        self.statement.columns()
    }

    /// How many parameters it has.
    pub(super) fn parameters(&self) -> usize {
        self.statement.parameters()
    }

    /// Binds the parameters.
    pub(super) fn start(&mut self, report: &dyn Report, parameters: &Arguments<'_>) -> Result<(), Reported> {
        self.count(report, parameters)?;
        self.begun = false;
        self.statement.bind(report, parameters)
    }

    /// Appends the next row; false if there is none.
    #[inline]
    pub(super) fn next(
        &mut self,
        report: &dyn Report,
        out: &mut Buffer<'_, SqliteMemory>,
    ) -> Result<bool, Reported> {
        if !self.statement.step(report)? {
            return Ok(false);
        }
        if !self.begun {
            self.begun = true;
            self.learn(report)?;
        }
        let Some((_, record)) = &self.record else { return Ok(false) };
        match record.write(&PlainText(self.statement.row()), out) {
            Ok(()) => match out.failure() {
                None => Ok(true),
                Some(failure) => Err(report.fail(failure)),
            },
            Err(error) => Err(self.refuse(report, error)),
        }
    }

    /// Ends the run.
    pub(super) fn reset(&mut self) {
        self.statement.reset();
    }

    /// Forgets the keys.
    pub(super) fn forget(&mut self) {
        self.record = None;
    }

    /// Prepares the query anew and makes its keys: the schema has changed since, and the columns may have other names.
    pub(super) fn renew(&mut self, report: &dyn Report) -> Result<(), Reported> {
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
    pub(super) fn record(&self) -> Option<&RowTemplate<SqliteMemory>> {
        self.record.as_ref().map(|(_, record)| record)
    }

    /// Are there as many parameters as it takes?
    pub(super) fn count(&self, report: &dyn Report, parameters: &Arguments<'_>) -> Result<(), Reported> {
        let (wanted, given) = (self.statement.parameters(), parameters.len());
        if wanted == given {
            return Ok(());
        }
        let s = plural(wanted);
        Err(report.error(format_args!("the statement takes {wanted} parameter{s}, not {given}")))
    }

    /// Makes the columns' keys, if there are none yet or the first step has prepared the statement anew.
    #[inline(never)]
    pub(super) fn learn(&mut self, report: &dyn Report) -> Result<(), Reported> {
        let generation = self.statement.generation();
        if self.record.as_ref().is_some_and(|(known, _)| *known == generation) {
            return Ok(());
        }
        self.statement.recount().map_err(|failure| report.fail(failure))?;
        let memory = report.host().memory();
        let mut record = RowTemplate::new(memory, self.choices, self.framing);
        let made = column_names(&self.statement).and_then(|names| {
            columns::keys(&names, &mut Buffer::new(memory), |key, json| record.column(key, json))
        });
        made.map_err(|failure| report.fail(failure))?;
        self.record = Some((generation, record));
        Ok(())
    }

    #[cold]
    pub(super) fn refuse(&self, report: &dyn Report, error: RowError) -> Reported {
        match error {
            RowError::NotJson(column, invalid) => {
                let name = self.statement.name(column).unwrap_or_default();
                report.error(format_args!("column {} is not JSON: {invalid}", String::from_utf8_lossy(name)))
            }
            RowError::Buffer(failure) => report.fail(failure),
            // A record knows its keys and takes any number of values.
            RowError::Count(_) | RowError::KeyType(..) | RowError::KeyChanged(_) => unexpected(report),
        }
    }
}

#[cold]
fn unexpected(report: &dyn Report) -> Reported {
    report.error(format_args!("unexpected row"))
}

fn column_names(statement: &Statement) -> Result<Vec<&[u8]>, BufferError> {
    let mut names = Vec::new();
    names.try_reserve_exact(statement.columns()).map_err(|_| BufferError::NoMemory)?;
    for column in 0..statement.columns() {
        names.push(statement.name(column).ok_or(BufferError::NoMemory)?);
    }
    Ok(names)
}
