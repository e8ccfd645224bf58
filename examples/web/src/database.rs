//! The file, and connections that can only read it.

use std::path::Path;
use std::time::Duration;

use deadpool::unmanaged;
use rusqlite::{Connection, OpenFlags};

use crate::error::Error;

pub type Pool = unmanaged::Pool<Connection>;

/// How long a request waits for a connection before it is told to come again.
const PATIENCE: Duration = Duration::from_secs(2);

pub fn make_unless_there(file: &Path, sql: &str) -> Result<(), Box<dyn std::error::Error>> {
    if file.exists() {
        return Ok(());
    }
    // Under another name until it is whole.
    let unfinished = file.with_added_extension("unfinished");
    if unfinished.exists() {
        std::fs::remove_file(&unfinished)?;
    }
    let db = Connection::open(&unfinished)?;
    db.execute_batch(sql)?;
    db.close().map_err(|(_, error)| error)?;
    Ok(std::fs::rename(&unfinished, file)?)
}

pub fn pool(file: &Path, size: usize) -> rusqlite::Result<Pool> {
    let connections = (0..size).map(|_| {
        // A mistake in a statement cannot write, and each connection is used by one thread at a time.
        let db = Connection::open_with_flags(
            file,
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        db.execute_batch(
            "pragma query_only = on; pragma trusted_schema = off; pragma mmap_size = 268435456;",
        )?;
        Ok(db)
    });
    Ok(Pool::from(connections.collect::<rusqlite::Result<Vec<_>>>()?))
}

/// Runs `work` on a connection of the pool, on a thread that may block.
pub async fn with<T: Send + 'static>(
    pool: &Pool,
    work: impl FnOnce(&Connection) -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let db = take(pool).await?;
    tokio::task::spawn_blocking(move || work(&db)).await.map_err(|error| Error::Server(error.to_string()))?
}

/// A connection, which goes back to the pool when it is dropped.
pub async fn take(pool: &Pool) -> Result<unmanaged::Object<Connection>, Error> {
    let lent = tokio::time::timeout(PATIENCE, pool.get()).await.map_err(|_| Error::Busy)?;
    lent.map_err(|error| Error::Server(error.to_string()))
}
