//! JSON strings: our kernels, json-escape-simd and memcpy on texts of several kinds, by
//! `cargo bench --features internals --bench escape [KIND]`.
//!
//! Every turn goes through many different texts and appends them, so that no branch predictor learns them by heart;
//! numbers are nanoseconds a text, and behind each the ratio to the portable kernel. json-escape-simd takes `str`s, so that it has no UTF-8 to check. `bare` is a kernel alone, which writes to room
//! that is there, from a place kept in a register: no buffer, and no repair. Every turn begins elsewhere in the output: a
//! load waits for a store to a place whole pages away, and no lane is to have only luck or only none of it.

#![allow(unsafe_code, missing_docs)]

use core::hint::black_box;
use core::mem::MaybeUninit;
use core::ops::RangeInclusive;
use std::time::Duration;

use resq::internals::arch::{self, DetectedTier, NonAscii, Tier};
use resq::internals::buffer::{Buffer, RoomOnly};
use resq::internals::escape;

mod measure;

use measure::{Lane, nanoseconds};

/// xorshift64*: the same texts on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % end
    }
    fn within(&mut self, range: &RangeInclusive<usize>) -> usize {
        range.start() + self.below(range.end() - range.start() + 1)
    }
}

/// ASCII, `escapes` of 1000 characters to be escaped.
fn texts(count: usize, lengths: RangeInclusive<usize>, escapes: usize) -> Vec<String> {
    const PLAIN: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789      -_.,:;/";
    const SPECIAL: &[u8] = b"\"\"\"\\\n\n\t";
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut character = |from: &[u8]| from[random.below(from.len())] as char;
    let mut draw = Random(7);
    (0..count)
        .map(|_| {
            let length = draw.within(&lengths);
            (0..length).map(|_| character(if draw.below(1000) < escapes { SPECIAL } else { PLAIN })).collect()
        })
        .collect()
}

/// Words of several scripts, one text one script.
fn scripts(count: usize, lengths: RangeInclusive<usize>) -> Vec<String> {
    const SCRIPTS: [&[&str]; 5] = [
        &["Łódź", "Praha", "Žižkov", "naïve", "street", "Ærøskøbing", "city"],
        &["Москва", "улица", "Петербург", "дом", "и"],
        &["東京都", "千代田区", "丸の内", "一丁目"],
        &["القاهرة", "شارع", "مدينة"],
        &["ok", "👍", "party 🎉", "see you"],
    ];
    let mut random = Random(9);
    (0..count)
        .map(|_| {
            let words = SCRIPTS[random.below(SCRIPTS.len())];
            let length = random.within(&lengths);
            let mut text = String::new();
            while text.len() < length {
                text.push_str(words[random.below(words.len())]);
                text.push(' ');
            }
            text
        })
        .collect()
}

/// Words of small letters, with two escapes and two letters beyond ASCII in 100 characters: those of lane `text200`.
fn few_of_each(count: usize, length: usize) -> Vec<String> {
    let mut random = Random(11);
    (0..count)
        .map(|_| {
            let beyond = random.below(2) == 0;
            (0..length)
                .map(|_| match random.below(100) {
                    0 => '"',
                    1 => '\n',
                    2 | 3 if beyond => ['é', 'ž', 'ß', '☃', '漢'][random.below(5)],
                    4..=18 => ' ',
                    _ => (b'a' + random.below(26) as u8) as char,
                })
                .collect()
        })
        .collect()
}

/// Where each turn begins to write: all over two pages.
fn places() -> impl FnMut() -> usize {
    let mut random = Random(5);
    move || random.below(2 * 4096)
}

/// A lane that has a kernel write every text of `texts` behind the one before.
fn bare<'a>(name: &'static str, tier: DetectedTier, texts: &'a [String]) -> Lane<'a> {
    let mut room = vec![MaybeUninit::uninit(); 8 << 20];
    let mut place = places();
    Lane::new(name, move || {
        let mut length = place();
        for text in texts {
            let text = black_box(text.as_bytes());
            let (written, _) = arch::quote(tier, NonAscii::Check, text, &mut room[length..]);
            length += written.len();
        }
        black_box(&room[length - 1]);
    })
}

