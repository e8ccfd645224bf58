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
    /// As [`Row::get`], but `visitor` gets the value right where its class is found out. So each class has a call of
    /// its own: inlined there, `visit` need not test the class again, and the value stays in registers.
    #[inline(always)]
    fn visit<'v, T: Visitor<'v>>(&'v self, index: usize, visitor: T) -> Option<T::Output> {
        self.get(index).map(|value| visitor.visit(value))
    }
    /// As [`Row::hand`], for where it does not matter whether text is JSON.
    #[inline(always)]
    fn visit_plain<'v, T: Visitor<'v>>(&'v self, index: usize, visitor: T) -> Option<T::Output> {
        self.visit(index, visitor)
    }
}

/// Takes one value.
pub trait Visitor<'v> {
    /// What comes of it.
    type Output;
    /// Takes it. To be inlined always.
    fn visit(self, value: Value<'v>) -> Self::Output;
}

/// Takes a value as it is.
pub struct Identity;

impl<'v> Visitor<'v> for Identity {
    type Output = Value<'v>;

    #[inline(always)]
    fn visit(self, value: Value<'v>) -> Value<'v> {
        value
    }
}
