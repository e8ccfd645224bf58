//! The first argument of every function whose name ends in `_with`: how the JSON is to differ from the default.
//!
//! A text of words, separated by commas or white space: `'bigint-text, blob-url'`. The functions without `_with` take
//! none, so nothing that is data can be mistaken for a choice.

use crate::json::Choices;
use crate::sqlite::{Report, Reported};

type Set = fn(&mut Choices);

/// The words, with what each sets.
const WORDS: [(&str, Set); 4] = [
    ("bigint-text", |choices| choices.big_integers_as_text = true),
    ("blob-url", |choices| choices.url_alphabet = true),
    ("omit-null", |choices| choices.omit_null = true),
    ("ascii", |choices| choices.ascii = true),
];

/// The choices that argument number `argument` names; `objects`: of a function that writes objects.
pub(super) fn read(
    report: &dyn Report,
    argument: usize,
    text: &[u8],
    objects: bool,
) -> Result<Choices, Reported> {
    match parse(text) {
        Ok(chosen) if chosen.omit_null && !objects => {
            Err(report
                .error(format_args!("argument {argument}: omit-null is for objects, and this makes none")))
        }
        Ok(chosen) => Ok(chosen),
        Err(word) => Err(report.error(format_args!(
            "argument {argument}: unknown choice '{}', known are: {KNOWN}",
            word.escape_ascii()
        ))),
    }
}

const KNOWN: &str = "bigint-text, blob-url, omit-null, ascii";

/// The choices that `text` names, or the word that is none.
fn parse(text: &[u8]) -> Result<Choices, &[u8]> {
    let mut choices = Choices::DEFAULT;
    let words = text.split(|byte| matches!(byte, b',' | b' ' | b'\t' | b'\n' | b'\r'));
    for word in words.filter(|word| !word.is_empty()) {
        match WORDS.iter().find(|(name, _)| name.as_bytes() == word) {
            Some((_, set)) => set(&mut choices),
            None => return Err(word),
        }
    }
    Ok(choices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_any_order_and_spacing() {
        assert_eq!(parse(b""), Ok(Choices::DEFAULT));
        assert_eq!(parse(b" ,\n"), Ok(Choices::DEFAULT));
        let all = Choices {
            big_integers_as_text: true,
            url_alphabet: true,
            omit_null: true,
            ascii: true,
            ..Choices::DEFAULT
        };
        assert_eq!(parse(b"ascii,omit-null blob-url\tbigint-text, ascii"), Ok(all));
        for (name, _) in WORDS {
            assert!(KNOWN.split(", ").any(|known| known == name));
            assert_ne!(parse(name.as_bytes()), Ok(Choices::DEFAULT));
        }
    }

    #[test]
    fn an_unknown_word_is_named() {
        assert_eq!(parse(b"ascii, ASCII"), Err(&b"ASCII"[..]));
        assert_eq!(parse(b"ascii;omit-null"), Err(&b"ascii;omit-null"[..]));
    }
}
