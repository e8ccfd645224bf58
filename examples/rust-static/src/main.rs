//! rusqlite with resq linked in, so that there is no file to ship: cargo run

use std::error::Error;

use rusqlite::{Connection, Params};

const SETUP: &str = "
    create table users (id integer primary key, name text, photo blob);
    insert into users values (1, 'Ada', x'00ff10'), (2, 'Борис', null);
    create table orders (user integer, item text);
    insert into orders values (2, 'tea'), (2, 'cup');
";
const JSON: &str = "select resq_json('id', id, 'name', name, 'photo', photo) from users";
const WINDOW: &str = "select resq_json(name) over (order by id rows 1 preceding) from users";
const NESTED: &str = r#"
    select resq_query('
      select id, name, resq_query(''select item from orders where user = ?'', id) as "orders:json"
      from users where id = ?', ?)
"#;
const STREAM: &str = "select piece from resq_stream('select id, name from users order by id')";

fn show(db: &Connection, sql: &str, parameters: impl Params, end: &str) -> rusqlite::Result<()> {
    let mut statement = db.prepare(sql)?;
    let mut rows = statement.query(parameters)?;
    while let Some(row) = rows.next()? {
        print!("{}{end}", row.get::<_, String>(0)?);
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    resq::auto_extension().map_err(|code| format!("SQLite's code {code}"))?;
    let db = Connection::open_in_memory()?;

    db.execute_batch(SETUP)?;
    show(&db, "select 'SQLite ' || sqlite_version()", [], "\n")?;
    show(&db, JSON, [], "\n")?;
    show(&db, WINDOW, [], "\n")?;
    show(&db, NESTED, [2], "\n")?;
    show(&db, STREAM, [], "")?;
    Ok(())
}
