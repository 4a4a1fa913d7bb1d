//! The embedded vocabulary: found by a hash table that is part of the file, so that nothing is
//! built when a process starts. The format is that of `pack_vocabulary` in `models/distil.py`.

use std::sync::OnceLock;

use crate::model::{ModelParts, u16_at, u32_at};

/// Of so many tokens the first one's place is stored; the lengths tell the others'.
const BLOCK: usize = 32;

/// What the tokenizer does with a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CharClass {
    Other,
    Mark,
    Punctuation,
}

/// The tokens and their numbers.
#[derive(Debug)]
pub struct Vocabulary {
    /// Where each [`BLOCK`]th token begins in the text.
    starts: &'static [u8],
    /// The length of each token.
    lengths: &'static [u8],
    slots: &'static [u8],
    text: &'static [u8],
    ranges: Vec<(u32, u32, CharClass)>,
    longest: usize,
}

impl Vocabulary {
    /// The vocabulary of the embedded models.
    pub fn embedded() -> &'static Self {
        static READ: OnceLock<Vocabulary> = OnceLock::new();
        READ.get_or_init(Self::read)
    }

    fn read() -> Self {
        let mut parts = ModelParts::new(mem_model::vocabulary());
        let [tokens, slots, bytes, ranges, longest] = parts.read_header(b"MEMVOC02");
        let starts = parts.take_part(4 * tokens.div_ceil(BLOCK));
        let lengths = parts.take_part(tokens);
        let (slots, text) = (parts.take_part(2 * slots), parts.take_part(bytes));
        let classes = parts.take_part(12 * ranges);
        let class = |code| match code {
            0 => CharClass::Other,
            1 => CharClass::Mark,
            _ => CharClass::Punctuation,
        };
        let ranges = (0..ranges)
            .map(|i| {
                (
                    u32_at(classes, 3 * i),
                    u32_at(classes, 3 * i + 1),
                    class(u32_at(classes, 3 * i + 2)),
                )
            })
            .collect();
        Self {
            starts,
            lengths,
            slots,
            text,
            ranges,
            longest,
        }
    }

    /// The number of a token.
    pub fn find_token(&self, token: &[u8]) -> Option<u16> {
        let slots = self.slots.len() / 2;
        let mut slot = fnv_hash(token) as usize % slots;
        loop {
            let id = u16_at(self.slots, slot);
            if id == u16::MAX {
                return None;
            }
            // The length tells most others apart, and is found sooner than the text.
            let has_length = self
                .lengths
                .get(usize::from(id))
                .map(|len| usize::from(*len));
            if has_length == Some(token.len()) && self.token_bytes(id) == token {
                return Some(id);
            }
            slot = (slot + 1) % slots;
        }
    }

    /// The text of a token; `##` in front where it continues a word. Empty for a foreign number.
    pub fn token_text(&self, id: u16) -> &'static str {
        std::str::from_utf8(self.token_bytes(id)).unwrap_or_default()
    }

    pub(super) fn longest_token_len(&self) -> usize {
        self.longest
    }

    pub(super) fn char_class(&self, c: char) -> Option<CharClass> {
        let code = u32::from(c);
        let after = self.ranges.partition_point(|&(first, _, _)| first <= code);
        let &(_, last, class) = self.ranges.get(after.checked_sub(1)?)?;
        (code <= last).then_some(class)
    }

    fn token_bytes(&self, id: u16) -> &'static [u8] {
        let id = usize::from(id);
        let Some(&length) = self.lengths.get(id) else {
            return &[];
        };
        let block = id / BLOCK;
        let before = &self.lengths[block * BLOCK..id];
        let before: usize = before.iter().map(|len| usize::from(*len)).sum();
        let start = u32_at(self.starts, block) as usize + before;
        &self.text[start..start + usize::from(length)]
    }
}

/// FNV-1a, 32 bits.
fn fnv_hash(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811C_9DC5, |h, &b| {
        (h ^ u32::from(b)).wrapping_mul(0x0100_0193)
    })
}
