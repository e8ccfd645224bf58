//! Integers and reals against oracles that share no code with them: a digit a division for integers
//! (R2); the standard library's shortest digits, laid out here as the contract says, for reals
//! (R3).
#![allow(missing_docs, clippy::expect_used, clippy::excessive_precision)]

use resq::internals::decimal::{Digits, integer};
use resq::internals::real::{Real, Room, real};

/// How many of `count` random cases to run: all, or one of RESQ_SAMPLE, as CI has it under emulation.
fn sampled(count: usize) -> usize {
    std::env::var("RESQ_SAMPLE").map_or(count, |of| count / of.parse::<usize>().expect("a number"))
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `most`, all magnitudes alike.
    fn magnitude(&mut self, most: u64) -> u64 {
        let shift = self.next() % 64;
        (self.next() >> shift) % most
    }
}

fn join(digits: &Digits) -> String {
    assert!(digits.minus_len() <= 1 && (1..=8).contains(&digits.head_len()) && digits.tail_len() <= 16);
    let mut text = b"-"[..digits.minus_len()].to_vec();
    text.extend_from_slice(&digits.head()[..digits.head_len()]);
    text.extend_from_slice(&digits.tail()[..digits.tail_len()]);
    String::from_utf8(text).expect("digits are ASCII")
}

// Integers

