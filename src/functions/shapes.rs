//! The aggregates, and `resq_object`: each a shape of the `json` room, with and without choices.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::choices::{self, Takers};
use super::{SHORT_RESULT, plural, text};
use crate::buffer::Buffer;
use crate::json::{self, Choices, RowError, Shape};
use crate::sqlite::{Aggregate, Arguments, Call, Report, Reported, Scalar, SqliteMemory, Variant};
use crate::value::{Row, Value};

/// What an aggregate takes and makes.
pub trait Kind: 'static {
    /// Its names, without and with choices.
    const NAMES: [&'static str; 2];
    /// What it makes of the rows.
    type Shape: Shape<SqliteMemory>;
    /// The arguments it takes, for messages.
    const TAKES: &'static str;
    /// Is its result one JSON text (R14)?
    const JSON: bool = true;
    /// The choices that it takes.
    const TAKERS: Takers = Takers::OBJECTS;

    /// The function that takes no choices.
    const PLAIN: Variant = Variant { name: Self::NAMES[0], with_choices: false };
    /// The function whose first argument names choices.
    const WITH: Variant = Variant { name: Self::NAMES[1], with_choices: true };
}

/// `resq_json(key, value, …)`, `resq_json(value)`: an array of objects or values.
pub struct Json;
/// `resq_ndjson(key, value, …)`, `resq_ndjson(value)`: one JSON text a line.
pub struct Ndjson;
/// `resq_rows(value, …)`: an array of arrays.
pub struct Rows;
/// `resq_columns(key, value, …)`: an object with one array a column.
pub struct Columns;
/// `resq_map(key, value)`: an object with one member a row.
pub struct Map;

impl Kind for Json {
    const NAMES: [&'static str; 2] = ["resq_json", "resq_json_with"];
    type Shape = json::Objects<SqliteMemory>;
    const TAKES: &'static str = "takes key, value pairs or one value";
}

impl Kind for Ndjson {
    const NAMES: [&'static str; 2] = ["resq_ndjson", "resq_ndjson_with"];
    type Shape = json::Lines<SqliteMemory>;
    const TAKES: &'static str = Json::TAKES;
    const JSON: bool = false;
}

impl Kind for Rows {
    const NAMES: [&'static str; 2] = ["resq_rows", "resq_rows_with"];
    type Shape = json::Rows<SqliteMemory>;
    const TAKES: &'static str = "takes one value or more";
    const TAKERS: Takers = Takers::OTHERS;
}

impl Kind for Columns {
    const NAMES: [&'static str; 2] = ["resq_columns", "resq_columns_with"];
    type Shape = json::Columns<SqliteMemory>;
    const TAKES: &'static str = "takes key, value pairs";
    const TAKERS: Takers = Takers::OTHERS;
}

impl Kind for Map {
    const NAMES: [&'static str; 2] = ["resq_map", "resq_map_with"];
    type Shape = json::Map<SqliteMemory>;
    const TAKES: &'static str = "takes one key and one value";
    const TAKERS: Takers = Takers::MAP;
}

/// An aggregate of this kind.
pub struct Shaped<K: Kind> {
    shape: K::Shape,
    with_choices: bool,
    /// The choices of the first row, if there is an argument for them.
    choices: Option<Choices>,
}

impl<K: Kind> Aggregate for Shaped<K> {
    type Reusable = <K::Shape as Shape<SqliteMemory>>::Reusable;

    fn start(call: &Call<'_>, reusable: Self::Reusable) -> Self {
        let shape = K::Shape::start(call.memory(), Choices::DEFAULT, reusable);
        Shaped { shape, with_choices: call.variant().with_choices, choices: None }
    }

    fn reusable(&mut self) -> Self::Reusable {
        if self.with_choices { Self::Reusable::default() } else { self.shape.reusable() }
    }

    #[inline]
    fn step(&mut self, call: &Call<'_>, row: &Arguments<'_>) -> Result<(), Reported> {
        if self.with_choices {
            return self.step_with_choices(call, row);
        }
        self.shape.step(row).map_err(|error| refuse(call, error, 0, K::TAKES))
    }

    fn inverse(&mut self, _call: &Call<'_>) -> Result<(), Reported> {
        self.shape.inverse();
        Ok(())
    }

