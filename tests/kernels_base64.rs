//! Base64 on every tier that this processor has, against the RFC and the WHATWG's rules written
//! out.
//!
//! The oracles transcribe their texts bit by bit and share no code with the crate. Output goes to
//! rooms of exactly its size between guard bytes, input is a slice that begins and ends amid other
//! bytes.
//!
//! `support/kernels.rs` says which variables of the environment it heeds.

#![allow(unsafe_code, clippy::unwrap_used, clippy::expect_used)]

#[path = "support/kernels.rs"]
mod kernels;

use core::mem::MaybeUninit;

use kernels::{GUARD, Random, as_room, sampled, tiers};
use resq::internals::arch::{Base64Decoder, DetectedTier, base64_decode};
use resq::internals::base64::{
    Alphabet, InvalidKind, decode, decode_tier, encode, encode_tier, encoded_len, quoted, quoted_tier,
};
use resq::internals::buffer::{Buffer, RoomOnly, ShortBytes};

const ALPHABETS: [Alphabet; 2] = [Alphabet::Standard, Alphabet::Url];
/// Four blocks of the widest kernel, and 3.
const LONGEST: usize = 4 * 48 + 3;

/// RFC 4648 §4 and §5: "a 24-bit input group is formed by concatenating 3 8-bit input groups. These
/// 24 bits are then treated as 4 concatenated 6-bit groups"; a short last group "bits with value
/// zero are added (on the right)".
fn rfc_4648(bytes: &[u8], alphabet: Alphabet) -> Vec<u8> {
    let character = |value: u8| match (value, alphabet) {
        (0..26, _) => b'A' + value,
        (26..52, _) => b'a' + value - 26,
        (52..62, _) => b'0' + value - 52,
        (62, Alphabet::Standard) => b'+',
        (62, Alphabet::Url) => b'-',
        (63, Alphabet::Standard) => b'/',
        (63, Alphabet::Url) => b'_',
        _ => unreachable!(),
    };
    let mut bits: Vec<u8> = bytes.iter().flat_map(|byte| (0..8).rev().map(move |i| byte >> i & 1)).collect();
    while !bits.len().is_multiple_of(6) {
        bits.push(0);
    }
    let mut text: Vec<u8> =
        bits.chunks(6).map(|six| character(six.iter().fold(0, |value, bit| value * 2 + bit))).collect();
    while alphabet == Alphabet::Standard && !text.len().is_multiple_of(4) {
        text.push(b'=');
    }
    text
}

/// WHATWG Infra, "forgiving-base64 decode", steps 1 to 10, with the characters of RFC 4648 §5
/// added.
fn forgiving_base64(text: &[u8]) -> Option<Vec<u8>> {
    let mut data: Vec<u8> = text.to_vec();
    data.retain(|byte| ![0x09, 0x0a, 0x0c, 0x0d, 0x20].contains(byte));
    if data.len().is_multiple_of(4) {
        for _ in 0..2 {
            data.pop_if(|byte| *byte == b'=');
        }
    }
    if data.len() % 4 == 1 {
        return None;
    }
    let mut bits = Vec::new();
    for byte in data {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits.extend((0..6).rev().map(|i| value >> i & 1));
    }
    // Steps 8 and 9: whole bytes; of 12 or 18 bits the last four or two are dropped.
    Some(bits.chunks_exact(8).map(|eight| eight.iter().fold(0, |value, bit| value * 2 + bit)).collect())
}

/// The byte to blame: the first after which nothing can be valid, or else the last that is not
/// white space.
fn blame(text: &[u8]) -> usize {
    let hopeless = |end: &usize| {
        !["", "A", "AA", "AAA", "=", "=="]
            .iter()
            .any(|more| forgiving_base64(&[&text[..=*end], more.as_bytes()].concat()).is_some())
    };
    (0..text.len())
        .find(hopeless)
        .or_else(|| text.iter().rposition(|byte| !b"\t\n\x0c\r ".contains(byte)))
        .expect("an empty text is valid")
}

