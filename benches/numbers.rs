//! Integers and reals against other ways to write them: `cargo bench --features internals --bench
//! numbers`.
//!
//! Every lane appends one column of values, a comma behind each, to a buffer, as the JSON writer
//! does.
#![allow(missing_docs, unsafe_code)]

mod measure;

use core::hint::black_box;
use core::mem::MaybeUninit;
use core::ptr::NonNull;
use core::time::Duration;
use measure::Lane;
use resq::internals::buffer::{Buffer, Memory, ShortBytes};
use resq::internals::decimal::{self, Digits};
use resq::internals::real::{self, Real};

/// Buffers here never outgrow their room.
struct None;

// SAFETY: no block is ever handed out.
unsafe impl Memory for None {
    fn reallocate(&self, _: Option<NonNull<u8>>, _: usize) -> Option<NonNull<u8>> {
        Option::None
    }
    fn free(&self, _: NonNull<u8>) {}
    fn limit(&self) -> usize {
        usize::MAX / 2
    }
}

type Out<'a> = Buffer<'a, None>;

const VALUES: usize = 20_000;
const ROUNDS: usize = 31;

struct Random(u64);

impl Random {
    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
    /// A number with exactly that many digits.
    fn digits(&mut self, count: u32) -> i64 {
        let low = if count == 1 { 0 } else { 10u64.pow(count - 1) };
        let high = (10u128.pow(count)).min(1 << 63) as u64;
        (low + self.below(high - low)) as i64
    }
}

type Way<T> = (&'static str, fn(&mut Out, &[T]));

fn lane<T>(title: &str, values: &[T], ways: &[Way<T>]) {
    let rooms: Vec<_> = ways.iter().map(|_| vec![MaybeUninit::uninit(); values.len() * 32 + 64]).collect();
    let mut lanes: Vec<Lane> = ways
        .iter()
        .zip(rooms)
        .map(|(&(name, way), mut room)| {
            Lane::new(name, move || {
                let mut out = Buffer::within(&mut room, None);
                way(&mut out, black_box(values));
                black_box(out.as_slice());
            })
        })
        .collect();
    let times = measure::nanoseconds(&mut lanes, ROUNDS, Duration::from_micros(500));
    print!("{title:<24}");
    for (lane, time) in lanes.iter().zip(&times) {
        print!("  {} {:5.2} ns ({:.2})", lane.name, time / values.len() as f64, time / times[0]);
    }
    println!();
}

macro_rules! column {
    ($name:ident, $type:ty, |$out:ident, $value:ident| $body:expr) => {
        #[inline(never)]
        fn $name($out: &mut Out, values: &[$type]) {
            for &$value in values {
                $body;
                $out.push(b',');
            }
        }
    };
}

#[inline(always)]
fn append(out: &mut Out, digits: &Digits) {
    let front =
        (ShortBytes::new([b'-'], digits.minus_len()), ShortBytes::new(digits.head(), digits.head_len()));
    if digits.tail_len() == 0 {
        out.extend_parts(front);
    } else {
        out.extend_parts((front, ShortBytes::new(digits.tail(), digits.tail_len())));
    }
}

column!(integer_resq, i64, |out, n| {
    append(out, &decimal::integer(n));
});
column!(integer_itoa, i64, |out, n| out.extend(itoa::Buffer::new().format(n).as_bytes()));
column!(integer_floor, i64, |out, n| out.extend_short(&(n as u64 as u128).to_le_bytes(), (n & 7) as usize));
column!(integer_two, i64, |out, n| {
    let mut bytes = [0; 20];
    let from = two(n, &mut bytes);
    out.extend(&bytes[from..]);
});

static PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut i = 0;
    while i < 100 {
        pairs[i] = [b'0' + (i / 10) as u8, b'0' + (i % 10) as u8];
        i += 1;
    }
    pairs
};

/// Two digits a division, right to left.
fn two(n: i64, bytes: &mut [u8; 20]) -> usize {
    let mut rest = n.unsigned_abs();
    let mut at = 20;
    while rest >= 100 {
        at -= 2;
        bytes[at..at + 2].copy_from_slice(&PAIRS[(rest % 100) as usize]);
        rest /= 100;
    }
    if rest >= 10 {
        at -= 2;
        bytes[at..at + 2].copy_from_slice(&PAIRS[rest as usize]);
    } else {
        at -= 1;
        bytes[at] = b'0' + rest as u8;
    }
    if n < 0 {
        at -= 1;
        bytes[at] = b'-';
    }
    at
}

