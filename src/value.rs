//! SQL values, borrowed, and rows of them: what everything that does not know SQLite works on.
//!
//! `sqlite::value` makes these from `sqlite3_value`s, `json` writes them. Text is bytes, because
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
    /// TEXT. It should be UTF-8, but need not be.
    Text(&'a [u8]),
    /// BLOB.
    Blob(&'a [u8]),
    /// TEXT with SQLite's JSON subtype (R6).
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
    /// Are there no values?
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The value with this index. `None`: SQLite has run out of memory (R22).
    fn get(&self, index: usize) -> Option<Value<'_>>;
    /// As [`Row::get`], but `visitor` gets the value right where its class is found out, in a call
    /// of its own for each class. Inlined there, `visit` need not test the class again, and the
    /// value stays in registers.
    #[inline(always)]
    fn visit<'v, T: Visitor<'v>>(&'v self, index: usize, visitor: T) -> Option<T::Output> {
        self.get(index).map(|value| visitor.visit(value))
    }
    /// As [`Row::visit`], but JSON text may come as plain text.
    #[inline(always)]
    fn visit_plain<'v, T: Visitor<'v>>(&'v self, index: usize, visitor: T) -> Option<T::Output> {
        self.visit(index, visitor)
    }
}

/// A function of a value of any class.
pub trait Visitor<'v> {
    /// What it returns.
    type Output;
    /// Gets the value. It must be `#[inline(always)]`: see [`Row::visit`].
    fn visit(self, value: Value<'v>) -> Self::Output;
}

/// Returns the value.
pub struct Identity;

impl<'v> Visitor<'v> for Identity {
    type Output = Value<'v>;

    #[inline(always)]
    fn visit(self, value: Value<'v>) -> Value<'v> {
        value
    }
}
