//! What cost.sh counts: `cost WHAT BYTES CALLS` encodes that many bytes as base64 that often,
//! `cost WHAT decode:BYTES CALLS` decodes their text, and `cost WHAT KIND CALLS` writes texts of a kind as strings, by one tier or as the crate itself
//! chooses. Everything else happens once, so that the difference between two numbers of calls is
//! the cost of the calls alone. `cost length KIND 0` says how long the texts of a call are.
use std::mem::MaybeUninit;

use resq::internals::arch::{DetectedTier, Tier};
use resq::internals::base64::{Alphabet, decode, decode_tier, encode, encode_tier, encoded_len};
use resq::internals::buffer::{Buffer, RoomOnly};
use resq::internals::escape;

#[path = "../../benches/texts/mod.rs"]
mod texts;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, what, input, calls] = &arguments[..] else { panic!("cost WHAT BYTES|KIND CALLS") };
    let calls = calls.parse().unwrap();
    let tier = Tier::ALL.into_iter().find(|tier| tier.name() == what);
    let tier = tier.map(|tier| DetectedTier::of(tier).unwrap());
    if let Some(kind) = texts::KINDS.iter().find(|kind| kind.table == input) {
        let texts = kind.texts(200);
        let length: usize = texts.iter().map(String::len).sum();
        if what == "length" {
            return println!("{length}");
        }
        let mut room = vec![MaybeUninit::uninit(); 2 * length + 1000];
        for _ in 0..calls {
            let mut out = Buffer::within(&mut room, RoomOnly);
            for text in &texts {
                match tier {
                    Some(tier) => escape::string_tier(tier, text.as_bytes(), &mut out),
                    None => escape::string(text.as_bytes(), &mut out),
                }
            }
            assert!(out.failure().is_none());
            std::hint::black_box(out.as_slice());
        }
        return;
    }
    if let Some(bytes) = input.strip_prefix("decode:") {
        let length = encoded_len(bytes.parse().unwrap(), Alphabet::Standard).unwrap();
        let text = vec![b'a'; length];
        let mut room = vec![MaybeUninit::uninit(); length];
        for _ in 0..calls {
            let mut out = Buffer::within(&mut room, RoomOnly);
            let result = match tier {
                Some(tier) => decode_tier(tier, &text, &mut out),
                None => decode(&text, &mut out),
            };
            assert!(result.is_ok() && out.failure().is_none());
            std::hint::black_box(out.as_slice());
        }
        return;
    }
    let source = vec![0x5a; input.parse().unwrap()];
    let mut room = vec![MaybeUninit::uninit(); encoded_len(source.len(), Alphabet::Standard).unwrap() + 1];
    for _ in 0..calls {
        let mut out = Buffer::within(&mut room, RoomOnly);
        match tier {
            Some(tier) => encode_tier(tier, &source, Alphabet::Standard, &mut out),
            None => encode(&source, Alphabet::Standard, &mut out),
        }
        assert!(out.failure().is_none());
        std::hint::black_box(out.as_slice());
    }
}
