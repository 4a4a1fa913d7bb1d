//! Messages of commits and tags, and the names of files: they are pushed like any blob.

use git2::{Commit, Oid, Tag};

use crate::scan::found::{Kind, Place};
use crate::scan::{Ruleset, Tally, names};

/// Scans the message of a commit.
pub(crate) fn of_commit(commit: &Commit<'_>, ruleset: &Ruleset, tally: &mut Tally) {
    let place = message("commit message", commit.id());
    ruleset.scan(commit.message_raw_bytes(), &place, tally);
}

/// Scans the message of an annotated tag.
pub(crate) fn of_tag(tag: &Tag<'_>, ruleset: &Ruleset, tally: &mut Tally) {
    if let Some(text) = tag.message_bytes() {
        ruleset.scan(text, &message("tag message", tag.id()), tally);
    }
}

/// Scans an annotated tag as git prints it.
pub(crate) fn of_tag_text(text: &[u8], name: &str, ruleset: &Ruleset, tally: &mut Tally) {
    let place = Place {
        commit: Some(name.to_owned()),
        kind: Kind::Message,
        ..Place::file("tag message", "tag message")
    };
    ruleset.scan(text, &place, tally);
}

fn message(what: &str, id: Oid) -> Place {
    Place {
        shown: what.to_owned(),
        path: what.to_owned(),
        commit: Some(id.to_string()),
        kind: Kind::Message,
    }
}

/// Scans the name of a branch or tag that is new on the remote.
pub(crate) fn of_reference(name: &str, ruleset: &Ruleset, tally: &mut Tally) {
    names::scan(&Place::file(name, name), ruleset, tally);
}

/// Scans the name of a file that a commit brings.
pub(crate) fn of_name(name: &str, commit: Oid, ruleset: &Ruleset, tally: &mut Tally) {
    let place = Place {
        commit: Some(commit.to_string()),
        ..Place::file(name, name)
    };
    names::scan(&place, ruleset, tally);
}
