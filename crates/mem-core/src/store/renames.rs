//! Which of the files that appeared are ones that vanished under another name.

use std::collections::BTreeMap;

use super::versions::FileDelta;
use crate::MemoryPath;
use crate::compact_sort::CompactSort as _;

/// Pairs with fewer shared lines than this share (in percent) are different notes.
const SIMILAR_PERCENT: usize = 60;
/// Beyond this many pairs only identical files are matched.
const PAIRS_MAX: usize = 2_500;

/// A file that vanished or appeared, with its bytes.
pub(super) struct RenamedFile<'a> {
    pub(super) delta: &'a FileDelta,
    pub(super) bytes: &'a [u8],
}

/// Finds renames, new path -> old path: identical files first, then the most similar.
pub(super) fn find(
    gone: &[RenamedFile<'_>],
    new: &[RenamedFile<'_>],
) -> BTreeMap<MemoryPath, MemoryPath> {
    let mut found = BTreeMap::new();
    let mut scored = Vec::new();
    let compare_lines = gone.len() * new.len() <= PAIRS_MAX;
    for (old_at, old) in gone.iter().enumerate() {
        for (new_at, new) in new.iter().enumerate() {
            let score = match old.bytes == new.bytes && !old.bytes.is_empty() {
                true => 101,
                false if compare_lines => similarity_percent(old.bytes, new.bytes),
                false => 0,
            };
            if score >= SIMILAR_PERCENT {
                scored.push((score, old_at, new_at));
            }
        }
    }
    scored.compact_sort_by_key(|&(score, old_at, new_at)| (usize::MAX - score, old_at, new_at));
    let (mut old_taken, mut new_taken) = (vec![false; gone.len()], vec![false; new.len()]);
    for (_, old_at, new_at) in scored {
        if !old_taken[old_at] && !new_taken[new_at] {
            (old_taken[old_at], new_taken[new_at]) = (true, true);
            found.insert(
                new[new_at].delta.path.clone(),
                gone[old_at].delta.path.clone(),
            );
        }
    }
    found
}

/// Lines that both have, in percent of the lines of the longer one.
fn similarity_percent(one: &[u8], other: &[u8]) -> usize {
    let mut counts: BTreeMap<&[u8], usize> = BTreeMap::new();
    let mut one_lines = 0;
    for line in lines(one) {
        *counts.entry(line).or_default() += 1;
        one_lines += 1;
    }
    let (mut shared, mut other_lines) = (0, 0);
    for line in lines(other) {
        other_lines += 1;
        if let Some(count) = counts.get_mut(line).filter(|count| **count > 0) {
            *count -= 1;
            shared += 1;
        }
    }
    let longer: usize = one_lines.max(other_lines);
    if longer < 3 { 0 } else { shared * 100 / longer }
}

/// Lines that carry something.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .filter(|line| !line.is_empty() && *line != b"---")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similarity_counts_shared_lines() {
        let one = b"name: a\ndescription: d\ntype: user\none\ntwo\n";
        let other = b"name: b\ndescription: d\ntype: user\none\ntwo\n";
        assert_eq!(similarity_percent(one, other), 80);
        assert_eq!(similarity_percent(b"a\n", b"a\n"), 0, "too short to tell");
        assert_eq!(similarity_percent(b"", b""), 0);
    }
}
