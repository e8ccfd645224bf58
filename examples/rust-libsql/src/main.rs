//! libsql, Turso's SQLite: cargo run

use libsql::params::IntoParams;
use libsql::{Builder, Connection};

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

async fn show(db: &Connection, sql: &str, parameters: impl IntoParams, end: &str) -> libsql::Result<()> {
    let mut rows = db.query(sql, parameters).await?;
    while let Some(row) = rows.next().await? {
        print!("{}{end}", row.get::<String>(0)?);
    }
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> libsql::Result<()> {
    let extension = std::env::var("RESQ_EXTENSION").unwrap_or_else(|_| "./libresq".to_string());
    let db = Builder::new_local(":memory:").build().await?.connect()?;
    db.load_extension_enable()?;
    db.load_extension(extension, None)?;
    db.load_extension_disable()?;

    db.execute_batch(SETUP).await?;
    show(&db, "select 'SQLite ' || sqlite_version()", (), "\n").await?;
    show(&db, JSON, (), "\n").await?;
    show(&db, WINDOW, (), "\n").await?;
    show(&db, NESTED, [2], "\n").await?;
    show(&db, STREAM, (), "").await
}
