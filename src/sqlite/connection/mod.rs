//! What resq knows of one connection: its SQLite, its memory, what is kept for it, and where errors
//! go.
//!
//! ```text
//!   api          the functions of the host's API table, checked once
//!   host         a connection and what SQLite says of it
//!   error        how a call tells SQLite that it has failed
//!   memory       sqlite3_realloc64 and sqlite3_free as `buffer::Memory`
//!   block_pool   blocks of memory that are out of use
//!   idle         kept items that wait for the next call
//!   sizes        which queries have given many rows
//!   state        what all functions of a connection share
//! ```

mod api;
mod block_pool;
mod error;
mod host;
mod idle;
mod memory;
mod sizes;
mod state;

pub(in crate::sqlite) use api::{Api, Destructor, HostError};
pub(in crate::sqlite) use error::Message;
pub use error::{Report, Reported, SqlError};
pub use host::Host;
pub(in crate::sqlite) use host::text;
pub(in crate::sqlite) use idle::{IdleStatements, Link};
pub use memory::SqliteMemory;
pub use sizes::hash;
pub use state::ConnectionState;
