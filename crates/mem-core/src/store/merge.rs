//! Three-way merges of texts.

use git2::{MergeFileInput, MergeFileOptions};

/// Merges two texts that come from `base`. `None` where both changed the same lines.
pub fn merge_text(base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    if ours == theirs || theirs == base {
        return Some(ours.to_vec());
    }
    if ours == base {
        return Some(theirs.to_vec());
    }
    let input = |bytes| {
        let mut input = MergeFileInput::new();
        input.content(bytes);
        input
    };
    let (base, ours, theirs) = (input(base), input(ours), input(theirs));
    let mut options = MergeFileOptions::new();
    // The one git2 call that does not start libgit2 by itself; making a buffer does.
    let _started = git2::Buf::new();
    let merged = git2::merge_file(&base, &ours, &theirs, Some(&mut options)).ok()?;
    merged.is_automergeable().then(|| merged.content().to_vec())
}

/// Merges two indexes that come from `base`. Lines are a set here: what `theirs` removed goes,
/// what it added comes in after the line it follows there. Never conflicts.
pub fn merge_index(base: &[u8], ours: &[u8], theirs: &[u8]) -> Vec<u8> {
    if let Some(merged) = merge_text(base, ours, theirs) {
        return merged;
    }
    let (base, theirs) = (lines(base), lines(theirs));
    let mut merged = lines(ours);
    for line in base.iter().filter(|line| !theirs.contains(line)) {
        if let Some(at) = merged.iter().position(|one| one == line) {
            merged.remove(at);
        }
    }
    for (at, line) in theirs.iter().enumerate() {
        if base.contains(line) || merged.contains(line) {
            continue;
        }
        let before = at.checked_sub(1).and_then(|at| theirs.get(at));
        let place = before.and_then(|before| merged.iter().position(|one| one == before));
        merged.insert(place.map_or(merged.len(), |place| place + 1), line);
    }
    join(&merged)
}

/// Lines with their endings.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|&byte| byte == b'\n').collect()
}

/// The lines one after the other; one that lacked an ending in the middle gets it.
fn join(lines: &[&[u8]]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for line in lines {
        if bytes.last().is_some_and(|&last| last != b'\n') {
            bytes.push(b'\n');
        }
        bytes.extend_from_slice(line);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distant_edits_merge_and_the_same_line_does_not() {
        let base = b"one\ntwo\nthree\nfour\nfive\n";
        let ours = b"ONE\ntwo\nthree\nfour\nfive\n";
        let theirs = b"one\ntwo\nthree\nfour\nFIVE\n";
        assert_eq!(
            merge_text(base, ours, theirs).unwrap(),
            b"ONE\ntwo\nthree\nfour\nFIVE\n"
        );
        assert_eq!(merge_text(base, ours, b"1\ntwo\nthree\nfour\nfive\n"), None);
        assert_eq!(merge_text(base, base, theirs).unwrap(), theirs);
    }

    #[test]
    fn an_index_always_merges() {
        let base = b"- [A](a.md)\n- [B](b.md)\n";
        let ours = b"- [A](a.md)\n- [B](b.md)\n- [C](c.md)\n";
        assert_eq!(
            merge_index(base, ours, b"- [A](a.md)\n"),
            b"- [A](a.md)\n- [C](c.md)\n"
        );
        let theirs = b"- [A](a.md)\n- [B](b.md)\n- [D](d.md)";
        let merged = merge_index(base, ours, theirs);
        assert_eq!(
            merged,
            b"- [A](a.md)\n- [B](b.md)\n- [D](d.md)\n- [C](c.md)\n"
        );
    }
}
