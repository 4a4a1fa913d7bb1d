//! Two changed texts into one, where that can be done without asking.
//!
//! Entries of an index and of a log stand for themselves, so both sides' entries can stay even where a merge by lines
//! sees the same place changed twice. In any other memory that may turn two statements into a wrong third one: a
//! conflict. Test: `merge::tests::clean_where_it_is_clean`.

use mem_core::store::merge_text;
use mem_core::{daily_log, index};

use crate::key::EntryKey;
use crate::limits::ENTRY_BYTES_MAX;

/// Merges by lines. An index is merged entry by entry, and always merges; so do the entries of a day's log, which both
/// ends add to. `None` where both changed the same lines, where what both come from is not known, and where the
/// result is no entry (not UTF-8, or too large).
pub fn merge_texts(
    key: &EntryKey,
    base: Option<&[u8]>,
    local: &[u8],
    remote: &[u8],
) -> Option<Vec<u8>> {
    let by_lines = || merge_text(base?, local, remote);
    let merged = if key.is_index() {
        index::merge(base.unwrap_or_default(), local, remote)
    } else if key.is_log() {
        by_lines().or_else(|| daily_log::merge_logs(base, local, remote))?
    } else {
        by_lines()?
    };
    let is_entry = merged.len() <= ENTRY_BYTES_MAX && std::str::from_utf8(&merged).is_ok();
    is_entry.then_some(merged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clean_where_it_is_clean() {
        let note = EntryKey::parse("a.md").unwrap();
        let list = EntryKey::parse("sub/MEMORY.md").unwrap();
        let base = b"1\n2\n3\n4\n5\n".as_slice();
        let (ours, theirs) = (b"0\n2\n3\n4\n5\n".as_slice(), b"1\n2\n3\n4\n6\n".as_slice());
        let both = Some(b"0\n2\n3\n4\n6\n".to_vec());
        assert_eq!(merge_texts(&note, Some(base), ours, theirs), both);
        assert_eq!(merge_texts(&note, None, ours, theirs), None);
        assert_eq!(
            merge_texts(&note, Some(base), ours, b"9\n2\n3\n4\n5\n"),
            None
        );
        assert_eq!(
            merge_texts(&list, None, b"a\n", b"b\n"),
            Some(b"a\nb\n".to_vec())
        );
        let log = EntryKey::parse("logs/2026/11/2026-11-23.md").unwrap();
        let (ours, theirs) = (b"- 09:00 a\n".as_slice(), b"- 08:00 b\n".as_slice());
        let both = Some(b"- 08:00 b\n- 09:00 a\n".to_vec());
        assert_eq!(merge_texts(&log, None, ours, theirs), both);
        assert_eq!(merge_texts(&log, Some(b""), ours, theirs), both);
        let long = vec![b'x'; ENTRY_BYTES_MAX];
        assert_eq!(merge_texts(&list, None, b"a\n", &long), None);
    }
}
