//! Entries that cannot stand beside each other: which of them are taken is up to who asks.
//!
//! A remote that somebody writes to by other ways, as a git ref, may have them. Whoever knows one of them keeps that
//! one: what comes later under a name that is taken displaces nothing.

use std::cmp::Reverse;

use super::StateAnswer;
use crate::key::{EntryKey, KeySet};
use crate::limits::ENTRIES_MAX;
use crate::wire::{RejectedKey, RejectionCode};

impl StateAnswer {
    /// Takes those of the entries that weigh more, among equals the first in byte order, and rejects the others.
    pub(crate) fn resolve_clashes(
        &mut self,
        rejected: &mut Vec<RejectedKey>,
        weight: impl Fn(&EntryKey) -> u8,
    ) {
        let clashing = std::mem::take(&mut self.clashing);
        if clashing.is_empty() {
            return;
        }
        rejected.retain(|one| !clashing.keys().any(|key| key.as_str() == one.name));
        let entries = std::mem::take(&mut self.entries).into_iter();
        let mut all: Vec<_> = entries.chain(clashing).collect();
        all.sort_by_cached_key(|(key, _)| (Reverse(weight(key)), key.clone()));
        let mut keys = KeySet::default();
        for (key, entry) in all {
            if self.entries.len() == ENTRIES_MAX {
                let why = "there are more entries than a store may hold";
                rejected.push(RejectedKey::new(
                    key.as_str(),
                    RejectionCode::StoreFull,
                    why,
                ));
            } else if let Err(clash) = keys.insert(&key) {
                rejected.push(RejectedKey::from_clash(&key, &clash));
            } else {
                self.entries.insert(key, entry);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use mem_core::history::Sha256;
    use proptest::prelude::*;

    use super::*;

    fn answer<'k>(names: impl Iterator<Item = &'k str>) -> (StateAnswer, Vec<RejectedKey>) {
        let sha256 = Sha256::digest(b"x");
        let entries: Vec<String> = names
            .map(|name| format!(r#""{name}":{{"sha256":"{sha256}"}}"#))
            .collect();
        let body = format!(r#"{{"version":1,"entries":{{{}}}}}"#, entries.join(","));
        StateAnswer::read(body.as_bytes()).unwrap()
    }

    #[test]
    fn what_is_known_stays_and_the_newcomer_is_told() {
        for (known, taken) in [
            ("ok.md", vec!["d/x", "ok.md"]),
            ("OK.md", vec!["OK.md", "d/x"]),
            ("none", vec!["OK.md", "d/x"]),
            ("D", vec!["D", "OK.md"]),
        ] {
            let (mut answer, mut rejected) = answer(["OK.md", "ok.md", "d/x", "D"].into_iter());
            // `D` comes first in byte order.
            assert_eq!(answer.clashing.len(), 2);
            let weight = |key: &EntryKey| match key.as_str() {
                name if name == known => 2,
                "d/x" => 1,
                _ => 0,
            };
            answer.resolve_clashes(&mut rejected, weight);
            let names: Vec<&str> = answer.entries.keys().map(EntryKey::as_str).collect();
            assert_eq!(names, taken, "{known}");
            assert_eq!(rejected.len(), 2, "{rejected:?}");
        }
    }

    proptest! {
        #[test]
        fn every_entry_is_taken_or_rejected_and_one_that_is_known_by_itself_is_taken(
            names in proptest::collection::btree_set("[aAbB](/[aA])?", 1..8),
            known in any::<prop::sample::Index>(),
        ) {
            let (mut answer, mut rejected) = answer(names.iter().map(String::as_str));
            let known = known.get(&names.iter().collect::<Vec<_>>()).as_str();
            answer.resolve_clashes(&mut rejected, |key| u8::from(key.as_str() == known));
            let taken = answer.entries.keys().map(|key| key.as_str().to_owned());
            let told = rejected.iter().map(|one| one.name.clone());
            let all: Vec<String> = taken.chain(told).collect();
            prop_assert_eq!(all.len(), names.len());
            prop_assert_eq!(all.into_iter().collect::<BTreeSet<_>>(), names.clone());
            prop_assert!(answer.entries.keys().any(|key| key.as_str() == known));
            let mut set = KeySet::default();
            prop_assert!(answer.entries.keys().all(|key| set.insert(key).is_ok()));
        }
    }
}
