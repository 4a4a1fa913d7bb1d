//! Messages of commits and tags, and the names of files: they are pushed like any blob.

use git2::{Commit, Oid, Tag};

use crate::scan::found::{Kind, Place};
use crate::scan::{Ruleset, Tally};

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

fn message(what: &str, id: Oid) -> Place {
    Place {
        shown: what.to_owned(),
        path: what.to_owned(),
        commit: Some(id.to_string()),
        kind: Kind::Message,
    }
}

/// Scans the names of the files that a commit brings, all at once.
pub(crate) fn of_names(names: &[String], commit: &str, ruleset: &Ruleset, tally: &mut Tally) {
    let worth: Vec<&str> = names
        .iter()
        .map(String::as_str)
        .filter(|name| crate::scan::names::may_hold_token(name))
        .collect();
    for name in worth {
        let place = Place {
            shown: name.to_owned(),
            path: name.to_owned(),
            commit: (!commit.is_empty()).then(|| commit.to_owned()),
            kind: Kind::Name,
        };
        ruleset.scan(name.as_bytes(), &place, tally);
    }
}
