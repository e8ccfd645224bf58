//! Feature `static`: resq linked into a program, beside a `libresq` that is loaded into the same one.
#![cfg(feature = "static")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use rusqlite::Connection;

const SQL: &str = "select resq_json('a', 1, 'b', x'00ff')";

fn ask(db: &Connection, sql: &str) -> rusqlite::Result<String> {
    db.query_row(sql, [], |row| row.get(0))
}

/// One test, since `auto_extension` holds for the whole program: which connections have the functions, and from whom.
#[test]
fn linked_and_loaded() -> rusqlite::Result<()> {
    let before = Connection::open_in_memory()?;
    let loaded = Connection::open_in_memory()?;
    support::load(&loaded, support::extension())?;

    assert_eq!(resq::auto_extension(), Ok(()));
    assert_eq!(resq::auto_extension(), Ok(()), "a second call changes nothing");

    // A connection opened earlier is left alone.
    let missing = ask(&before, SQL).unwrap_err().to_string();
    assert!(missing.contains("no such function"), "{missing}");
    assert_eq!(ask(&loaded, SQL)?, r#"[{"a":1,"b":"AP8="}]"#);

    // A new one has the functions without loading, aggregates and windows included.
    let linked = Connection::open_in_memory()?;
    assert_eq!(ask(&linked, SQL)?, r#"[{"a":1,"b":"AP8="}]"#);
    assert_eq!(ask(&linked, "select resq_version()")?, env!("CARGO_PKG_VERSION"));
    let window =
        "select group_concat(j, ' ') from (select resq_json(x) over (order by x rows 1 preceding) as j
                  from (select 1 as x union select 2 union select 3))";
    assert_eq!(ask(&linked, window)?, "[1] [1,2] [2,3]");
    let error = ask(&linked, "select resq_json(1, 2)").unwrap_err().to_string();
    assert!(error.contains("resq_json"), "{error}");

    // The same version loaded on top of it is no error, a statement of the linked one running or not.
    support::load(&linked, support::extension())?;
    let mut running = linked.prepare("select resq_b64(value) from (select 'a' as value union select 'b')")?;
    let mut rows = running.query([])?;
    assert_eq!(rows.next()?.map(|row| row.get(0)).transpose()?, Some("YQ==".to_string()));
    support::load(&linked, support::extension())?;
    assert_eq!(rows.next()?.map(|row| row.get(0)).transpose()?, Some("Yg==".to_string()));
    drop(rows);
    assert_eq!(ask(&linked, SQL)?, r#"[{"a":1,"b":"AP8="}]"#);

    // Threads that open, load and register at once.
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..25 {
                    assert_eq!(resq::auto_extension(), Ok(()));
                    let db = Connection::open_in_memory().unwrap();
                    support::load(&db, support::extension()).unwrap();
                    assert_eq!(ask(&db, SQL).unwrap(), r#"[{"a":1,"b":"AP8="}]"#);
                }
            });
        }
    });
    Ok(())
}
