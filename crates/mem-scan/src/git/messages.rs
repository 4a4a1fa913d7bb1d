//! Messages of commits and tags, the people who made them, and the names of files: they are pushed like any blob.

use std::collections::HashSet;

use super::id::ObjectId;
use super::object::{Commit, GitTag};
use crate::scan_origin::{ContentKind, ScanOrigin};
use crate::{Ruleset, ScanTotals, names};

/// Scans the author, the committer and the message of a commit. Most commits of a history are of the same few people:
/// each that is clean is scanned once.
pub(crate) fn of_commit(
    id: ObjectId,
    commit: &Commit,
    ruleset: &Ruleset,
    clean_persons: &mut HashSet<Vec<u8>>,
    totals: &mut ScanTotals,
) {
    let id = id.to_string();
    let is_one = commit.author == commit.committer;
    let persons = [
        ("commit author", &commit.author),
        ("committer", &commit.committer),
    ];
    for (what, person) in persons.into_iter().take(if is_one { 1 } else { 2 }) {
        if clean_persons.contains(person) {
            continue;
        }
        let before = (totals.found.len(), totals.suppressed);
        of_person(what, &id, person, ruleset, totals);
        if (totals.found.len(), totals.suppressed) == before {
            clean_persons.insert(person.clone());
        }
    }
    if !commit.headers.is_empty() {
        let place = part("commit header", &id, ContentKind::Message);
        ruleset.scan_bytes(&commit.headers, &place, totals);
    }
    let place = part("commit message", &id, ContentKind::Message);
    ruleset.scan_bytes(&commit.message, &place, totals);
}

/// Scans the tagger and the message of an annotated tag.
pub(crate) fn of_tag(id: ObjectId, tag: &GitTag, ruleset: &Ruleset, totals: &mut ScanTotals) {
    let id = id.to_string();
    of_person("tagger", &id, &tag.tagger, ruleset, totals);
    ruleset.scan_bytes(
        &tag.message,
        &part("tag message", &id, ContentKind::Message),
        totals,
    );
}

/// Scans `Name <e-mail>` of somebody who made a commit or tag.
fn of_person(what: &str, id: &str, person: &[u8], ruleset: &Ruleset, totals: &mut ScanTotals) {
    ruleset.scan_bytes(person, &part(what, id, ContentKind::Person), totals);
}

/// A part of a commit or tag that is no file.
fn part(what: &str, id: &str, kind: ContentKind) -> ScanOrigin {
    ScanOrigin {
        shown: what.to_owned(),
        path: what.to_owned(),
        commit: Some(id.to_owned()),
        kind,
        ..ScanOrigin::default()
    }
}

/// Scans the name of a branch or tag that is new on the remote.
pub(crate) fn of_reference(name: &str, ruleset: &Ruleset, totals: &mut ScanTotals) {
    names::scan(&ScanOrigin::file(name, name), ruleset, totals);
}

/// Scans the name of a file that a commit brings.
pub(crate) fn of_name(name: &str, commit: ObjectId, ruleset: &Ruleset, totals: &mut ScanTotals) {
    let place = ScanOrigin {
        commit: Some(commit.to_string()),
        ..ScanOrigin::file(name, name)
    };
    names::scan(&place, ruleset, totals);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clean_person_is_scanned_once() {
        let id = ObjectId::parse(&"1".repeat(40)).unwrap();
        let commit = Commit {
            tree: id,
            parents: Vec::new(),
            seconds: 0,
            author: b"A <a@example.org>".to_vec(),
            committer: b"B <b@example.org>".to_vec(),
            headers: Vec::new(),
            message: b"change".to_vec(),
        };
        let (ruleset, mut totals) = (Ruleset::default(), ScanTotals::default());
        let mut clean = HashSet::new();
        for _ in 0..3 {
            of_commit(id, &commit, &ruleset, &mut clean, &mut totals);
        }
        let people = commit.author.len() + commit.committer.len();
        assert_eq!(totals.bytes, (people + 3 * commit.message.len()) as u64);
    }
}
