//! `resq_stream`: the rows of a SELECT as NDJSON, in pieces (R17–R20).

use core::ffi::CStr;
use std::rc::Rc;

use super::super::choices;
use super::stepped::Plain;
use crate::buffer::{Buffer, BufferError, Memory};
use crate::json::{Choices, Framing};
use crate::sqlite::{ConnectionState, Given, Report, Reported, SqliteMemory, Table, TableCall};
use crate::value::Value;

/// Bytes of a piece where nobody says how many.
const PIECE: usize = 65_536;

/// `resq_stream(sql, bytes, choices)`: a run of it.
pub struct Stream {
    query: Plain,
    /// Bytes of a piece, at most, unless one row alone has more.
    most: usize,
    /// The piece on show, then the row that did not fit it.
    text: Buffer<'static, SqliteMemory>,
    piece: usize,
    /// No more rows come.
    ended: bool,
}

impl Table for Stream {
    const NAME: &'static str = "resq_stream";
    const SCHEMA: &'static CStr =
        c"create table resq_stream(piece text, sql hidden, bytes hidden, choices hidden)";
    const ARGUMENTS: i32 = 3;

    fn open(call: &TableCall, connection: &Rc<ConnectionState>, given: &Given<'_>) -> Result<Self, Reported> {
        let wants = |number: u32, what: &str, found: Value<'_>| {
            Err(call.error(format_args!("argument {number} must be {what}, not {}", found.class())))
        };
        let sql = match given.get(0) {
            Some(Some(Value::Text(sql) | Value::Json(sql))) => sql,
            Some(Some(other)) => return wants(1, "TEXT", other),
            _ => return Err(call.fail(BufferError::NoMemory)),
        };
        let most = match given.get(1) {
            None => PIECE,
            Some(Some(Value::Integer(bytes))) => match usize::try_from(bytes) {
                Ok(bytes) if bytes > 0 => bytes,
                _ => {
                    return Err(
                        call.error(format_args!("argument 2, the bytes of a piece, must be 1 or more"))
                    );
                }
            },
            Some(Some(other)) => return wants(2, "INTEGER", other),
            Some(None) => return Err(call.fail(BufferError::NoMemory)),
        };
        let choices = match given.get(2) {
            None => Choices::DEFAULT,
            Some(Some(Value::Text(words) | Value::Json(words))) => choices::read(call, 3, words, true)?,
            Some(Some(other)) => return wants(3, "TEXT", other),
            Some(None) => return Err(call.fail(BufferError::NoMemory)),
        };
        let _level = connection.enter(call)?;
        let query = Plain::prepare(call, 1, sql, choices, Framing::Line)?;
        let memory = call.host().memory();
        // Half, since in a UTF-16 database a piece is twice as long in the end.
        let most = most.min(memory.limit() / 2);
        let text = Buffer::new(memory);
        let mut run = Stream { query, most, text, piece: 0, ended: false };
        run.query.start(call, &given.none())?;
        run.fill(call)?;
        Ok(run)
    }

    fn next(&mut self, call: &TableCall, connection: &Rc<ConnectionState>) -> Result<(), Reported> {
        let _level = connection.enter(call)?;
        self.text.remove_front(self.piece);
        self.fill(call)
    }

    fn text(&self) -> Option<&[u8]> {
        self.text.as_slice().get(..self.piece).filter(|piece| !piece.is_empty())
    }
}

impl Stream {
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
