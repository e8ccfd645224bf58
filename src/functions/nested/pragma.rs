//! Is a text a PRAGMA that changes something as soon as it is prepared?
//!
//! SQLite carries out many PRAGMAs (`foreign_keys = off`, say) while it prepares them, EXPLAIN in front or not, so that
//! looking at the prepared statement comes too late (R17). What sets is told by its form: `name = value` or
//! `name(value)`. A few take such a value only to say what to read; one, `optimize`, writes without any.

use super::tokens::Tokens;

/// PRAGMAs that read what their value names.
const READERS: [&str; 10] = [
    "foreign_key_check",
    "foreign_key_list",
    "index_info",
    "index_list",
    "index_xinfo",
    "integrity_check",
    "quick_check",
    "table_info",
    "table_list",
    "table_xinfo",
];

/// Does `sql` begin with a PRAGMA that sets something?
pub(super) fn sets(sql: &[u8]) -> bool {
    let mut tokens = Tokens(sql);
    let mut token = tokens.next();
    while token == Some(b";") {
        token = tokens.next();
    }
    if is(token, "explain") {
        token = tokens.next();
        if is(token, "query") {
            tokens.next();
            token = tokens.next();
        }
    }
    if !is(token, "pragma") {
        return false;
    }
    let mut name = tokens.next();
    let mut behind = tokens.next();
    if behind == Some(b".") {
        name = tokens.next();
        behind = tokens.next();
    }
    match behind {
        None | Some(b";") => is(name, "optimize"),
        Some(b"(" | b"=") => !READERS.iter().any(|reader| is(name, reader)),
        // No PRAGMA that SQLite takes; but it is the one to say so, not this to know better.
        Some(_) => true,
    }
}

/// Is a token this word, quoted or not, in any case?
fn is(token: Option<&[u8]>, word: &str) -> bool {
    let Some(token) = token else { return false };
    let bare = match token {
        [b'"', rest @ .., b'"']
        | [b'`', rest @ .., b'`']
        | [b'\'', rest @ .., b'\'']
        | [b'[', rest @ .., b']'] => rest,
        bare => bare,
    };
    bare.eq_ignore_ascii_case(word.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::sets;

    #[test]
    fn framing() {
        for sql in [
            "pragma foreign_keys = off",
            "PRAGMA foreign_keys(0)",
            " ; -- x\n /* y */ pragma main.foreign_keys=1;",
            "explain pragma foreign_keys=off",
            "EXPLAIN QUERY PLAN PRAGMA foreign_keys=off",
            "pragma \"foreign_keys\" = off",
            "pragma [main].[user_version]=7",
            "\u{feff}pragma case_sensitive_like=1",
            "pragma/**/foreign_keys/**/=/**/off",
            "pragma foreign_keys off",
            "pragma \"table_info\"\"x\".foreign_keys=on",
            "pragma 'table_info''x'.foreign_keys=on",
            "pragma `a``.`.foreign_keys=on",
            " \u{b}pragma foreign_keys=off",
            "explain \u{b} pragma foreign_keys=off",
            "/*/ */pragma foreign_keys=off",
            "pragma optimize",
            "pragma main.\"OPTIMIZE\";",
        ] {
            assert!(sets(sql.as_bytes()), "{sql}");
        }
    }

    #[test]
    fn reading() {
        for sql in [
            "pragma foreign_keys",
            "pragma main.user_version;",
            "pragma table_info(t)",
            "PRAGMA main.Table_Info = 't'",
            "pragma foreign_keys -- = off",
            "pragma \u{b}table_info(t)",
            "-- \r pragma foreign_keys=off\n select 1",
            "select 'pragma foreign_keys = off'",
            "explain select 1",
            "",
            ";;",
            "pragma",
        ] {
            assert!(!sets(sql.as_bytes()), "{sql}");
        }
    }
}
