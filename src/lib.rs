//! resq
pub mod arch;
pub mod base64;
pub mod buffer;
pub mod decimal;
pub mod escape;
pub mod real;
pub mod value;
