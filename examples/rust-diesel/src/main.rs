//! diesel with resq linked in: diesel has no call that loads an extension. cargo run

use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};

const SETUP: &str = "
    create table users (id integer primary key, name text, photo blob);
    insert into users values (1, 'Ada', x'00ff10'), (2, 'Борис', null);
    create table orders (user integer, item text);
    insert into orders values (2, 'tea'), (2, 'cup');
";
const JSON: &str = "select resq_json('id', id, 'name', name, 'photo', photo) as text from users";
const WINDOW: &str = "select resq_json(name) over (order by id rows 1 preceding) as text from users";
const NESTED: &str = r#"
    select resq_query('
      select id, name, resq_query(''select item from orders where user = ?'', id) as "orders:json"
      from users where id = ?', ?) as text
"#;
const STREAM: &str = "select piece as text from resq_stream('select id, name from users order by id')";

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    text: String,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    resq::auto_extension().map_err(|code| format!("SQLite's code {code}"))?;
    let mut db = SqliteConnection::establish(":memory:")?;

    db.batch_execute(SETUP)?;
    for sql in ["select 'SQLite ' || sqlite_version() as text", JSON, WINDOW] {
        for line in diesel::sql_query(sql).load::<Line>(&mut db)? {
            println!("{}", line.text);
        }
    }
    let nested: Line = diesel::sql_query(NESTED).bind::<BigInt, _>(2).get_result(&mut db)?;
    println!("{}", nested.text);
    for piece in diesel::sql_query(STREAM).load_iter::<Line, _>(&mut db)? {
        print!("{}", piece?.text);
    }
    Ok(())
}
