//! R32: a nested query gives, value by value and class by class, what stepping through its statement gives.
//!
//! Random schemas and random statements (`support/queries.rs`), on every SQLite at hand. Each statement is stepped through by
//! the test itself; then `resq_query` and `resq_stream`, with choices and without, have to give the same rows in the same order, or
//! the same error, several times on one connection, since a statement that has given many rows may be run otherwise
//! the next time. The JSON is read by serde_json, number for number as it is written.
//!
//! `RESQ_SEED` is the first seed, `RESQ_MINUTES` how long it goes on in all; without it there are a few seeds.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "support/children.rs"]
mod children;
#[path = "support/library.rs"]
mod library;
#[path = "support/queries.rs"]
mod queries;
mod support;
#[path = "support/typed.rs"]
mod typed;

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use children::{Child, SQLITE_ALONE};
use library::{Cell, Db, Error, Library, Rows};
use queries::{Queries, Query};
use serde_json::Value;
use support::{Random, extension, folder};

/// Tells a child: the first seed, how many, until which second of the clock.
const RANGE: &str = "RESQ_DIFFERENTIAL";
/// Statements of one seed, that is of one schema.
const STATEMENTS: usize = 40;
/// Seeds where nobody says how long, on all libraries together.
const SEEDS: usize = 84;
/// From the first seed of one library to that of the next in a long run, so that each has its own.
const APART: u64 = 1_000_000;

// ── what has to come out ────────────────────────────────────────────────────────────────────────────────────

/// R19: a name that was there before gets the first suffix that makes it no other column's name.
fn keys(names: &[Vec<u8>]) -> Vec<String> {
    let names: Vec<String> = names.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
    let taken: BTreeSet<&String> = names.iter().collect();
    let mut keys: Vec<String> = Vec::new();
    for name in &names {
        let mut key = name.clone();
        let mut number = 2;
        while keys.contains(&key) || (key != *name && taken.contains(&key)) {
            key = format!("{name}_{number}");
            number += 1;
        }
        keys.push(key);
    }
    keys
}

/// R1–R5: is this JSON that value? In a UTF-16 database the document was UTF-16 for a while.
fn same(json: &Value, cell: &Cell, wide: bool) -> bool {
    match (json, cell) {
        (Value::Null, Cell::Null) => true,
        (Value::Null, Cell::Real(real)) => real.is_infinite(),
        (Value::Number(number), Cell::Integer(integer)) => number.to_string() == integer.to_string(),
        (Value::Number(number), Cell::Real(real)) => {
            let text = number.to_string();
            text.contains(['.', 'e', 'E'])
                && text.parse::<f64>().is_ok_and(|read| read.to_bits() == real.to_bits())
        }
        (Value::String(string), Cell::Text(text)) => {
            let text = String::from_utf8_lossy(text);
            // Some versions make U+FFFD of these when they turn a finished document into UTF-16.
            *string == text || wide && *string == text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
        }
        (Value::String(string), Cell::Blob(blob)) => {
            *string == base64::engine::general_purpose::STANDARD.encode(blob)
        }
        _ => false,
    }
}

/// What differs between a document and the rows.
fn compare(document: &Value, rows: &Rows) -> Result<(), String> {
    let Value::Array(found) = document else { return Err(format!("no array: {document}")) };
    if found.len() != rows.rows.len() {
        return Err(format!("{} rows, not {}", found.len(), rows.rows.len()));
    }
    let keys = keys(&rows.names);
    for (number, (object, row)) in found.iter().zip(&rows.rows).enumerate() {
        let number = number + 1;
        let Value::Object(object) = object else {
            return Err(format!("row {number} is no object: {object}"));
        };
        if !object.keys().eq(&keys) {
            return Err(format!("row {number}: keys {:?}, not {keys:?}", object.keys().collect::<Vec<_>>()));
        }
        for ((key, json), cell) in object.iter().zip(row) {
            if !same(json, cell, rows.wide) {
                return Err(format!("row {number}, {key}: {json}, not {cell:?}"));
            }
        }
    }
    Ok(())
}

