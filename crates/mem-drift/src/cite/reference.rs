//! Commits, branches and tags: words that only their neighbours make one.

use super::{CitationKind, CitationShape, CitationTarget};

/// Words that stand in front of a commit.
const COMMIT_WORDS: [&str; 14] = [
    "commit",
    "commits",
    "sha",
    "revision",
    "rev",
    "reverts",
    "reverted",
    "cherrypicked",
    "cherrypick",
    "merge",
    "introduced",
    "hash",
    "landed",
    "fixed",
];

/// A commit's id, whole or its start: at least seven digits, some of them letters.
pub(super) fn is_commit_id(word: &str) -> bool {
    (7..=40).contains(&word.len())
        && word
            .bytes()
            .all(|byte| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'))
        && word.bytes().any(|byte| byte.is_ascii_digit())
        && word.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// A code span, with the words before and behind it.
pub(super) fn in_code(span: &str, before: &str, after: &str) -> Option<CitationShape> {
    if is_commit_id(span) {
        let is_called = COMMIT_WORDS.contains(&before) || after == "commit";
        let target = CitationTarget::Commit(span.to_owned());
        return Some(if is_called {
            CitationShape::firm_shape(CitationKind::Commit, target)
        } else {
            CitationShape::tentative_shape(CitationKind::Commit, target)
        });
    }
    if !is_reference_name(span) {
        return None;
    }
    if before == "branch" || after.starts_with("branch") {
        let name = span.strip_prefix("origin/").unwrap_or(span);
        return Some(CitationShape::firm_shape(
            CitationKind::Branch,
            CitationTarget::Branch(name.to_owned()),
        ));
    }
    if matches!(before, "tag" | "tagged") || after == "tag" {
        return Some(CitationShape::firm_shape(
            CitationKind::Tag,
            CitationTarget::Tag(span.to_owned()),
        ));
    }
    None
}

/// A word of prose: only a commit that is called one.
pub(super) fn in_prose(word: &str, before: &str) -> Option<CitationShape> {
    let is_cited = is_commit_id(word) && COMMIT_WORDS.contains(&before);
    is_cited.then(|| {
        CitationShape::firm_shape(
            CitationKind::Commit,
            CitationTarget::Commit(word.to_owned()),
        )
    })
}

/// What git takes for a name, without the odder ones.
fn is_reference_name(word: &str) -> bool {
    word.len() >= 2
        && !word.starts_with(['-', '/', '.'])
        && !word.ends_with(['/', '.'])
        && !word.contains("..")
        && word
            .chars()
            .all(|c| c.is_alphanumeric() || "._-/+#".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_make_a_reference() {
        let kind = |span, before, after| {
            in_code(span, before, after).map(|shape| (shape.kind, shape.is_tentative))
        };
        assert_eq!(
            kind("a1b2c3d", "commit", ""),
            Some((CitationKind::Commit, false))
        );
        assert_eq!(
            kind("a1b2c3d", "see", ""),
            Some((CitationKind::Commit, true))
        );
        assert_eq!(kind("20240101", "commit", ""), None);
        assert_eq!(kind("facade1", "", ""), Some((CitationKind::Commit, true)));
        assert_eq!(
            kind("fix/login", "branch", ""),
            Some((CitationKind::Branch, false))
        );
        assert_eq!(kind("v1.2.0", "tag", ""), Some((CitationKind::Tag, false)));
        assert_eq!(kind("v1.2.0", "since", ""), None);
        assert_eq!(in_prose("deadbee", "commit"), None);
        assert!(in_prose("dea1bee", "commit").is_some());
    }
}
