//! The parts that the tests and benchmarks of this crate check and measure. No other crate may rely
//! on them: they change without notice.
#![allow(missing_docs)]

pub mod arch {
    pub use crate::arch::*;
}
pub mod base64 {
    pub use crate::base64::*;
}
pub mod buffer {
    pub use crate::buffer::*;
}
pub mod decimal {
    pub use crate::decimal::*;
}
pub mod escape {
    pub use crate::escape::*;
}
pub mod json {
    pub use crate::json::*;
}
pub mod real {
    pub use crate::real::*;
}
pub mod value {
    pub use crate::value::*;
}
