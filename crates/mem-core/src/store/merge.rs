//! Three-way merges of texts.
//!
//! Conflict markers never reach a memory: an agent would take them for text. Callers get `None` and decide.

use git2::{MergeFileInput, MergeFileOptions};

/// Merges two texts that come from `base`. `None` where both changed the same lines.
pub fn merge_text(base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    // The equal cases first: nothing is to be merged there, and any bytes stay exactly as they are.
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
}
