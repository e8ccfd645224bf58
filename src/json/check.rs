//! Is a text one JSON text, as RFC 8259 has it? Needed where text from outside becomes part of the
//! output (R7).
//!
//! No recursion: what encloses the current place is a stack of bits, so that nesting is bounded by
//! [`DEPTH`] and not by the host's stack.

use core::fmt;

use crate::arch;

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

/// What encloses the place: one bit a level, set for objects. The innermost 64 levels or fewer are
/// at hand.
struct Enclosing {
    inner: u64,
    outer: [u64; DEPTH.div_ceil(64)],
    depth: usize,
}

impl Enclosing {
    #[inline(always)]
    fn enter(&mut self, object: bool) -> bool {
        if self.depth == DEPTH {
            return false;
        }
        if self.depth.is_multiple_of(64)
            && let Some(outer) = self.outer.get_mut(self.depth / 64)
        {
            *outer = self.inner;
        }
        self.inner = self.inner << 1 | u64::from(object);
        self.depth += 1;
        true
    }

    #[inline(always)]
    fn leave(&mut self) {
        self.depth -= 1;
        self.inner >>= 1;
        if self.depth.is_multiple_of(64)
            && let Some(outer) = self.outer.get(self.depth / 64)
        {
            self.inner = *outer;
        }
    }

    #[inline(always)]
    fn in_object(&self) -> bool {
        self.inner & 1 == 1
    }
}

/// A block, as the kernels take them.
const BLOCK: usize = 16;

struct Reader<'a> {
    /// A block at least: a shorter text is filled up with NUL, which stands nowhere in JSON.
    text: &'a [u8],
    length: usize,
    at: usize,
}

