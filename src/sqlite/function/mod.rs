//! SQL functions: SQLite's callbacks become calls of a trait.
//!
//! ```text
//!   signature   what SQLite is told of a function
//!   call        one running call: its context, its errors, its result
//!   scalar      scalar functions: the Scalar trait, and Nested for those that run SQL
//!   aggregate   step, inverse, value, finish: the Aggregate trait
//! ```

mod aggregate;
mod call;
mod scalar;
mod signature;

pub use aggregate::Aggregate;
pub(in crate::sqlite) use aggregate::define as define_aggregate;
pub(in crate::sqlite) use call::Name;
pub use call::{Call, Variant};
pub use scalar::{Nested, Scalar};
pub(in crate::sqlite) use scalar::{define as define_scalar, define_nested};
pub use signature::Flags;
pub(in crate::sqlite) use signature::{Signature, terminated};
