//! A Rust program that loads `libresq`: one document per author, books and cover inside, as an API would send it.
//!
//!     make build && cargo run --release --example loaded
#![allow(unsafe_code)]

use rusqlite::Connection;

const SHELF: &str = "
    create table authors (id integer primary key, name text, born integer);
    create table books (author integer, title text, year integer, rating real, cover blob);
    insert into authors values (1, 'Tove Jansson', 1914), (2, 'Станислав Лем', 1921), (3, 'No Books Yet', null);
    insert into books values
        (1, 'Kometjakten', 1946, 4.3, x'89504e470d0a1a0a'), (1, 'Sommarboken', 1972, 4.25, null),
        (2, 'Solaris', 1961, 4.0, x'ffd8ffe000104a464946'), (2, 'Głos Pana', 1968, 4.16, x'');
";

fn main() -> rusqlite::Result<()> {
    let extension = std::env::var("RESQ_EXTENSION").unwrap_or_else(|_| "./libresq".to_string());
    let db = Connection::open_in_memory()?;
    // SAFETY: the extension is ours.
    unsafe {
        db.load_extension_enable()?;
        db.load_extension(extension, None::<&str>)?;
    }
    db.load_extension_disable()?;
    db.execute_batch(SHELF)?;

    let mut authors = db.prepare(
        "select name, resq_json('title', title, 'year', year, 'rating', rating, 'cover', cover)
                        filter (where b.author is not null)
         from authors a left join books b on b.author = a.id group by a.id order by a.id",
    )?;
    let mut rows = authors.query([])?;
    while let Some(row) = rows.next()? {
        let (name, books): (String, String) = (row.get(0)?, row.get(1)?);
        println!("{name}\n  {}", books.replace("},{", "},\n   {"));
    }
    Ok(())
}
