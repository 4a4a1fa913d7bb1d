//! A part of a file that was read in one piece. What stays as it is stays there; what is changed
//! becomes bytes of its own first.

use std::ops::{Deref, Range};
use std::sync::Arc;

/// Some bytes of a buffer that others use too.
#[derive(Debug, Clone, Default)]
pub(super) struct Slice {
    whole: Arc<Vec<u8>>,
    range: Range<usize>,
}

impl Slice {
    /// The part in `range`; nothing where the buffer ends before.
    pub(super) fn from_whole(whole: &Arc<Vec<u8>>, range: Range<usize>) -> Option<Self> {
        whole.get(range.clone())?;
        let whole = Arc::clone(whole);
        Some(Self { whole, range })
    }

    /// Without the first `bytes`; nothing where there are not so many.
    pub(super) fn skip_bytes(&self, bytes: usize) -> Option<Self> {
        let start = self.range.start.checked_add(bytes)?;
        Self::from_whole(&self.whole, start..self.range.end)
    }

    /// Bytes of its own, to be changed.
    pub(super) fn to_mut(&mut self) -> &mut Vec<u8> {
        if self.range != (0..self.whole.len()) {
            *self = Self::from(self.to_vec());
        }
        // The end of what is about to change is the end of the slice; `done` sets it.
        Arc::make_mut(&mut self.whole)
    }

    /// Takes note of a length that [`Slice::to_mut`] let change.
    pub(super) fn update_length(&mut self) {
        self.range = 0..self.whole.len();
    }
}

impl From<Vec<u8>> for Slice {
    fn from(bytes: Vec<u8>) -> Self {
        let range = 0..bytes.len();
        let whole = Arc::new(bytes);
        Self { whole, range }
    }
}

impl Deref for Slice {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // Both were checked when it was made.
        self.whole.get(self.range.clone()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_changed_leaves_the_others_alone() {
        let whole = Arc::new(b"abcdef".to_vec());
        let mut one = Slice::from_whole(&whole, 1..4).unwrap_or_default();
        let two = one.skip_bytes(1).unwrap_or_default();
        one.to_mut().push(b'!');
        one.update_length();
        assert_eq!(
            (&*one, &*two, &**whole),
            (&b"bcd!"[..], &b"cd"[..], &b"abcdef"[..])
        );
        assert!(Slice::from_whole(&whole, 4..7).is_none());
        assert!(two.skip_bytes(3).is_none());
    }
}