impl<'a> Reader<'a> {
    /// The byte at `at`; NUL behind the end.
    #[inline(always)]
    fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(0)
    }

    /// The block at `at`, or the last one if that has less: and where `at` is in it.
    #[inline(always)]
    fn block(&self, at: usize) -> (&'a [u8; BLOCK], usize) {
        match self.text.get(at..).and_then(|rest| rest.first_chunk()) {
            Some(block) => (block, 0),
            None => match self.text.last_chunk() {
                Some(block) => (block, at + BLOCK - self.text.len()),
                None => (&[0; BLOCK], 0),
            },
        }
    }

    /// The byte behind white space; NUL behind the end.
    #[inline(always)]
    fn token(&mut self) -> u8 {
        match self.byte(self.at) {
            b' ' | b'\t' | b'\n' | b'\r' => {
                self.at += 1;
                match self.byte(self.at) {
                    b' ' | b'\t' | b'\n' | b'\r' => self.token_far(),
                    byte => byte,
                }
            }
            byte => byte,
        }
    }

    #[inline(never)]
    fn token_far(&mut self) -> u8 {
        while self.at < self.text.len() {
            let (block, begin) = self.block(self.at);
            let first = arch::json_not_space(block).from(begin).first();
            self.at += first - begin;
            if first < BLOCK {
                break;
            }
        }
        self.byte(self.at)
    }

    #[inline(always)]
    fn take(&mut self, byte: u8) -> bool {
        let here = self.byte(self.at) == byte;
        self.at += usize::from(here);
        here
    }

    #[cold]
    fn invalid(&self, what: &'static str) -> InvalidJson {
        InvalidJson { offset: self.at, what }
    }

    #[inline(always)]
    fn word(&mut self, word: &[u8; 4]) -> Result<(), InvalidJson> {
        if self.text.get(self.at..).and_then(|rest| rest.first_chunk()) == Some(word) {
            self.at += 4;
            return Ok(());
        }
        Err(self.wrong_word(word))
    }

    #[cold]
    #[inline(never)]
    fn wrong_word(&mut self, word: &[u8; 4]) -> InvalidJson {
        for &byte in word {
            if !self.take(byte) {
                break;
            }
        }
        self.invalid("expected null, true or false")
    }

    #[inline(always)]
    fn digits(&mut self) -> Result<(), InvalidJson> {
        let begin = self.at;
        while let Some(eight) = self.text.get(self.at..).and_then(|rest| rest.first_chunk()) {
            let count = leading_digits(*eight);
            self.at += count;
            if count < 8 {
                return if self.at > begin { Ok(()) } else { Err(self.invalid("expected a digit")) };
            }
        }
        while self.byte(self.at).is_ascii_digit() {
            self.at += 1;
        }
        if self.at > begin { Ok(()) } else { Err(self.invalid("expected a digit")) }
    }

    /// Out of the way, since there mostly is none.
    #[inline(never)]
    fn exponent(&mut self) -> Result<(), InvalidJson> {
        self.digits()
    }

    #[inline(always)]
    fn number(&mut self) -> Result<(), InvalidJson> {
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if let b'e' | b'E' = self.byte(self.at) {
            self.at += 1;
            if let b'+' | b'-' = self.byte(self.at) {
                self.at += 1;
            }
            return self.exponent();
        }
        Ok(())
    }

    /// A string, from its opening quotation mark on. Here only those that end in their first block.
    #[inline(always)]
    fn string(&mut self) -> Result<(), InvalidJson> {
        self.at += 1;
        if let Some(block) = self.next_block() {
            let place = arch::json_not_plain(block).first();
            if block.get(place) == Some(&b'"') {
                self.at += place + 1;
                return Ok(());
            }
        }
        self.string_rest()
    }

    #[inline(always)]
    fn next_block(&self) -> Option<&'a [u8; BLOCK]> {
        self.text.get(self.at..).and_then(|rest| rest.first_chunk())
    }

    /// The rest of a string.
    #[inline(never)]
    fn string_rest(&mut self) -> Result<(), InvalidJson> {
        while self.at < self.text.len() {
            // A loop of its own: the place of the next block is known before this one is looked at.
            while let Some(block) = self.next_block()
                && arch::json_not_plain(block).first() == BLOCK
            {
                self.at += BLOCK;
            }
            let (block, begin) = self.block(self.at);
            let start = self.at - begin;
            let mut ends = arch::json_not_plain(block).from(begin);
            loop {
                let place = ends.first();
                self.at = start + place;
                let Some(&byte) = block.get(place) else { break };
                if byte == b'"' {
                    self.at += 1;
                    return Ok(());
                }
                if byte != b'\\' {
                    return Err(self.invalid(UNENDED));
                }
                self.escape()?;
                let next = self.at - start;
                if next >= BLOCK {
                    break;
                }
                ends = ends.from(next);
            }
        }
        Err(self.invalid(UNENDED))
    }

    /// An escape, from its backslash on.
    #[inline(always)]
    fn escape(&mut self) -> Result<(), InvalidJson> {
        self.at += 1;
        match self.byte(self.at) {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => self.at += 1,
            b'u' => {
                self.at += 1;
                for _ in 0..4 {
                    if !self.byte(self.at).is_ascii_hexdigit() {
                        return Err(self.invalid("expected a hexadecimal digit"));
                    }
                    self.at += 1;
                }
            }
            _ => return Err(self.invalid("expected an escaped character")),
        }
        Ok(())
    }

    fn text(&mut self) -> Result<(), InvalidJson> {
        let mut enclosing = Enclosing { inner: 0, outer: [0; DEPTH.div_ceil(64)], depth: 0 };
        let mut key = false;
        // Each round reads one value, one key, or one opening bracket; then the ends that follow.
        // Keys and values that are strings are read in one place, which keeps the code small.
        'value: loop {
            let byte = self.token();
            if key && byte != b'"' {
                return Err(self.invalid("expected a key"));
            }
            match byte {
                b'"' => {
                    self.string()?;
                    if key {
                        if self.token() != b':' {
                            return Err(self.invalid("expected ':'"));
                        }
                        self.at += 1;
                        key = false;
                        continue 'value;
                    }
                }
                b'-' | b'0'..=b'9' => self.number()?,
                open @ (b'{' | b'[') => {
                    let object = open == b'{';
                    if !enclosing.enter(object) {
                        return Err(self.invalid("nesting deeper than 1000"));
                    }
                    self.at += 1;
                    // The closing bracket is the second next character of ASCII.
                    if self.token() != open + 2 {
                        key = object;
                        continue 'value;
                    }
                    self.at += 1;
                    enclosing.leave();
                }
                b't' => self.word(b"true")?,
                b'f' => {
                    self.at += 1;
                    self.word(b"alse")?;
                }
                b'n' => self.word(b"null")?,
                _ => return Err(self.invalid("expected a value")),
            }
            loop {
                let byte = self.token();
                if enclosing.depth == 0 {
                    return if self.at >= self.length {
                        Ok(())
                    } else {
                        Err(self.invalid("expected the end of the text"))
                    };
                }
                let object = enclosing.in_object();
                if byte == b',' {
                    self.at += 1;
                    key = object;
                    continue 'value;
                }
                if byte != if object { b'}' } else { b']' } {
                    return Err(self.invalid("expected ',' or the closing bracket"));
                }
                self.at += 1;
                enclosing.leave();
            }
        }
    }
}

const UNENDED: &str = "expected the end of a string, or an escape";

