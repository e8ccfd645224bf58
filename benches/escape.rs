//! JSON strings: our kernels, json-escape-simd and memcpy on texts of several kinds.
//!
//! All variants run interleaved in one process, in an order that is turned round every pass, on thread CPU time;
//! the number is the 10th percentile, in nanoseconds a string, and behind it the ratio to the portable kernel. Every
//! pass goes through a thousand different texts, so that no branch predictor learns them by heart.
#![allow(unsafe_code, missing_docs)]

use core::hint::black_box;
use core::mem::MaybeUninit;
use resq::arch::{Present, Tier};
use resq::buffer::{Buffer, RoomOnly};
use resq::escape;

/// Thread CPU time in nanoseconds.
fn now() -> u64 {
    #[repr(C)]
    struct Timespec {
        seconds: i64,
        nanoseconds: i64,
    }
    unsafe extern "C" {
        fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
    }
    const CLOCK_THREAD_CPUTIME_ID: i32 = 3;
    let mut time = Timespec { seconds: 0, nanoseconds: 0 };
    // SAFETY: a writable timespec.
    unsafe { clock_gettime(CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.seconds as u64 * 1_000_000_000 + time.nanoseconds as u64
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }
    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

fn texts(
    random: &mut Random,
    count: usize,
    lengths: core::ops::RangeInclusive<usize>,
    escapes: usize,
) -> Vec<String> {
    const PLAIN: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789      -_.,:;/";
    const SPECIAL: &[u8] = b"\"\"\"\\\n\n\t";
    (0..count)
        .map(|_| {
            let length = lengths.start() + random.below(lengths.end() - lengths.start() + 1);
            (0..length)
                .map(|_| match random.below(1000) < escapes {
                    true => SPECIAL[random.below(SPECIAL.len())] as char,
                    false => PLAIN[random.below(PLAIN.len())] as char,
                })
                .collect()
        })
        .collect()
}

/// Words of several scripts, one text one script.
fn scripts(random: &mut Random, count: usize, lengths: core::ops::RangeInclusive<usize>) -> Vec<String> {
    const SCRIPTS: [&[&str]; 5] = [
        &["Łódź", "Praha", "Žižkov", "naïve", "street", "Ærøskøbing", "city"],
        &["Москва", "улица", "Петербург", "дом", "и"],
        &["東京都", "千代田区", "丸の内", "一丁目"],
        &["القاهرة", "شارع", "مدينة"],
        &["ok", "👍", "party 🎉", "see you"],
    ];
    (0..count)
        .map(|_| {
            let words = SCRIPTS[random.below(SCRIPTS.len())];
            let length = lengths.start() + random.below(lengths.end() - lengths.start() + 1);
            let mut text = String::new();
            while text.len() < length {
                text.push_str(words[random.below(words.len())]);
                text.push(' ');
            }
            text
        })
        .collect()
}

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let only = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let cases: Vec<(&str, Vec<String>)> = vec![
        ("1-9 plain", texts(&mut random, 1000, 1..=9, 0)),
        ("10-30 plain", texts(&mut random, 1000, 10..=30, 0)),
        ("10-30, 2 % escapes", texts(&mut random, 1000, 10..=30, 20)),
        ("31-64 plain", texts(&mut random, 1000, 31..=64, 0)),
        ("200 plain", texts(&mut random, 500, 200..=200, 0)),
        ("200, 2 % escapes", texts(&mut random, 500, 200..=200, 20)),
        ("200, 20 % escapes", texts(&mut random, 500, 200..=200, 200)),
        ("4 KB plain", texts(&mut random, 20, 4096..=4096, 0)),
        ("4 KB, 2 % escapes", texts(&mut random, 20, 4096..=4096, 20)),
        ("4 KB quotes", vec!["\"".repeat(4096); 20]),
        ("4 KB controls", vec!["\u{1}".repeat(4096); 20]),
        ("10-30 scripts", scripts(&mut random, 1000, 10..=30)),
        ("200 scripts", scripts(&mut random, 500, 200..=200)),
        ("4 KB scripts", scripts(&mut random, 20, 4096..=4096)),
    ];
    let tiers: Vec<Present> = Tier::ALL.into_iter().filter_map(Present::of).collect();
    let mut names: Vec<String> = tiers.iter().map(|tier| tier.tier().name().to_string()).collect();
    names.extend(["string()", "json-escape-simd", "memcpy", "nothing"].map(String::from));
    println!("{:<20}{}", "ns a string", names.iter().map(|name| format!("{name:>18}")).collect::<String>());

    let mut room = vec![MaybeUninit::uninit(); 1 << 20];
    for (name, texts) in &cases {
        if only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            continue;
        }
        let mut out = Buffer::within(&mut room, RoomOnly);
        let mut vector: Vec<u8> = Vec::with_capacity(1 << 18);
        let bytes: usize = texts.iter().map(String::len).sum();
        let repeats = (if quick { 200_000 } else { 400_000 } / (bytes + 20 * texts.len())).max(1);
        let mut samples = vec![Vec::new(); names.len()];
        for round in 0..(if quick { 31 } else { 101 }) {
            for turn in 0..names.len() {
                let variant = if round % 2 == 0 { turn } else { names.len() - 1 - turn };
                let start = now();
                for _ in 0..repeats {
                    if let Some(&tier) = tiers.get(variant) {
                        out.truncate(0);
                        for text in texts {
                            escape::string_tier(tier, black_box(text.as_bytes()), &mut out);
                        }
                    } else if variant == tiers.len() {
                        out.truncate(0);
                        for text in texts {
                            escape::string(black_box(text.as_bytes()), &mut out);
                        }
                    } else if variant == tiers.len() + 1 {
                        vector.clear();
                        for text in texts {
                            json_escape_simd::escape_into(black_box(text), &mut vector);
                        }
                    } else if variant == tiers.len() + 3 {
                        out.truncate(0);
                        for text in texts {
                            black_box(text.as_bytes());
                        }
                    } else {
                        out.truncate(0);
                        for text in texts {
                            out.push(b'"');
                            out.extend(black_box(text.as_bytes()));
                            out.push(b'"');
                        }
                    }
                    black_box((out.as_slice(), &vector));
                }
                samples[variant].push((now() - start) as f64 / (repeats * texts.len()) as f64);
            }
        }
        let low: Vec<f64> = samples
            .iter_mut()
            .map(|samples| {
                samples.sort_by(f64::total_cmp);
                samples[samples.len() / 10]
            })
            .collect();
        let row: String = low.iter().map(|ns| format!("{ns:>10.2} {:>6.2}×", low[0] / ns)).collect();
        println!("{name:<20}{row}");
    }
}
