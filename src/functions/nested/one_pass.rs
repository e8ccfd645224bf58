//! All rows of a query in one step.
//!
//! Each step of a statement goes through SQLite's door, and each of its columns through a lock. So the query becomes a
//! table expression under an aggregate of ours, which gets the rows from inside:
//!
//! ```text
//!   select id, name from users where age > ?1
//!   with resq_whole(c0,c1) as (select id, name from users where age > ?1
//!   ) select resq_rows(?2,c0,c1) from resq_whole        ?2: a pointer to who takes the rows, which SQL cannot make
//! ```
//!
//! Not so a compound SELECT: SQLite gives the columns of a table expression an affinity, by which an integer may come out as a
//! real. The query has been prepared alone before, so its brackets are balanced; what is left open, as a comment may be, makes this
//! one fail to prepare. Then, and wherever it does not pay or anything is odd, the caller steps through the query itself.

use super::stepped::Plain;
use crate::buffer::Buffer;
use crate::json::{self, Choices, Fault};
use crate::sqlite::{
    Arguments, Failed, PlainText, Ran, Report, Sink, SqlError, SqliteMemory, Statement, skip_blank,
};
use crate::value::Value;

/// A query that runs in one step.
pub(super) struct Whole {
    sql: Buffer<'static, SqliteMemory>,
    statement: Statement,
    /// How often SQLite had prepared it anew when the columns' keys were made.
    generation: i32,
}

/// How a run ended.
#[allow(
    clippy::large_enum_variant,
    reason = "an error lies on the stack, since there may be no memory for it"
)]
pub(super) enum Outcome {
    /// All rows are written.
    Done,
    /// Nothing is written: the query has to be stepped through.
    Impossible,
    /// For this reason.
    Failed(SqlError),
}

impl Whole {
    /// The statement itself.
    pub(super) fn statement(&self) -> &Statement {
        &self.statement
    }

    /// Runs it. What `rows` says is wrong comes before what this says.
    pub(super) fn run(
        &mut self,
        report: &dyn Report,
        parameters: &Arguments<'_>,
        rows: &mut Rows<'_, '_, '_>,
    ) -> Result<Outcome, Failed> {
        // What `resq_rows` returns when its rows have gone elsewhere.
        rows.generation = self.generation;
        let ran = self.statement.run_into(report, parameters, rows, b"[]")?;
        self.generation = rows.generation;
        Ok(match ran {
            Ran::Done => Outcome::Done,
            Ran::Elsewhere => Outcome::Impossible,
            // Its columns may be fewer or more by now, or its tables gone; then it does not prepare.
            Ran::Failed(why) if rows.count == 0 && why.may_be_of_preparing() => {
                match Statement::try_prepare(report, self.sql.as_slice()) {
                    Some(_) => Outcome::Failed(why),
                    None => Outcome::Impossible,
                }
            }
            Ran::Failed(why) => Outcome::Failed(why),
        })
    }
}

/// Prepares the query `text`, which has so many columns and parameters, to run in one step.
pub(super) fn prepare(report: &dyn Report, text: &[u8], columns: usize, parameters: usize) -> Option<Whole> {
    let words = skip_blank(text);
    let begins =
        |word: &str| words.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()));
    let has = |word: &str| contains(text, word);
    // Sorted rows would have to come out of the sorter by way of a subroutine, which takes longer than stepping.
    if !(begins("select") || begins("values") || begins("with"))
        || ["order", "union", "except", "intersect"].into_iter().any(has)
        || has("resq_whole")
        || columns >= report.host().most_arguments()
    {
        return None;
    }
    let text = text.strip_suffix(b";").unwrap_or(text);
    let mut sql = Buffer::new(report.host().memory());
    add(&mut sql, b"with resq_whole");
    list(&mut sql, b"(", columns);
    add(&mut sql, b") as (");
    add(&mut sql, text);
    add(&mut sql, b"\n) select resq_rows(?");
    number(&mut sql, parameters + 1);
    list(&mut sql, b",", columns);
    add(&mut sql, b") from resq_whole");
    if sql.failure().is_some() {
        return None;
    }
    let statement = Statement::try_prepare(report, sql.as_slice())?;
    Some(Whole { sql, statement, generation: 0 })
}

/// Takes the rows of a query and writes them.
pub(super) struct Rows<'q, 'o, 'r> {
    plain: &'q mut Plain,
    report: &'q dyn Report,
    /// How often SQLite had prepared the statement anew when the columns' keys were made.
    generation: i32,
    out: &'o mut Buffer<'r, SqliteMemory>,
    /// How many there were.
    count: usize,
    /// Why it takes no more.
    pub(super) stop: Option<Stop>,
}

/// Why no more rows are taken.
pub(super) enum Stop {
    Fault(Fault),
    Failed(Failed),
}

impl<'q, 'o, 'r> Rows<'q, 'o, 'r> {
    pub(super) fn new(
        plain: &'q mut Plain,
        report: &'q dyn Report,
        out: &'o mut Buffer<'r, SqliteMemory>,
    ) -> Self {
        Rows { plain, report, generation: 0, out, count: 0, stop: None }
    }
}

impl Sink for Rows<'_, '_, '_> {
    /// The keys have to be right before anything is written: a query does not run again, since its functions may have effects.
    fn begin(&mut self, generation: i32) -> bool {
        if generation != self.generation {
            self.generation = generation;
            self.stop = self.plain.renew(self.report).err().map(Stop::Failed);
        }
        self.stop.is_none()
    }

    fn row(&mut self, row: &Arguments<'_>) -> bool {
        self.count += 1;
        let Some(record) = self.plain.record() else { return false };
        let written = record.write(&PlainText(*row), self.out);
        let failed = self.out.failure().map(Fault::Failure);
        self.stop = written.err().or(failed).map(Stop::Fault);
        self.stop.is_none()
    }
}

#[inline(never)]
fn contains(text: &[u8], word: &str) -> bool {
    text.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word.as_bytes()))
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
