//! Finds every rule's keywords in one pass: the only thing that looks at
//! every byte, so the speed of the whole scanner is the speed of this loop.

pub(crate) mod tables;

use std::borrow::Cow;

use self::tables::STRIDE_BITS;

/// A finished automaton, either compiled into the crate or built at run time.
#[derive(Clone)]
pub(crate) struct Automaton {
    pub(crate) classes: Cow<'static, [u8; 256]>,
    pub(crate) transitions: Cow<'static, [u16]>,
    pub(crate) first_match: u16,
    pub(crate) starts: Cow<'static, [u32]>,
    pub(crate) outputs: Cow<'static, [u16]>,
}

impl Automaton {
    /// Builds an automaton for a user's keywords.
    pub(crate) fn new(keywords: &[&[u8]]) -> Result<Self, String> {
        let tables = tables::build(keywords)?;
        Ok(Self {
            classes: Cow::Owned(tables.classes),
            transitions: Cow::Owned(tables.transitions),
            first_match: tables.first_match,
            starts: Cow::Owned(tables.starts),
            outputs: Cow::Owned(tables.outputs),
        })
    }

    /// Calls `visit(keyword, end)` for each keyword that ends at each place,
    /// in the order of their ends.
    pub(crate) fn each(&self, bytes: &[u8], mut visit: impl FnMut(u16, usize)) {
        let classes = &*self.classes;
        let transitions = &*self.transitions;
        let first_match = self.first_match;
        let mut state = 0_u16;
        for (at, &byte) in bytes.iter().enumerate() {
            let class = usize::from(classes[usize::from(byte)]);
            state = transitions[usize::from(state) << STRIDE_BITS | class];
            if state >= first_match {
                for &keyword in self.outputs_of(state) {
                    visit(keyword, at + 1);
                }
            }
        }
    }

    fn outputs_of(&self, state: u16) -> &[u16] {
        let row = usize::from(state - self.first_match);
        &self.outputs[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_overlapping_keywords_whatever_their_case() {
        let automaton = Automaton::new(&[b"api", b"apikey", b"key"]).unwrap();
        let mut seen = Vec::new();
        automaton.each(b"My_APIKEY keys", |word, end| seen.push((word, end)));
        assert_eq!(seen, [(0, 6), (1, 9), (2, 9), (2, 13)]);
    }

    #[test]
    fn refuses_what_would_match_everywhere() {
        assert!(Automaton::new(&[b"a", b""]).is_err());
    }
}
