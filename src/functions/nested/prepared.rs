//! A nested query that is ready to run, in one step or row by row.

use super::one_pass::{self, Outcome, Rows, Stop, Whole};
use super::stepped::Plain;
use crate::buffer::Buffer;
use crate::json::{Choices, Record, Setting};
use crate::sqlite::{Arguments, Failed, Keep, Report, SqliteMemory, Statement, skip_blank};

/// A nested query and the ways to run it.
pub(super) struct Prepared {
    pub(super) plain: Plain,
    /// The same to run in one step, where that is possible and good.
    whole: Option<Whole>,
    /// It does not run as it could if it were prepared anew.
    odd: bool,
    /// Is it small enough to be kept, as of which generations of the statements, and with keys or without?
    small: Option<(bool, [i32; 2], bool)>,
}

/// The most bytes that what is kept beyond a run may take.
const LARGEST: usize = 64 << 10;

impl Keep for Prepared {
    /// SELECT, VALUES, WITH: a PRAGMA runs in part while it is prepared, and EXPLAIN shows an old plan as it was.
    fn lasts(&mut self) -> bool {
        !self.odd
            && matches!(skip_blank(self.plain.sql()), [b'S' | b's' | b'V' | b'v' | b'W' | b'w', ..])
            && self.is_small()
    }
}

/// A query that is reset when this is dropped, however the call ends.
struct Running<'p>(&'p mut Plain);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.reset();
    }
}

impl Prepared {
    /// Prepares argument number `argument`.
    pub(super) fn new(
        report: &dyn Report,
        argument: usize,
        sql: &[u8],
        choices: Choices,
    ) -> Result<Self, Failed> {
        let (plain, text) = Plain::prepare(report, argument, sql, choices, Setting::Element)?;
        let whole = one_pass::prepare(report, text, plain.columns(), plain.parameters());
        Ok(Prepared { plain, whole, odd: false, small: None })
    }

    /// A short query may be a large statement, by way of a view. To ask for its size takes long, so that is done once.
    fn is_small(&mut self) -> bool {
        let statements = [Some(self.plain.statement()), self.whole.as_ref().map(Whole::statement)];
        let generations = statements.map(|statement| statement.map_or(0, Statement::generation));
        let record = self.plain.record();
        let small = match self.small {
            Some((small, known, keys)) if known == generations && keys == record.is_some() => small,
            _ => {
                let sizes = statements.into_iter().flatten().map(Statement::size);
                let own = self.plain.sql().len() + record.map_or(0, Record::size);
                sizes.fold(own, usize::saturating_add) <= LARGEST
            }
        };
        self.small = Some((small, generations, record.is_some()));
        small
    }

    /// Appends all rows.
    pub(super) fn run(
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
                    self.plain.forget();
                    self.odd = true;
                    out.truncate(0);
                }
            }
        }
        let running = Running(&mut self.plain);
        running.0.start(report, parameters)?;
        while running.0.next(report, out)? {}
        Ok(())
    }
}
