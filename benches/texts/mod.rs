//! Texts as people have them, the same in every run: what the benches of strings, the lanes and the
//! counts on ARM share.
#![allow(dead_code)]

/// xorshift64*.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % end
    }
    pub fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

/// A kind of text.
pub struct Kind {
    pub name: &'static str,
    /// Its table among the lanes.
    pub table: &'static str,
    text: fn(&mut Random) -> String,
}

impl Kind {
    /// `count` texts of this kind.
    pub fn texts(&self, count: usize) -> Vec<String> {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        (0..count).map(|_| (self.text)(&mut random)).collect()
    }
    /// One more.
    pub fn text(&self, random: &mut Random) -> String {
        (self.text)(random)
    }
}

const fn kind(name: &'static str, table: &'static str, text: fn(&mut Random) -> String) -> Kind {
    Kind { name, table, text }
}

/// Every kind that the kernels are held to a scalar table on.
pub const KINDS: &[Kind] = &[
    kind("ASCII 10-30", "ascii20", |random| {
        let length = 10 + random.below(21);
        words(random, ENGLISH, length)
    }),
    kind("ASCII 200", "ascii200", |random| words(random, ENGLISH, 200)),
    kind("Cyrillic 20", "cyrillic20", |random| words(random, RUSSIAN, 20)),
    kind("Cyrillic 200", "cyrillic200", |random| words(random, RUSSIAN, 200)),
    kind("CJK 20", "cjk20", |random| (0..20).map(|_| random.pick(CHINESE)).collect()),
    kind("Latin with accents 60", "accents60", |random| words(random, ACCENTS, 60)),
    kind("emoji 40", "emoji40", |random| words(random, EMOJI, 40)),
    kind("HTML", "html", html),
    kind("JSON in text", "json", json),
    kind("source code", "code", code),
    kind("URLs", "urls", url),
];

const ENGLISH: &[&str] = &[
    "street", "of", "the", "city", "North", "and", "house", "river", "a", "Lane", "Park", "Berlin", "in",
    "market", "old", "Bridge", "12", "7b", "near", "station",
];
const RUSSIAN: &[&str] =
    &["Москва", "улица", "Петербург", "дом", "и", "Невский", "проспект", "Анна", "в", "городе", "река"];
const CHINESE: &[&str] =
    &["東", "京", "都", "千", "代", "田", "区", "丸", "の", "内", "一", "丁", "目", "。"];
const ACCENTS: &[&str] = &[
    "Łódź",
    "Praha",
    "Žižkov",
    "naïve",
    "être",
    "Ærøskøbing",
    "ville",
    "où",
    "größe",
    "über",
    "la",
    "señor",
    "año",
    "coração",
    "garçon",
    "de",
];
const EMOJI: &[&str] = &["ok", "👍", "party 🎉", "see you", "❤️", "😀😀", "thanks 🙏", "🚀"];

/// Words of a list, with spaces between them: so many characters.
fn words(random: &mut Random, list: &[&str], length: usize) -> String {
    let (mut text, mut left) = (String::new(), length);
    while left > 0 {
        let word = random.pick(list);
        for character in word.chars().chain([' ']).take(left) {
            text.push(character);
            left -= 1;
        }
    }
    text
}

/// A few elements with attributes, 150 to 700 bytes.
fn html(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..2 + random.below(5) {
        let length = 15 + random.below(60);
        let inside = words(random, ENGLISH, length);
        let class = random.pick(&["note", "card wide", "title"]);
        match random.below(3) {
            0 => text += &format!("<p class=\"{class}\">{inside}</p>\n"),
            1 => {
                text +=
                    &format!("<a href=\"/{}/{}\">{inside}</a>\n", random.pick(ENGLISH), random.below(9999))
            }
            _ => text += &format!("<div id=\"d{}\">\n  <b>{inside}</b>\n</div>\n", random.below(99)),
        }
    }
    text
}

/// An object with four to nine members, 60 to 250 bytes.
fn json(random: &mut Random) -> String {
    let mut text = String::from("{");
    for member in 0..4 + random.below(6) {
        if member > 0 {
            text.push(',');
        }
        let key = random.pick(&["id", "name", "theme", "lang", "size", "active", "tags", "note"]);
        text += &match random.below(4) {
            0 => format!("\"{key}\":{}", random.below(100_000)),
            1 => format!("\"{key}\":[\"{}\",\"{}\"]", random.pick(ENGLISH), random.pick(ENGLISH)),
            2 => format!("\"{key}\":{}", random.pick(&["true", "false", "null"])),
            _ => {
                let length = 5 + random.below(20);
                format!("\"{key}\":\"{}\"", words(random, ENGLISH, length))
            }
        };
    }
    text + "}"
}

/// Ten to thirty lines, indented by spaces.
fn code(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..10 + random.below(21) {
        text += &"    ".repeat(random.below(4));
        match random.below(5) {
            0 => text += &format!("let {} = {};", random.pick(ENGLISH), random.below(1000)),
            1 => text += &format!("if {} < {} {{", random.pick(ENGLISH), random.pick(ENGLISH)),
            2 => text += &format!("print(\"{} {{}}\\n\", {});", random.pick(ENGLISH), random.pick(ENGLISH)),
            3 => text += "}",
            _ => {
                let length = 20 + random.below(40);
                text += &format!("// {}", words(random, ENGLISH, length));
            }
        }
        text.push('\n');
    }
    text
}

/// 40 to 110 bytes.
fn url(random: &mut Random) -> String {
    let mut text = String::from(random.pick(&[
        "https://example.org",
        "https://www.example.com",
        "http://cdn.example.net",
    ]));
    for _ in 0..2 + random.below(4) {
        text.push('/');
        text += random.pick(ENGLISH);
    }
    text + &format!("?id={}&page={}&q={}", random.below(1_000_000), random.below(50), random.pick(ENGLISH))
}
