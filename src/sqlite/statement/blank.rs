//! White space and comments of SQL.

/// `sql` from its first token on, without the white space and comments before it.
pub fn skip_blank(mut sql: &[u8]) -> &[u8] {
    loop {
        sql = match sql {
            // SQLite takes the vertical tab for white space only after other white space.
            [b' ' | b'\t' | b'\n' | 0x0b | 0x0c | b'\r', rest @ ..] | [0xef, 0xbb, 0xbf, rest @ ..] => rest,
            [b'-', b'-', rest @ ..] => after(rest, b"\n"),
            [b'/', b'*', rest @ ..] => after(rest, b"*/"),
            _ => return sql,
        }
    }
}

/// The text after the first `end`; empty if there is none.
fn after<'a>(text: &'a [u8], end: &[u8]) -> &'a [u8] {
    let at = text.windows(end.len()).position(|window| window == end);
    at.and_then(|at| text.get(at + end.len()..)).unwrap_or_default()
}

/// Nothing but white space, comments and semicolons?
pub(super) fn only_blank(mut sql: &[u8]) -> bool {
    loop {
        sql = match skip_blank(sql) {
            [] => return true,
            [b';', rest @ ..] => rest,
            _ => return false,
        }
    }
}