    fn value(&mut self, call: &Call<'_>) -> Result<(), Reported> {
        self.shape.value(|text| call.copied_text(text)).map_err(|failure| call.fail(failure))??;
        if K::JSON {
            call.mark_json();
        }
        Ok(())
    }

    #[inline(never)]
    fn finish(self, call: &Call<'_>) -> Result<(), Reported> {
        let text = self.shape.finish();
        if K::JSON { call.json(text) } else { call.text(text) }
    }
}

impl<K: Kind> Shaped<K> {
    /// A row whose first argument names choices, which must be the same in every row.
    #[inline(never)]
    fn step_with_choices(&mut self, call: &Call<'_>, row: &Arguments<'_>) -> Result<(), Reported> {
        let choices = choose(call, row, K::TAKERS)?;
        if choices.omit_null && row.len() == 2 {
            return Err(call.error(format_args!("argument 1: omit-null is for objects, and this makes none")));
        }
        match self.choices.replace(choices) {
            None => self.shape = K::Shape::start(call.memory(), choices, Default::default()),
            Some(first) if first == choices => {}
            Some(_) => return Err(call.error(format_args!("argument 1 must be the same in every row"))),
        }
        self.shape.step(&row.rest(1)).map_err(|error| match (error, row.get(1)) {
            (RowError::KeyRepeated(_), Some(Value::Text(key) | Value::Json(key))) => {
                call.error(format_args!("the key '{}' is there already", String::from_utf8_lossy(key)))
            }
            _ => refuse(call, error, 1, K::TAKES),
        })
    }
}

/// `resq_object(key, value, …)`: one object.
pub struct Object<const WITH: bool>(PhantomData<()>);

impl<const WITH: bool> Scalar for Object<WITH> {
    const NAME: &'static str = if WITH { "resq_object_with" } else { "resq_object" };

    fn call(call: &Call<'_>, arguments: &Arguments<'_>) -> Result<(), Reported> {
        object(call, arguments, WITH)
    }
}

fn object(call: &Call<'_>, arguments: &Arguments<'_>, with_choices: bool) -> Result<(), Reported> {
    let choices = if with_choices { choose(call, arguments, Takers::OBJECTS)? } else { Choices::DEFAULT };
    let before = usize::from(with_choices);
    let mut room = [MaybeUninit::uninit(); SHORT_RESULT];
    let mut out = Buffer::within(&mut room, call.memory());
    json::object(&arguments.rest(before), choices, &mut out)
        .map_err(|error| refuse(call, error, before, Columns::TAKES))?;
    call.json(out.finish())
}

/// The choices that the first argument names.
fn choose(call: &Call<'_>, row: &impl Row, takers: Takers) -> Result<Choices, Reported> {
    if row.is_empty() {
        return Err(call.error(format_args!(
            "argument 1 must name choices, and there is none; for all columns of a query use resq_query_with"
        )));
    }
    let Some(words) = text(call, row, 0)? else {
        return Err(call.error(format_args!("argument 1 must be TEXT, not NULL")));
    };
    Ok(choices::read(call, 1, words, takers)?.json)
}

/// Fails with a message that says what is wrong with a row. Before its first value come `before`
/// arguments.
#[cold]
pub(super) fn refuse(call: &Call<'_>, error: RowError, before: usize, takes: &str) -> Reported {
    let after = if before == 0 { "" } else { " after the choices" };
    match error {
        RowError::Buffer(failure) => call.fail(failure),
        // `f(*)` is the same as `f()`.
        RowError::Count(0) => call.error(format_args!(
            "{takes}{after}, not 0 arguments; for all columns of a query use resq_query"
        )),
        RowError::Count(count) => {
            call.error(format_args!("{takes}{after}, not {count} argument{}", plural(count)))
        }
        RowError::KeyType(index, class) => {
            call.error(format_args!("argument {} is a key and must be TEXT, not {class}", before + index + 1))
        }
        RowError::KeyChanged(index) => call.error(format_args!(
            "argument {} is a key and must be the same in every row, since each key is a column",
            before + index + 1
        )),
        // Of nested queries, and of what is told above.
        RowError::NotJson(..) | RowError::NotBool(..) | RowError::SecondRow | RowError::KeyRepeated(_) => {
            call.error(format_args!("unexpected row"))
        }
    }
}
