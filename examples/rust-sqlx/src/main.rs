//! sqlx: every connection of the pool loads the extension. cargo run

use futures_util::TryStreamExt as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions as _, Executor as _, Row as _};

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

async fn show(db: &mut SqliteConnection, sql: &'static str, id: Option<i64>, end: &str) -> sqlx::Result<()> {
    let mut query = sqlx::query(sql);
    if let Some(id) = id {
        query = query.bind(id);
    }
    let mut rows = query.fetch(db);
    while let Some(row) = rows.try_next().await? {
        print!("{}{end}", row.get::<String, _>(0));
    }
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> sqlx::Result<()> {
    let extension = std::env::var("RESQ_EXTENSION").unwrap_or_else(|_| "./libresq".to_string());
    let options = SqliteConnectOptions::new().in_memory(true);
    // SAFETY: a library is code that runs; this one is resq.
    let mut db = unsafe { options.extension(extension) }.connect().await?;

    db.execute(SETUP).await?;
    show(&mut db, "select 'SQLite ' || sqlite_version()", None, "\n").await?;
    show(&mut db, JSON, None, "\n").await?;
    show(&mut db, WINDOW, None, "\n").await?;
    show(&mut db, NESTED, Some(2), "\n").await?;
    show(&mut db, STREAM, None, "").await
}
