//! Messages of commits and tags, the people who made them, and the names of files: they are pushed like any blob.

use super::id::ObjectId;
use super::object::{Commit, GitTag};
use crate::scan_origin::{ContentKind, ScanOrigin};
use crate::{Ruleset, ScanTotals, names};

/// Scans the author, the committer and the message of a commit.
pub(crate) fn of_commit(id: ObjectId, commit: &Commit, ruleset: &Ruleset, totals: &mut ScanTotals) {
    let id = id.to_string();
    of_person("commit author", &id, &commit.author, ruleset, totals);
    if commit.committer != commit.author {
        of_person("committer", &id, &commit.committer, ruleset, totals);
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
