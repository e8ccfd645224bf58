//! JSON strings on every tier that this processor has, against RFC 8259 and
//! `String::from_utf8_lossy` written out.
//!
//! The oracle goes character by character and shares no code with the crate. Output goes to rooms
//! between guard bytes, and sizes of rooms go down to nothing; input is a slice that begins and
//! ends amid other bytes, or beside pages that nobody may touch.
//!
//! `support/kernels.rs` says which variables of the environment it heeds.

#![allow(unsafe_code, clippy::unwrap_used, clippy::expect_used)]

#[path = "support/kernels.rs"]
mod kernels;

use kernels::{GUARD, Random, as_room, sampled, tiers};
use resq::internals::arch::{self, ESCAPE_ROOM, NonAscii, Tier};
use resq::internals::buffer::{Buffer, RoomOnly, SLACK};
use resq::internals::escape;

/// Four blocks of the widest kernel, and 3.
const LONGEST: usize = 4 * 64 + 3;
const EDGE: usize = 192;

/// RFC 8259, section 7: "All Unicode characters may be placed within the quotation marks, except
/// for the characters that MUST be escaped: quotation mark, reverse solidus, and the control
/// characters (U+0000 through U+001F)." The short forms are those of the same section but `\/`; the
/// others are "a six-character sequence: a reverse solidus, followed by the lowercase letter u,
/// followed by four hexadecimal digits".
fn rfc_8259(text: &[u8], ascii: bool) -> Vec<u8> {
    let mut json = String::new();
    for character in String::from_utf8_lossy(text).chars() {
        match character {
            '\u{22}' => json += "\\\"",
            '\u{5c}' => json += "\\\\",
            '\u{08}' => json += "\\b",
            '\u{0c}' => json += "\\f",
            '\u{0a}' => json += "\\n",
            '\u{0d}' => json += "\\r",
            '\u{09}' => json += "\\t",
            '\u{00}'..='\u{1f}' => json += &format!("\\u{:04x}", character as u32),
            '\u{10000}'.. if ascii => {
                // "a character outside the Basic Multilingual Plane … as a 12-character sequence,
                // encoding the UTF-16 surrogate pair"
                let above = character as u32 - 0x10000;
                json += &format!("\\u{:04x}\\u{:04x}", 0xd800 + (above >> 10), 0xdc00 + (above & 0x3ff));
            }
            '\u{80}'.. if ascii => json += &format!("\\u{:04x}", character as u32),
            _ => json.push(character),
        }
    }
    json.into_bytes()
}

