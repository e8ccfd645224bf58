//! R20: the pieces of `resq_stream`: their sizes, what they are together, what a run holds and gives back.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use rusqlite::functions::FunctionFlags;
use rusqlite::limits::Limit;
use rusqlite::{Connection, ffi};
use support::{Encoding, Random, error, text};

/// The pieces of a stream, or those before an error and the error's code.
fn pieces(db: &Connection, sql: &str, bytes: i64) -> (Vec<String>, Option<i32>) {
    let mut statement = db.prepare("select piece from resq_stream_with('piece=' || ?2, ?1)").unwrap();
    let mut rows = statement.query((sql, bytes)).unwrap();
    let mut all = Vec::new();
    loop {
        match rows.next() {
            Ok(Some(row)) => all.push(row.get(0).unwrap()),
            Ok(None) => return (all, None),
            Err(rusqlite::Error::SqliteFailure(code, _)) => return (all, Some(code.extended_code)),
            Err(other) => panic!("{other}"),
        }
    }
}

/// As many lines to a piece as fit, at least one.
fn oracle(lines: &[String], bytes: usize) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for line in lines {
        match pieces.last_mut() {
            Some(piece) if piece.len() + line.len() <= bytes => piece.push_str(line),
            _ => pieces.push(line.clone()),
        }
    }
    pieces
}

#[test]
fn pieces_of_every_size() {
    let mut random = Random(20);
    for encoding in Encoding::ALL {
        let db = support::connection_in(encoding);
        db.execute_batch("create table t(a integer primary key, b)").unwrap();
        for round in 0..12 {
            db.execute_batch("delete from t").unwrap();
            let most = [0, 3, 40, 400, 3000][round % 5];
            for a in 0..random.below(120) {
                let b = "x\"ä".repeat(random.below(most + 1));
                db.execute("insert into t values(?, ?)", (a as i64, b)).unwrap();
            }
            let whole = text(&db, "select resq_ndjson('a', a, 'b', b) from t");
            let lines: Vec<String> = whole.split_inclusive('\n').map(str::to_owned).collect();
            let longest = lines.iter().map(String::len).max().unwrap_or(0);
            for bytes in [1, 2, 17, 64, 1000, longest, longest + 1, whole.len(), whole.len() + 1, 65536] {
                let bytes = bytes.max(1);
                let (found, failure) = pieces(&db, "select * from t", bytes as i64);
                assert_eq!(failure, None);
                assert!(found == oracle(&lines, bytes), "pieces of {bytes}");
                assert!(found.concat() == whole);
            }
            let (found, _) = pieces(&db, "select * from t", i64::MAX);
            assert!(found == oracle(&lines, usize::MAX));
        }
    }
}

#[test]
fn an_error_in_the_middle_comes_behind_the_pieces_before_it() {
    let db = support::connection();
    let sql = "with recursive n(i) as (values(1) union all select i + 1 from n where i < 9)
        select case i when 5 then abs(-9223372036854775807 - 1) else i end i from n";
    let lines = |count: usize| (1..=count).map(|i| format!("{{\"i\":{i}}}\n")).collect::<Vec<_>>();
    assert_eq!(pieces(&db, sql, 8), (lines(4), Some(1)));
    // A piece that has room left is not shown before the next row is known.
    assert_eq!(pieces(&db, sql, 9), (lines(3), Some(1)));
    assert_eq!(pieces(&db, sql, 1), (lines(4), Some(1)));
    let sql = "select '[' as \"j:json\" union all select '[]'";
    assert_eq!(
        error(&db, &format!("select * from resq_stream('{}')", sql.replace('\'', "''"))).1,
        "resq_stream: row 1, column j:json is not JSON: expected a value at byte offset 1, in '['"
    );
    assert_eq!(pieces(&db, "select 1 i", 8).0, ["{\"i\":1}\n"]);
}