column!(real_resq, f64, |out, x| {
    match real::short(x) {
        Some(digits) => append(out, &digits),
        Option::None => other_real(out, x),
    }
});

/// As the JSON writer has it: out of the way.
#[inline(never)]
fn other_real(out: &mut Out, x: f64) {
    match real::other(x, &mut real::Room::default()) {
        Real::Short(digits) => append(out, &digits),
        Real::Long(text) => out.extend(text),
        Real::Unwritable => out.extend(b"null"),
    }
}

column!(real_zmij, f64, |out, x| out.extend(zmij::Buffer::new().format(x).as_bytes()));
column!(real_floor, f64, |out, x| out
    .extend_short(&u128::from(x.to_bits()).to_le_bytes(), (x.to_bits() & 7) as usize));
column!(real_ryu, f64, |out, x| out.extend(ryu::Buffer::new().format(x).as_bytes()));

fn main() {
    let mut random = Random(1);
    let integers: &[Way<i64>] =
        &[("resq", integer_resq), ("itoa", integer_itoa), ("two", integer_two), ("floor", integer_floor)];
    let mut make =
        |f: &mut dyn FnMut(&mut Random) -> i64| -> Vec<i64> { (0..VALUES).map(|_| f(&mut random)).collect() };
    lane(
        "1 to 4 digits",
        &make(&mut |r| {
            let d = 1 + r.below(4) as u32;
            r.digits(d)
        }),
        integers,
    );
    lane("below 1000", &make(&mut |r| r.below(1000) as i64), integers);
    lane(
        "1 to 8 digits",
        &make(&mut |r| {
            let d = 1 + r.below(8) as u32;
            r.digits(d)
        }),
        integers,
    );
    lane(
        "9 to 16 digits",
        &make(&mut |r| {
            let d = 9 + r.below(8) as u32;
            r.digits(d)
        }),
        integers,
    );
    lane("18 digits", &make(&mut |r| r.digits(18)), integers);
    lane(
        "mixed, 1 to 19",
        &make(&mut |r| {
            let d = 1 + r.below(19) as u32;
            r.digits(d)
        }),
        integers,
    );
    lane(
        "mixed, either sign",
        &make(&mut |r| {
            let d = 1 + r.below(19) as u32;
            let n = r.digits(d);
            if r.below(2) == 0 { n } else { -n }
        }),
        integers,
    );
    let mut i = 0;
    lane(
        "counting up",
        &make(&mut |_| {
            i += 1;
            i
        }),
        integers,
    );

    let reals: &[Way<f64>] =
        &[("resq", real_resq), ("zmij", real_zmij), ("ryu", real_ryu), ("floor", real_floor)];
    let mut make =
        |f: &mut dyn FnMut(&mut Random) -> f64| -> Vec<f64> { (0..VALUES).map(|_| f(&mut random)).collect() };
    lane("prices", &make(&mut |r| r.below(100_000) as f64 / 100.0), reals);
    lane("whole", &make(&mut |r| r.below(100_000) as f64), reals);
    lane(
        "0 to 4 decimals",
        &make(&mut |r| r.below(10_000_000) as f64 / [1.0, 10.0, 100.0, 1e3, 1e4][r.below(5) as usize]),
        reals,
    );
    lane("coordinates, 6", &make(&mut |r| (r.below(360_000_000) as f64 - 180e6) / 1e6), reals);
    lane("0 to 1", &make(&mut |r| r.next() as f64 / 18_446_744_073_709_551_616.0), reals);
    lane("money to 10^10", &make(&mut |r| (100_000_000 + r.below(1_000_000_000_000)) as f64 / 100.0), reals);
    lane(
        "times in ms",
        &make(&mut |r| (1_600_000_000_000 + r.below(200_000_000_000)) as f64 / 1000.0),
        reals,
    );
    lane("times in us", &make(&mut |r| (1_600_000_000_000_000 + r.below(1 << 47)) as f64 / 1e6), reals);
    lane(
        "10^8 to 10^15, 17 digits",
        &make(&mut |r| {
            let size = 10_f64.powi(8 + r.below(7) as i32);
            size * (1.0 + r.next() as f64 / 18_446_744_073_709_551_616.0)
        }),
        reals,
    );
    lane(
        "half prices",
        &make(&mut |r| {
            if r.below(2) == 0 {
                r.below(100_000) as f64 / 100.0
            } else {
                r.next() as f64 / 18_446_744_073_709_551_616.0
            }
        }),
        reals,
    );
    lane("any bits", &make(&mut |r| f64::from_bits(r.next() & 0xbfff_ffff_ffff_ffff)), reals);
}