/// How many of these bytes, from the first on, are digits?
#[inline(always)]
fn leading_digits(bytes: [u8; 8]) -> usize {
    let word = u64::from_le_bytes(bytes) ^ u64::from_le_bytes([b'0'; 8]);
    // What is carried out of a byte that is no digit comes after it.
    let others = (word.wrapping_add(u64::from_le_bytes([0x76; 8])) | word) & u64::from_le_bytes([0x80; 8]);
    others.trailing_zeros() as usize / 8
}

/// Is a text of a block or more ASCII? `[u8]::is_ascii` looks at the last bytes one by one.
#[inline(always)]
fn is_ascii(text: &[u8]) -> bool {
    let (blocks, _) = text.as_chunks::<BLOCK>();
    let last = text.last_chunk::<BLOCK>().unwrap_or(&[0xff; BLOCK]);
    let all = blocks.iter().fold(u128::from_le_bytes(*last), |all, block| all | u128::from_le_bytes(*block));
    all & u128::from_le_bytes([0x80; BLOCK]) == 0
}

/// A text shorter than a block, with zeros behind it. Made of two parts that overlap: bytes that
/// are copied one by one and read back as a block would be waited for.
#[inline(always)]
fn filled_up(text: &[u8]) -> [u8; BLOCK] {
    let eight = |part: &[u8; 8]| u128::from(u64::from_le_bytes(*part));
    let four = |part: &[u8; 4]| u128::from(u32::from_le_bytes(*part));
    let all = if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        eight(first) | eight(last) << (8 * (text.len() - 8))
    } else if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        four(first) | four(last) << (8 * (text.len() - 4))
    } else {
        text.iter().rev().fold(0, |all, &byte| all << 8 | u128::from(byte))
    };
    all.to_le_bytes()
}

