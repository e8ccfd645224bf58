//! What the kernels' tests share: the tiers of this processor, seeded random bytes, guard bytes, and samples.
//!
//! RESQ_EXPECT_TIER=<name> makes it a failure if another tier than that one is this processor's
//! best: a test that ran on the wrong processor, or on none but the portable code, has shown
//! nothing.
//!
//! RESQ_SAMPLE=<n> runs one of n cases of the long loops. CI sets it under emulation, where they
//! take minutes; `make test-tiers` and `make test-aarch64` run all of them.
#![allow(dead_code, unsafe_code, clippy::unwrap_used)]

use core::cell::RefCell;
use core::mem::MaybeUninit;
use std::sync::LazyLock;

use resq::internals::arch::{DetectedTier, Tier};

pub const GUARD: u8 = 0xa5;

/// Every tier of this processor, best last.
pub fn tiers() -> Vec<DetectedTier> {
    Tier::ALL.into_iter().filter_map(DetectedTier::of).collect()
}

/// Bytes as room for a buffer or a kernel.
pub fn as_room(bytes: &mut [u8]) -> &mut [MaybeUninit<u8>] {
    // SAFETY: the same bytes; who gets them writes only initialised ones.
    unsafe { core::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), bytes.len()) }
}

/// xorshift64*: the same bytes on every run.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n
    }
    pub fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| self.next() as u8).collect()
    }
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
    /// Bytes that no rule is about.
    pub fn plain(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| self.pick(b" !#$%&'()*+,-./0123456789:;<=>?@AMZ[]^_`amz{|}~\x7f")).collect()
    }
}

/// Is the next case of a long loop to run? Always, unless RESQ_SAMPLE says otherwise. Which ones run
/// is random, so that a sample keeps no step with the loops, and the same on every run.
pub fn sampled() -> bool {
    static OF: LazyLock<usize> =
        LazyLock::new(|| std::env::var("RESQ_SAMPLE").map_or(1, |n| n.parse().unwrap()));
    thread_local!(static RANDOM: RefCell<Random> = const { RefCell::new(Random(0x7e57)) });
    *OF == 1 || RANDOM.with_borrow_mut(|random| random.below(*OF) == 0)
}

#[test]
fn the_expected_tier_runs() {
    let names: Vec<_> = tiers().into_iter().map(|tier| tier.tier().name()).collect();
    println!("tiers: {names:?}, best: {}", Tier::current().name());
    assert_eq!(names.first(), Some(&"scalar"));
    assert_eq!(names.last(), Some(&Tier::current().name()));
    if let Ok(expected) = std::env::var("RESQ_EXPECT_TIER") {
        assert_eq!(Tier::current().name(), expected);
    }
}