/// Bytes between two pages that nobody may touch. Reading or writing over an edge ends the test by
/// a signal.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod fenced {
    use core::ffi::{c_int, c_void};

    unsafe extern "C" {
        fn mmap(
            at: *mut c_void,
            size: usize,
            access: c_int,
            flags: c_int,
            file: c_int,
            offset: i64,
        ) -> *mut c_void;
        fn mprotect(at: *mut c_void, size: usize, access: c_int) -> c_int;
    }

    /// As large as any page in use, so that it is a multiple of the real size.
    const PAGE: usize = 1 << 16;

    /// 64 KiB of zeros, never given back.
    pub fn page() -> &'static mut [u8] {
        // SAFETY: a new private anonymous mapping (read, write: 3; private, anonymous: 0x22), whose
        // middle page stays accessible and belongs to nobody else.
        unsafe {
            let start = mmap(core::ptr::null_mut(), 3 * PAGE, 3, 0x22, -1, 0);
            assert_ne!(start as isize, -1);
            assert_eq!(mprotect(start, PAGE, 0), 0);
            assert_eq!(mprotect(start.byte_add(2 * PAGE), PAGE, 0), 0);
            core::slice::from_raw_parts_mut(start.cast::<u8>().add(PAGE), PAGE)
        }
    }
}

/// Encodes into exactly `room`, of which a buffer keeps the last byte to itself.
fn encode_into(tier: Option<DetectedTier>, bytes: &[u8], alphabet: Alphabet, room: &mut [u8]) {
    let length = room.len() - 1;
    let mut out = Buffer::within(as_room(room), RoomOnly);
    match tier {
        Some(tier) => encode_tier(tier, bytes, alphabet, &mut out),
        None => encode(bytes, alphabet, &mut out),
    }
    assert_eq!((out.failure(), out.len()), (None, length), "{tier:?}, {} bytes", bytes.len());
}

/// `bytes`, encoded by the tier between guard bytes, `at` bytes behind a multiple of 64, is `text`?
fn check(tier: Option<DetectedTier>, bytes: &[u8], alphabet: Alphabet, text: &[u8], at: usize) {
    assert_eq!(encoded_len(bytes.len(), alphabet), Some(text.len()));
    let mut room = vec![GUARD; 64 + 64 + at + text.len() + 70];
    let from = room.as_ptr().align_offset(64) + 64 + at;
    let to = from + text.len();
    encode_into(tier, bytes, alphabet, &mut room[from..to + 1]);
    let edges = [&room[..from], &room[to..]];
    assert!(edges.iter().all(|edge| edge.iter().all(|&byte| byte == GUARD)), "{tier:?} wrote over the edge");
    let got = &room[from..to];
    assert!(
        got == text,
        "{tier:?}, {alphabet:?}, {} bytes:\n{}\nis not\n{}",
        bytes.len(),
        got.escape_ascii(),
        text.escape_ascii()
    );
}

/// On every tier, and as production calls it.
fn check_all(bytes: &[u8], alphabet: Alphabet, text: &[u8], at: usize) {
    for tier in tiers() {
        check(Some(tier), bytes, alphabet, text, at);
    }
    check(None, bytes, alphabet, text, at);
}

/// Between quotation marks, as in JSON, behind a piece that goes in front: every length that is
/// done in its own way, at the fence's end, where nobody can read on.
#[test]
fn quoted_strings_of_every_length() {
    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    let page = fenced::page();
    #[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
    let page = vec![0; 4096].leak();
    let mut random = Random(5);
    for length in 0..=LONGEST {
        let start = page.len() - length;
        for byte in &mut page[start..] {
            *byte = random.next() as u8;
        }
        let bytes = &page[start..];
        for alphabet in ALPHABETS {
            let text = [b"\"", &rfc_4648(bytes, alphabet)[..], b"\""].concat();
            for tier in tiers() {
                let mut room = [MaybeUninit::uninit(); 1024];
                let mut out = Buffer::within(&mut room, RoomOnly);
                quoted_tier(tier, bytes, alphabet, &mut out);
                let got = out.as_slice();
                assert!(
                    got == text,
                    "{tier:?}, {length}: {} is not {}",
                    got.escape_ascii(),
                    text.escape_ascii()
                );
            }
            let mut room = [MaybeUninit::uninit(); 1024];
            let mut out = Buffer::within(&mut room, RoomOnly);
            quoted(ShortBytes::<8>::text(b"front:"), bytes, alphabet, &mut out);
            assert_eq!(out.as_slice(), [b"front:", &text[..]].concat());
        }
    }
}

