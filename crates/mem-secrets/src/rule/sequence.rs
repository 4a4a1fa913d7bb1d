//! Matches the simple patterns that nearly all token formats are (a row of
//! byte classes with counts) without a regular expression engine: no
//! compilation, no allocation, and a mismatch is found within a few bytes.

use crate::builtin::{SEQUENCES, SETS, STEPS};

/// A set of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Set(pub(crate) [u64; 4]);

impl Set {
    pub(crate) const fn contains(&self, byte: u8) -> bool {
        self.0[(byte >> 6) as usize] >> (byte & 63) & 1 == 1
    }
}

/// Between `min` and `max` bytes of one set.
#[derive(Debug)]
pub(crate) struct ByteRun {
    /// Where the set stands in the table of all sets: a pointer each would cost the loader.
    pub(crate) set: u16,
    pub(crate) min: u16,
    pub(crate) max: u16,
}

/// A row of steps, and how many bytes may stand before the keyword in it.
#[derive(Debug)]
pub(crate) struct ByteSequence {
    /// Where its steps stand in the table of all steps.
    pub(crate) first: u16,
    pub(crate) count: u16,
    pub(crate) lead_min: u16,
    pub(crate) lead_max: u16,
}

/// The sequences of one rule, by their places in the table of all of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sequences {
    pub(crate) start: u16,
    pub(crate) end: u16,
}

impl Sequences {
    pub(crate) fn iter(self) -> std::slice::Iter<'static, ByteSequence> {
        SEQUENCES[usize::from(self.start)..usize::from(self.end)].iter()
    }
}

impl ByteSequence {
    /// The end of the longest match that begins at `start`, backing off as
    /// far as `accept` wants.
    pub(crate) fn match_at(
        &self,
        bytes: &[u8],
        start: usize,
        accept: &impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let first = usize::from(self.first);
        let steps = &STEPS[first..first + usize::from(self.count)];
        follow(steps, bytes, start, &Set([0; 4]), accept)
    }

    /// The match that has its keyword at `keyword`, if there is one: its
    /// start and end, which `closes` is given both of. Where it may not begin nothing is read, so that rows of
    /// the same letters do not cost more than they are long.
    pub(crate) fn match_around(
        &self,
        bytes: &[u8],
        keyword: usize,
        opens: &impl Fn(usize) -> bool,
        closes: &impl Fn(usize, usize) -> bool,
    ) -> Option<(usize, usize)> {
        let first = keyword.saturating_sub(usize::from(self.lead_max));
        let last = keyword.checked_sub(usize::from(self.lead_min))?;
        (first..=last)
            .filter(|&start| opens(start))
            .find_map(|start| {
                let end = self.match_at(bytes, start, &|end| closes(start, end))?;
                Some((start, end))
            })
    }
}

/// The end of `steps` from `at` on; `last` is the set of the byte before.
fn follow(
    steps: &[ByteRun],
    bytes: &[u8],
    at: usize,
    last: &Set,
    accept: &impl Fn(usize) -> bool,
) -> Option<usize> {
    let Some((step, rest)) = steps.split_first() else {
        // A slash ends no token whose letters it is one of.
        let goes_on = bytes.get(at) == Some(&b'/') && last.contains(b'/');
        return (!goes_on && accept(at)).then_some(at);
    };
    let set = &SETS[usize::from(step.set)];
    let reach = bytes[at..].iter().take(usize::from(step.max));
    let most = reach.take_while(|&&byte| set.contains(byte)).count();
    let least = usize::from(step.min);
    if most < least {
        return None;
    }
    (least..=most).rev().find_map(|count| {
        let last = if count > 0 { set } else { last };
        follow(rest, bytes, at + count, last, accept)
    })
}
