//! Random rows of all types, against an oracle that never sees SQLite: serde_json reads what `resq_json` wrote,
//! and every value is compared with the one that went in, types strictly (1 is not 1.0, reals by their bits).
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use rusqlite::types::Value as Sql;
use rusqlite::{Connection, params_from_iter};
use serde_json::Value as Json;
use support::{Encoding, Random};

/// RFC 4648 section 4, word by word: 24 bits from 3 bytes, four groups of 6, `=` for what is not there.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0_u32, |bits, i| bits << 8 | u32::from(*group.get(i).unwrap_or(&0)));
        for i in 0..4 {
            let sextet = bits >> (18 - 6 * i) & 63;
            text.push(if i <= group.len() { ALPHABET[sextet as usize] as char } else { '=' });
        }
    }
    text
}

/// Is this number's text right for a REAL, and the shortest?
fn is_real(text: &str, x: f64) -> bool {
    let digits = |text: &str| {
        let mantissa = text.split(['e', 'E']).next().unwrap();
        let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
        digits.trim_matches('0').len()
    };
    text.contains(['.', 'e'])
        && text.parse::<f64>().unwrap().to_bits() == x.to_bits()
        && digits(text) == digits(&format!("{x:e}"))
}

/// Is `json` what has to come out for `sql`?
fn right(sql: &Sql, json: &Json) -> bool {
    match (sql, json) {
        (Sql::Null, Json::Null) => true,
        (Sql::Integer(integer), Json::Number(number)) => number.as_str() == integer.to_string(),
        (Sql::Real(x), Json::Null) => !x.is_finite(),
        (Sql::Real(x), Json::Number(number)) => x.is_finite() && is_real(number.as_str(), *x),
        (Sql::Text(text), Json::String(string)) => text == string,
        (Sql::Blob(bytes), Json::String(string)) => base64(bytes) == *string,
        _ => false,
    }
}

fn text(random: &mut Random) -> String {
    let most = *random.pick(&[1, 5, 20, 70, 300, 5000]);
    let kind = random.below(4);
    (0..random.below(most))
        .map(|_| match (kind, random.below(12)) {
            (0, _) => (b' ' + random.below(95) as u8) as char,
            (1, _) => *random.pick(&['"', '\\', '\n', '\0', '\u{1f}', 'x']),
            (_, 0) => {
                *random.pick(&['\u{7f}', '\u{80}', '\u{7ff}', '\u{800}', '\u{d7ff}', '\u{e000}', '\u{2028}'])
            }
            (_, 1) => *random.pick(&['\u{fffd}', '\u{ffff}', '\u{10000}', '\u{10ffff}', '😀', 'ß', '中']),
            (_, 2) => (random.below(0x20) as u8) as char,
            _ => (b'a' + random.below(26) as u8) as char,
        })
        .collect()
}

fn real(random: &mut Random) -> f64 {
    match random.below(6) {
        0 => random.below(100_000) as f64 / 100.0,
        1 => -(random.below(1 << 30) as f64),
        2 => {
            *random.pick(&[f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, f64::MIN_POSITIVE, f64::MAX, 5e-324])
        }
        3 => random.below(10_000_000) as f64 * 10_f64.powi(random.below(30) as i32 - 15),
        _ => Some(f64::from_bits(random.next())).filter(|x| !x.is_nan()).unwrap_or(0.5),
    }
}

fn value(random: &mut Random) -> Sql {
    match random.below(6) {
        0 => Sql::Null,
        1 => {
            let integer = (random.next() >> random.below(64)) as i64;
            Sql::Integer(if random.below(2) == 0 { integer } else { integer.wrapping_neg() })
        }
        2 => Sql::Real(real(random)),
        3 | 4 => Sql::Text(text(random)),
        _ => {
            let most = *random.pick(&[1, 4, 20, 100, 400, 5000]);
            let count = random.below(most);
            Sql::Blob(random.bytes(count))
        }
    }
}

