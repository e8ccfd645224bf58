//! What cost.sh counts: `cost WHAT BYTES CALLS` encodes that many bytes that often, by one tier or as the crate
//! itself chooses. Everything else happens once, so that the difference between two numbers of calls is the
//! cost of the calls alone.
use std::mem::MaybeUninit;

use resq::internals::arch::{DetectedTier, Tier};
use resq::internals::base64::{Alphabet, encode, encode_tier, encoded_len};
use resq::internals::buffer::{Buffer, RoomOnly};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, what, bytes, calls] = &arguments[..] else { panic!("cost WHAT BYTES CALLS") };
    let source = vec![0x5a; bytes.parse().unwrap()];
    let mut room = vec![MaybeUninit::uninit(); encoded_len(source.len(), Alphabet::Standard).unwrap() + 1];
    let tier = Tier::ALL.into_iter().find(|tier| tier.name() == what);
    for _ in 0..calls.parse().unwrap() {
        let mut out = Buffer::within(&mut room, RoomOnly);
        match tier {
            Some(tier) => encode_tier(DetectedTier::of(tier).unwrap(), &source, Alphabet::Standard, &mut out),
            None => encode(&source, Alphabet::Standard, &mut out),
        }
        assert!(out.failure().is_none());
        std::hint::black_box(out.as_slice());
    }
}