fn show(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

/// What a writer of strings appends, by way of a buffer.
fn written(length: usize, write: impl FnOnce(&mut Buffer<'_, RoomOnly>)) -> Vec<u8> {
    // One byte is for the NUL; the kernels ask for no more than the slack beyond what they must
    // write.
    let mut room = vec![GUARD; length + SLACK + 1 + EDGE];
    let end = length + SLACK + 1;
    let mut out = Buffer::within(as_room(&mut room[..end]), RoomOnly);
    write(&mut out);
    assert_eq!(out.failure(), None);
    let got = out.as_slice().to_vec();
    drop(out);
    assert!(room[end..].iter().all(|&byte| byte == GUARD), "wrote over the edge of {end} bytes");
    got
}

/// `text` as a string, on every tier and as production calls it, in a room of its own length and
/// the slack.
fn check(text: &[u8]) {
    let (plain, ascii) = (quoted(text, false), quoted(text, true));
    for tier in tiers() {
        let got = written(plain.len(), |out| escape::string_tier(tier, text, out));
        assert!(got == plain, "{tier:?}, {}:\n{}\nis not\n{}", show(text), show(&got), show(&plain));
        let got = written(ascii.len(), |out| escape::string_ascii_tier(tier, text, out));
        assert!(got == ascii, "{tier:?}, ASCII, {}:\n{}\nis not\n{}", show(text), show(&got), show(&ascii));
    }
    assert_eq!(written(plain.len(), |out| escape::string(text, out)), plain);
    assert_eq!(written(ascii.len(), |out| escape::string_ascii(text, out)), ascii);
}

fn quoted(text: &[u8], ascii: bool) -> Vec<u8> {
    [b"\"", &rfc_8259(text, ascii)[..], b"\""].concat()
}

/// The inside of a string, written bytes that are not ASCII and all.
fn inside(text: &[u8]) -> Vec<u8> {
    text.iter().flat_map(|&byte| if byte < 0x80 { rfc_8259(&[byte], false) } else { vec![byte] }).collect()
}

/// The kernels themselves, in a room of `room` bytes between guards: do they stay in it, is what
/// they say they wrote right, do they get on where they promise to?
fn check_kernels(text: &[u8], room: usize) {
    for tier in tiers() {
        for (quote, non_ascii) in [
            (false, NonAscii::Stop),
            (false, NonAscii::Copy),
            (false, NonAscii::Check),
            (true, NonAscii::Stop),
            (true, NonAscii::Check),
        ] {
            let what = || format!("{tier:?}, {non_ascii:?}, quote {quote}, room {room}, {}", show(text));
            let mut bytes = vec![GUARD; EDGE + room + EDGE];
            let (got, read) = {
                let room = as_room(&mut bytes[EDGE..EDGE + room]);
                let (got, read) = match quote {
                    true => arch::quote(tier, non_ascii, text, room),
                    false => arch::escape(tier, non_ascii, text, room),
                };
                (got.to_vec(), read)
            };
            let edges = [&bytes[..EDGE], &bytes[EDGE + room..]];
            assert!(
                edges.iter().all(|edge| edge.iter().all(|&byte| byte == GUARD)),
                "over the edge: {}",
                what()
            );
            assert!(bytes[EDGE..].starts_with(&got), "not the head of the room: {}", what());

            let ascii = text.iter().position(|&byte| byte >= 0x80).unwrap_or(text.len());
            let mut right = inside(&text[..read]);
            if quote && !(got.is_empty() && read == 0) {
                right.insert(0, b'"');
                if read == text.len() {
                    right.push(b'"');
                }
            }
            assert!(got == right, "{}:\n{}\nis not\n{}", what(), show(&got), show(&right));
            match non_ascii {
                NonAscii::Copy => {}
                NonAscii::Stop => assert!(read <= ascii, "{}", what()),
                // Whole characters, if any beyond ASCII.
                NonAscii::Check => assert!(core::str::from_utf8(&text[..read]).is_ok(), "{}", what()),
            }
            let promised = room >= text.len() + ESCAPE_ROOM + if quote { 2 } else { 0 };
            let next = read < text.len() && (text[read] < 0x80 || non_ascii == NonAscii::Copy);
            assert!(!(promised && next && read == 0), "did not get on: {}", what());
        }
    }
}

/// What needs attention: all that is escaped, and what is just beside it.
const ATTENTION: [u8; 45] = {
    let mut bytes = [0; 45];
    let mut byte = 0;
    while byte < 0x24 {
        bytes[byte] = byte as u8;
        byte += 1;
    }
    let others = *b"\x5b\x5c\x5d\x5e\x7e\x7f\x20\x22\x5c";
    while byte < 45 {
        bytes[byte] = others[byte - 0x24];
        byte += 1;
    }
    bytes
};

/// Well-formed and ill-formed UTF-8: every kind of sequence, at the edges of every range of the
/// Unicode standard's tables 3-6 and 3-7, and cut off after each byte.
fn sequences() -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = Vec::new();
    for first in 0x80..=0xff_u8 {
        all.push(vec![first]);
    }
    let edges = [0x22, 0x5c, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff];
    for first in
        [0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf8]
    {
        for second in edges {
            all.push(vec![first, second]);
            if first >= 0xe0 {
                for third in [0x22, 0x7f, 0x80, 0xbf, 0xc0] {
                    all.push(vec![first, second, third]);
                    if first >= 0xf0 {
                        all.extend([0x5c, 0x80, 0xbf, 0xc3].map(|fourth| vec![first, second, third, fourth]));
                    }
                }
            }
        }
    }
    for scalar in "\u{80}\u{7ff}\u{800}\u{d7ff}\u{e000}\u{ffff}\u{10000}\u{10ffff}ž☃𝄞".chars() {
        all.push(scalar.to_string().into_bytes());
    }
    all
}

#[test]
fn every_length_at_every_offset() {
    let mut random = Random(1);
    for length in 0..=LONGEST {
        let bytes = random.plain(length);
        for offset in 0..64 {
            if !sampled() {
                continue;
            }
            // Around the text lies what would be noticed.
            let mut around = vec![random.pick(b"\"\\\n\x00\xff"); offset + length + 64];
            around[offset..offset + length].copy_from_slice(&bytes);
            check(&around[offset..offset + length]);
        }
    }
}

#[test]
fn every_special_byte_at_every_position() {
    let mut random = Random(2);
    for length in (1..70).chain([95, 96, 97, 127, 128, 129, LONGEST]) {
        let mut text = random.plain(length);
        for position in 0..length {
            let plain = text[position];
            // All of them about one block of each kind, some of them elsewhere, in turn.
            let whole = [8, 17, 33, 64, 65].contains(&length);
            for (index, special) in ATTENTION.into_iter().enumerate() {
                if !whole && (index + position + length) % 9 != 0 || !sampled() {
                    continue;
                }
                text[position] = special;
                check(&text);
            }
            text[position] = plain;
        }
    }
}

#[test]
fn every_pair_of_special_bytes() {
    let mut random = Random(3);
    for first in ATTENTION {
        for second in ATTENTION {
            let length = 2 + random.below(130);
            let mut text = random.plain(length);
            let at = random.below(length - 1);
            text[at] = first;
            text[at + 1 + random.below(length - 1 - at)] = second;
            check(&text);
        }
    }
}

#[test]
fn nothing_but_special_bytes() {
    let mut random = Random(4);
    for special in ATTENTION {
        for length in [1, 2, 7, 8, 15, 16, 17, 30, 31, 32, 33, 62, 63, 64, 65, 128, LONGEST, 5000] {
            check(&vec![special; length]);
        }
    }
    for length in 0..=LONGEST {
        check(&(0..length).map(|_| random.pick(&ATTENTION)).collect::<Vec<_>>());
        check(&(0..length).map(|_| random.pick(b"\"\\\n\r\t\x08\x0c")).collect::<Vec<_>>());
    }
}

#[test]
fn every_kind_of_sequence_at_every_border() {
    let mut random = Random(5);
    let lengths = [0, 1, 13, 14, 15, 16, 28, 29, 30, 31, 32, 48, 59, 60, 61, 62, 63, 64, 65, 128];
    for sequence in sequences() {
        check(&sequence);
        for before in lengths {
            if !sampled() {
                continue;
            }
            let after = random.pick(&lengths);
            let quote: &[u8] = random.pick(&[&b""[..], b"\"", b"\n", b"\0"]);
            check(&[&random.plain(before)[..], &sequence, quote, &random.plain(after)].concat());
            check(&[&random.plain(before)[..], quote, &sequence].concat());
        }
    }
}

/// Every kind of sequence at every place of the widest vector and across two, in the middle of a
/// text and near its end.
#[test]
fn every_kind_of_sequence_at_every_place() {
    let mut random = Random(11);
    let tiers = tiers();
    let around = random.plain(256);
    for (number, sequence) in sequences().iter().enumerate() {
        for before in 0..=66 {
            if !sampled() {
                continue;
            }
            let after = [0, 1, 2, 3, 15, 40, 70][(number + before) % 7];
            let text = [&around[..before], sequence, &around[128..128 + after]].concat();
            let right = quoted(&text, false);
            for &tier in &tiers {
                let got = written(right.len(), |out| escape::string_tier(tier, &text, out));
                assert!(got == right, "{tier:?}, {}:\n{}\nis not\n{}", show(&text), show(&got), show(&right));
            }
        }
    }
}

/// All texts of one to three bytes beyond ASCII, and all of four that begin as such a text may: a
/// kernel that checks takes all of a text if, and only if, it is well-formed.
#[test]
fn short_utf8() {
    let tiers = tiers();
    let best = *tiers.last().unwrap();
    let mut room = vec![GUARD; 64 + ESCAPE_ROOM + 2];
    let mut check = |text: &[u8]| {
        if !sampled() {
            return;
        }
        let right = core::str::from_utf8(text).is_ok();
        assert!(arch::well_formed(best, text).is_none_or(|got| got == right), "{}", show(text));
        for &tier in tiers.iter().filter(|tier| tier.tier() != Tier::Scalar) {
            let (_, read) = arch::quote(tier, NonAscii::Check, text, as_room(&mut room));
            assert_eq!(read == text.len(), right, "{tier:?}, {}", show(text));
        }
    };
    for first in 0x80..=0xff {
        check(&[first]);
        for second in 0..=0xff {
            check(&[first, second]);
            check(&[b'x', first, second]);
            for third in
                [0x00, 0x7f, 0x80, 0x81, 0x8f, 0x90, 0x9f, 0xa0, 0xbe, 0xbf, 0xc0, 0xc2, 0xe0, 0xf0, 0xff]
            {
                check(&[first, second, third]);
                for fourth in [0x00, 0x7f, 0x80, 0xbf, 0xc0, 0xff] {
                    check(&[first, second, third, fourth]);
                    check(&[first, second, third, fourth, 0x80]);
                }
            }
        }
    }
    let mut random = Random(6);
    let all = sequences();
    for _ in 0..20_000 {
        let length = random.below(64);
        let mut text = Vec::new();
        while text.len() < length {
            match random.below(4) {
                0 => text.extend_from_slice(&all[random.below(all.len())]),
                _ => text.extend_from_slice(random.pick(&["a", "ž", "☃", "𝄞"]).as_bytes()),
            }
        }
        text.truncate(length);
        check(&text);
    }
}

/// A kernel that checks takes a text in one go if, and only if, it is well-formed, also where
/// escapes without a short form interrupt it. One that refused too much would only be slow.
#[test]
fn kernels_take_what_is_well_formed() {
    let mut random = Random(12);
    let tiers = tiers();
    for round in 0..20_000 {
        let length = random.below(200);
        let mut text = Vec::new();
        while text.len() < length {
            let piece = random.pick(&["a", "plain text", "\u{1}", "\"", "ž", "☃", "𝄞"]);
            text.extend_from_slice(piece.as_bytes());
        }
        if round % 2 == 0 && !text.is_empty() {
            let place = random.below(text.len());
            text[place] = random.pick(&[0xc3, 0xe2, 0xf0, 0x98, 0xff, b'a']);
        }
        if !sampled() {
            continue;
        }
        let right = core::str::from_utf8(&text).is_ok();
        let mut room = vec![GUARD; 6 * text.len() + ESCAPE_ROOM + 2];
        for &tier in tiers.iter().filter(|tier| tier.tier() != Tier::Scalar) {
            let (_, read) = arch::quote(tier, NonAscii::Check, &text, as_room(&mut room));
            assert_eq!(read == text.len(), right, "{tier:?}, {}", show(&text));
        }
    }
}

#[test]
fn bulk() {
    let mut random = Random(7);
    let all = sequences();
    for round in 0..600 {
        let length = random.below(if round % 50 == 0 { 70_000 } else { 700 });
        let weights = [random.below(60), random.below(4), random.below(4), random.below(3), random.below(2)];
        let mut text = Vec::new();
        while text.len() < length {
            let mut draw = random.below(weights.iter().sum::<usize>() + 1);
            let kind = weights.iter().position(|&weight| {
                let here = draw < weight;
                draw = draw.saturating_sub(weight);
                here
            });
            match kind {
                Some(0) => text.extend(random.plain(8)),
                Some(1) => text.push(random.pick(&ATTENTION)),
                Some(2) => text.extend_from_slice(random.pick(&["ž", "☃", "𝄞", "東京", "Łódź"]).as_bytes()),
                Some(3) => text.extend_from_slice(&all[random.below(all.len())]),
                Some(_) => text.extend(random.bytes(3)),
                None => text.push(b'"'),
            }
        }
        text.truncate(length);
        if sampled() {
            check(&text);
        }
    }
}

/// Kernels in rooms of every size about what they need.
#[test]
fn kernels_stay_in_their_room() {
    let mut random = Random(8);
    for length in (0..70).chain([96, 127, 128, 129, LONGEST]) {
        for kind in 0..8 {
            let mut text = random.plain(length);
            for byte in &mut text {
                match kind {
                    1 if random.below(20) == 0 => *byte = random.pick(b"\"\\\n\0"),
                    2 => *byte = b'"',
                    3 => *byte = random.pick(&ATTENTION),
                    4 if random.below(40) == 0 => *byte = 0xc3,
                    5 if random.below(3) == 0 => *byte = random.pick(b"\"\x01\xe2"),
                    _ => {}
                }
            }
            if kind == 4 && length > 2 {
                text[length - 2..].copy_from_slice("ž".as_bytes());
            }
            if kind >= 6 {
                // Whole characters, so that a kernel that stops for want of room may have to step
                // back.
                let pieces = ["☃", "𝄞", "ž", "\"\"", "\n", "a"];
                text.clear();
                while text.len() < length {
                    let piece = random.pick(if kind == 6 { &pieces[..] } else { &pieces[..4] });
                    text.extend_from_slice(piece.as_bytes());
                }
            }
            let exact = inside(&text).len();
            let rooms = [0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 130];
            let about = [0, 1, 2, 8, 16, 32, 64, 127, 128, 129, 130];
            for room in
                rooms.into_iter().chain(about.map(|more| length + more)).chain(about.map(|more| exact + more))
            {
                if sampled() {
                    check_kernels(&text, room);
                }
            }
        }
    }
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

#[test]
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn nothing_is_read_beside_the_text() {
    let mut random = Random(9);
    let page = fenced::page();
    for length in 0..=LONGEST {
        for kind in 0..4 {
            if !sampled() {
                continue;
            }
            let mut text = random.plain(length);
            match kind {
                0 => {}
                1 => text.iter_mut().step_by(7).for_each(|byte| *byte = b'\n'),
                2 => text.iter_mut().rev().step_by(20).for_each(|byte| *byte = 0xe2),
                _ => text = "ž☃\"".bytes().cycle().take(length).collect(),
            }
            page[..length].copy_from_slice(&text);
            check(&page[..length]);
            let start = page.len() - length;
            page[start..].copy_from_slice(&text);
            check(&page[start..]);
        }
    }
}

/// JSON text, which is repaired but not escaped, apart from NUL.
#[test]
fn json_text() {
    let mut random = Random(10);
    let all = sequences();
    for round in 0..3000 {
        let length = random.below(if round % 50 == 0 { 5000 } else { 150 });
        let mut text = Vec::new();
        while text.len() < length {
            match random.below(if round % 3 == 0 { 4 } else { 30 }) {
                0 => text.extend_from_slice(&all[random.below(all.len())]),
                1 => text.push(random.pick(&ATTENTION)),
                2 => text.extend_from_slice("☃𝄞".as_bytes()),
                _ => text.extend(random.plain(5)),
            }
        }
        if !sampled() {
            continue;
        }
        let repaired = String::from_utf8_lossy(&text).replace('\0', "\\u0000");
        let ascii: Vec<u8> = repaired
            .chars()
            .flat_map(|character| match character {
                '\0'..='\x7f' => vec![character as u8],
                _ => rfc_8259(character.to_string().as_bytes(), true),
            })
            .collect();
        let got = written(repaired.len(), |out| escape::raw_json(&text, out));
        assert!(got == repaired.as_bytes(), "{}:\n{}\nis not\n{repaired}", show(&text), show(&got));
        let got = written(ascii.len(), |out| escape::raw_json_ascii(&text, out));
        assert!(got == ascii, "{}:\n{}\nis not\n{}", show(&text), show(&got), show(&ascii));
    }
}
