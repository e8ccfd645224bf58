//! Which texts of queries have given many rows: a hint for the next time.

use core::cell::Cell;

/// A table of a fixed size. A text that comes later may take the place of another, and two texts
/// may have one hash: the hint is wrong then, which costs time and nothing else.
pub struct SizeHints {
    slots: [Cell<u64>; Self::SLOTS],
}

impl Default for SizeHints {
    fn default() -> Self {
        SizeHints { slots: [const { Cell::new(0) }; Self::SLOTS] }
    }
}

impl SizeHints {
    const SLOTS: usize = 64;

    fn slot(&self, hash: u64) -> Option<&Cell<u64>> {
        // The lowest bit is taken for the hint.
        self.slots.get((hash >> 1) as usize % Self::SLOTS)
    }

    /// Has the text given many rows the last time? `None` if it is not known.
    pub fn recall(&self, hash: u64) -> Option<bool> {
        let slot = self.slot(hash)?.get();
        (slot & !1 == hash & !1 && slot != 0).then_some(slot & 1 == 1)
    }

    /// It has now.
    pub fn note(&self, hash: u64, is_large: bool) {
        if let Some(slot) = self.slot(hash) {
            slot.set(hash & !1 | u64::from(is_large));
        }
    }
}

/// FNV-1a.
pub fn hash(text: &[u8]) -> u64 {
    text.iter()
        .fold(0xcbf2_9ce4_8422_2325, |all, &byte| (all ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_is_kept_until_another_takes_its_place() {
        let hints = SizeHints::default();
        let text = hash(b"select 1");
        assert_eq!(hints.recall(text), None);
        hints.note(text, true);
        assert_eq!(hints.recall(text), Some(true));
        hints.note(text, false);
        assert_eq!(hints.recall(text), Some(false));
        hints.note(text.wrapping_add(2 * SizeHints::SLOTS as u64), true);
        assert_eq!(hints.recall(text), None);
    }
}
