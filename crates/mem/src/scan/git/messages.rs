//! Messages of commits and tags, and the names of files: they are pushed like any blob.

use super::id::ObjectId;
use super::object::{Commit, Tag};
use crate::scan::found::{Kind, Place};
use crate::scan::{Ruleset, Tally, names};

/// Scans the message of a commit.
pub(crate) fn of_commit(id: ObjectId, commit: &Commit, ruleset: &Ruleset, tally: &mut Tally) {
    ruleset.scan(&commit.message, &message("commit message", id), tally);
}

/// Scans the message of an annotated tag.
pub(crate) fn of_tag(id: ObjectId, tag: &Tag, ruleset: &Ruleset, tally: &mut Tally) {
    ruleset.scan(&tag.message, &message("tag message", id), tally);
}

fn message(what: &str, id: ObjectId) -> Place {
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
pub(crate) fn of_name(name: &str, commit: ObjectId, ruleset: &Ruleset, tally: &mut Tally) {
    let place = Place {
        commit: Some(commit.to_string()),
        ..Place::file(name, name)
    };
    names::scan(&place, ruleset, tally);
}
