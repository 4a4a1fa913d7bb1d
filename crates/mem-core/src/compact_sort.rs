//! Sorting with one copy of the standard library's sort, for lists that are short or seldom sorted.
//!
//! `slice::sort_by` is compiled anew for each type of element and each comparison, to 5 kB of code; 180 copies were
//! 0.8 MB of the binary. Here numbers are sorted, by a comparison behind a pointer, and the elements then swapped into
//! place: 0.3 kB a copy. Where a prompt or a push waits for it, `slice::sort_by` stays the faster one.

use std::cmp::Ordering;

/// The stable sorts of a slice, compact in code.
pub trait CompactSort<T> {
    /// As `slice::sort_by`: elements that are equal keep their order.
    fn compact_sort_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// As `slice::sort_by_key`.
    fn compact_sort_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.compact_sort_by(|a, b| key(a).cmp(&key(b)));
    }
}

impl<T> CompactSort<T> for [T] {
    fn compact_sort_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let mut order = sorted_places(self.len(), &mut |a, b| compare(&self[a], &self[b]));
        // `order[at]` is where the element that belongs at `at` lies. Each cycle of the permutation is walked once:
        // a swap puts one element into place and moves the hole on.
        for start in 0..order.len() {
            let mut hole = start;
            loop {
                let from = std::mem::replace(&mut order[hole], hole);
                if from == start {
                    break;
                }
                self.swap(hole, from);
                hole = from;
            }
        }
    }
}

fn sorted_places(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|&a, &b| compare(a, b));
    places
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::CompactSort as _;

    proptest! {
        #[test]
        fn it_sorts_as_the_standard_library_does(items: Vec<(u8, u32)>) {
            let (mut ours, mut theirs) = (items.clone(), items);
            ours.compact_sort_by(|a, b| a.0.cmp(&b.0));
            theirs.sort_by_key(|one| one.0);
            prop_assert_eq!(&ours, &theirs);
            ours.compact_sort_by_key(|one| std::cmp::Reverse(one.0));
            theirs.sort_by_key(|one| std::cmp::Reverse(one.0));
            prop_assert_eq!(ours, theirs);
        }
    }
}