/// A reader that stops early has paid for what it read, and holds nothing.
#[test]
fn an_early_stop() {
    let db = support::connection();
    let count = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&count);
    db.create_scalar_function("tick", 0, FunctionFlags::SQLITE_UTF8, move |_| {
        counter.fetch_add(1, SeqCst);
        Ok(7)
    })
    .unwrap();
    db.execute_batch(
        "create table t(x); insert into t with recursive n(i) as (values(1) union all select i + 1 from n where i < 1000) select i from n",
    )
    .unwrap();
    let call = "select piece from resq_stream_with('piece=16', 'select tick() i from t')";
    assert_eq!(text(&db, &format!("{call} limit 1")), "{\"i\":7}\n{\"i\":7}\n");
    assert!(count.swap(0, SeqCst) <= 3);
    {
        let mut statement = db.prepare(call).unwrap();
        let mut rows = statement.query([]).unwrap();
        for _ in 0..10 {
            rows.next().unwrap().unwrap();
        }
        assert!(db.is_busy());
        assert_eq!(error(&db, "drop table t").0, ffi::SQLITE_LOCKED, "the table is being read");
    }
    assert!(count.load(SeqCst) <= 21);
    assert!(!db.is_busy());
    db.execute_batch("drop table t").unwrap();
}

/// A cursor that is run again for each row of another table begins anew each time.
#[test]
fn joins() {
    let db = support::connection();
    db.execute_batch("create table texts(id integer primary key, sql text, bytes integer)").unwrap();
    for id in 1..=30_i64 {
        let sql = format!(
            "with recursive n(i) as (values(1) union all select i + 1 from n where i < {id}) select i from n"
        );
        db.execute("insert into texts values(?, ?, ?)", (id, sql, id * 4)).unwrap();
    }
    let mut statement = db
        .prepare("select id, count(*), group_concat(piece, '') from texts, resq_stream_with('piece=' || texts.bytes, texts.sql) group by id order by id")
        .unwrap();
    let rows =
        statement.query_map([], |r| Ok((r.get::<_, i64>(0)?, r.get::<_, i64>(1)?, r.get::<_, String>(2)?)));
    let mut seen = 0;
    for row in rows.unwrap() {
        let (id, count, whole) = row.unwrap();
        seen += 1;
        let lines: Vec<String> = (1..=id).map(|i| format!("{{\"i\":{i}}}\n")).collect();
        assert_eq!(whole, lines.concat());
        assert_eq!(count as usize, oracle(&lines, id as usize * 4).len());
    }
    assert_eq!(seen, 30);
    // A text that fails among texts that do not
    db.execute("insert into texts values(31, 'select nope', 1)", []).unwrap();
    let (code, message) =
        error(&db, "select piece from texts, resq_stream_with('piece=' || texts.bytes, texts.sql)");
    assert_eq!((code, message.as_str()), (1, "resq_stream_with: no such column: nope"));
}

/// R21: the length limit is one of a piece, and of a row, not of both together.
#[test]
fn the_length_limit() {
    let db = support::connection();
    db.set_limit(Limit::SQLITE_LIMIT_LENGTH, 1000).unwrap();
    let rows = |length: usize| {
        format!(
            "with recursive n(i) as (values(1) union all select i + 1 from n where i < 50)
             select substr(hex(zeroblob(498)), 1, {}) s from n",
            length - 9
        )
    };
    for length in [9, 10, 100, 300, 500, 501, 999, 1000] {
        for bytes in [1, 999, 1000, 1001, 1_000_000] {
            let (found, failure) = pieces(&db, &rows(length), bytes);
            assert_eq!(failure, None, "rows of {length}, pieces of {bytes}");
            assert_eq!(found.iter().map(String::len).sum::<usize>(), 50 * length);
            assert!(found.iter().all(|piece| piece.len() <= 1000));
            // A piece of several rows has half the limit at most, for the sake of UTF-16 databases.
            if bytes >= 1000 {
                assert_eq!(found[0].len(), (500 / length).clamp(1, 50) * length);
            }
        }
    }
    for length in [1001, 1005] {
        assert_eq!(pieces(&db, &rows(length), 10), (vec![], Some(ffi::SQLITE_TOOBIG)));
    }
}