fn integer_oracle(n: i64) -> String {
    let mut rest = i128::from(n).unsigned_abs();
    let mut reversed = Vec::new();
    loop {
        reversed.push(char::from(b'0' + (rest % 10) as u8));
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if n < 0 {
        reversed.push('-');
    }
    reversed.into_iter().rev().collect()
}

/// Checks `n` and `-n`.
fn check_integer(n: i64) {
    for n in [n, n.wrapping_neg()] {
        assert_eq!(join(&integer(n)), integer_oracle(n));
    }
}

#[test]
fn integers_at_every_boundary() {
    for n in -10_001..=10_001 {
        check_integer(n);
    }
    for power in 0..19 {
        let n = 10_i64.pow(power);
        for n in [n - 1, n, n + 1] {
            check_integer(n);
        }
    }
    for power in 0..64 {
        let n = 1_i64.wrapping_shl(power);
        for n in [n.wrapping_sub(1), n, n.wrapping_add(1)] {
            check_integer(n);
        }
    }
    check_integer(i64::MIN);
    check_integer(i64::MAX);
}

#[test]
fn every_digit_at_every_place() {
    for length in 1..=19 {
        for background in 0..10_u128 {
            for place in 0..length {
                for digit in 0..10 {
                    let number = (0..length)
                        .fold(0, |number, at| number * 10 + if at == place { digit } else { background });
                    if let Ok(n) = i64::try_from(number) {
                        check_integer(n);
                    }
                }
            }
        }
    }
}

/// All of each group's upper and lower half: the rounds treat the halves apart.
#[test]
fn every_four_digits_in_every_half_group() {
    for four in (0..10_000).step_by((10_000 / sampled(10_000)) | 1) {
        for power in [0, 4, 8, 12] {
            let n = four * 10_i64.pow(power);
            check_integer(n);
            check_integer(n + 3_000_000_000_000_000_000);
            check_integer(n + 10_i64.pow(16) - 10_i64.pow(power + 4));
        }
    }
}

#[test]
fn random_integers() {
    let mut random = Random(2);
    for _ in 0..sampled(400_000) {
        let shift = random.next() % 64;
        check_integer((random.next() >> shift) as i64);
    }
    for _ in 0..sampled(400_000) {
        check_integer(random.next() as i64);
    }
    // Each of the three ways of `integer`.
    for (low, high) in
        [(0, 10_000_000), (10_000_000, 1_000_000_000_000_000), (1_000_000_000_000_000, 1 << 63)]
    {
        for _ in 0..sampled(300_000) {
            check_integer((low + random.next() % (high - low)) as i64);
        }
    }
}

// Reals

/// What the text of `x` should be.
fn real_oracle(x: f64) -> Option<String> {
    if !x.is_finite() {
        return None;
    }
    let sign = if x.is_sign_negative() { "-" } else { "" };
    if x == 0.0 {
        return Some(format!("{sign}0.0"));
    }
    let scientific = format!("{:e}", x.abs());
    let (mantissa, exponent) = scientific.split_once('e').expect("that is its form");
    let exponent: i32 = exponent.parse().expect("a number");
    let mut digits = mantissa.replace('.', "");
    // Of two texts equally near, the standard library takes the larger one, the contract the even
    // one.
    let exact = format!("{:.60e}", x.abs()).replace('.', "");
    let behind = exact[digits.len()..].split('e').next().map(|rest| rest.trim_end_matches('0'));
    if behind == Some("5") {
        let (first, last) = digits.split_at(digits.len() - 1);
        let even = format!("{first}{}", last.parse::<u32>().expect("a digit") & !1);
        // Below a power of two reals lie closer, and the smaller text may read back to another one.
        let scale = exponent - (even.len() as i32 - 1);
        if format!("{even}e{scale}").parse() == Ok(x.abs()) {
            digits = even;
        }
    }
    let text = if (-5..16).contains(&exponent) {
        let count = digits.len() as i32;
        if exponent < 0 {
            format!("0.{}{digits}", "0".repeat((-exponent - 1) as usize))
        } else if count <= exponent + 1 {
            format!("{digits}{}.0", "0".repeat((exponent + 1 - count) as usize))
        } else {
            let (whole, part) = digits.split_at(exponent as usize + 1);
            format!("{whole}.{part}")
        }
    } else {
        let point = if digits.len() > 1 { "." } else { "" };
        format!("{}{point}{}e{exponent}", &digits[..1], &digits[1..])
    };
    Some(format!("{sign}{text}"))
}

/// Does `text` match number of RFC 8259, and does it stay a real?
fn is_json_real(text: &str) -> bool {
    fn digits(text: &str) -> usize {
        text.bytes().take_while(u8::is_ascii_digit).count()
    }
    let text = text.strip_prefix('-').unwrap_or(text);
    let whole = digits(text);
    if whole == 0 || (whole > 1 && text.starts_with('0')) {
        return false;
    }
    let mut rest = &text[whole..];
    let mut real = false;
    if let Some(part) = rest.strip_prefix('.') {
        let count = digits(part);
        if count == 0 {
            return false;
        }
        rest = &part[count..];
        real = true;
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let count = digits(exponent);
        if count == 0 {
            return false;
        }
        rest = &exponent[count..];
        real = true;
    }
    real && rest.is_empty()
}

/// Checks `x` and `-x`; true if the number took the short way.
fn check_real(x: f64) -> bool {
    let mut short = false;
    for x in [x, -x] {
        let mut room = Room::default();
        let text = match real(x, &mut room) {
            Real::Short(digits) => {
                short = true;
                Some(join(&digits))
            }
            Real::Long(text) => Some(String::from_utf8(text.to_vec()).expect("it is ASCII")),
            Real::Unwritable => None,
        };
        assert_eq!(text, real_oracle(x), "{:#x}", x.to_bits());
        if let Some(text) = text {
            assert!(is_json_real(&text), "{text}");
            assert_eq!(text.parse().map(f64::to_bits), Ok(x.to_bits()), "{text}");
        }
    }
    short
}

/// Checks `x` and its neighbours.
fn check_around(x: f64) {
    let (mut up, mut down) = (x, x);
    check_real(x);
    for _ in 0..3 {
        (up, down) = (up.next_up(), down.next_down());
        check_real(up);
        check_real(down);
    }
}

#[test]
fn reals_as_the_contract_has_them() {
    for (x, text) in [
        (0.1 + 0.7, "0.7999999999999999"),
        (40.7128, "40.7128"),
        (1e21, "1e21"),
        (5e-324, "5e-324"),
        (-0.0, "-0.0"),
        (0.0, "0.0"),
        (1.0, "1.0"),
        (12.99, "12.99"),
        (-180.0, "-180.0"),
        (0.00001, "0.00001"),
        (0.0000099, "9.9e-6"),
        (1e-7, "1e-7"),
        (9_999_999.999_999_99, "9999999.99999999"),
        (45_035_996.273_704_95, "45035996.27370495"),
        (1_700_000_000.123, "1700000000.123"),
        (1_700_000_000.123_456, "1700000000.123456"),
        (-98_765_432_109.87, "-98765432109.87"),
        (4_503_599_627_370_495.0, "4503599627370495.0"),
        (4_503_599_627_370_495.5, "4503599627370495.5"),
        (1_686_382_853_934_667.25, "1686382853934667.2"),
        (1e15, "1000000000000000.0"),
        (9_007_199_254_740_993.0, "9007199254740992.0"),
        (1e16, "1e16"),
        (123_456_789_012_345_680_000.0, "1.2345678901234568e20"),
        (f64::MAX, "1.7976931348623157e308"),
        (-f64::MIN_POSITIVE, "-2.2250738585072014e-308"),
    ] {
        assert_eq!(real_oracle(x).as_deref(), Some(text), "the oracle");
        check_real(x);
    }
    for x in [f64::INFINITY, f64::NAN] {
        assert_eq!(real_oracle(x), None);
        check_real(x);
    }
}

#[test]
fn reals_at_every_boundary() {
    for power in -324..=308 {
        let x: f64 = format!("1e{power}").parse().expect("a number");
        check_around(x);
        check_around(x * 5.0);
    }
    for exponent in 0..2047_u64 {
        check_around(f64::from_bits(exponent << 52));
    }
    for bit in 0..52 {
        check_around(f64::from_bits(1 << bit));
    }
    for x in [
        1e-5,
        1e7,
        45_035_996.273_704_96,
        1e8,
        1e15,
        1e16,
        (1_u64 << 53) as f64,
        f64::MAX,
        f64::MIN_POSITIVE,
        0.0,
    ] {
        check_around(x);
    }
}

#[test]
fn random_reals() {
    let mut random = Random(3);
    for _ in 0..sampled(300_000) {
        check_real(f64::from_bits(random.next()));
    }
    for _ in 0..sampled(50_000) {
        check_real(f64::from_bits(random.next() >> 12));
        check_real(random.next() as f64 / 18_446_744_073_709_551_616.0);
        check_real(random.magnitude(u64::MAX) as f64);
    }
}

/// Numbers with few decimals, most of which need no search, and their neighbours, which do.
#[test]
fn random_decimals() {
    let mut random = Random(4);
    let mut short = 0;
    for _ in 0..sampled(350_000) {
        let decimals = random.next() % 9;
        let x = random.magnitude(10_u64.pow(7 + decimals as u32)) as f64 / 10_f64.powi(decimals as i32);
        short += usize::from(check_real(x));
        let near = random.next() % 9;
        check_real(f64::from_bits(x.to_bits().saturating_sub(4) + near));
    }
    assert!(short > sampled(300_000), "{short} of {}", sampled(350_000));
    // Money and times: as many decimals as leave fifteen digits, all of them the short way.
    for _ in 0..sampled(50_000) {
        let decimals = random.next() % 8;
        let whole = 10_u64.pow(15 - decimals as u32);
        let x = random.magnitude(whole * 10_u64.pow(decimals as u32)) as f64 / 10_f64.powi(decimals as i32);
        assert!(check_real(x) || x < 1e-5 && x != 0.0, "{x}");
        check_real(f64::from_bits(x.to_bits().saturating_sub(4) + random.next() % 9));
    }
    // Around every power of two, where the number of decimals changes.
    for exponent in 20..54 {
        for step in 0..60 {
            let near = (1_u64 << exponent) as f64;
            for scale in [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8] {
                check_real(near + f64::from(step) / scale);
                check_real(near - f64::from(step) / scale);
            }
        }
    }
    for _ in 0..sampled(50_000) {
        // Beyond the short way: large numbers, many decimals.
        check_real(random.magnitude(1 << 53) as f64 / 10_f64.powi((random.next() % 12) as i32));
    }
    // An odd step keeps no step with the decimals.
    for hundredth in (0..100_000).step_by((100_000 / sampled(100_000)) | 1) {
        assert!(check_real(f64::from(hundredth) / 100.0));
    }
}
