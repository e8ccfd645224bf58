//! A nested query that is ready to run, in one step or row by row.

use super::super::choices::Chosen;
use super::form::Form;
use super::one_pass::{OnePassQuery, Outcome};
use super::program;
use super::stepped::SteppedQuery;
use crate::buffer::Buffer;
use crate::sqlite::{
    Arguments, Cacheable, ConnectionState, Report, Reported, SqliteMemory, Statement, hash, skip_blank,
};

/// A nested query and the ways to run it.
pub(super) struct Prepared {
    pub(super) query: SteppedQuery,
    one_pass: OnePass,
    /// Has it given many rows, or does it look as if it will?
    is_large: bool,
    /// What `is_large` is known by beyond this query's life.
    text_hash: u64,
    /// It does not run as it could if it were prepared anew.
    is_outdated: bool,
    size: Option<Measured>,
}

/// The same query to run in one step.
enum OnePass {
    Untried,
    Impossible,
    Ready(OnePassQuery),
}

/// Is the query small enough to be kept? Holds for these statements and this form.
#[derive(Clone, Copy, PartialEq)]
struct Measured {
    is_small: bool,
    stepped_generation: i32,
    one_pass_generation: Option<i32>,
    has_form: bool,
}

/// The most bytes that what is kept beyond a run may take.
const LARGEST_KEPT: usize = 64 << 10;

/// From so many cells on, a query gains more by one pass than it costs to compare the two forms.
const MANY_CELLS: usize = 4000;

impl Cacheable for Prepared {
    /// SELECT, VALUES, WITH: a PRAGMA runs in part while it is prepared, and EXPLAIN shows an old plan
    /// as it was.
    fn is_cacheable(&mut self) -> bool {
        !self.is_outdated
            && matches!(skip_blank(self.query.sql()), [b'S' | b's' | b'V' | b'v' | b'W' | b'w', ..])
            && self.is_small()
    }
}

/// A query that is reset when this is dropped, however the call ends.
struct Running<'p>(&'p mut SteppedQuery);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.reset();
    }
}

impl Prepared {
    /// Prepares argument number `argument`.
    #[inline(never)]
    pub(super) fn new(
        report: &dyn Report,
        connection: &ConnectionState,
        argument: usize,
        sql: &[u8],
        chosen: Chosen,
    ) -> Result<Self, Reported> {
        let query = SteppedQuery::prepare(report, argument, sql, chosen, false)?;
        let text_hash = hash(sql);
        let is_large = connection.sizes.recall(text_hash).unwrap_or_else(|| program::reads_all(query.text()));
        Ok(Prepared {
            query,
            one_pass: OnePass::Untried,
            is_large,
            text_hash,
            is_outdated: false,
            size: None,
        })
    }

    /// A short query may be a large statement, by way of a view. To ask for its size takes long, so that
    /// is done once.
    #[inline(never)]
    fn is_small(&mut self) -> bool {
        let one_pass = match &self.one_pass {
            OnePass::Ready(one_pass) => Some(one_pass.statement()),
            _ => None,
        };
        let now = Measured {
            is_small: true,
            stepped_generation: self.query.statement().generation(),
            one_pass_generation: one_pass.map(Statement::generation),
            has_form: self.query.form().is_some(),
        };
        match self.size {
            Some(size) if (Measured { is_small: true, ..size }) == now => size.is_small,
            _ => {
                let own = self.query.sql().len() + self.query.form().map_or(0, Form::size);
                let statements = [Some(self.query.statement()), one_pass].into_iter().flatten();
                let size = statements.map(Statement::size).fold(own, usize::saturating_add);
                let is_small = size <= LARGEST_KEPT;
                self.size = Some(Measured { is_small, ..now });
                is_small
            }
        }
    }

    /// Appends all rows.
    #[inline(never)]
    pub(super) fn run(
        &mut self,
        report: &dyn Report,
        connection: &ConnectionState,
        parameters: &Arguments<'_>,
        out: &mut Buffer<'_, SqliteMemory>,
    ) -> Result<(), Reported> {
        self.query.begin(report, parameters)?;
        if self.is_large && matches!(self.one_pass, OnePass::Untried) {
            let one_pass = OnePassQuery::prepare(report, &self.query);
            self.one_pass = one_pass.map_or(OnePass::Impossible, OnePass::Ready);
        }
        if !self.run_in_one_pass(report, parameters, out)? {
            self.step_through(report, parameters, out)?;
        }
        let is_large = self.query.rows().saturating_mul(self.query.columns() + 1) >= MANY_CELLS;
        if is_large != self.is_large {
            self.is_large = is_large;
            connection.sizes.note(self.text_hash, is_large);
        }
        Ok(())
    }

    /// Appends all rows; false if they have to be stepped through.
    #[inline(never)]
    fn run_in_one_pass(
        &mut self,
        report: &dyn Report,
        parameters: &Arguments<'_>,
        out: &mut Buffer<'_, SqliteMemory>,
    ) -> Result<bool, Reported> {
        let OnePass::Ready(one_pass) = &mut self.one_pass else { return Ok(false) };
        match one_pass.run(report, parameters, &mut self.query, &mut *out)? {
            Outcome::Done => self.query.finish(report, out)?,
            Outcome::Impossible => {
                self.one_pass = OnePass::Impossible;
                self.is_outdated = true;
                out.truncate(0);
                self.query.forget();
                self.query.begin(report, parameters)?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Appends all rows, a step each.
    #[inline(never)]
    fn step_through(
        &mut self,
        report: &dyn Report,
        parameters: &Arguments<'_>,
        out: &mut Buffer<'_, SqliteMemory>,
    ) -> Result<(), Reported> {
        let running = Running(&mut self.query);
        running.0.bind(report, parameters)?;
        while running.0.next(report, out)? {}
        Ok(())
    }
}