/// A lane that appends every text of `texts` to one buffer.
fn appending<'a>(
    name: &'static str,
    texts: &'a [String],
    append: impl Fn(&[u8], &mut Buffer<'static, RoomOnly>) + 'a,
) -> Lane<'a> {
    let mut out = Buffer::within(vec![MaybeUninit::uninit(); 8 << 20].leak(), RoomOnly);
    out.extend(&[0; 2 * 4096]);
    let mut place = places();
    Lane::new(name, move || {
        out.truncate(place());
        for text in texts {
            append(black_box(text.as_bytes()), &mut out);
        }
        assert_eq!(out.failure(), None);
        black_box(out.as_slice());
    })
}

fn main() {
    let only = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let kinds = [
        ("1-9 plain", texts(10_000, 1..=9, 0)),
        ("10-30 plain", texts(10_000, 10..=30, 0)),
        ("10-30, 2 % escapes", texts(10_000, 10..=30, 20)),
        ("31-64 plain", texts(10_000, 31..=64, 0)),
        ("200 plain", texts(20_000, 200..=200, 0)),
        ("200, 2 % escapes", texts(20_000, 200..=200, 20)),
        ("200, 20 % escapes", texts(20_000, 200..=200, 200)),
        ("4 KB plain", texts(16, 4096..=4096, 0)),
        ("4 KB, 2 % escapes", texts(16, 4096..=4096, 20)),
        ("4 KB quotes", vec!["\"".repeat(4096); 16]),
        ("4 KB controls", vec!["\u{1}".repeat(4096); 16]),
        ("200, few of each", few_of_each(20_000, 200)),
        ("10-30 scripts", scripts(10_000, 10..=30)),
        ("200 scripts", scripts(20_000, 200..=200)),
        ("4 KB scripts", scripts(16, 4096..=4096)),
    ];
    for (row, (kind, texts)) in kinds.iter().enumerate() {
        if only.as_ref().is_some_and(|only| !kind.contains(only.as_str())) {
            continue;
        }
        let mut lanes: Vec<Lane> = Tier::ALL
            .into_iter()
            .filter_map(DetectedTier::of)
            .map(|tier| {
                appending(tier.tier().name(), texts, move |text, out| escape::string_tier(tier, text, out))
            })
            .collect();
        lanes.push(appending("string()", texts, escape::string));
        let mut out = vec![0; 2 * 4096];
        out.reserve(8 << 20);
        let mut place = places();
        lanes.push(Lane::new("json-escape-simd", move || {
            out.truncate(place());
            for text in texts {
                json_escape_simd::escape_into(black_box(text), &mut out);
            }
            black_box(&out);
        }));
        lanes.push(appending("memcpy", texts, |text, out| {
            out.push(b'"');
            out.extend(text);
            out.push(b'"');
        }));
        let scalar = DetectedTier::of(Tier::Scalar);
        for (name, tier) in [("bare scalar", scalar), ("bare best", Some(DetectedTier::best()))] {
            // Else the portable kernel would stop.
            lanes.extend(
                tier.filter(|_| texts.iter().all(|text| text.is_ascii())).map(|tier| bare(name, tier, texts)),
            );
        }
        if row == 0 || only.is_some() {
            println!(
                "{:<20}{}",
                "",
                lanes.iter().map(|lane| format!("{:>18}", lane.name)).collect::<String>()
            );
        }
        let times = nanoseconds(&mut lanes, 30, Duration::from_micros(400));
        let row =
            times.iter().map(|time| format!("{:>10.2} {:>6.2}×", time / texts.len() as f64, times[0] / time));
        println!("{kind:<20}{}", row.collect::<String>());
    }
}
