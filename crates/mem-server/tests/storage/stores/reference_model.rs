//! A store as a map: what the database has to agree with, whatever it is asked.

use std::collections::BTreeMap;

use mem_core::history::Sha256;
use mem_server::storage::stores::{StoreRefusal, VersionOperation, WriteCondition};

/// A memory is named by the number of its creation, so that ids can be compared.
#[derive(Clone, Debug, Default)]
pub(super) struct Model {
    /// By path: whose it is, and what it holds.
    pub(super) live: BTreeMap<String, (usize, String)>,
    /// Memories that were ever made.
    pub(super) made: usize,
    /// The oldest first.
    pub(super) versions: Vec<Version>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Version {
    pub(super) memory: usize,
    pub(super) operation: VersionOperation,
    pub(super) path: Option<String>,
    pub(super) content: Option<String>,
}

/// What a refusal is, without the ids in it; for a conflict any path that is in the way.
pub(super) type No = Option<&'static str>;

impl Model {
    fn note(
        &mut self,
        memory: usize,
        operation: VersionOperation,
        path: &str,
        content: Option<&str>,
    ) {
        self.versions.push(Version {
            memory,
            operation,
            path: Some(path.to_owned()),
            content: content.map(str::to_owned),
        });
    }

    fn path_of(&self, memory: usize) -> Option<String> {
        let found = self.live.iter().find(|(_, (id, _))| *id == memory);
        found.map(|(path, _)| path.clone())
    }

    fn is_in_the_way(&self, path: &str, own: Option<usize>) -> bool {
        let below = |a: &str, b: &str| a.strip_prefix(b).is_some_and(|rest| rest.starts_with('/'));
        self.live.iter().any(|(other, (id, _))| {
            Some(*id) != own && (other == path || below(other, path) || below(path, other))
        })
    }

    pub(super) fn create(&mut self, path: &str, content: &str) -> No {
        if self.is_in_the_way(path, None) {
            return Some("conflict");
        }
        self.live
            .insert(path.to_owned(), (self.made, content.to_owned()));
        self.note(self.made, VersionOperation::Created, path, Some(content));
        self.made += 1;
        None
    }

    pub(super) fn upsert(&mut self, path: &str, content: &str, not_exists: bool) -> No {
        match self.live.get(path).cloned() {
            None => self.create(path, content),
            Some((_, there)) if not_exists && there != content => Some("precondition"),
            Some((memory, _)) => self.update(memory, Some(content), None, None),
        }
    }

    pub(super) fn update(
        &mut self,
        memory: usize,
        content: Option<&str>,
        path: Option<&str>,
        condition: Option<WriteCondition>,
    ) -> No {
        let Some(old) = self.path_of(memory) else {
            return Some("memory");
        };
        let before = self.live[&old].1.clone();
        let (new, after) = (
            path.unwrap_or(&old).to_owned(),
            content.unwrap_or(&before).to_owned(),
        );
        if new == old && after == before {
            return None;
        }
        if let Some(WriteCondition::ContentSha256(wanted)) = condition
            && wanted != Sha256::digest(before.as_bytes())
        {
            return Some("precondition");
        }
        if new != old && self.is_in_the_way(&new, Some(memory)) {
            let is_taken = self.live.contains_key(&new);
            return match condition {
                Some(WriteCondition::NotExists) if is_taken => None,
                _ => Some("conflict"),
            };
        }
        self.live.remove(&old);
        self.live.insert(new.clone(), (memory, after.clone()));
        self.note(memory, VersionOperation::Modified, &new, Some(&after));
        None
    }

    pub(super) fn delete(&mut self, memory: usize, expected: Option<Sha256>) -> No {
        let Some(path) = self.path_of(memory) else {
            return Some("memory");
        };
        if expected.is_some_and(|sha256| sha256 != Sha256::digest(self.live[&path].1.as_bytes())) {
            return Some("precondition");
        }
        self.live.remove(&path);
        self.note(memory, VersionOperation::Deleted, &path, None);
        None
    }

    pub(super) fn redact(&mut self, version: usize) -> No {
        let memory = self.versions[version].memory;
        let newest = self.versions.iter().rposition(|one| one.memory == memory);
        if newest == Some(version) && self.path_of(memory).is_some() {
            return Some("head");
        }
        (self.versions[version].path, self.versions[version].content) = (None, None);
        None
    }
}

/// The same of the database.
pub(super) fn no(refusal: &StoreRefusal) -> No {
    Some(match refusal {
        StoreRefusal::PathConflict { .. } => "conflict",
        StoreRefusal::Precondition => "precondition",
        StoreRefusal::NoMemory => "memory",
        StoreRefusal::Head => "head",
        _ => "something else",
    })
}
