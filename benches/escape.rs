//! JSON strings: our kernels, json-escape-simd and memcpy on texts of several kinds, by
//! `cargo bench --features internals --bench escape [KIND]`.
//!
//! Every turn goes through many different texts and appends them, so that no branch predictor
//! learns them by heart; numbers are nanoseconds a text, and after each the ratio to the portable
//! kernel. json-escape-simd takes `str`s, so that it has no UTF-8 to check; nor has `table`, the
//! loop of most serialisers: a table of 256 says which bytes are escaped, runs of the others are
//! copied by memcpy. `bare` is a kernel alone, which writes to room that is there, from a place
//! kept in a register: no buffer, and no repair. Every turn begins elsewhere in the output: a load
//! waits for a store to a place whole pages away, and no lane is to have only luck or only none of
//! it.

#![allow(unsafe_code, missing_docs)]

use core::hint::black_box;
use core::mem::MaybeUninit;
use core::ops::RangeInclusive;
use std::time::Duration;

use resq::internals::arch::{self, DetectedTier, NonAscii, Tier};
use resq::internals::buffer::{Buffer, RoomOnly};
use resq::internals::escape;

mod measure;
mod texts;

use measure::{Lane, nanoseconds};
use texts::{KINDS, Random};

/// A number in a range.
fn within(random: &mut Random, range: &RangeInclusive<usize>) -> usize {
    range.start() + random.below(range.end() - range.start() + 1)
}

/// What stands after the backslash of each escaped byte, `u` where there is no short form; 0 for
/// others.
const TABLE: [u8; 256] = {
    let mut table = [0; 256];
    let mut control = 0;
    while control < 0x20 {
        table[control] = b'u';
        control += 1;
    }
    table[b'"' as usize] = b'"';
    table[b'\\' as usize] = b'\\';
    table[0x08] = b'b';
    table[b'\t' as usize] = b't';
    table[b'\n' as usize] = b'n';
    table[0x0c] = b'f';
    table[b'\r' as usize] = b'r';
    table
};

/// A string as most serialisers write it.
fn by_table(text: &str, out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let bytes = text.as_bytes();
    let mut run = 0;
    out.push(b'"');
    for (place, &byte) in bytes.iter().enumerate() {
        let escape = TABLE[usize::from(byte)];
        if escape == 0 {
            continue;
        }
        if run < place {
            out.extend_from_slice(&bytes[run..place]);
        }
        run = place + 1;
        match escape {
            b'u' => {
                let (high, low) = (HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]);
                out.extend_from_slice(&[b'\\', b'u', b'0', b'0', high, low]);
            }
            _ => out.extend_from_slice(&[b'\\', escape]),
        }
    }
    if run < bytes.len() {
        out.extend_from_slice(&bytes[run..]);
    }
    out.push(b'"');
}

/// A lane that appends every text of `texts` to a vector that has the room.
fn to_vector<'a>(
    name: &'static str,
    texts: &'a [String],
    append: impl Fn(&str, &mut Vec<u8>) + 'a,
) -> Lane<'a> {
    let mut out = vec![0; 2 * 4096];
    out.reserve(16 << 20);
    let mut place = places();
    Lane::new(name, move || {
        out.resize(place(), 0);
        for text in texts {
            append(black_box(text), &mut out);
        }
        black_box(&out);
    })
}

/// ASCII, `escapes` of 1000 characters to be escaped.
fn ascii(count: usize, lengths: RangeInclusive<usize>, escapes: usize) -> Vec<String> {
    const PLAIN: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789      -_.,:;/";
    const SPECIAL: &[u8] = b"\"\"\"\\\n\n\t";
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut character = |from: &[u8]| from[random.below(from.len())] as char;
    let mut draw = Random(7);
    (0..count)
        .map(|_| {
            let length = within(&mut draw, &lengths);
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
            let length = within(&mut random, &lengths);
            let mut text = String::new();
            while text.len() < length {
                text.push_str(words[random.below(words.len())]);
                text.push(' ');
            }
            text
        })
        .collect()
}

/// Words of small letters, with two escapes and two letters beyond ASCII in 100 characters: those
/// of lane `text200`.
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
    let mut room = vec![MaybeUninit::uninit(); 16 << 20];
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
    let mut out = Buffer::within(vec![MaybeUninit::uninit(); 16 << 20].leak(), RoomOnly);
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
    let mut kinds = vec![
        ("1-9 plain", ascii(10_000, 1..=9, 0)),
        ("10-30 plain", ascii(10_000, 10..=30, 0)),
        ("10-30, 2 % escapes", ascii(10_000, 10..=30, 20)),
        ("31-64 plain", ascii(10_000, 31..=64, 0)),
        ("200 plain", ascii(20_000, 200..=200, 0)),
        ("200, 2 % escapes", ascii(20_000, 200..=200, 20)),
        ("200, 20 % escapes", ascii(20_000, 200..=200, 200)),
        ("4 KB plain", ascii(16, 4096..=4096, 0)),
        ("4 KB, 2 % escapes", ascii(16, 4096..=4096, 20)),
        ("4 KB quotes", vec!["\"".repeat(4096); 16]),
        ("4 KB controls", vec!["\u{1}".repeat(4096); 16]),
        ("200, few of each", few_of_each(20_000, 200)),
        ("10-30 scripts", scripts(10_000, 10..=30)),
        ("200 scripts", scripts(20_000, 200..=200)),
        ("4 KB scripts", scripts(16, 4096..=4096)),
    ];
    kinds.extend(KINDS.iter().map(|kind| (kind.name, kind.texts(10_000))));
    let mut markdown = String::new();
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
        lanes
            .push(to_vector("json-escape-simd", texts, |text, out| json_escape_simd::escape_into(text, out)));
        lanes.push(to_vector("table", texts, by_table));
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
        if KINDS.iter().any(|known| known.name == *kind) {
            let of = |name: &str| lanes.iter().position(|lane| lane.name == name).map(|at| times[at]);
            let table = of("table").unwrap_or(f64::NAN);
            let tiers = Tier::ALL.into_iter().filter(|tier| tier.available());
            let cells = tiers.map(|tier| format!(" {:.2} |", table / of(tier.name()).unwrap_or(f64::NAN)));
            markdown.push_str(&format!("| {kind} |{}\n", cells.collect::<String>()));
        }
        let row =
            times.iter().map(|time| format!("{:>10.2} {:>6.2}×", time / texts.len() as f64, times[0] / time));
        println!("{kind:<20}{}", row.collect::<String>());
    }
    let tiers: Vec<_> = Tier::ALL.into_iter().filter(|tier| tier.available()).map(Tier::name).collect();
    println!("\nTime of `table` over that of each tier:\n\n| text | {} |", tiers.join(" | "));
    println!("|---|{}\n{markdown}", "---|".repeat(tiers.len()));
}
