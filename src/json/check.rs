//! Is a text one JSON text, as RFC 8259 has it? Needed where text from outside becomes part of the output (R7).
//!
//! No recursion: what encloses the current place is a stack of bits, so that nesting is bounded by [`DEPTH`]
//! and not by the host's stack.

use core::fmt;

/// How deep arrays and objects may be nested: the newest SQLite's own limit.
pub const DEPTH: usize = 1000;

/// Why a text is not JSON, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidJson {
    /// Index of the first byte that cannot be right; the text's length if it ends too early.
    pub offset: usize,
    /// What is wrong there, or what was wanted.
    pub what: &'static str,
}

impl fmt::Display for InvalidJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte offset {}", self.what, self.offset)
    }
}

/// What encloses the place: one bit a level, set for objects.
struct Enclosing {
    bits: [u64; DEPTH.div_ceil(64)],
    depth: usize,
}

impl Enclosing {
    fn enter(&mut self, object: bool) -> bool {
        if self.depth == DEPTH {
            return false;
        }
        let (word, bit) = (self.depth / 64, 1 << (self.depth % 64));
        if let Some(word) = self.bits.get_mut(word) {
            *word = if object { *word | bit } else { *word & !bit };
        }
        self.depth += 1;
        true
    }

    fn in_object(&self) -> bool {
        let level = self.depth.wrapping_sub(1);
        self.bits.get(level / 64).is_some_and(|word| word >> (level % 64) & 1 == 1)
    }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        let here = self.peek() == Some(byte);
        self.at += usize::from(here);
        here
    }

    fn want(&mut self, byte: u8, wanted: &'static str) -> Result<(), InvalidJson> {
        if self.take(byte) { Ok(()) } else { Err(self.invalid(wanted)) }
    }

    fn invalid(&self, what: &'static str) -> InvalidJson {
        InvalidJson { offset: self.at, what }
    }

    fn word(&mut self, word: &[u8]) -> Result<(), InvalidJson> {
        for &byte in word {
            self.want(byte, "expected null, true or false")?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), InvalidJson> {
        let begin = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        if self.at == begin { Err(self.invalid("expected a digit")) } else { Ok(()) }
    }

    fn number(&mut self) -> Result<(), InvalidJson> {
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            self.digits()?;
        }
        Ok(())
    }

    /// A string, from behind its opening quotation mark.
    fn string(&mut self) -> Result<(), InvalidJson> {
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let plain = rest.iter().position(|&byte| byte == b'"' || byte == b'\\' || byte < 0x20);
            self.at += plain.unwrap_or(rest.len());
            if self.take(b'"') {
                return Ok(());
            }
            self.want(b'\\', "expected the end of a string, or an escape")?;
            match self.peek() {
                Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
                Some(b'u') => {
                    self.at += 1;
                    for _ in 0..4 {
                        match self.peek() {
                            Some(b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F') => self.at += 1,
                            _ => return Err(self.invalid("expected a hexadecimal digit")),
                        }
                    }
                }
                _ => return Err(self.invalid("expected an escaped character")),
            }
        }
    }

    fn key(&mut self) -> Result<(), InvalidJson> {
        self.skip_space();
        self.want(b'"', "expected a key")?;
        self.string()?;
        self.skip_space();
        self.want(b':', "expected ':'")
    }
}