fn check(db: &Connection, random: &mut Random) {
    let columns = 1 + random.below(9);
    let rows: Vec<Vec<Sql>> =
        (0..random.below(12)).map(|_| (0..columns).map(|_| value(random)).collect()).collect();
    // A number in front keeps the keys apart.
    let keys: Vec<String> = (0..columns).map(|i| format!("{i}{}", text(random))).collect();

    let names: Vec<String> = (0..columns).map(|i| format!("c{i}")).collect();
    db.execute_batch("drop table if exists t").unwrap();
    db.execute(&format!("create table t({})", names.join(", ")), []).unwrap();
    let marks = vec!["?"; columns].join(", ");
    for row in &rows {
        db.execute(&format!("insert into t values({marks})"), params_from_iter(row)).unwrap();
    }

    let pairs: Vec<String> = names.iter().map(|name| format!("?, {name}")).collect();
    let sql = format!("select resq_json({}) from t", pairs.join(", "));
    let json: String = db.query_row(&sql, params_from_iter(&keys), |row| row.get(0)).unwrap();
    let Json::Array(objects) = serde_json::from_str(&json).unwrap() else { panic!("no array: {json}") };
    assert_eq!(objects.len(), rows.len());
    for (object, row) in objects.iter().zip(&rows) {
        let members = object.as_object().unwrap();
        assert!(members.keys().eq(&keys), "{members:?}, but the keys are {keys:?}");
        for (json, sql) in members.values().zip(row) {
            assert!(right(sql, json), "{sql:?} came out as {json}");
        }
    }
    // No white space between tokens, escapes as they should be: serde_json writes the same text, but for the plus sign
    // that it puts into exponents.
    let again = serde_json::to_string(&objects).unwrap();
    assert!(again.replace("e+", "e") == json.replace("e+", "e"), "{again}\n{json}");
}

#[test]
fn rows_of_all_types() {
    for encoding in Encoding::ALL {
        let db = support::connection_in(encoding);
        let mut random = Random(0x5eed + encoding as u64);
        for _ in 0..150 {
            check(&db, &mut random);
        }
    }
}

/// R4: ill-formed text, as values and as keys.
#[test]
fn ill_formed_text() {
    let db = support::connection();
    let mut random = Random(7);
    let pieces: [&[u8]; 16] = [
        b"a",
        b"\"",
        b"\x80",
        b"\xbf",
        b"\xc2",
        b"\xc3\xa4",
        b"\xe2\x82",
        b"\xe2\x82\xac",
        b"\xed\xa0\xbd",
        b"\xf0\x9f\x98",
        b"\xf0\x9f\x98\x80",
        b"\xf4\x90\x80\x80",
        b"\xff",
        b"\0",
        b"\xc0\xaf",
        b"plain ascii of some length, plain ascii",
    ];
    for _ in 0..3000 {
        let mut piece =
            || (0..random.below(12)).flat_map(|_| *random.pick(&pieces)).copied().collect::<Vec<u8>>();
        let (key, value) = (piece(), piece());
        let json: String = db
            .query_row("select resq_json(cast(? as text), cast(? as text))", (&key, &value), |row| row.get(0))
            .unwrap();
        let objects: Json = serde_json::from_str(&json).unwrap();
        let members = objects[0].as_object().unwrap();
        let (got_key, got) = members.iter().next().unwrap();
        assert_eq!(got_key.as_str(), String::from_utf8_lossy(&key), "{key:?}");
        assert_eq!(got.as_str().unwrap(), String::from_utf8_lossy(&value), "{value:?}");
    }
}

/// R15: `resq_b64` on every length up to some blocks, and random ones.
#[test]
fn base64_of_random_bytes() {
    let db = support::connection();
    let mut encode = db.prepare("select resq_b64(?1), resq_b64(?1, 'url'), resq_json(?1)").unwrap();
    let mut random = Random(8);
    for round in 0..2000 {
        let count = if round < 600 { round } else { random.below(20_000) };
        let bytes = random.bytes(count);
        let expected = base64(&bytes);
        let url = expected.replace('+', "-").replace('/', "_").replace('=', "");
        let got: (String, String, String) =
            encode.query_row([&bytes], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
        assert!(got == (expected.clone(), url, format!("[\"{expected}\"]")), "{count} bytes");
    }
}

/// The oracle itself must notice what is wrong.
#[test]
fn the_oracle_is_strict() {
    let json = |text: &str| serde_json::from_str::<Json>(text).unwrap();
    assert!(right(&Sql::Integer(1), &json("1")) && right(&Sql::Real(1.0), &json("1.0")));
    assert!(right(&Sql::Real(1e21), &json("1e21")) && right(&Sql::Real(-0.0), &json("-0.0")));
    for (sql, text) in [
        (Sql::Integer(1), "1.0"),
        (Sql::Integer(1), "\"1\""),
        (Sql::Real(1.0), "1"),
        (Sql::Real(0.0), "-0.0"),
        (Sql::Real(0.1), "0.1000000000000000055"),
        (Sql::Real(0.1), "0.10000000000000002"),
        (Sql::Real(1.0), "null"),
        (Sql::Real(f64::INFINITY), "1e308"),
        (Sql::Null, "0"),
        (Sql::Text("null".to_owned()), "null"),
        (Sql::Blob(vec![0]), "\"AA\""),
        (Sql::Blob(vec![0]), "\"AB==\""),
    ] {
        assert!(!right(&sql, &json(text)), "{sql:?} {text}");
    }
    assert_eq!(base64(b"foob"), "Zm9vYg==");
    assert_eq!(base64(b"\xfb\xff"), "+/8=");
}