/// In a UTF-16 database a piece is twice as long in the end: it still is within the limit.
#[test]
fn the_length_limit_in_utf16() {
    let db = support::connection_in(Encoding::Utf16le);
    db.set_limit(Limit::SQLITE_LIMIT_LENGTH, 1000).unwrap();
    let sql =
        "with recursive n(i) as (values(1) union all select i + 1 from n where i < 300) select i from n";
    let (found, failure) = pieces(&db, sql, 1_000_000);
    assert_eq!(failure, None);
    assert!(found.len() > 1 && found.iter().all(|piece| piece.len() <= 500));
}

// ── memory ──────────────────────────────────────────────────────────────────────────────────────────────────

/// One of the two that `bounded` starts: passes rows through and tells how much of everything that took.
#[test]
#[ignore = "a process of its own, which other tests start"]
fn child() {
    let rows: i64 = std::env::var("RESQ_STREAM_ROWS").unwrap().parse().unwrap();
    let blob: i64 = std::env::var("RESQ_STREAM_BLOB").unwrap().parse().unwrap();
    let db = support::connection();
    let sql = format!(
        "with recursive n(i) as (select 1 union all select i + 1 from n where i < {rows}) select i, zeroblob({blob}) b from n"
    );
    let mut statement = db.prepare("select piece from resq_stream_with('piece=1000000', ?)").unwrap();
    let mut found = statement.query([sql]).unwrap();
    let (mut bytes, mut count) = (0_u64, 0_u64);
    while let Some(row) = found.next().unwrap() {
        bytes += row.get_ref(0).unwrap().as_bytes().unwrap().len() as u64;
        count += 1;
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
    let peak = peak.trim().trim_end_matches(" kB");
    println!("\nstreamed {bytes} {count} {peak}");
}

/// Streams rows of one BLOB each in a process of its own: bytes that came out, pieces, the process's peak in MB.
fn stream_apart(rows: u64, blob: u64) -> (u64, u64, u64) {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["child", "--exact", "--ignored", "--nocapture"])
        .env("RESQ_EXTENSION", support::extension())
        .env("RESQ_STREAM_ROWS", rows.to_string())
        .env("RESQ_STREAM_BLOB", blob.to_string())
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = printed.lines().find_map(|line| line.strip_prefix("streamed "));
    let line = line.unwrap_or_else(|| panic!("{printed}{}", String::from_utf8_lossy(&output.stderr)));
    let numbers: Vec<u64> = line.split(' ').map(|number| number.parse().unwrap()).collect();
    (numbers[0], numbers[1], numbers[2] / 1024)
}

/// What the rows' JSON comes to.
fn expected_bytes(rows: u64, blob: u64) -> u64 {
    (1..=rows).map(|i| format!("{{\"i\":{i},\"b\":\"\"}}\n").len() as u64 + blob.div_ceil(3) * 4).sum()
}

fn bounded(rows: u64, blob: u64) {
    let (bytes, count, peak) = stream_apart(rows, blob);
    println!("{bytes} bytes in {count} pieces, peak {peak} MB");
    assert_eq!(bytes, expected_bytes(rows, blob));
    assert!(count >= bytes / 1_000_000);
    if cfg!(target_os = "linux") {
        assert!(peak > 0 && peak < 64, "{peak} MB");
    } else {
        support::skip("the peak of memory", "no /proc here");
    }
}

/// Four times the bound, in small rows and in rows larger than a piece.
#[test]
fn memory_is_bounded() {
    bounded(250, 750_000);
    bounded(60_000, 3000);
}

#[test]
#[ignore = "takes a while: make test-stream"]
fn memory_is_bounded_over_4_gb() {
    bounded(4400, 750_000);
    assert!(expected_bytes(4400, 750_000) > 1 << 32);
}
