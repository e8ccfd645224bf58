//! A nested query that is ready to run, in one step or row by row.

use super::plain::Plain;
use super::whole::{self, Outcome, Rows, Stop, Whole};
use crate::buffer::Buffer;
use crate::json::{Choices, Setting};
use crate::sqlite::{Arguments, Failed, Keep, Report, SqliteMemory, skip_blank};

/// A nested query and the ways to run it.
pub(super) struct Prepared {
    pub(super) plain: Plain,
    /// The same to run in one step, where that is possible and good.
    whole: Option<Whole>,
    /// It does not run as it could if it were prepared anew.
    odd: bool,
}

/// The longest SQL that is kept beyond a run: it bounds what its statements take.
const LONGEST: usize = 16 << 10;

impl Keep for Prepared {
    const HOLDER: &'static str = "select 1 from resq_stream('')";

    /// SELECT, VALUES, WITH: a PRAGMA runs in part while it is prepared, and EXPLAIN shows an old plan as it was.
    fn lasts(&self) -> bool {
        !self.odd
            && self.plain.sql().len() <= LONGEST
            && matches!(skip_blank(self.plain.sql()), [b'S' | b's' | b'V' | b'v' | b'W' | b'w', ..])
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
        let whole = whole::prepare(report, text, plain.columns(), plain.parameters());
        Ok(Prepared { plain, whole, odd: false })
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