/// A buffer that is nearly full takes all or fails, and nothing is written behind it.
#[test]
fn quoted_strings_at_the_end_of_the_room() {
    let bytes = Random(6).bytes(64);
    for length in 0..=64 {
        for size in 0..200 {
            let mut room = [GUARD; 300];
            let mut out = Buffer::within(as_room(&mut room[50..50 + size]), RoomOnly);
            quoted(ShortBytes::<8>::text(b"front:"), &bytes[..length], Alphabet::Standard, &mut out);
            let (failure, end) = (out.failure(), 50 + out.len());
            assert_eq!(failure.is_some(), end == 50, "{length} bytes to {size}");
            drop(out);
            assert!(failure.is_none() || size < length.div_ceil(3) * 4 + 2 + 6 + 70);
            assert!(room[..50].iter().chain(&room[50 + size..]).all(|&byte| byte == GUARD));
        }
    }
}

#[test]
fn every_length_at_every_offset() {
    let mut random = Random(1);
    for length in 0..=LONGEST {
        let bytes = random.bytes(length);
        for alphabet in ALPHABETS {
            let text = rfc_4648(&bytes, alphabet);
            for offset in 0..64 {
                if !sampled() {
                    continue;
                }
                let mut around = random.bytes(offset + length + 64);
                around[offset..offset + length].copy_from_slice(&bytes);
                check_all(&around[offset..offset + length], alphabet, &text, (offset + length) % 64);
            }
        }
    }
}

#[test]
fn every_byte_value_at_every_position() {
    let mut random = Random(2);
    for length in [1, 2, 3, 15, 16, 17, 18, 23, 24, 25, 26, 47, 48, 49, 96, 100, LONGEST] {
        // One order of the 256 values for each position.
        let values: Vec<Vec<u8>> = (0..length)
            .map(|_| {
                let mut order: Vec<u8> = (0..=255).collect();
                (1..256).for_each(|i| order.swap(i, random.below(i + 1)));
                order
            })
            .collect();
        for i in 0..256 {
            if !sampled() {
                continue;
            }
            let bytes: Vec<u8> = values.iter().map(|order| order[i]).collect();
            for alphabet in ALPHABETS {
                check_all(&bytes, alphabet, &rfc_4648(&bytes, alphabet), i % 64);
            }
        }
    }
}

#[test]
fn random_bulk() {
    let mut random = Random(3);
    for round in 0..400 {
        let length = random.below(if round % 40 == 0 { 50_000 } else { 1500 });
        let bytes = random.bytes(length);
        if !sampled() {
            continue;
        }
        for alphabet in ALPHABETS {
            check_all(&bytes, alphabet, &rfc_4648(&bytes, alphabet), 4 * round % 64 + round % 17 % 3);
        }
    }
}

#[test]
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn nothing_is_touched_over_the_edges() {
    let (source, target) = (fenced::page(), fenced::page());
    let mut random = Random(4);
    // Long enough for every loop of every kernel.
    for length in 0..=800 {
        let bytes = random.bytes(length);
        if !sampled() {
            continue;
        }
        for alphabet in ALPHABETS {
            let text = rfc_4648(&bytes, alphabet);
            for tier in tiers() {
                for at_end in [false, true] {
                    let from = if at_end { source.len() - length } else { 0 };
                    source[from..from + length].copy_from_slice(&bytes);
                    // Behind the text lies the byte that a buffer keeps to itself; guards watch
                    // that one.
                    let to = if at_end { target.len() - text.len() - 1 } else { 0 };
                    let room = &mut target[to..to + text.len() + 1];
                    encode_into(Some(tier), &source[from..from + length], alphabet, room);
                    assert_eq!(&room[..text.len()], text);
                }
            }
        }
    }
}

type Decoded = Result<Vec<u8>, (usize, InvalidKind)>;

/// Decodes to a room that is exactly as large as the text may need, between guard bytes.
fn decoded_by(tier: Option<DetectedTier>, text: &[u8]) -> Decoded {
    let most = text.len().div_ceil(4) * 3;
    // The byte more is the buffer's own, which it writes only when it is finished.
    let mut room = vec![GUARD; 64 + most + 1 + 64];
    let mut out = Buffer::within(as_room(&mut room[64..64 + most + 1]), RoomOnly);
    let result = match tier {
        Some(tier) => decode_tier(tier, text, &mut out),
        None => decode(text, &mut out),
    };
    assert_eq!(out.failure(), None);
    let bytes = out.as_slice().to_vec();
    drop(out);
    assert!(result.is_ok() || bytes.is_empty(), "an invalid text has left something");
    let edges = [&room[..64], &room[64 + most..]];
    assert!(edges.iter().all(|edge| edge.iter().all(|&byte| byte == GUARD)), "{tier:?} wrote over the edge");
    result.map(|()| bytes).map_err(|error| (error.offset, error.kind))
}

