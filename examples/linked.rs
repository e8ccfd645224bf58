//! A Rust program with resq linked in: no file to ship, every connection has the functions.
//!
//!     cargo run --release --features static --example linked

use std::error::Error;

use rusqlite::Connection;

fn main() -> Result<(), Box<dyn Error>> {
    resq::auto_extension().map_err(|code| format!("SQLite's code {code}"))?;

    let db = Connection::open_in_memory()?;
    db.execute_batch(
        "create table readings (station text, hour integer, celsius real);
         with recursive n(i) as (select 0 union all select i + 1 from n where i < 47)
         insert into readings select iif(i % 2, 'Ben Nevis', 'Čepkelių raistas'), i / 2, (i * 7 % 50) / 4.0 - 2 from n;",
    )?;

    // What a chart needs: each hour with the two before it, as JSON, from a window that slides.
    let mut hours = db.prepare(
        "select hour, resq_json(celsius) over (order by hour rows 2 preceding) as recent
         from readings where station = ?1 order by hour limit 5",
    )?;
    let mut rows = hours.query(["Ben Nevis"])?;
    println!("Ben Nevis, hour by hour with the two hours before:");
    while let Some(row) = rows.next()? {
        println!("  {:>2}  {}", row.get::<_, i64>(0)?, row.get::<_, String>(1)?);
    }

    // Bytes, ready to be a response's body.
    let body: Vec<u8> = db.query_row(
        "select cast(resq_json('station', station, 'celsius', resq_raw(series)) as blob) from (
             select station, resq_json(celsius) as series from readings where hour < 6 group by station)",
        [],
        |row| row.get(0),
    )?;
    println!("{} bytes: {}", body.len(), String::from_utf8_lossy(&body));
    Ok(())
}
