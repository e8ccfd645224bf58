//! Kernels: the loops that only make sense as instructions of one processor, and which of them runs.
//!
//! A kernel does whole blocks and returns what it wrote; its caller ends the job. A tier is a set of
//! instructions that a processor has or lacks; it is detected once and kept in one atomic. Inputs shorter than a
//! block never come here to ask.
#![allow(unsafe_code)]

use core::sync::atomic::{AtomicU8, Ordering};

/// A set of kernels, in the order of preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Tier {
    /// Portable code.
    Scalar = 1,
    /// x86-64 with SSSE3.
    Ssse3 = 2,
    /// x86-64 with AVX2.
    Avx2 = 3,
    /// x86-64 with AVX-512 F, BW, VL, VBMI and VBMI2.
    Avx512 = 4,
    /// AArch64, where it is part of the baseline.
    Neon = 5,
}

impl Tier {
    /// Every tier there is, on whatever processor.
    pub const ALL: [Tier; 5] = [Tier::Scalar, Tier::Ssse3, Tier::Avx2, Tier::Avx512, Tier::Neon];

    /// Its name as `resq_debug()` gives it.
    pub const fn name(self) -> &'static str {
        match self {
            Tier::Scalar => "scalar",
            Tier::Ssse3 => "ssse3",
            Tier::Avx2 => "avx2",
            Tier::Avx512 => "avx512",
            Tier::Neon => "neon",
        }
    }

    /// Can this processor run it?
    pub fn available(self) -> bool {
        match self {
            Tier::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Tier::Ssse3 => std::is_x86_feature_detected!("ssse3"),
            #[cfg(target_arch = "x86_64")]
            Tier::Avx2 => std::is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Tier::Avx512 => {
                std::is_x86_feature_detected!("avx512f")
                    && std::is_x86_feature_detected!("avx512bw")
                    && std::is_x86_feature_detected!("avx512vl")
                    && std::is_x86_feature_detected!("avx512vbmi")
                    && std::is_x86_feature_detected!("avx512vbmi2")
            }
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            Tier::Neon => true,
            #[allow(unreachable_patterns)]
            _ => false,
        }
    }

    /// The best tier of this processor.
    #[inline]
    pub fn current() -> Tier {
        match DETECTED.load(Ordering::Relaxed) {
            2 => Tier::Ssse3,
            3 => Tier::Avx2,
            4 => Tier::Avx512,
            5 => Tier::Neon,
            1 => Tier::Scalar,
            _ => Tier::detect(),
        }
    }

    #[cold]
    fn detect() -> Tier {
        let best = Tier::ALL.into_iter().filter(|tier| tier.available()).max().unwrap_or(Tier::Scalar);
        DETECTED.store(best as u8, Ordering::Relaxed);
        best
    }
}

/// `Tier as u8`; 0 until the first question.
static DETECTED: AtomicU8 = AtomicU8::new(0);
