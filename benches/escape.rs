//! JSON strings: our kernels, json-escape-simd and memcpy on texts of several kinds, by `cargo bench --bench escape [KIND]`.
//!
//! Every turn goes through many different texts and appends them, so that no branch predictor learns them by heart;
//! numbers are nanoseconds a text, and behind each the ratio to the portable kernel. `nothing` is what the loop itself
//! costs. json-escape-simd takes `str`s, so that it has no UTF-8 to check.

#![allow(unsafe_code, missing_docs)]

use core::hint::black_box;
use core::mem::MaybeUninit;
use core::ops::RangeInclusive;
use std::time::Duration;

use resq::arch::{Present, Tier};
use resq::buffer::{Buffer, RoomOnly};
use resq::escape;

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

/// A lane that appends every text of `texts` to one buffer.
fn appending<'a>(
    name: &'static str,
    texts: &'a [String],
    append: impl Fn(&[u8], &mut Buffer<'static, RoomOnly>) + 'a,
) -> Lane<'a> {
    let mut out = Buffer::within(vec![MaybeUninit::uninit(); 1 << 19].leak(), RoomOnly);
    Lane::new(name, move || {
        out.truncate(0);
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
        ("1-9 plain", texts(1000, 1..=9, 0)),
        ("10-30 plain", texts(1000, 10..=30, 0)),
        ("10-30, 2 % escapes", texts(1000, 10..=30, 20)),
        ("31-64 plain", texts(1000, 31..=64, 0)),
        ("200 plain", texts(300, 200..=200, 0)),
        ("200, 2 % escapes", texts(300, 200..=200, 20)),
        ("200, 20 % escapes", texts(300, 200..=200, 200)),
        ("4 KB plain", texts(16, 4096..=4096, 0)),
        ("4 KB, 2 % escapes", texts(16, 4096..=4096, 20)),
        ("4 KB quotes", vec!["\"".repeat(4096); 16]),
        ("4 KB controls", vec!["\u{1}".repeat(4096); 16]),
        ("10-30 scripts", scripts(1000, 10..=30)),
        ("200 scripts", scripts(300, 200..=200)),
        ("4 KB scripts", scripts(16, 4096..=4096)),
    ];
    for (row, (kind, texts)) in kinds.iter().enumerate() {
        if only.as_ref().is_some_and(|only| !kind.contains(only.as_str())) {
            continue;
        }
        let mut lanes: Vec<Lane> = Tier::ALL
            .into_iter()
            .filter_map(Present::of)
            .map(|tier| {
                appending(tier.tier().name(), texts, move |text, out| escape::string_tier(tier, text, out))
            })
            .collect();
        lanes.push(appending("string()", texts, escape::string));
        let mut out = Vec::with_capacity(1 << 19);
        lanes.push(Lane::new("json-escape-simd", move || {
            out.clear();
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
        lanes.push(appending("nothing", texts, |_, _| {}));
        if row == 0 || only.is_some() {
            println!(
                "{:<20}{}",
                "",
                lanes.iter().map(|lane| format!("{:>18}", lane.name)).collect::<String>()
            );
        }
        let times = nanoseconds(&mut lanes, 60, Duration::from_micros(400));
        let row =
            times.iter().map(|time| format!("{:>10.2} {:>6.2}×", time / texts.len() as f64, times[0] / time));
        println!("{kind:<20}{}", row.collect::<String>());
    }
}
