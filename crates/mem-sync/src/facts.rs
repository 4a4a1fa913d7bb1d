//! What is known of the keys whose two ends may differ, found in one walk over what is remembered and the
//! files here. Most of thousands of keys are as they were: nothing is made of those.
//!
//! ```text
//!  rows   a   b   d     both sorted by name; the smaller head is taken, equal heads together
//!  files  a   c   d     -> a: row and file   b: row only   c: file only   d: row and file
//! ```
//!
//! **Cost:** linear in rows and files, with no lookup and no allocation for a key whose ends agree. **Invariant:** what is
//! left out is exactly what `decide` calls settled with nothing to note.
//! Test: `facts::tests::a_walk_tells_what_looking_up_tells`.

use std::collections::BTreeMap;

use mem_core::history::Sha256;
use mem_core::sorted_lines::SortedLine;

use crate::base::{KeyRow, SyncState, heads};
use crate::decide::KnownKey;
use crate::key::{EntryKey, InvalidKey};

/// One key that is not simply as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Which.
    pub key: EntryKey,
    /// What the file last had in common with the remote.
    pub base: Option<KnownKey>,
    /// The file.
    pub mine: Option<Sha256>,
    /// What the remote was last seen to have.
    pub remote: Option<KnownKey>,
    /// Whether the base is not the one that is remembered: the file is what was being written.
    pub is_taking: bool,
}

/// Every key of which more is to be said than that both ends have, or had, the same.
#[derive(Debug, Default)]
pub struct Facts {
    /// In the order of their keys.
    pub open: Vec<Fact>,
    /// Names of files that are no keys, and why.
    pub unnamed: Vec<(String, InvalidKey)>,
}

impl Facts {
    /// Compares what is remembered with the files, which are in the order of their names.
    pub fn compare(state: &SyncState, files: &[(String, Sha256)]) -> Self {
        let taking = state.taking.iter();
        let taking: BTreeMap<&str, Sha256> = taking
            .map(|(key, sha256)| (key.as_str(), *sha256))
            .collect();
        let mut facts = Self::default();
        let mut rows = state.rows().peekable();
        let mut files = files.iter().peekable();
        loop {
            let next = files.peek().map(|(name, _)| name.as_str());
            let row = rows.next_if(|(name, _)| next.is_none_or(|next| *name <= next));
            let name = row.as_ref().map(|(name, _)| *name).or(next);
            let Some(name) = name else { break };
            let mine = files.next_if(|(file, _)| file == name);
            let mine = mine.map(|(_, sha256)| *sha256);
            facts.add(name, row.as_ref().map(|(_, line)| line), mine, &taking);
        }
        facts
    }

    fn add(
        &mut self,
        name: &str,
        row: Option<&SortedLine<'_, KeyRow>>,
        mine: Option<Sha256>,
        taking: &BTreeMap<&str, Sha256>,
    ) {
        let (base, remote) = row.and_then(heads).unwrap_or_default();
        let is_taking = mine.is_some() && !taking.is_empty() && mine == taking.get(name).copied();
        let is_settled = match remote {
            Some(KnownKey::At(sha256)) => mine == Some(sha256),
            Some(KnownKey::Gone(_)) => mine.is_none(),
            None => false,
        };
        if is_settled && base == remote && !is_taking {
            return;
        }
        let base = match mine {
            Some(mine) if is_taking => Some(KnownKey::At(mine)),
            _ => base,
        };
        match EntryKey::parse(name) {
            Ok(key) => self.open.push(Fact {
                key,
                base,
                mine,
                remote,
                is_taking,
            }),
            Err(why) => self.unnamed.push((name.to_owned(), why)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::base::KeyView;

    #[test]
    fn a_walk_tells_what_looking_up_tells() {
        let key = |text: &str| EntryKey::parse(text).unwrap();
        let sha = |n: u8| Sha256::digest(&[n]);
        let names: Vec<String> = (0..200).map(|n| format!("{}/{n}", n % 7)).collect();
        let mut state = SyncState::default();
        let mut files = Vec::new();
        let mut all = BTreeSet::new();
        for (n, name) in names.iter().enumerate() {
            let n = u8::try_from(n).unwrap();
            let known = |gone: bool, n| match gone {
                true => KnownKey::Gone(sha(n)),
                false => KnownKey::At(sha(n)),
            };
            if !n.is_multiple_of(2) {
                state.set_base(&key(name), Some(known(n.is_multiple_of(13), n)));
            }
            if !n.is_multiple_of(3) {
                files.push((name.clone(), sha(n + u8::from(n.is_multiple_of(11)))));
            }
            if !n.is_multiple_of(5) {
                let seen = KeyView {
                    known: known(n.is_multiple_of(7), n),
                    actor: String::new(),
                    updated_at: String::new(),
                };
                state.set_seen(&key(name), Some(seen));
            }
            if n % 17 == 1 {
                state.taking.insert(key(name), sha(n));
            }
            all.insert(key(name));
        }
        files.push(("CON".to_owned(), sha(0)));
        files.sort();
        let facts = Facts::compare(&state, &files);
        assert_eq!(facts.unnamed.len(), 1);
        let open = facts.open.into_iter();
        let walked: Vec<_> = open
            .map(|one| (one.key, one.base, one.mine, one.remote))
            .collect();
        let looked_up: Vec<_> = all
            .into_iter()
            .filter_map(|key| {
                let at = files.binary_search_by(|(name, _)| name.as_str().cmp(key.as_str()));
                let mine = at.ok().map(|at| files[at].1);
                let (base, remote) = (state.base(&key), state.remote_of(&key));
                let is_taking = mine.is_some() && mine == state.taking.get(&key).copied();
                let is_same = match remote {
                    Some(KnownKey::At(sha256)) => mine == Some(sha256),
                    Some(KnownKey::Gone(_)) => mine.is_none(),
                    None => mine.is_none() && base.is_none(),
                };
                let is_open = !is_same || base != remote || is_taking;
                let base = mine.filter(|_| is_taking).map(KnownKey::At).or(base);
                is_open.then(|| (key.clone(), base, mine, remote))
            })
            .collect();
        assert_eq!(walked, looked_up);
        assert!(walked.len() > 100 && walked.len() < 200, "{}", walked.len());
    }
}
