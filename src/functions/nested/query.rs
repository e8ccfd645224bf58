//! `resq_query`: the rows of a SELECT, named by its columns (R17–R19).

use core::mem::MaybeUninit;
use std::rc::Rc;

use super::super::choices::{self, Chosen, Takers};
use super::super::{SHORT_RESULT, text};
use super::form::Form;
use super::prepared::Prepared;
use crate::buffer::Buffer;
use crate::sqlite::{Arguments, Call, ConnectionState, Nested, Report, Reported, cached};
use crate::value::Row;

/// `resq_query(sql, param, …)`, and with choices in front of that.
pub struct Query<const WITH: bool>;

impl<const WITH: bool> Nested for Query<WITH> {
    const NAME: &'static str = if WITH { "resq_query_with" } else { "resq_query" };

    fn call(
        call: &Call<'_>,
        connection: &Rc<ConnectionState>,
        arguments: &Arguments<'_>,
    ) -> Result<(), Reported> {
        query(call, connection, arguments, WITH)
    }
}

fn query(
    call: &Call<'_>,
    connection: &Rc<ConnectionState>,
    arguments: &Arguments<'_>,
    with_choices: bool,
) -> Result<(), Reported> {
    let before = usize::from(with_choices);
    if arguments.len() <= before {
        return Err(call.error(format_args!("argument {} must be SQL, and there is none", before + 1)));
    }
    let chosen = match with_choices {
        true => choices::read(call, 1, wanted(call, arguments, 0)?, Takers::QUERY)?,
        false => Chosen::default(),
    };
    let sql = wanted(call, arguments, before)?;
    let _level = connection.enter(call)?;
    cached(
        call,
        connection,
        i32::from(with_choices),
        |kept: &Prepared| kept.query.is(sql, chosen),
        || Prepared::new(call, connection, before + 1, sql, chosen),
        |prepared| {
            let mut room = [MaybeUninit::uninit(); SHORT_RESULT];
            let mut out = Buffer::within(&mut room, call.memory());
            prepared.run(call, connection, &arguments.rest(before + 1), &mut out)?;
            match prepared.query.form().is_none_or(Form::is_json) {
                true => call.json(out.finish()),
                false => call.text(out.finish()),
            }
        },
    )
}

/// The bytes of an argument that must be TEXT.
#[inline(never)]
fn wanted<'a>(call: &Call<'_>, arguments: &'a Arguments<'_>, index: usize) -> Result<&'a [u8], Reported> {
    let found = text(call, arguments, index)?;
    found.ok_or_else(|| call.error(format_args!("argument {} must be TEXT, not NULL", index + 1)))
}
