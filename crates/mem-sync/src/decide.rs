//! What is to happen to one key, from three facts about it. Pure, and the whole of the protocol's mind.
//!
//! | remote | local | last seen | decision |
//! |---|---|---|---|
//! | there | the same | | settled |
//! | there | missing | | take: a local deletion does not propagate |
//! | there | differs | as the remote is now | push |
//! | there | as last seen | another | take |
//! | there | differs | differs | merge |
//! | deleted | missing | | settled |
//! | deleted | the deleted content | | remove |
//! | deleted | as last seen | | remove |
//! | deleted | changed since last seen | | shelve: a copy is kept, the file goes |
//! | deleted | never seen there | | push: a new file under an old name |
//! | unknown | there | | push |
//! | unknown | missing | | forget |
//!
//! "Last seen" is the content that file and remote last had in common, not what the remote had at the last look: only
//! this tells which end changed. **Invariant:** no row drops a text that only this machine has. Where the remote wins over
//! a changed file, the decision is `Shelve` or `Merge`, which keep a copy first. **Cost:** a few comparisons a key.
//!
//! Tests: `decide::tests::every_case_has_its_row_and_every_row_holds`, and over whole rounds of several machines
//! `convergence::everybody_ends_up_with_the_same_and_nothing_is_lost`.

use mem_core::history::Sha256;
use serde::{Deserialize, Serialize};

/// What is known of one key of a remote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KnownKey {
    /// It has content with this checksum.
    At(Sha256),
    /// It was deleted on purpose; the checksum is that of the content that was deleted.
    Gone(Sha256),
}

/// What is to happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Both ends agree; that is to be remembered.
    Settled,
    /// The remote gets the local content.
    Push,
    /// The local file gets the remote's content.
    Take,
    /// Both changed: merged by lines where that is clean, else the remote wins and a copy is kept.
    Merge,
    /// The local file goes.
    Remove,
    /// The local file goes, and a copy is kept.
    Shelve,
    /// Neither end has it any more.
    Forget,
}

/// Decides about one key: what the local file last had in common with the remote, what the file is now,
/// and what the remote is now.
pub fn decide(base: Option<KnownKey>, local: Option<Sha256>, remote: Option<KnownKey>) -> Decision {
    match (remote, local) {
        (None, None) => Decision::Forget,
        // A remote that lost an entry without a tombstone, as one restored from an old backup does.
        (None, Some(_)) => Decision::Push,
        // A missing file says nothing: a new clone, an emptied folder and a failed checkout look alike. A deletion
        // for everybody is asked for by name (`SyncState::deleting`).
        (Some(KnownKey::At(_)), None) => Decision::Take,
        (Some(KnownKey::Gone(_)), None) => Decision::Settled,
        (Some(KnownKey::At(remote)), Some(local)) => there(base, local, remote),
        (Some(KnownKey::Gone(deleted)), Some(local)) => decide_deleted(base, local, deleted),
    }
}

/// Both ends have content.
fn there(base: Option<KnownKey>, local: Sha256, remote: Sha256) -> Decision {
    match base {
        _ if local == remote => Decision::Settled,
        Some(KnownKey::At(base)) if base == remote => Decision::Push,
        // Content that was seen at the remote, or deleted there, is no change of ours.
        Some(KnownKey::At(base) | KnownKey::Gone(base)) if base == local => Decision::Take,
        _ => Decision::Merge,
    }
}

/// The remote has a tombstone, and there is a file.
fn decide_deleted(base: Option<KnownKey>, local: Sha256, deleted: Sha256) -> Decision {
    match base {
        // Also where this machine never synchronised the key: the very text was deleted on purpose.
        _ if local == deleted => Decision::Remove,
        Some(KnownKey::At(base)) if base == local => Decision::Remove,
        Some(KnownKey::At(_)) => Decision::Shelve,
        Some(KnownKey::Gone(_)) | None => Decision::Push,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Base, local, remote, decision. Letters are checksums; `!` is a tombstone, `-` is nothing.
    const TABLE: &str = "
        -  -  -  Forget    a  -  -  Forget    !a -  -  Forget
        -  a  -  Push      a  a  -  Push      !a a  -  Push
        a  b  -  Push      !a b  -  Push
        -  -  a  Take      a  -  a  Take      !a -  a  Take
        a  -  b  Take      !a -  b  Take
        -  a  a  Settled   a  a  a  Settled   !a a  a  Settled
        a  b  b  Settled   !a b  b  Settled
        -  a  b  Merge
        a  b  a  Push      a  a  b  Take      a  b  c  Merge
        !a b  a  Merge     !a a  b  Take      !a b  c  Merge
        -  -  !a Settled   a  -  !a Settled   !a -  !a Settled
        a  -  !b Settled   !a -  !b Settled
        -  a  !a Remove    a  a  !a Remove    !a a  !a Remove
        a  b  !b Remove    !a b  !b Remove
        -  a  !b Push
        a  b  !a Shelve    a  a  !b Remove    a  b  !c Shelve
        !a b  !a Push      !a a  !b Push      !a b  !c Push
    ";

    fn sha(letter: char) -> Sha256 {
        Sha256::digest(&[letter as u8])
    }

    fn known(text: &str) -> Option<KnownKey> {
        match text.strip_prefix('!') {
            Some(rest) => rest.chars().next().map(|c| KnownKey::Gone(sha(c))),
            None if text == "-" => None,
            None => text.chars().next().map(|c| KnownKey::At(sha(c))),
        }
    }

    /// The same case with its letters in the order of their first appearance.
    fn canonical(case: [&str; 3]) -> String {
        let mut letters = Vec::new();
        let text = case.join(" ");
        let renamed = text.chars().map(|c| {
            if !c.is_ascii_lowercase() {
                return c;
            }
            let at = letters.iter().position(|&l| l == c).unwrap_or_else(|| {
                letters.push(c);
                letters.len() - 1
            });
            char::from(b'a' + at as u8)
        });
        renamed.collect()
    }

    #[test]
    fn every_case_has_its_row_and_every_row_holds() {
        let words: Vec<&str> = TABLE.split_whitespace().collect();
        let mut rows = BTreeSet::new();
        for row in words.chunks(4) {
            assert!(
                rows.insert(canonical([row[0], row[1], row[2]])),
                "{row:?} is there twice"
            );
            let local = (row[1] != "-").then(|| sha(row[1].chars().next().unwrap()));
            let decision = decide(known(row[0]), local, known(row[2]));
            assert_eq!(format!("{decision:?}"), row[3], "{row:?}");
        }
        let ends = ["-", "a", "b", "c", "!a", "!b", "!c"];
        let mut cases = BTreeSet::new();
        for base in ends {
            for local in ["-", "a", "b", "c"] {
                for remote in ends {
                    cases.insert(canonical([base, local, remote]));
                }
            }
        }
        assert_eq!(rows, cases);
    }
}
