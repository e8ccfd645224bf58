//! White space and comments of SQL.

/// `sql` from its first token on: behind white space and comments.
pub fn skip_blank(mut sql: &[u8]) -> &[u8] {
    loop {
        sql = match sql {
            // SQLite takes the vertical tab for white space behind other white space only.
            [b' ' | b'\t' | b'\n' | 0x0b | 0x0c | b'\r', rest @ ..] | [0xef, 0xbb, 0xbf, rest @ ..] => rest,
            [b'-', b'-', rest @ ..] => behind(rest, b"\n"),
            [b'/', b'*', rest @ ..] => behind(rest, b"*/"),
            _ => return sql,
        }
    }
}

/// What is behind the first `end` in `text`.
fn behind<'a>(text: &'a [u8], end: &[u8]) -> &'a [u8] {
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