/// Is `text` one JSON text in well-formed UTF-8?
pub fn check(text: &[u8]) -> Result<(), InvalidJson> {
    if simdutf8::basic::from_utf8(text).is_err()
        && let Err(ill) = core::str::from_utf8(text)
    {
        return Err(InvalidJson { offset: ill.valid_up_to(), what: "ill-formed UTF-8" });
    }
    let mut enclosing = Enclosing { bits: [0; DEPTH.div_ceil(64)], depth: 0 };
    let mut reader = Reader { text, at: 0 };
    // Each round reads one value, or one opening bracket; then the ends that follow.
    loop {
        reader.skip_space();
        let opened = match reader.peek() {
            Some(open @ (b'{' | b'[')) => {
                let object = open == b'{';
                if !enclosing.enter(object) {
                    return Err(reader.invalid("nesting deeper than 1000"));
                }
                reader.at += 1;
                reader.skip_space();
                let close = if object { b'}' } else { b']' };
                if reader.take(close) {
                    enclosing.depth -= 1;
                    false
                } else {
                    if object {
                        reader.key()?;
                    }
                    true
                }
            }
            Some(b'"') => {
                reader.at += 1;
                reader.string()?;
                false
            }
            Some(b'-' | b'0'..=b'9') => {
                reader.number()?;
                false
            }
            Some(b't') => {
                reader.word(b"true")?;
                false
            }
            Some(b'f') => {
                reader.word(b"false")?;
                false
            }
            Some(b'n') => {
                reader.word(b"null")?;
                false
            }
            _ => return Err(reader.invalid("expected a value")),
        };
        if opened {
            continue;
        }
        loop {
            reader.skip_space();
            if enclosing.depth == 0 {
                return match reader.peek() {
                    None => Ok(()),
                    Some(_) => Err(reader.invalid("expected the end of the text")),
                };
            }
            let object = enclosing.in_object();
            if reader.take(b',') {
                if object {
                    reader.key()?;
                }
                break;
            }
            reader.want(if object { b'}' } else { b']' }, "expected ',' or the closing bracket")?;
            enclosing.depth -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_serde_json() {
        let texts = [
            "null",
            " true ",
            "false",
            "0",
            "-0",
            "-1.5e+3",
            "1E9",
            "\"\"",
            "\"a\\u00e9\\n\\/\"",
            "[]",
            "{}",
            "[[],{}]",
            "{\"a\":1}",
            "{ \"a\" : [ 1 , { } ] , \"b\" : null }",
            "\u{9}[\n1\r]",
            "\"ü\u{2028}\u{7f}\"",
            "",
            " ",
            "nul",
            "truex",
            "01",
            "-",
            "+1",
            "1.",
            ".5",
            "1e",
            "1e+",
            "NaN",
            "Infinity",
            "\"",
            "\"\\x\"",
            "\"\\u00g0\"",
            "\"a\nb\"",
            "'a'",
            "[",
            "]",
            "[1",
            "[1,",
            "[1,]",
            "[,1]",
            "[1 2]",
            "{",
            "{}}",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{a:1}",
            "{1:1}",
            "{\"a\" 1}",
            "[1}",
            "{\"a\":1]",
            "1 2",
            "[]x",
            "/**/1",
            "\u{feff}1",
            "1\0",
            "[\"\0\"]",
            "0x1",
            "\"\\ud800\"x",
        ];
        for text in texts {
            let theirs = serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
            assert_eq!(check(text.as_bytes()).is_ok(), theirs, "{text:?}");
        }
        // serde_json's IgnoredAny looks at pairs of surrogates; RFC 8259 allows them alone.
        assert!(check(br#""\ud800""#).is_ok());
    }

    #[test]
    fn tells_where() {
        let at = |text: &[u8]| check(text).map_err(|invalid| invalid.offset);
        assert_eq!(at(b"[1,2,x]"), Err(5));
        assert_eq!(at(b"[1,2"), Err(4));
        assert_eq!(at(b"\"ab\xff\""), Err(3));
        assert_eq!(at(b"{\"a\":1} 2"), Err(8));
    }

    #[test]
    fn nests_as_deep_as_sqlite() {
        let nested = |depth: usize| [b"[".repeat(depth), b"]".repeat(depth)].concat();
        assert!(check(&nested(DEPTH)).is_ok());
        assert_eq!(check(&nested(DEPTH + 1)).map_err(|invalid| invalid.offset), Err(DEPTH));
        let mixed = [b"{\"a\":[".repeat(DEPTH / 2), b"]}".repeat(DEPTH / 2)].concat();
        assert!(check(&mixed).is_ok());
    }
}
