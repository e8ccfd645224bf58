//! Base64: every tier, other crates, and memcpy of the output: `cargo bench --features internals
//! --bench base64 [-- sizes…]`.
//!
//! The tiers and the crates write to a slice, but that the tiers decode to a buffer; `buffer` is
//! the best tier as production calls it, with the buffer's own work. Each size is one table row per
//! lane: nanoseconds, GB/s of input, and how many times as fast it is as the portable 12-bit table,
//! as memcpy, and as the best other crate.
#![allow(missing_docs, unsafe_code, clippy::unwrap_used)]

mod measure;

use core::hint::black_box;
use core::mem::MaybeUninit;
use measure::{Lane, nanoseconds, place};
use resq::internals::arch::{DetectedTier, Tier};
use resq::internals::base64::{Alphabet, decode, decode_tier, encode, encode_slice, encoded_len};
use resq::internals::buffer::{Buffer, RoomOnly};
use std::time::Duration;

const SIZES: [usize; 8] = [3, 16, 48, 128, 1 << 10, 4 << 10, 64 << 10, 1 << 20];

fn main() {
    let mut sizes: Vec<usize> = std::env::args().filter_map(|size| size.parse().ok()).collect();
    if sizes.is_empty() {
        sizes = SIZES.to_vec();
    }
    for size in sizes {
        encoding(size);
        decoding(size);
    }
}

/// Where targets begin among the bytes of a page; sources begin at 0. Aligned as an allocator would
/// have it.
const TARGET: usize = 2048 + 16;

/// Bytes with no pattern that a branch predictor could learn.
fn bytes(size: usize) -> &'static [u8] {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let bytes = place(size, 0);
    for byte in &mut *bytes {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        *byte = (state >> 56) as u8;
    }
    bytes
}

fn uninit(bytes: &mut [u8]) -> &mut [MaybeUninit<u8>] {
    // SAFETY: the same bytes; only initialised ones are written.
    unsafe { core::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), bytes.len()) }
}

fn room(size: usize) -> Buffer<'static, RoomOnly> {
    Buffer::within(uninit(place(size + 1, TARGET)), RoomOnly)
}

fn encoding(size: usize) {
    let source = bytes(size);
    let length = encoded_len(size, Alphabet::Standard).unwrap();
    let mut lanes = Vec::new();
    for tier in Tier::ALL.into_iter().filter_map(DetectedTier::of) {
        let target = uninit(place(length, TARGET));
        lanes.push(Lane::new(tier.tier().name(), move || {
            black_box(encode_slice(tier, black_box(source), Alphabet::Standard, target));
        }));
    }
    let mut out = room(length);
    lanes.push(Lane::new("buffer", move || {
        out.truncate(0);
        encode(black_box(source), Alphabet::Standard, &mut out);
        black_box(out.as_slice());
    }));
    let target = place(length, TARGET);
    lanes.push(Lane::new("base64-simd", move || {
        let text = base64_simd::STANDARD.encode(black_box(source), base64_simd::Out::from_slice(target));
        black_box(text);
    }));
    let target = place(length, TARGET);
    lanes.push(Lane::new("base64-turbo", move || {
        let count = base64_turbo::STANDARD.encode_slice(black_box(source), target).unwrap();
        black_box(&target[..count]);
    }));
    let (text, target) = (&*place(length, 0), place(length, TARGET));
    lanes.push(Lane::new("memcpy", move || {
        target.copy_from_slice(black_box(text));
        black_box(&*target);
    }));
    report("encode", size, &mut lanes, "scalar");
}

fn decoding(size: usize) {
    let source = bytes(size);
    let encoded = base64_simd::STANDARD.encode_to_string(source);
    let text = place(encoded.len(), 0);
    text.copy_from_slice(encoded.as_bytes());
    let text = &*text;
    let mut lanes = Vec::new();
    for tier in Tier::ALL.into_iter().filter_map(DetectedTier::of) {
        let mut out = room(size + 64);
        lanes.push(Lane::new(tier.tier().name(), move || {
            out.truncate(0);
            decode_tier(tier, black_box(text), &mut out).unwrap();
            black_box(out.as_slice());
        }));
    }
    let mut out = room(size + 64);
    lanes.push(Lane::new("buffer", move || {
        out.truncate(0);
        decode(black_box(text), &mut out).unwrap();
        black_box(out.as_slice());
    }));
    let target = place(size, TARGET);
    lanes.push(Lane::new("base64-simd", move || {
        let bytes = base64_simd::STANDARD.decode(black_box(text), base64_simd::Out::from_slice(target));
        black_box(bytes.unwrap());
    }));
    let target = place(size + 8, TARGET);
    lanes.push(Lane::new("base64-turbo", move || {
        let count = base64_turbo::STANDARD.decode_slice(black_box(text), target).unwrap();
        black_box(&target[..count]);
    }));
    let target = place(size, TARGET);
    lanes.push(Lane::new("memcpy", move || {
        target.copy_from_slice(black_box(source));
        black_box(&*target);
    }));
    report("decode", size, &mut lanes, "scalar");
}

fn report(what: &str, size: usize, lanes: &mut [Lane], base: &str) {
    let times = nanoseconds(lanes, 60, Duration::from_micros(500));
    let of = |name| lanes.iter().position(|lane| lane.name == name).map(|i| times[i]).unwrap();
    let crates = of("base64-simd").min(of("base64-turbo"));
    println!("{what} {size:<8}        ns      GB/s  /{base:<7} /memcpy  /crate");
    for (lane, time) in lanes.iter().zip(&times) {
        println!(
            "  {:<14} {time:>10.2} {:>8.2} {:>8.2} {:>8.2} {:>7.2}",
            lane.name,
            size as f64 / time,
            of(base) / time,
            of("memcpy") / time,
            crates / time,
        );
    }
}
