//! A nested query as it was given: a step a row, and the form of its result.

use core::ops::Range;

use super::super::choices::Chosen;
use super::super::plural;
use super::form::{Form, Run};
use super::{columns, pragma};
use crate::buffer::{Buffer, BufferError};
use crate::json::{ColumnKind, RowError};
use crate::sqlite::{Arguments, PlainText, Report, Reported, SqliteMemory, Statement};
use crate::value::{Row, Value};

/// A statement as it was given.
pub(super) struct SteppedQuery {
    argument: usize,
    sql: Buffer<'static, SqliteMemory>,
    /// Where in `sql` the statement's own text is.
    text: Range<usize>,
    statement: Statement,
    chosen: Chosen,
    /// Does the result come in pieces?
    stream: bool,
    /// The form of its result, and which generation of the statement it belongs to.
    form: Option<(i32, Form)>,
    run: Run,
}

impl SteppedQuery {
    /// Prepares argument number `argument`.
    #[inline(never)]
    pub(super) fn prepare(
        report: &dyn Report,
        argument: usize,
        sql: &[u8],
        chosen: Chosen,
        stream: bool,
    ) -> Result<Self, Reported> {
        if pragma::sets(sql) {
            return Err(
                report.error(format_args!("argument {argument} must only read, and this PRAGMA may not"))
            );
        }
        let (statement, text) = Statement::prepare(report, argument, sql)?;
        let mut copy = Buffer::new(report.host().memory());
        copy.extend(sql);
        if let Some(failure) = copy.failure() {
            return Err(report.fail(failure));
        }
        let begin = text.as_ptr().addr() - sql.as_ptr().addr();
        let (sql, text) = (copy, begin..begin + text.len());
        Ok(SteppedQuery { argument, sql, text, statement, chosen, stream, form: None, run: Run::default() })
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
    pub(super) fn is(&self, sql: &[u8], chosen: Chosen) -> bool {
        self.sql() == sql && self.chosen == chosen
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

    /// The form of its result, if that is known yet.
    pub(super) fn form(&self) -> Option<&Form> {
        self.form.as_ref().map(|(_, form)| form)
    }

    /// How many rows of this run have come.
    pub(super) fn rows(&self) -> usize {
        self.run.rows
    }

    /// Begins a run: makes the form, so that what does not fit is told before the first row.
    #[inline(never)]
    pub(super) fn begin(&mut self, report: &dyn Report, parameters: &Arguments<'_>) -> Result<(), Reported> {
        let (wanted, given) = (self.statement.parameters(), parameters.len());
        if wanted != given {
            let s = plural(wanted);
            return Err(report.error(format_args!("the statement takes {wanted} parameter{s}, not {given}")));
        }
        self.run = Run::default();
        self.learn(report)
    }

    /// Binds the parameters.
    pub(super) fn bind(&mut self, report: &dyn Report, parameters: &Arguments<'_>) -> Result<(), Reported> {
        self.statement.bind(report, parameters)
    }

    /// Appends the next row; false if there is none, and then what comes after the last one.
    #[inline]
    pub(super) fn next(
        &mut self,
        report: &dyn Report,
        out: &mut Buffer<'_, SqliteMemory>,
    ) -> Result<bool, Reported> {
        let more = self.statement.step(report)?;
        if self.run.rows == 0 {
            // The first step may have prepared the statement anew.
            self.learn(report)?;
        }
        if !more {
            self.finish(report, out)?;
            return Ok(false);
        }
        let Some((_, form)) = &self.form else { return Ok(false) };
        let row = PlainText(self.statement.row());
        match form.row(&mut self.run, &row, out) {
            Ok(()) => match out.failure() {
                None => Ok(true),
                Some(failure) => Err(report.fail(failure)),
            },
            Err(error) => {
                let value = faulty(&error).and_then(|column| Excerpt::of(row.get(column)?));
                Err(self.refuse(report, error, value))
            }
        }
    }

    /// Appends a row that comes from elsewhere.
    pub(super) fn write(
        &mut self,
        report: &dyn Report,
        row: &Arguments<'_>,
        out: &mut Buffer<'_, SqliteMemory>,
    ) -> Result<(), Reported> {
        let Some((_, form)) = &self.form else { return Err(unexpected(report)) };
        let row = PlainText(*row);
        match form.row(&mut self.run, &row, out) {
            Ok(()) => match out.failure() {
                None => Ok(()),
                Some(failure) => Err(report.fail(failure)),
            },
            Err(error) => {
                let value = faulty(&error).and_then(|column| Excerpt::of(row.get(column)?));
                Err(self.refuse(report, error, value))
            }
        }
    }

    /// Appends what comes after the last row.
    #[inline(never)]
    pub(super) fn finish(
        &mut self,
        report: &dyn Report,
        out: &mut Buffer<'_, SqliteMemory>,
    ) -> Result<(), Reported> {
        let Some((_, form)) = &self.form else { return Ok(()) };
        form.finish(&mut self.run, out).map_err(|failure| report.fail(failure))?;
        self.run.end();
        Ok(())
    }

    /// Ends the run.
    pub(super) fn reset(&mut self) {
        self.statement.reset();
    }

    /// Forgets the form.
    pub(super) fn forget(&mut self) {
        self.form = None;
    }

    /// Prepares the query anew and makes its form: the schema has changed since, and the columns may have
    /// other names.
    pub(super) fn renew(&mut self, report: &dyn Report) -> Result<(), Reported> {
        let (fresh, _) = Statement::prepare(report, self.argument, self.sql.as_slice())?;
        if fresh.columns() != self.statement.columns() {
            return Err(unexpected(report));
        }
        self.statement = fresh;
        self.form = None;
        self.learn(report)
    }

    /// Makes the form, if there is none yet or SQLite has prepared the statement anew.
    #[inline(never)]
    fn learn(&mut self, report: &dyn Report) -> Result<(), Reported> {
        let generation = self.statement.generation();
        if self.form.as_ref().is_some_and(|(known, _)| *known == generation) {
            return Ok(());
        }
        self.statement.recount().map_err(|failure| report.fail(failure))?;
        let mut scratch = Buffer::new(report.host().memory());
        let columns = column_names(&self.statement).and_then(|names| columns::columns(&names, &mut scratch));
        let mut columns = columns.map_err(|failure| report.fail(failure))?;
        if self.chosen.declared {
            for (index, column) in columns.iter_mut().enumerate() {
                if column.kind == ColumnKind::Plain {
                    column.kind =
                        self.statement.declared_type(index).map_or(ColumnKind::Plain, columns::declared);
                }
            }
        }
        let form = Form::new(report, &self.chosen, &columns, self.stream)?;
        self.form = Some((generation, form));
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn refuse(&self, report: &dyn Report, error: RowError, value: Option<Excerpt>) -> Reported {
        let row = self.run.rows;
        let name = |column| String::from_utf8_lossy(self.statement.name(column).unwrap_or_default());
        let value = value.unwrap_or_default();
        match error {
            RowError::Buffer(failure) => report.fail(failure),
            RowError::NotJson(column, _) if value.is_jsonb => report.error(format_args!(
                "row {row}, column {} is JSONB, not JSON text: json(column) makes text of it",
                name(column)
            )),
            RowError::NotJson(column, invalid) => report.error(format_args!(
                "row {row}, column {} is not JSON: {invalid}, in '{}'",
                name(column),
                value.text
            )),
            RowError::NotBool(column, class) => report.error(format_args!(
                "row {row}, column {} is a truth value and must be a number or NULL, not {class} '{}'",
                name(column),
                value.text
            )),
            RowError::KeyType(column, class) => report.error(format_args!(
                "row {row}, column {} is a key and must be TEXT, not {class}",
                name(column)
            )),
            RowError::KeyRepeated(column) => report.error(format_args!(
                "row {row}, column {}: the key '{}' is there already",
                name(column),
                value.text
            )),
            RowError::SecondRow => {
                report.error(format_args!("the choice one: the query gives more than one row"))
            }
            // A form knows its keys and takes any number of values.
            RowError::Count(_) | RowError::KeyChanged(_) => unexpected(report),
        }
    }
}

/// The column whose value is at error.
fn faulty(error: &RowError) -> Option<usize> {
    match *error {
        RowError::NotJson(column, _) | RowError::NotBool(column, _) | RowError::KeyRepeated(column) => {
            Some(column)
        }
        _ => None,
    }
}

/// What a message shows of a value.
#[derive(Default)]
struct Excerpt {
    text: String,
    is_jsonb: bool,
}

impl Excerpt {
    /// The most characters of a value that a message shows.
    const CHARACTERS: usize = 40;

    #[inline(never)]
    fn of(value: Value<'_>) -> Option<Self> {
        let (Value::Text(bytes) | Value::Json(bytes) | Value::Blob(bytes)) = value else { return None };
        let is_jsonb = matches!(value, Value::Blob(_)) && is_jsonb(bytes);
        // A character has at most four bytes.
        let head = bytes.get(..4 * Self::CHARACTERS).unwrap_or(bytes);
        let mut text = String::new();
        text.try_reserve(4 * Self::CHARACTERS).ok()?;
        // A message ends at a NUL, and is one line.
        let shown = |c: char| if c.is_control() { '\u{fffd}' } else { c };
        text.extend(String::from_utf8_lossy(head).chars().take(Self::CHARACTERS).map(shown));
        Some(Excerpt { text, is_jsonb })
    }
}

/// Does a BLOB have the outer form of SQLite's JSONB: a header of type and size, and as many bytes?
fn is_jsonb(bytes: &[u8]) -> bool {
    let Some((&head, rest)) = bytes.split_first() else { return false };
    let width = match head >> 4 {
        12 => 1,
        13 => 2,
        14 => 4,
        15 => 8,
        size => return head & 15 <= 12 && rest.len() == usize::from(size),
    };
    let Some((size, payload)) = rest.split_at_checked(width) else { return false };
    let size = size.iter().fold(0_u64, |all, &byte| all << 8 | u64::from(byte));
    head & 15 <= 12 && payload.len() as u64 == size
}

#[cold]
fn unexpected(report: &dyn Report) -> Reported {
    report.error(format_args!("unexpected row"))
}

#[inline(never)]
fn column_names(statement: &Statement) -> Result<Vec<&[u8]>, BufferError> {
    let mut names = Vec::new();
    names.try_reserve_exact(statement.columns()).map_err(|_| BufferError::NoMemory)?;
    for column in 0..statement.columns() {
        names.push(statement.name(column).ok_or(BufferError::NoMemory)?);
    }
    Ok(names)
}