/// Is `text` one JSON text in well-formed UTF-8?
pub fn check(text: &[u8]) -> Result<(), InvalidJson> {
    let length = text.len();
    let short;
    let full = if length < BLOCK {
        short = filled_up(text);
        short.as_slice()
    } else {
        text
    };
    if !is_ascii(full)
        && simdutf8::basic::from_utf8(text).is_err()
        && let Err(ill) = core::str::from_utf8(text)
    {
        return Err(InvalidJson { offset: ill.valid_up_to(), what: "ill-formed UTF-8" });
    }
    Reader { text: full, length, at: 0 }.text()
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

    /// RFC 8259's grammar, rule by rule, one byte at a time; where a text leaves it, and what was
    /// wanted there.
    struct Grammar<'a>(&'a [u8], usize);

    type Wanted = Result<(), &'static str>;

    impl Grammar<'_> {
        fn next(&self) -> Option<u8> {
            self.0.get(self.1).copied()
        }
        fn is(&mut self, set: &[u8]) -> bool {
            let here = self.next().is_some_and(|byte| set.contains(&byte));
            self.1 += usize::from(here);
            here
        }
        fn want(&mut self, set: &[u8], what: &'static str) -> Wanted {
            if self.is(set) { Ok(()) } else { Err(what) }
        }
        fn ws(&mut self) {
            while self.is(b" \t\n\r") {}
        }
        fn digits(&mut self) -> Wanted {
            self.want(b"0123456789", "expected a digit")?;
            while self.is(b"0123456789") {}
            Ok(())
        }
        fn number(&mut self) -> Wanted {
            self.is(b"-");
            if !self.is(b"0") {
                self.digits()?;
            }
            if self.is(b".") {
                self.digits()?;
            }
            if self.is(b"eE") {
                self.is(b"+-");
                self.digits()?;
            }
            Ok(())
        }
        fn string(&mut self) -> Wanted {
            self.want(b"\"", "expected a key")?;
            while !self.is(b"\"") {
                if self.next().is_some_and(|byte| byte >= 0x20 && byte != b'\\') {
                    self.1 += 1;
                    continue;
                }
                self.want(b"\\", "expected the end of a string, or an escape")?;
                if self.is(b"u") {
                    for _ in 0..4 {
                        self.want(b"0123456789abcdefABCDEF", "expected a hexadecimal digit")?;
                    }
                } else {
                    self.want(b"\"\\/bfnrt", "expected an escaped character")?;
                }
            }
            Ok(())
        }
        fn value(&mut self, depth: usize) -> Wanted {
            self.ws();
            match self.next() {
                Some(b'[' | b'{') if depth == 1000 => Err("nesting deeper than 1000"),
                Some(b'[') => self.items(b"]", |this| this.value(depth + 1)),
                Some(b'{') => self.items(b"}", |this| {
                    this.ws();
                    this.string()?;
                    this.ws();
                    this.want(b":", "expected ':'")?;
                    this.value(depth + 1)
                }),
                Some(b'"') => self.string(),
                Some(b'-' | b'0'..=b'9') => self.number(),
                Some(first @ (b't' | b'f' | b'n')) => {
                    let word = match first {
                        b't' => "true",
                        b'f' => "false",
                        _ => "null",
                    };
                    word.bytes().try_for_each(|byte| self.want(&[byte], "expected null, true or false"))
                }
                _ => Err("expected a value"),
            }
        }
        fn items(&mut self, close: &[u8], mut item: impl FnMut(&mut Self) -> Wanted) -> Wanted {
            self.1 += 1;
            self.ws();
            if self.is(close) {
                return Ok(());
            }
            loop {
                item(self)?;
                self.ws();
                if self.is(close) {
                    return Ok(());
                }
                self.want(b",", "expected ',' or the closing bracket")?;
            }
        }
        fn text(text: &[u8]) -> Result<(), InvalidJson> {
            if let Err(ill) = std::str::from_utf8(text) {
                return Err(InvalidJson { offset: ill.valid_up_to(), what: "ill-formed UTF-8" });
            }
            let mut grammar = Grammar(text, 0);
            let mut whole = || {
                grammar.value(0)?;
                grammar.ws();
                if grammar.1 == text.len() { Ok(()) } else { Err("expected the end of the text") }
            };
            whole().map_err(|what| InvalidJson { offset: grammar.1, what })
        }
    }

    struct Random(u64);

    impl Random {
        fn below(&mut self, end: usize) -> usize {
            self.0 ^= self.0 >> 12;
            self.0 ^= self.0 << 25;
            self.0 ^= self.0 >> 27;
            (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % end
        }
        fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
            of[self.below(of.len())]
        }
        fn some(&mut self, most: usize, of: &[&str], to: &mut String) {
            (0..self.below(most + 1)).for_each(|_| to.push_str(self.one(of)));
        }
        fn space(&mut self, to: &mut String) {
            match self.below(8) {
                0 => self.some(40, &[" ", " ", " ", "\n", "\t", "\r"], to),
                1 => to.push(' '),
                _ => {}
            }
        }
        fn string(&mut self, to: &mut String) {
            const PLAIN: &[&str] = &["a", "b", "Z", "0", " ", ":", ",", "[", "}", "'"];
            const MIXED: &[&str] =
                &["a", "é", "東", "😀", "\\n", "\\\"", "\\\\", "\\u00e9", "\\uD83d", "\u{7f}", "\\/"];
            to.push('"');
            let most = [3, 12, 40, 200][self.below(4)];
            let of = if self.below(3) > 0 { PLAIN } else { MIXED };
            self.some(most, of, to);
            to.push('"');
        }
        fn number(&mut self, to: &mut String) {
            const DIGITS: &[&str] = &["0", "1", "2", "5", "8", "9"];
            to.push_str(self.one(&["", "", "-"]));
            to.push_str(self.one(&["0", "1", "7", "9"]));
            if !to.ends_with('0') {
                self.some(20, DIGITS, to);
            }
            if self.below(2) == 0 {
                to.push_str(self.one(&[".0", ".3", ".9"]));
                self.some(20, DIGITS, to);
            }
            if self.below(4) == 0 {
                to.push_str(self.one(&["e1", "E+2", "e-3"]));
                self.some(9, DIGITS, to);
            }
        }
        fn value(&mut self, depth: usize, to: &mut String) {
            self.space(to);
            match self.below(if depth == 0 { 5 } else { 9 }) {
                0 => to.push_str(self.one(&["null", "true", "false"])),
                1 | 2 => self.number(to),
                3 | 4 => self.string(to),
                kind => {
                    let object = kind > 6;
                    to.push(if object { '{' } else { '[' });
                    self.space(to);
                    for item in 0..self.below(5) {
                        if item > 0 {
                            to.push(',');
                            self.space(to);
                        }
                        if object {
                            self.string(to);
                            self.space(to);
                            to.push(':');
                        }
                        self.value(depth - 1, to);
                    }
                    to.push(if object { '}' } else { ']' });
                }
            }
            self.space(to);
        }
        /// Not always JSON any more.
        fn mutate(&mut self, text: &mut Vec<u8>) {
            const BYTES: &[u8] = b"\"\"\\{}[],:0019-+.eEtfnu \n\t\0\x1f\x0b/a\x80\xc3\xff";
            let at = self.below(text.len() + 1);
            let byte = BYTES[self.below(BYTES.len())];
            match self.below(5) {
                0 => text.truncate(at),
                1 => text.insert(at, byte),
                2 => drop(text.drain(at..(at + 1 + self.below(3)).min(text.len()).max(at))),
                _ => {
                    if let Some(there) = text.get_mut(at) {
                        *there = byte;
                    }
                }
            }
        }
    }

    /// Random texts, whole and broken: the same verdict, place and words as the grammar's; and
    /// serde_json's verdict.
    fn random_texts(count: usize, seed: u64) {
        let mut random = Random(seed);
        let mut valid = 0;
        for _ in 0..count {
            let mut text = String::new();
            let depth = random.below(5);
            random.value(depth, &mut text);
            let mut text = text.into_bytes();
            assert_eq!(check(&text), Ok(()), "{}", text.escape_ascii());
            for _ in 0..8 {
                random.mutate(&mut text);
                let result = check(&text);
                assert_eq!(result, Grammar::text(&text), "{}", text.escape_ascii());
                valid += usize::from(result.is_ok());
                // serde_json looks at pairs of surrogates and at the range of numbers as well.
                let Ok(text) = std::str::from_utf8(&text) else { continue };
                match serde_json::from_str::<serde::de::IgnoredAny>(text) {
                    Ok(_) => assert_eq!(result, Ok(()), "{text:?}"),
                    Err(theirs) => {
                        let theirs = theirs.to_string();
                        let more = ["surrogate", "hex escape", "out of range"];
                        assert!(result.is_err() || more.iter().any(|more| theirs.contains(more)), "{theirs}");
                    }
                }
            }
        }
        assert!(valid > count / 2, "{valid} of {count} times 8 are valid");
    }

    #[test]
    fn random_texts_whole_and_broken() {
        random_texts(20_000, 1);
    }

    /// The same for a hundred times as many: `cargo test --release --lib -- --ignored
    /// many_random_texts`.
    #[test]
    #[ignore = "minutes"]
    fn many_random_texts_whole_and_broken() {
        random_texts(2_000_000, 2);
    }

    /// A string, white space and digits of every length to three blocks, at every place, with every
    /// end.
    #[test]
    fn runs_of_every_length() {
        let ends: &[&[u8]] = &[
            b"\"",
            b"\"]",
            b"\\",
            b"\\u12",
            b"\\u1234\"]",
            b"\\n\"]",
            b"\n\"]",
            b"\x7f\"]",
            b"",
            b"]",
            b",1]",
            b".5]",
            b"x]",
        ];
        for before in 0..20 {
            for length in 0..50 {
                for (open, run) in [("\"", b'a'), ("", b'1'), ("", b' '), ("\"", b'\\'), ("-", b'0')] {
                    for end in ends {
                        let text = [&vec![b' '; before][..], b"[", open.as_bytes(), &vec![run; length], end]
                            .concat();
                        assert_eq!(check(&text), Grammar::text(&text), "{}", text.escape_ascii());
                    }
                }
            }
        }
    }

    /// Every byte in place of each of a text, and the text cut off there.
    #[test]
    fn every_byte_at_every_place() {
        for text in [
            &br#"{"a":[1,-2.5e+3,true,false,null],"b\n\u00e9":{"":"x"}}"#[..],
            br#"[ "0123456789abcdef", 123456789, {} ]"#,
            b"[0]",
        ] {
            for at in 0..text.len() {
                assert_eq!(check(&text[..at]), Grammar::text(&text[..at]));
                for byte in 0..=255 {
                    let mut text = text.to_vec();
                    text[at] = byte;
                    assert_eq!(check(&text), Grammar::text(&text), "{}", text.escape_ascii());
                }
            }
        }
    }

    /// Brackets of both kinds in an order without a pattern, to the greatest depth and beyond,
    /// closed rightly and wrongly.
    #[test]
    fn every_level_is_remembered() {
        let mut random = Random(3);
        for depth in (1..200).chain([900, 959, 960, 961, 999, 1000, 1001]) {
            let objects: Vec<bool> = (0..depth).map(|_| random.below(2) == 0).collect();
            let open: String = objects.iter().map(|&object| if object { "{\"\":" } else { "[" }).collect();
            let close: String = objects.iter().rev().map(|&object| if object { '}' } else { ']' }).collect();
            let text = open + "1" + &close;
            assert_eq!(check(text.as_bytes()).is_ok(), depth <= DEPTH);
            assert_eq!(check(text.as_bytes()), Grammar::text(text.as_bytes()));
            let mut wrong = text.into_bytes();
            let at = wrong.len() - 1 - random.below(depth);
            wrong[at] ^= b'}' ^ b']';
            assert_eq!(check(&wrong), Grammar::text(&wrong));
        }
    }
}
