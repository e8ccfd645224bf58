//! The tokens of an SQL text, by SQLite's rules.
//!
//! White space and comments are passed over. A token is a word, a number, a quoted word, a string, or one
//! other character. Quoting: `"…"`, `` `…` `` and `'…'`, in which the mark is doubled to stand for itself,
//! and `[…]`, which the next `]` ends.

use crate::sqlite::skip_blank;

/// The tokens of a text.
pub(super) struct Tokens<'a>(pub(super) &'a [u8]);

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        self.0 = skip_blank(self.0);
        let (&first, rest) = self.0.split_first()?;
        let length = match first {
            b'"' | b'`' | b'\'' => quoted(self.0, first),
            b'[' => rest.iter().position(|&byte| byte == b']').map_or(self.0.len(), |at| at + 2),
            _ => self.0.iter().take_while(|byte| in_word(**byte)).count().max(1),
        };
        let (token, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(token)
    }
}

/// The length of the quoted word at the head of `text`; a mark that is doubled does not end it.
fn quoted(text: &[u8], mark: u8) -> usize {
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        at += 1;
        if byte == mark {
            if text.get(at) != Some(&mark) {
                return at;
            }
            at += 1;
        }
    }
    at
}

fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// Is a token this keyword, in any case of letters? A quoted word never is one.
pub(super) fn is_keyword(token: &[u8], keyword: &str) -> bool {
    token.eq_ignore_ascii_case(keyword.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(sql: &str) -> Vec<&str> {
        Tokens(sql.as_bytes()).map(|token| std::str::from_utf8(token).unwrap_or("?")).collect()
    }

    #[test]
    fn words_numbers_and_single_characters() {
        assert_eq!(tokens("select a1,b from t"), ["select", "a1", ",", "b", "from", "t"]);
        assert_eq!(tokens("x=?12+1e5"), ["x", "=", "?", "12", "+", "1e5"]);
        assert_eq!(tokens("größe$1 _x"), ["größe$1", "_x"]);
        assert_eq!(tokens("a<>b||c"), ["a", "<", ">", "b", "|", "|", "c"]);
        assert_eq!(tokens(""), Vec::<&str>::new());
        assert_eq!(tokens(" \t\r\n\u{c}"), Vec::<&str>::new());
    }

    #[test]
    fn comments_are_passed_over() {
        assert_eq!(tokens("a -- order by\nb"), ["a", "b"]);
        assert_eq!(tokens("a/* union */b"), ["a", "b"]);
        assert_eq!(tokens("a/*b"), ["a"]);
        assert_eq!(tokens("a--b"), ["a"]);
        assert_eq!(tokens("a - -b / *c"), ["a", "-", "-", "b", "/", "*", "c"]);
        assert_eq!(tokens("/**/a/*/ b */c"), ["a", "c"]);
    }

    #[test]
    fn quotes_hold_everything_together() {
        assert_eq!(tokens("'a b''c' d"), ["'a b''c'", "d"]);
        assert_eq!(tokens("\"order \"\"by\"\" x\"y"), ["\"order \"\"by\"\" x\"", "y"]);
        assert_eq!(tokens("`a``-- b`c"), ["`a``-- b`", "c"]);
        assert_eq!(tokens("[a \"b] c]"), ["[a \"b]", "c", "]"]);
        assert_eq!(tokens("x'0a'"), ["x", "'0a'"]);
        assert_eq!(tokens("'open"), ["'open"]);
        assert_eq!(tokens("[open"), ["[open"]);
    }

    #[test]
    fn keywords() {
        assert!(is_keyword(b"ORDER", "order"));
        assert!(!is_keyword(b"orders", "order"));
        assert!(!is_keyword(b"\"order\"", "order"));
    }
}
