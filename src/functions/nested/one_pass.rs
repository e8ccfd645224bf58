//! All rows of a query in one step.
//!
//! Each step of a statement goes through SQLite's API, and each of its columns through a lock. So the query
//! becomes a table expression under an aggregate of ours, which gets the rows from inside:
//!
//! ```text
//!   select id, name from users where age > ?1
//!   with resq_query(c0,c1) as (select id, name from users where age > ?1
//!   ) select resq_sink(?2,c0,c1) from resq_query        ?2: a pointer to the sink, which SQL cannot make
//! ```
//!
//! That is done only where EXPLAIN shows that both forms do the same (R32, see [`program`]); everything else
//! is stepped through. The query has been prepared alone before, so its brackets are balanced. What is left
//! open, as a comment may be, makes this form fail to prepare.

use super::program;
use super::stepped::SteppedQuery;
use crate::buffer::Buffer;
use crate::json::{self, Choices};
use crate::sqlite::{Arguments, Ran, Report, Reported, SINK_FUNCTION, Sink, SqliteMemory, Statement};
use crate::value::Value;

/// A query that runs in one step.
pub(super) struct OnePassQuery {
    sql: Buffer<'static, SqliteMemory>,
    statement: Statement,
    /// How often SQLite had prepared it anew when it was last compared with the query.
    generation: i32,
}

/// How a run ended.
pub(super) enum Outcome {
    /// All rows are written.
    Done,
    /// Nothing that counts is written: the query has to be stepped through.
    Impossible,
}

impl OnePassQuery {
    /// Prepares the query, if it does the same in one pass as when it is stepped through.
    pub(super) fn prepare(report: &dyn Report, query: &SteppedQuery) -> Option<Self> {
        let (text, columns, parameters) = (query.text(), query.columns(), query.parameters());
        if !program::may_be_same(text) || columns >= report.host().most_arguments() {
            return None;
        }
        let text = text.strip_suffix(b";").unwrap_or(text);
        let mut sql = Buffer::new(report.host().memory());
        add(&mut sql, b"with resq_query");
        list(&mut sql, b"(", columns);
        add(&mut sql, b") as (");
        add(&mut sql, text);
        add(&mut sql, b"\n) select ");
        add(&mut sql, SINK_FUNCTION.as_bytes());
        add(&mut sql, b"(?");
        number(&mut sql, parameters + 1);
        list(&mut sql, b",", columns);
        add(&mut sql, b") from resq_query");
        if sql.failure().is_some() || !program::is_same(report, text, sql.as_slice(), parameters + 1) {
            return None;
        }
        let statement = Statement::try_prepare(report, sql.as_slice())?;
        let generation = statement.generation();
        Some(OnePassQuery { sql, statement, generation })
    }

    /// The statement itself.
    pub(super) fn statement(&self) -> &Statement {
        &self.statement
    }

    /// Runs it and appends the rows of `query`, which it stands for.
    pub(super) fn run(
        &mut self,
        report: &dyn Report,
        parameters: &Arguments<'_>,
        query: &mut SteppedQuery,
        out: &mut Buffer<'_, SqliteMemory>,
    ) -> Result<Outcome, Reported> {
        let OnePassQuery { sql, statement, generation } = self;
        let one_pass = sql.as_slice();
        let mut rows =
            Rows { query, report, one_pass, generation: *generation, is_other: false, out, stop: None };
        let ran = statement.run_into(report, parameters, &mut rows)?;
        let Rows { query, generation: now, is_other, stop, .. } = rows;
        *generation = now;
        if let Some(failed) = stop {
            return Err(failed);
        }
        match ran {
            _ if is_other => Ok(Outcome::Impossible),
            Ran::Done => Ok(Outcome::Done),
            Ran::Elsewhere => Ok(Outcome::Impossible),
            // Its columns may be fewer or more by now, or its tables gone; then it does not prepare.
            Ran::Failed(why) if query.rows() == 0 && why.may_be_of_preparing() => {
                match Statement::try_prepare(report, one_pass) {
                    Some(_) => Err(report.fail_with(&why)),
                    None => Ok(Outcome::Impossible),
                }
            }
            Ran::Failed(why) => Err(report.fail_with(&why)),
        }
    }
}

/// Takes the rows of a query and writes them.
struct Rows<'q, 'o, 'r> {
    query: &'q mut SteppedQuery,
    report: &'q dyn Report,
    one_pass: &'q [u8],
    /// How often SQLite had prepared the statement anew when it was last compared with the query.
    generation: i32,
    /// By now it does not do the same as the query.
    is_other: bool,
    out: &'o mut Buffer<'r, SqliteMemory>,
    /// It takes no more, and SQLite has been told why.
    stop: Option<Reported>,
}

impl Sink for Rows<'_, '_, '_> {
    /// SQLite may have prepared the statement anew in its first step, for another schema. It is compared
    /// with the query again then, and the keys are made anew, before anything is written.
    fn begin(&mut self, generation: i32) -> bool {
        if generation != self.generation {
            self.generation = generation;
            self.stop = self.query.renew(self.report).err();
            let pointer = self.query.parameters() + 1;
            let text = self.query.text();
            self.is_other =
                self.stop.is_none() && !program::is_same(self.report, text, self.one_pass, pointer);
        }
        self.stop.is_none() && !self.is_other
    }

    fn row(&mut self, row: &Arguments<'_>) -> bool {
        self.stop = self.query.write(self.report, row, self.out).err();
        self.stop.is_none()
    }
}

#[inline(never)]
fn add(sql: &mut Buffer<'_, SqliteMemory>, text: &[u8]) {
    sql.extend(text);
}

/// `before`, then the names of so many columns.
fn list(sql: &mut Buffer<'_, SqliteMemory>, before: &[u8], columns: usize) {
    for column in 0..columns {
        add(sql, if column == 0 { before } else { b"," });
        add(sql, b"c");
        number(sql, column);
    }
}

fn number(sql: &mut Buffer<'_, SqliteMemory>, number: usize) {
    json::write(&Value::Integer(number as i64), Choices::DEFAULT, sql);
}
