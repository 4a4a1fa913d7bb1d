//! What is known of every key, in one walk: base, local file, remote.

use std::collections::btree_map::Iter;
use std::iter::Peekable;

use mem_core::history::Sha256;

use super::Local;
use crate::base::{Seen, State};
use crate::decide::Known;
use crate::key::Key;

/// One key.
pub(super) struct Facts<'f> {
    pub(super) key: &'f Key,
    pub(super) base: Option<Known>,
    pub(super) mine: Option<Sha256>,
    pub(super) remote: Option<Known>,
    /// Whether the base is not the one that is remembered: the file is what was being written.
    pub(super) is_taking: bool,
}

/// Every key that anything is known of, in order. The maps are walked side by side: looking each key up in
/// each of them, over thousands of keys, would be most of a round where nothing happened.
pub(super) fn facts<'f>(state: &'f State, local: &'f Local) -> impl Iterator<Item = Facts<'f>> {
    let mut base = state.base.iter().peekable();
    let mut files = local.iter().peekable();
    let mut view = state.view.keys.iter().peekable();
    std::iter::from_fn(move || {
        let heads = [
            base.peek().map(|(key, _)| *key),
            files.peek().map(|(key, _)| *key),
            view.peek().map(|(key, _)| *key),
        ];
        let key = heads.into_iter().flatten().min()?;
        let base = at(&mut base, key).copied();
        let mine = at(&mut files, key).copied();
        let remote = at(&mut view, key).map(|seen: &Seen| seen.known);
        // What was being written counts as seen.
        let is_taking = mine.is_some() && mine == state.taking.get(key).copied();
        let base = match mine {
            Some(mine) if is_taking => Some(Known::At(mine)),
            _ => base,
        };
        Some(Facts {
            key,
            base,
            mine,
            remote,
            is_taking,
        })
    })
}

/// The value of a key, if it is the next one.
fn at<'f, V>(map: &mut Peekable<Iter<'f, Key, V>>, key: &Key) -> Option<&'f V> {
    map.next_if(|(next, _)| *next == key)
        .map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_walk_tells_what_looking_up_tells() {
        let key = |text: &str| Key::parse(text).unwrap();
        let sha = |n: u8| Sha256::of(&[n]);
        let mut state = State::default();
        let mut local = Local::new();
        for (n, name) in ["a", "b/c", "b", "d", "e", "f", "g"].iter().enumerate() {
            let n = n as u8;
            if n.is_multiple_of(2) {
                state.base.insert(key(name), Known::At(sha(n)));
            }
            if !n.is_multiple_of(3) {
                local.insert(key(name), sha(n));
            }
            if n > 2 {
                let (actor, updated_at) = (String::new(), String::new());
                let known = Known::Gone(sha(n));
                state.view.keys.insert(
                    key(name),
                    Seen {
                        known,
                        actor,
                        updated_at,
                    },
                );
            }
            if n % 5 == 1 {
                state.taking.insert(key(name), sha(n));
            }
        }
        let mut keys: BTreeSet<Key> = state.keys();
        keys.extend(local.keys().cloned());
        let walked: Vec<_> = facts(&state, &local)
            .map(|one| (one.key.clone(), one.base, one.mine, one.remote))
            .collect();
        let looked_up: Vec<_> = keys
            .into_iter()
            .map(|key| {
                let mine = local.get(&key).copied();
                let (base, remote) = (state.base_of(&key, mine), state.remote_of(&key));
                (key, base, mine, remote)
            })
            .collect();
        assert_eq!(walked, looked_up);
    }
}
