//! What a note's content rested on when it was written: the files of the repository that it cites,
//! each with the id of its blob at that time.
//!
//! Kept with the version, not in the note and not in the file: `{"src/a.rs":"<40 hex digits>"}`, left
//! out where there is nothing. It makes drift exact, whatever happens to commits and clocks.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::limits::{CITED_BYTES_MAX, CITED_FILES_MAX};

/// Digits of a blob's id, by SHA-1 and by SHA-256.
const ID_DIGITS: [usize; 2] = [40, 64];

/// Paths from the top of the repository with blob ids in hexadecimal; bounded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CitationSnapshot(BTreeMap<String, String>);

impl CitationSnapshot {
    /// As many pairs as are kept, in their order. What is no path or no id is left out.
    pub fn new(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut bytes = 0;
        let fits = |(path, id): &(String, String)| is_path(path) && is_id(id);
        let mut has_room = |(path, id): &(String, String)| {
            bytes += path.len() + id.len();
            bytes <= CITED_BYTES_MAX
        };
        let kept = pairs.into_iter().filter(fits).take(CITED_FILES_MAX);
        Self(kept.take_while(&mut has_room).collect())
    }

    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The pairs, by path.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(path, id)| (path.as_str(), id.as_str()))
    }

    /// Leaves out the files whose paths or ids are to be forgotten.
    pub(crate) fn forget(&mut self, is_forgotten: impl Fn(&str) -> bool) {
        self.0
            .retain(|path, id| !is_forgotten(path) && !is_forgotten(id));
    }
}

fn is_path(path: &str) -> bool {
    !path.is_empty() && !path.chars().any(char::is_control)
}

fn is_id(id: &str) -> bool {
    ID_DIGITS.contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_well_formed_and_bounded() {
        let id = "a1".repeat(20);
        let pair = |path: &str| (path.to_owned(), id.clone());
        let cited = CitationSnapshot::new([
            pair("src/a b.rs"),
            pair("tab\there"),
            pair(""),
            ("src/c.rs".to_owned(), "short".to_owned()),
        ]);
        assert_eq!(cited.iter().collect::<Vec<_>>(), [("src/a b.rs", &*id)]);
        let many = (0..1_000).map(|number| pair(&format!("src/{number}.rs")));
        assert_eq!(CitationSnapshot::new(many).iter().count(), CITED_FILES_MAX);
        let long = (0..10).map(|number| pair(&format!("{number}{}", "x".repeat(2_000))));
        assert!(CitationSnapshot::new(long).iter().count() < 5);
    }
}
