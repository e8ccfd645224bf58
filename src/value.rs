//! One SQL value, borrowed: what a row's cell is by the time any pure code sees it.
//!
//! `sqlite::argument` makes these from `sqlite3_value`s, `json` writes them. Text is bytes, because
//! SQLite does not promise that TEXT is well-formed UTF-8; `escape` repairs it (R4).

/// A value of one of SQLite's storage classes, or JSON text that is to be written as it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// NULL.
    Null,
    /// INTEGER.
    Integer(i64),
    /// REAL. SQLite turns NaN into NULL before a function sees it.
    Real(f64),
    /// TEXT, as bytes that ought to be UTF-8.
    Text(&'a [u8]),
    /// BLOB.
    Blob(&'a [u8]),
    /// TEXT that bears SQLite's JSON subtype (R6).
    Json(&'a [u8]),
}

impl Value<'_> {
    /// Its storage class, as SQL spells it.
    pub fn class(&self) -> &'static str {
        match self {
            Value::Null => "NULL",
            Value::Integer(_) => "INTEGER",
            Value::Real(_) => "REAL",
            Value::Text(_) | Value::Json(_) => "TEXT",
            Value::Blob(_) => "BLOB",
        }
    }
}

/// A row of values, read one at a time.
pub trait Row {
    /// How many values.
    fn len(&self) -> usize;
    /// The values from number `first` on.
    fn rest(&self, first: usize) -> Self
    where
        Self: Sized;
    /// None at all?
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// One of them; `None` if the host ran out of memory while giving it out (R22).
    fn get(&self, index: usize) -> Option<Value<'_>>;
    /// As [`Row::get`], but the value is handed to `taker` in the place where its class has just been found out, one place a
    /// class: with `take` inlined there nobody looks at the class again, and no value goes through memory.
    #[inline(always)]
    fn hand<'v, T: Taker<'v>>(&'v self, index: usize, taker: T) -> Option<T::Output> {
        self.get(index).map(|value| taker.take(value))
    }
    /// As [`Row::hand`], for where it does not matter whether text is JSON.
    #[inline(always)]
    fn hand_plain<'v, T: Taker<'v>>(&'v self, index: usize, taker: T) -> Option<T::Output> {
        self.hand(index, taker)
    }
}

/// Takes one value.
pub trait Taker<'v> {
    /// What comes of it.
    type Output;
    /// Takes it. To be inlined always.
    fn take(self, value: Value<'v>) -> Self::Output;
}

/// Takes a value as it is.
pub struct AsItIs;

impl<'v> Taker<'v> for AsItIs {
    type Output = Value<'v>;

    #[inline(always)]
    fn take(self, value: Value<'v>) -> Value<'v> {
        value
    }
}
