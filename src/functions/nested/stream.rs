//! `resq_stream`: the rows of a SELECT in pieces of bounded size (R17–R20, R27).

use std::rc::Rc;

use super::super::choices::{self, Chosen, Takers};
use super::stepped::SteppedQuery;
use crate::buffer::{Buffer, BufferError, Memory};
use crate::sqlite::{Arguments, ConnectionState, Report, Reported, SqliteMemory, Table, TableCall};
use crate::value::{Row, Value};

/// Bytes of a piece where nobody says how many.
const PIECE: usize = 65_536;

/// A run of `resq_stream(sql, param, …)`, or with choices before that.
pub struct Stream<const WITH: bool>(Pieces);

/// The pieces of a query's rows.
struct Pieces {
    query: SteppedQuery,
    /// Bytes of a piece, at most, unless one row alone has more.
    most: usize,
    /// The piece on show, then the row that did not fit it.
    text: Buffer<'static, SqliteMemory>,
    piece: usize,
    /// No more rows come.
    ended: bool,
}

impl<const WITH: bool> Table for Stream<WITH> {
    const NAME: &'static str = if WITH { "resq_stream_with" } else { "resq_stream" };
    const VISIBLE: &'static str = "piece text";
    const NAMED: &'static [&'static str] = if WITH { &["choices", "sql"] } else { &["sql"] };

    fn open(
        call: &TableCall,
        connection: &Rc<ConnectionState>,
        given: &Arguments<'_>,
    ) -> Result<Self, Reported> {
        Pieces::open(call, connection, given, WITH).map(Stream)
    }

    fn next(&mut self, call: &TableCall, connection: &Rc<ConnectionState>) -> Result<(), Reported> {
        self.0.next(call, connection)
    }

    fn text(&self) -> Option<&[u8]> {
        self.0.text.as_slice().get(..self.0.piece).filter(|piece| !piece.is_empty())
    }
}

impl Pieces {
    #[inline(never)]
    fn open(
        call: &TableCall,
        connection: &Rc<ConnectionState>,
        given: &Arguments<'_>,
        with_choices: bool,
    ) -> Result<Self, Reported> {
        let text = |index: usize| match given.get(index) {
            Some(Value::Text(text) | Value::Json(text)) => Ok(text),
            Some(other) => {
                Err(call.error(format_args!("argument {} must be TEXT, not {}", index + 1, other.class())))
            }
            None => Err(call.fail(BufferError::NoMemory)),
        };
        let before = usize::from(with_choices);
        let chosen = match with_choices {
            true => choices::read(call, 1, text(0)?, Takers::STREAM)?,
            false => Chosen::default(),
        };
        let sql = text(before)?;
        let _level = connection.enter(call)?;
        let mut query = SteppedQuery::prepare(call, before + 1, sql, chosen, true)?;
        let memory = call.host().memory();
        // Half, since in a UTF-16 database a piece is twice as long in the end.
        let most = chosen.piece.unwrap_or(PIECE).min(memory.limit() / 2);
        let parameters = given.rest(before + 1);
        query.begin(call, &parameters)?;
        query.bind(call, &parameters)?;
        let mut run = Pieces { query, most, text: Buffer::new(memory), piece: 0, ended: false };
        run.fill(call)?;
        Ok(run)
    }

    #[inline(never)]
    fn next(&mut self, call: &TableCall, connection: &Rc<ConnectionState>) -> Result<(), Reported> {
        let _level = connection.enter(call)?;
        self.text.remove_front(self.piece);
        self.fill(call)
    }

    /// Makes the next piece: the row that is left over, and as many more as fit.
    #[inline(never)]
    fn fill(&mut self, call: &TableCall) -> Result<(), Reported> {
        self.piece = self.text.len();
        while !self.ended && self.piece < self.most {
            // The piece is full when the next row does not fit; that row has a length limit of its own.
            self.text.discount(self.piece);
            self.ended = !self.query.next(call, &mut self.text)?;
            if self.piece > 0 && self.text.len() > self.most {
                break;
            }
            self.piece = self.text.len();
        }
        Ok(())
    }
}