/// On every tier, and as production calls it: the same.
fn decoded(text: &[u8]) -> Decoded {
    let result = decoded_by(None, text);
    for tier in tiers() {
        assert_eq!(decoded_by(Some(tier), text), result, "{tier:?}: {}", text.escape_ascii());
    }
    result
}

fn check_decode(text: &[u8]) {
    let expected = forgiving_base64(text).ok_or_else(|| {
        let offset = blame(text);
        let complete = text.iter().skip(offset + 1).any(|byte| !b"\t\n\x0c\r ".contains(byte));
        let kind = match text[offset] {
            b'=' => InvalidKind::Padding,
            byte if complete || forgiving_base64(&[byte, b'A']).is_none() => InvalidKind::Byte(byte),
            byte if text[..offset].contains(&b'=') => InvalidKind::Byte(byte),
            _ => InvalidKind::Length,
        };
        (offset, kind)
    });
    assert_eq!(decoded(text), expected, "{}", text.escape_ascii());
}

#[test]
fn decodes_as_atob() {
    for text in [
        "YQ",
        "Y Q = =",
        "YR==",
        "YQ==\0",
        "",
        " ",
        "\t\n\x0c\r ",
        "\x0b",
        "=",
        "==",
        "===",
        "====",
        "A",
        "A=",
        "A==",
        "A===",
        "AA",
        "AA=",
        "AA==",
        "AA===",
        "AAA",
        "AAA=",
        "AAA==",
        "AAAA",
        "AAAA=",
        "AAAA==",
        "AAAA====",
        "A=A=",
        "AA=A",
        "A A\tA\nA",
        "-_+/",
        "\u{a0}",
        "AA\u{2028}",
        "////",
        "____",
        "/_",
        "AAAAA",
        "AAAAAA=",
        "AAAAAA= =",
        "=AAA",
        "AA==AA==",
        "AAAA*AAA",
    ] {
        check_decode(text.as_bytes());
    }
    for byte in 0..=255 {
        for at in 0..8 {
            let mut text = *b"QUJDREVG";
            text[at] = byte;
            check_decode(&text);
        }
    }
}

#[test]
fn decodes_garbage_as_the_rules_say() {
    let mut random = Random(5);
    let alphabet =
        rfc_4648(&[0, 16, 131, 16, 81, 135, 32, 146, 139, 48, 211, 143, 65, 20, 147], Alphabet::Url);
    for round in 0..20_000 {
        let length = random.below(if round % 100 == 0 { 150 } else { 24 });
        let dirt = [1, 4, 30, 200][random.below(4)];
        let text: Vec<u8> = (0..length)
            .map(|i| match random.below(dirt) {
                0 => *b"\t\n\x0c\r ".get(random.below(6)).unwrap_or(&(random.next() as u8)),
                1 if i + 4 > length => b'=',
                2 => b"=+/-_"[random.below(5)],
                _ => alphabet[random.below(alphabet.len())],
            })
            .collect();
        if sampled() {
            check_decode(&text);
        }
    }
}

#[test]
fn decodes_what_it_encodes() {
    let mut random = Random(6);
    for length in (0..=LONGEST).chain([1000, 20_000]) {
        let bytes = random.bytes(length);
        for alphabet in ALPHABETS {
            let text = rfc_4648(&bytes, alphabet);
            assert_eq!(decoded(&text).as_ref(), Ok(&bytes));
            let lines: Vec<&[u8]> = text.chunks(76).collect();
            assert_eq!(decoded(&lines.join(&b"\r\n"[..])).as_ref(), Ok(&bytes));
            let spaced: Vec<u8> = text.iter().flat_map(|&byte| [byte, b' ']).collect();
            assert_eq!(decoded(&spaced), Ok(bytes.clone()));
            if !text.is_empty() {
                let mut broken = text.clone();
                let at = random.below(text.len());
                broken[at] = b'.';
                assert_eq!(decoded(&broken), Err((at, InvalidKind::Byte(b'.'))));
            }
        }
    }
}