#[test]
fn differences_are_noticed() {
    let rows = |names: &[&str], row: Vec<Cell>| Rows {
        names: names.iter().map(|name| name.as_bytes().to_vec()).collect(),
        rows: vec![row],
        wide: false,
    };
    let right = [
        (r#"[{"a":1}]"#, rows(&["a"], vec![Cell::Integer(1)])),
        (r#"[{"a":1.0}]"#, rows(&["a"], vec![Cell::Real(1.0)])),
        (r#"[{"a":1e21}]"#, rows(&["a"], vec![Cell::Real(1e21)])),
        (r#"[{"a":-0.0}]"#, rows(&["a"], vec![Cell::Real(-0.0)])),
        (r#"[{"a":null}]"#, rows(&["a"], vec![Cell::Real(f64::INFINITY)])),
        (r#"[{"a":"AP8="}]"#, rows(&["a"], vec![Cell::Blob(vec![0, 255])])),
        (
            r#"[{"n":1,"n_3":2,"n_2":3,"n_4":4}]"#,
            rows(
                &["n", "n", "n_2", "n"],
                vec![Cell::Integer(1), Cell::Integer(2), Cell::Integer(3), Cell::Integer(4)],
            ),
        ),
    ];
    for (json, rows) in &right {
        assert_eq!(compare(&serde_json::from_str(json).unwrap(), rows), Ok(()), "{json}");
    }
    let wrong = [
        (r#"[{"a":9007199254740992.0}]"#, rows(&["a"], vec![Cell::Integer(9_007_199_254_740_992)])),
        (r#"[{"a":9007199254740992}]"#, rows(&["a"], vec![Cell::Integer(9_007_199_254_740_993)])),
        (r#"[{"a":1}]"#, rows(&["a"], vec![Cell::Real(1.0)])),
        (r#"[{"a":"1"}]"#, rows(&["a"], vec![Cell::Integer(1)])),
        (r#"[{"a":0.0}]"#, rows(&["a"], vec![Cell::Real(-0.0)])),
        (r#"[{"a":null}]"#, rows(&["a"], vec![Cell::Text(Vec::new())])),
        (r#"[{"b":null}]"#, rows(&["a"], vec![Cell::Null])),
        (r#"[]"#, rows(&["a"], vec![Cell::Null])),
        (r#"[{"a":null},{"a":null}]"#, rows(&["a"], vec![Cell::Null])),
        (r#"[{"a":"A"}]"#, rows(&["a"], vec![Cell::Blob(vec![0])])),
    ];
    for (json, rows) in &wrong {
        assert!(compare(&serde_json::from_str(json).unwrap(), rows).is_err(), "{json}");
    }
}

// ── one statement ───────────────────────────────────────────────────────────────────────────────────────────

/// What a way of running a statement gave: a document or an error, and how often it called a function.
type Given = (Result<Value, Error>, i64);

/// What makes a document of the rows that a way of running gave.
type Reader = fn(Result<Rows, Error>) -> Result<Result<Value, Error>, String>;

fn parsed(text: &[u8]) -> Result<Value, String> {
    serde_json::from_slice(text).map_err(|error| format!("{error}: {}", String::from_utf8_lossy(text)))
}

/// R19: the statement's own error, with the function's name in front unless SQLite itself reports it.
fn same_error(wanted: &Error, given: &Error) -> bool {
    let named = |name| given.message.strip_prefix(name) == Some(&wanted.message);
    wanted.code == given.code
        && (wanted.message == given.message
            || ["resq_query: ", "resq_query_with: ", "resq_stream: ", "resq_stream_with: "]
                .into_iter()
                .any(named))
}

fn judge(wanted: &Result<Rows, Error>, wanted_calls: i64, (given, calls): &Given) -> Result<(), String> {
    match (wanted, given) {
        (Ok(rows), Ok(document)) => {
            compare(document, rows)?;
            if wanted_calls == *calls {
                Ok(())
            } else {
                Err(format!("nth() ran {calls} times, not {wanted_calls}"))
            }
        }
        (Err(wanted), Err(given)) if same_error(wanted, given) => Ok(()),
        (Err(wanted), Err(given)) => Err(format!("{given}, not {wanted}")),
        (Ok(rows), Err(given)) => Err(format!("{given}, not {} rows", rows.rows.len())),
        (Err(wanted), Ok(document)) => {
            let rows = document.as_array().map_or(0, Vec::len);
            Err(format!("{rows} rows, not {wanted}"))
        }
    }
}

/// The only value of the rows as a document.
fn document(rows: Result<Rows, Error>) -> Result<Result<Value, Error>, String> {
    match rows {
        Err(error) => Ok(Err(error)),
        Ok(rows) => match &rows.rows[..] {
            [row] if matches!(row[..], [Cell::Text(_)]) => {
                let Cell::Text(text) = &row[0] else { unreachable!() };
                Ok(Ok(parsed(text)?))
            }
            other => Err(format!("one text is wanted: {other:?}")),
        },
    }
}

/// The pieces of a stream as one document. The rows in front of an error do not count.
fn pieces(rows: Result<Rows, Error>) -> Result<Result<Value, Error>, String> {
    let rows = match rows {
        Ok(rows) => rows,
        Err(error) => return Ok(Err(error)),
    };
    let mut all = Vec::new();
    for row in &rows.rows {
        let [Cell::Text(piece)] = &row[..] else { return Err(format!("no piece: {row:?}")) };
        if piece.last() != Some(&b'\n') {
            return Err("a piece does not end where a row does".to_owned());
        }
        for line in piece[..piece.len() - 1].split(|byte| *byte == b'\n') {
            all.push(parsed(line)?);
        }
    }
    Ok(Ok(Value::Array(all)))
}

/// How a statement ran.
enum Ran {
    Rows(usize),
    Error,
    /// It takes too long.
    Left,
}

/// Rows or an error, and how often a function was called for that.
type Stepped = (Result<Rows, Error>, i64);

fn counted(run: &dyn Fn() -> Result<Rows, Error>) -> Stepped {
    typed::forget_calls();
    let rows = run();
    (rows, typed::calls())
}

/// Steps through a statement.
fn step(db: &Db, query: &Query) -> Stepped {
    let _limit = typed::Limit::new(db, 3_000_000);
    counted(&|| db.run(&query.sql, &query.parameters))
}

/// Runs a statement in every other way.
fn check(db: &Db, query: &Query, (wanted, calls): &Stepped, random: &mut Random) -> Result<Ran, String> {
    let (parameters, calls) = (&query.parameters, *calls);
    // SQLITE_INTERRUPT, and SQLITE_RANGE for a statement that has lost its parameters.
    if wanted.as_ref().is_err_and(|error| [9, 25].contains(&error.code))
        || wanted.as_ref().is_ok_and(|rows| rows.rows.len() > 8000)
    {
        return Ok(Ran::Left);
    }
    let mut arguments = vec![Cell::Text(query.sql.as_bytes().to_vec())];
    arguments.extend(parameters.iter().cloned());
    let marks = |from: usize| {
        (from..from + arguments.len()).map(|number| format!("?{number}")).collect::<Vec<_>>().join(",")
    };
    let plain = format!("select resq_query({})", marks(1));
    let with = format!("select resq_query_with('', {})", marks(1));
    let way = |name: &str, run: &dyn Fn() -> Result<Rows, Error>, read: Reader| {
        let (rows, ran) = counted(run);
        let given = read(rows).map_err(|why| format!("{name}: {why}"))?;
        judge(wanted, calls, &(given, ran)).map_err(|why| format!("{name}: {why}"))
    };
    for time in ["first", "second", "third", "fourth"] {
        way(&format!("resq_query, {time} time"), &|| db.run(&plain, &arguments), document)?;
    }
    way("resq_query_with", &|| db.run(&with, &arguments), document)?;
    // For every row of an outer statement.
    if calls == 0 && random.below(3) == 0 && wanted.is_ok() {
        let outer = format!("{plain} from (select 1 union all select 2 union all select 3)");
        let rows = db.run(&outer, &arguments).map_err(|error| format!("for three rows: {error}"))?;
        for (number, row) in rows.rows.into_iter().enumerate() {
            let one = Rows { names: rows.names.clone(), rows: vec![row], wide: rows.wide };
            let given = document(Ok(one))?;
            judge(wanted, 0, &(given, 0)).map_err(|why| format!("for outer row {}: {why}", number + 1))?;
        }
    }
    let bytes = random.pick(&[1, 20, 200, 65_536]);
    let stream = format!("select piece from resq_stream_with('piece={bytes}', {})", marks(1));
    way("resq_stream_with", &|| db.run(&stream, &arguments), pieces)?;
    let stream = format!("select piece from resq_stream({})", marks(1));
    way("resq_stream", &|| db.run(&stream, &arguments), pieces)?;
    way("resq_query after the stream", &|| db.run(&plain, &arguments), document)?;
    Ok(match wanted {
        Ok(rows) => Ran::Rows(rows.rows.len()),
        Err(_) => Ran::Error,
    })
}

// ── a smaller statement with the same fault ─────────────────────────────────────────────────────────────────

/// Words, numbers, literals and signs.
fn tokens(sql: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut rest = sql.chars().peekable();
    while let Some(first) = rest.next() {
        let mut token = first.to_string();
        let mut take = |token: &mut String, goes_on: &dyn Fn(char) -> bool| {
            while let Some(next) = rest.next_if(|next| goes_on(*next)) {
                token.push(next);
            }
        };
        match first {
            '\'' | '"' => {
                take(&mut token, &|next| next != first);
                token.extend(rest.next());
            }
            _ if first.is_alphanumeric() || "_?.".contains(first) => {
                take(&mut token, &|next| next.is_alphanumeric() || "_.".contains(next));
            }
            _ => {}
        }
        tokens.push(token);
    }
    tokens
}

/// Leaves out tokens while `fails` holds.
fn smaller(sql: &str, fails: &mut dyn FnMut(&str) -> bool) -> String {
    let mut tokens = tokens(sql);
    let mut size = tokens.len() / 2;
    let mut trials = 0;
    while size > 0 {
        let (mut at, mut less) = (0, false);
        while at < tokens.len() && trials < 1500 {
            let end = (at + size).min(tokens.len());
            let without = [&tokens[..at], &tokens[end..]].concat();
            trials += 1;
            if fails(&without.concat()) {
                (tokens, less) = (without, true);
            } else {
                at += size.div_ceil(2);
            }
        }
        if !less {
            size /= 2;
        }
    }
    tokens.concat()
}

fn database(library: &'static Library, seed: u64, schema: &[String]) -> Db {
    let db = Db::open(library, ["UTF-8", "UTF-8", "UTF-16le"][(seed % 3) as usize]);
    typed::add_to(&db);
    for sql in schema {
        // What this SQLite cannot do is missing then.
        let _ = db.run(sql, &[]);
    }
    db
}

// ── all of it ───────────────────────────────────────────────────────────────────────────────────────────────

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

#[test]
#[ignore = "a part of the test `nested_queries_give_what_stepping_gives`, which starts it"]
fn differential_child() {
    let Some(mut child) = Child::new() else { return };
    let range = std::env::var(RANGE).unwrap();
    let range: Vec<u64> = range.split(' ').map(|number| number.parse().unwrap()).collect();
    let [first, count, until] = range[..] else { panic!("{range:?}") };
    let (mut statements, mut well, mut values, mut large, mut changed, mut faults) = (0, 0, 0, 0, 0, 0);
    let mut seed = first.max(child.from);
    while if until > 0 { now() < until } else { seed < first + count } {
        let mut queries = Queries::new(seed, child.library.version());
        let schema = queries.schema();
        child.begin(seed, &format!("seed {seed}, schema"));
        let db = database(child.library, seed, &schema);
        for _ in 0..STATEMENTS {
            let query = queries.query();
            let what = format!("seed {seed}: {} {:?}", query.sql, query.parameters);
            child.begin(seed, &format!("{SQLITE_ALONE}{what}"));
            statements += 1;
            let stepped = step(&db, &query);
            child.begin(seed, &what);
            let mut checked = check(&db, &query, &stepped, &mut queries.random);
            if matches!(checked, Ok(Ran::Rows(_))) && queries.random.below(5) == 0 {
                let (change, undo) = queries.change();
                for change in [change, undo] {
                    // It may be impossible here: then nothing changes.
                    let _ = db.run(change, &[]);
                    child.begin(seed, &format!("{SQLITE_ALONE}{what}, after {change}"));
                    let stepped = step(&db, &query);
                    child.begin(seed, &format!("{what}, after {change}"));
                    if let (Ok(_), Err(why)) = (&checked, check(&db, &query, &stepped, &mut queries.random)) {
                        checked = Err(format!("after {change}: {why}"));
                    }
                }
                changed += 1;
            }
            match checked {
                Ok(Ran::Rows(rows)) => {
                    well += 1;
                    values += rows;
                    large += usize::from(rows > 2000);
                }
                Ok(Ran::Error | Ran::Left) => {}
                Err(why) => {
                    faults += 1;
                    // A fault is the same if the message is, but for its figures.
                    let kind = |why: &str| why.replace(|c: char| c.is_ascii_digit(), "");
                    let least = smaller(&query.sql, &mut |sql| {
                        let less = Query { sql: sql.to_owned(), parameters: query.parameters.clone() };
                        let fresh = database(child.library, seed, &schema);
                        child.begin(seed, &format!("{SQLITE_ALONE}seed {seed}, less: {sql}"));
                        let stepped = step(&fresh, &less);
                        child.begin(seed, &format!("seed {seed}, less: {sql}"));
                        let checked = check(&fresh, &less, &stepped, &mut Random(seed));
                        checked.is_err_and(|found| kind(&found) == kind(&why))
                    });
                    child.fault(&what, &format!("{why}\n  less: {least}"));
                }
            }
            if faults >= 12 {
                child.note("too many faults");
                break;
            }
        }
        drop(db);
        if faults >= 12 {
            break;
        }
        seed += 1;
    }
    for (name, figure) in
        [("statements", statements), ("well", well), ("rows", values), ("large", large), ("changed", changed)]
    {
        child.note(&format!("{name} {figure}"));
    }
    child.note(&format!("seeds {}", seed.saturating_sub(first.max(child.from))));
    child.end();
}

#[test]
fn nested_queries_give_what_stepping_gives() {
    let libraries = children::libraries();
    let minutes: Option<f64> = std::env::var("RESQ_MINUTES").ok().map(|minutes| minutes.parse().unwrap());
    let seed = match std::env::var("RESQ_SEED") {
        Ok(seed) => seed.parse().unwrap(),
        // Long runs try something new each time.
        Err(_) if minutes.is_some() => now(),
        Err(_) => 1,
    };
    println!("the first seed is {seed}");
    let run = |(index, library): (usize, &String)| {
        let seed = if minutes.is_some() { seed + APART * index as u64 } else { seed };
        let count = (SEEDS / libraries.len()).max(4);
        let each = minutes.map(|minutes| Duration::from_secs_f64(minutes * 60.0 / libraries.len() as f64));
        let until = each.map_or(0, |each| now() + each.as_secs().max(1));
        children::run("differential_child", library, (RANGE, &format!("{seed} {count} {until}")))
    };
    let outcomes: Vec<_> = libraries.iter().enumerate().map(run).collect();
    children::judge("differential", &outcomes, "statements ", |outcome| {
        let sum = |name| outcome.sum(name);
        format!(
            "{} seeds, {} statements, {} without error, {} of these with more than 2000 rows, {} around a change, {} rows",
            sum("seeds "),
            sum("statements "),
            sum("well "),
            sum("large "),
            sum("changed "),
            sum("rows ")
        )
    });
    for outcome in &outcomes {
        let (statements, well) = (outcome.sum("statements "), outcome.sum("well "));
        assert!(well * 2 > statements, "SQLite {}: most statements are errors", outcome.library);
        assert!(outcome.sum("large ") > 0, "SQLite {}: no statement had many rows", outcome.library);
    }
}