/// Every length and offset, padded and not, where nobody can read or write over the edges.
#[test]
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn decodes_between_fences() {
    let (source, target) = (fenced::page(), fenced::page());
    let mut random = Random(7);
    for length in 0..=800 {
        let bytes = random.bytes(length);
        if !sampled() {
            continue;
        }
        for alphabet in ALPHABETS {
            let text = rfc_4648(&bytes, alphabet);
            let most = text.len().div_ceil(4) * 3;
            for tier in tiers() {
                for at_end in [false, true] {
                    let from = if at_end { source.len() - text.len() } else { length % 64 };
                    source[from..from + text.len()].copy_from_slice(&text);
                    let to = if at_end { target.len() - most - 1 } else { length % 61 };
                    let mut out = Buffer::within(as_room(&mut target[to..to + most + 1]), RoomOnly);
                    assert_eq!(decode_tier(tier, &source[from..from + text.len()], &mut out), Ok(()));
                    assert!(out.failure().is_none() && out.as_slice() == bytes, "{tier:?}, {length} bytes");
                }
            }
        }
    }
}

/// Every byte in place of each character, in texts that take every loop.
#[test]
fn decodes_every_byte_at_every_place() {
    let mut random = Random(8);
    for length in [2, 12, 13, 24, 47, 48, 50, 97] {
        for alphabet in ALPHABETS {
            let text = rfc_4648(&random.bytes(length), alphabet);
            for at in 0..text.len() {
                for byte in 0..=255 {
                    if !sampled() {
                        continue;
                    }
                    let mut text = text.clone();
                    text[at] = byte;
                    check_decode(&text);
                }
            }
        }
    }
}

/// One byte that is no character, at each place of long texts: what comes before it is decoded, and
/// it is blamed or skipped.
#[test]
fn decodes_up_to_a_special_byte() {
    let mut random = Random(9);
    for length in [96, 97, 191, 192, 193, 200, 385, 590] {
        let bytes = random.bytes(length);
        let text = rfc_4648(&bytes, Alphabet::Standard);
        for at in 0..text.len() {
            for byte in [b'.', 0x80, 0xff, 0, b'@', b'`', b'{', b' ', b'\n'] {
                if !sampled() {
                    continue;
                }
                let mut broken = text.clone();
                if byte.is_ascii_whitespace() {
                    broken.insert(at, byte);
                    assert_eq!(decoded(&broken).as_ref(), Ok(&bytes));
                } else if text[at] != b'=' {
                    broken[at] = byte;
                    assert_eq!(decoded(&broken), Err((at, InvalidKind::Byte(byte))));
                }
            }
        }
    }
}

/// A room that is too small for what a step stores, but not for what counts; and one that is too
/// small.
#[test]
fn decodes_to_the_end_of_the_room() {
    let bytes = Random(10).bytes(200);
    for length in 0..=200 {
        let text = rfc_4648(&bytes[..length], Alphabet::Standard);
        let most = text.len().div_ceil(4) * 3;
        for tier in tiers() {
            for size in (most.saturating_sub(3)..most + 70).step_by(1 + length % 5) {
                let mut room = vec![GUARD; size + 66];
                let mut out = Buffer::within(as_room(&mut room[1..size + 2]), RoomOnly);
                assert_eq!(decode_tier(tier, &text, &mut out), Ok(()));
                assert_eq!(out.failure().is_some(), size < most);
                assert!(size < most || out.as_slice() == &bytes[..length]);
                drop(out);
                assert!(room[0] == GUARD && room[size + 1..].iter().all(|&byte| byte == GUARD));
            }
        }
    }
}

/// A kernel that stops too early would be slow, but what comes after it would still be right: so here
/// it is asked alone. All whole groups, and the padded one, are its own.
#[test]
fn decoding_kernels_stop_at_nothing_clean() {
    const ALPHABETS_64: [&[u8; 64]; 2] = [
        b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
        b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
    ];
    let decoder = Base64Decoder::new(&ALPHABETS_64);
    let mut random = Random(11);
    for length in 0..=500 {
        let bytes = random.bytes(length);
        for alphabet in ALPHABETS {
            let text = rfc_4648(&bytes, alphabet);
            for tier in tiers() {
                let mut room = [MaybeUninit::uninit(); 600];
                let (written, read) = base64_decode(tier, &decoder, &text, &mut room);
                let whole = text.len() / 4 * 4;
                assert_eq!(read, whole, "{tier:?}, {length} bytes");
                assert_eq!(written, &bytes[..length.min(whole / 4 * 3)], "{tier:?}, {length} bytes");
            }
        }
    }
}
